"""`manage.py metricflow SUITE_DIR [--cases DIR] [--engine ENGINE] [--json]`: metric queries, checked."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalog.management.metricflow.cases import CaseResult, run_suite
from catalog.management.metricflow.other_engines import TYPES, missing_package

ENGINES = ("duckdb", "postgres", *TYPES)


class Command(BaseCommand):
    """Compiles and runs each case, and compares it with the case's own check query."""

    help = "Run typed metric queries on their tables and compare them with independent check queries."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("suite", type=Path, help="a folder with manifests/, tables/ and cases/")
        parser.add_argument("--cases", type=Path, help="another folder of case files")
        parser.add_argument("--engine", choices=ENGINES, default="duckdb")
        parser.add_argument("--json", action="store_true", dest="as_json", help="print one JSON object per case")

    def handle(self, *_: Any, **options: Any) -> None:
        suite: Path = options["suite"]
        missing = [n for n in ("manifests", "tables") if not (suite / n).is_dir()]
        if missing:
            raise CommandError(f"{suite} has no folder {missing[0]}; give the folder that holds it.")
        package = missing_package(options["engine"])
        if package:
            raise CommandError(f"{options['engine']} needs the package {package}; install it and try again.")
        kinds: Counter[str] = Counter()
        for result in run_suite(suite, cases=options["cases"], engine=options["engine"]):
            kinds[result.kind] += 1
            self.stdout.write(_as_json(result) if options["as_json"] else _as_text(result))
        self.stdout.write(json.dumps({"summary": _summary(kinds, options["engine"])}))
        if kinds.total() != kinds["ok"] + kinds["ok_by_order"]:
            sys.exit(1)


def _summary(kinds: Counter[str], engine: str) -> dict[str, object]:
    ok = kinds["ok"] + kinds["ok_by_order"]
    return {
        "ok": ok,
        "failed": kinds.total() - ok,
        "ok_by_order": kinds["ok_by_order"],
        "unsupported": kinds["unsupported"],
        "differing": kinds["differs"],
        "errors": kinds["failed"],
        "total": kinds.total(),
        "engine": engine,
    }


def _as_json(result: CaseResult) -> str:
    issue = {"kind": result.kind, "code": result.code, "message": result.detail} if result.detail else None
    ok = result.kind in {"ok", "ok_by_order"}
    return json.dumps({"file": result.file, "name": result.name, "ok": ok, "issue": issue})


def _as_text(result: CaseResult) -> str:
    code = f" {result.code}" if result.code else ""
    end = f"{code}: {result.detail}" if result.detail else ""
    return f"{result.kind:<12}{result.name}{end}"
