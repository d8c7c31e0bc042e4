"""`manage.py metric explain NAME --catalog FOLDER [--by …] [--where …] [--json]`: the SQL of a metric."""

from __future__ import annotations

import json
import re
from argparse import ArgumentParser
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalog.compiler import compile_query
from catalog.importers.own import load_folder
from catalog.issues import CatalogError, issue_line
from catalog.query import CompiledQuery, GroupBy, QuerySpec
from catalog.types import CatalogSnapshot, Filter, Operator, Scalar, TimeGranularity

_CONDITION = re.compile(r"^\s*(\w+)\s*(!=|>=|<=|=|>|<)\s*(.+?)\s*$")


class Command(BaseCommand):
    """Prints the SQL that a metric becomes; nothing is executed."""

    help = "Show the SQL of a metric, grouped and filtered, without running it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["explain"])
        parser.add_argument("metrics", nargs="+")
        parser.add_argument("--catalog", type=Path, required=True, help="a folder or file of catalog YAML")
        parser.add_argument("--by", action="append", default=[], help="a dimension, with :grain for a time")
        parser.add_argument("--where", action="append", default=[], help='a condition such as "region = EMEA"')
        parser.add_argument("--dialect", choices=["duckdb", "postgres"])
        parser.add_argument("--json", action="store_true", dest="as_json", help="print one JSON object")

    def handle(self, *_: Any, **options: Any) -> None:
        snapshot = _snapshot(options["catalog"])
        spec = QuerySpec(
            metrics=tuple(options["metrics"]),
            group_by=tuple(_group(text) for text in options["by"]),
            where=tuple(_filter(text) for text in options["where"]),
        )
        found = compile_query(spec, snapshot, dialect=options["dialect"])
        if not isinstance(found, CompiledQuery):
            raise CommandError("\n".join(issue_line(i) for i in found))
        self.stdout.write(_as_json(found) if options["as_json"] else _as_text(found))


def _snapshot(folder: Path) -> CatalogSnapshot:
    try:
        return load_folder(folder)
    except CatalogError as bad:
        raise CommandError(str(bad)) from bad


def _group(text: str) -> GroupBy:
    name, _, grain = text.partition(":")
    if grain and grain not in set(TimeGranularity):
        raise CommandError(f"{grain} is no size of time; use one of {', '.join(TimeGranularity)}.")
    return GroupBy(dimension=name, granularity=TimeGranularity(grain) if grain else None)


def _filter(text: str) -> Filter:
    read = _CONDITION.match(text)
    if read is None:
        raise CommandError(f'"{text}" is not a condition; write it as "region = EMEA".')
    return Filter(field=read[1], op=Operator(read[2]), values=(_literal(read[3]),))


def _literal(text: str) -> Scalar:
    if text.lower() in {"true", "false"}:
        return text.lower() == "true"
    try:
        return date.fromisoformat(text) if len(text) == 10 and text[4] == "-" else Decimal(text)
    except (ValueError, InvalidOperation):
        return text.strip("'\"")


def _as_text(query: CompiledQuery) -> str:
    bound = [f"-- {p.name} = {p.value}" for p in query.parameters]
    return "\n".join([query.sql, *bound, *(f"-- {note}" for note in query.notes)])


def _as_json(query: CompiledQuery) -> str:
    return json.dumps(
        {
            "sql": query.sql,
            "dialect": query.dialect,
            "parameters": {p.name: p.value for p in query.parameters},
            "columns": [c.name for c in query.columns],
            "tables": list(query.tables),
            "notes": list(query.notes),
        },
        default=str,
    )
