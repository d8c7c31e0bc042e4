"""`manage.py bench NAME [--json]`: measure a part of the product beside its peer, in the same run."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from dataagent.management import bench_guard, bench_runs


def _guard() -> list[dict[str, object]]:
    return bench_guard.measure(Path(settings.BASE_DIR) / "fixtures" / "catalog")


BENCHES: dict[str, Callable[[], list[dict[str, object]]]] = {"guard": _guard, "runs": bench_runs.measure}
"""Benches by name; each returns one object per case."""


class Command(BaseCommand):
    """Runs one bench and prints our times, the peer's and their ratio."""

    help = "Measure a part of the product beside its peer."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--json", action="store_true")

    def handle(self, *_args: Any, **options: Any) -> None:
        name = options["name"]
        if name not in BENCHES:
            raise CommandError(f"There is no bench of that name. Known: {', '.join(sorted(BENCHES))}.")
        results = BENCHES[name]()
        if options["json"]:
            machine = f"{platform.machine()} {platform.system()} Python {platform.python_version()}"
            self.stdout.write(json.dumps({"bench": name, "machine": machine, "results": results}))
            return
        for result in results:
            self.stdout.write(
                f"{result['name']}: ours {result['ours_p50_ms']} / {result['ours_p95_ms']} ms (p50 / p95), "
                f"{result['peer']} {result['peer_p50_ms']} / {result['peer_p95_ms']} ms, ratio {result['ratio']}"
            )
