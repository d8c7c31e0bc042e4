"""`manage.py bench NAME [--json]`: measure a part of the product beside its peer, in the same run."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from dataagent.management import (
    bench_compile,
    bench_execute,
    bench_guard,
    bench_hidden,
    bench_intent,
    bench_members,
    bench_queue,
    bench_runs,
    bench_scale,
)
from dataagent.management.bench_execute import DifferentRows
from dataagent.management.bench_report import BenchOptions, BenchReport, told
from dataagent.management.peers import PeerFailed


def _guard(_: BenchOptions) -> BenchReport:
    return BenchReport(results=tuple(bench_guard.measure(Path(settings.BASE_DIR) / "fixtures" / "catalog")))


def _runs(_: BenchOptions) -> BenchReport:
    return BenchReport(results=(*bench_runs.measure(), *bench_queue.all_roads()))


def _queue(_: BenchOptions) -> BenchReport:
    return BenchReport(results=tuple(bench_queue.measure()))


def _compile(options: BenchOptions) -> BenchReport:
    return bench_compile.measure(Path(settings.BASE_DIR) / "fixtures" / "bench", options)


def _execute(options: BenchOptions) -> BenchReport:
    return bench_execute.measure(Path(settings.BASE_DIR) / "fixtures" / "bench" / "execute", options)


def _scale(_: BenchOptions) -> BenchReport:
    return bench_scale.measure()


def _members(options: BenchOptions) -> BenchReport:
    return bench_members.measure(options)


def _hidden(options: BenchOptions) -> BenchReport:
    return bench_hidden.measure(options)


def _intent(options: BenchOptions) -> BenchReport:
    return bench_intent.measure(Path(settings.BASE_DIR) / "fixtures", options)


BENCHES: dict[str, Callable[[BenchOptions], BenchReport]] = {
    "compile": _compile,
    "execute": _execute,
    "guard": _guard,
    "hidden": _hidden,
    "intent": _intent,
    "members": _members,
    "queue": _queue,
    "runs": _runs,
    "scale": _scale,
}
"""Benches by name."""


class Command(BaseCommand):
    """Runs one bench and prints our times, the peer's and their ratio."""

    help = "Measure a part of the product beside its peer."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--json", action="store_true")
        parser.add_argument("--peer-python", type=Path, help="compile: an interpreter with requirements/bench.lock")
        parser.add_argument("--node-modules", type=Path, help="compile: a node_modules with Cube's schema compiler")

        parser.add_argument("--rows", type=int, default=10_000_000, help="execute: rows of the large table")
        parser.add_argument("--members", type=int, help="hidden, intent, members: how many, 5 million by default")

    def handle(self, *_args: Any, **options: Any) -> None:
        name = options["name"]
        if name not in BENCHES:
            raise CommandError(f"There is no bench of that name. Known: {', '.join(sorted(BENCHES))}.")
        given = BenchOptions(
            peer_python=options["peer_python"],
            node_modules=options["node_modules"],
            rows=options["rows"],
            members=options["members"],
        )
        try:
            report = BENCHES[name](given)
        except (PeerFailed, DifferentRows) as failed:
            raise CommandError(str(failed)) from failed
        if options["json"]:
            machine = f"{platform.machine()} {platform.system()} Python {platform.python_version()}"
            whole = {"bench": name, "machine": machine, "notes": report.notes, "results": report.results}
            self.stdout.write(json.dumps(whole))
            return
        for figures in report.results:
            self.stdout.write(told(figures))
        for note in report.notes:
            self.stdout.write(note)
