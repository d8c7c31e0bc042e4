"""`manage.py doctor`: is everything well, and what to do where it is not."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from dataagent.management.checks import all_checks
from dataagent.warehouse import pool


class Command(BaseCommand):
    """Prints each check; exits 1 where one is not well."""

    help = "Check database, tables, clock, disk, keys, queue and warehouse, and say what to do."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print machine text")

    def handle(self, *_args: Any, **options: Any) -> None:
        found = all_checks()
        pool.close_all()
        if options["json"]:
            self.stdout.write(json.dumps([asdict(h) for h in found], ensure_ascii=False))
        else:
            for health in found:
                self.stdout.write(f"{'ok ' if health.ok else 'NO '} {health.name:<11} {health.what}")
                if health.what_to_do:
                    self.stdout.write(f"    {'':<11} {health.what_to_do}")
        if not all(h.ok for h in found):
            sys.exit(1)
