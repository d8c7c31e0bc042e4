"""`manage.py guard FILE.jsonl --schema FILE.sql --policy FILE.json [--json]`: judge a corpus of statements."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from dataagent.management.guard_corpus import Case, Grader, Grading, summary_of
from dataagent.management.guard_engines import engines
from dataagent.management.guard_policy import read_policy


class Command(BaseCommand):
    """Judges each statement by verdict, by its result on the permitted world and by what it must not show."""

    help = "Put a corpus of SQL statements through the guard and grade what becomes of them."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--schema", type=Path, required=True)
        parser.add_argument("--policy", type=Path, required=True)
        parser.add_argument("--json", action="store_true")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            lines = options["file"].read_text(encoding="utf-8").splitlines()
            schema_sql = options["schema"].read_text(encoding="utf-8")
            policy = read_policy(options["policy"])
        except (OSError, ValueError) as fault:
            raise CommandError(f"A file cannot be read: {fault}") from fault
        cases = {case.id: case for case in (Case.model_validate_json(line) for line in lines if line.strip())}
        gradings: list[Grading] = []
        with engines(schema_sql, policy, {c.dialect for c in cases.values()}) as running:
            for grading in Grader(policy=policy, engines=running).gradings(cases.values()):
                gradings.append(grading)
                self._line(grading, machine=options["json"])
        summary = summary_of(gradings, cases)
        self.stdout.write(json.dumps({"summary": summary}) if options["json"] else _words(summary))
        if summary["ok"] != summary["cases"]:
            raise SystemExit(1)

    def _line(self, grading: Grading, *, machine: bool) -> None:
        if machine:
            self.stdout.write(json.dumps(grading.as_json(), ensure_ascii=False))
        elif not grading.ok:
            kinds = ("false_allow", "false_block", "wrong_result", "leak")
            faults = ", ".join(kind for kind in kinds if getattr(grading, kind))
            self.stdout.write(f"{grading.id}: {grading.verdict} {grading.reason} ({faults})")


def _words(summary: dict[str, Any]) -> str:
    return (
        f"{summary['ok']} of {summary['cases']} as they should be, {summary['executed']} executed: "
        f"{summary['false_allows']} false allows, {summary['leaks']} leaks, "
        f"{summary['wrong_results']} wrong results, {summary['false_blocks']} false blocks."
    )
