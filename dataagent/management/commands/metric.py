"""`manage.py metric explain NAME (--catalog PATH | --workspace NAME)`: how a metric is computed, without running it."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalog.access import AccessScope
from catalog.compiler.dialects.facts import DIALECTS
from catalog.explaining import Explanation, explain
from catalog.importers.formats import load_any
from catalog.issues import CatalogError, issue_line
from catalog.service import NoCatalog, current_snapshot
from catalog.spec_text import BadText, spec_of
from catalog.types import CatalogSnapshot
from dataagent.accounts import service as accounts


class Command(BaseCommand):
    """Prints a metric's definition, what it counts, its paths, its notes and its SQL; nothing is executed."""

    help = "Show how a metric is computed, grouped and filtered, without running it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["explain"])
        parser.add_argument("metrics", nargs="+")
        place = parser.add_mutually_exclusive_group(required=True)
        place.add_argument("--catalog", type=Path, help="a folder or file of a catalog in any known format")
        place.add_argument("--workspace", help="a workspace whose current catalog is taken")
        parser.add_argument("--by", action="append", default=[], help="a dimension, with :grain for a time")
        where = 'a condition: "region = EMEA", "region in (EMEA, APAC)", "amount between 10 and 20", "region is null"'
        parser.add_argument("--where", action="append", default=[], help=where)
        parser.add_argument("--from", dest="start", default="", help="the first day")
        parser.add_argument("--to", dest="end", default="", help="the last day")
        parser.add_argument("--compare", default="", help="previous or year_ago: beside an earlier period")
        parser.add_argument("--top", type=int, default=0, help="only so many rows, by the first metric")
        parser.add_argument("--dialect", choices=sorted(DIALECTS))
        parser.add_argument("--json", action="store_true", dest="as_json", help="print one JSON object")

    def handle(self, *_: Any, **options: Any) -> None:
        parts = {name: options[name] for name in ("by", "where", "start", "end", "compare", "top")}
        try:
            snapshot = _snapshot(options)
            found = explain(spec_of(options["metrics"], **parts), snapshot, _all(snapshot), dialect=options["dialect"])
        except (BadText, CatalogError, NoCatalog) as bad:
            raise CommandError(str(bad)) from bad
        if not isinstance(found, Explanation):
            raise CommandError("\n".join(issue_line(i) for i in found))
        self.stdout.write(_as_json(found) if options["as_json"] else "\n".join(_lines(found)))


def _snapshot(options: dict[str, Any]) -> CatalogSnapshot:
    if options["catalog"]:
        return load_any(options["catalog"])
    workspace = accounts.workspace(options["workspace"])
    if workspace is None:
        raise CommandError(f"There is no workspace {options['workspace']}.")
    return current_snapshot(workspace.id)


def _all(snapshot: CatalogSnapshot) -> AccessScope:
    """The sight of one who runs the server: everything."""
    return AccessScope(
        workspace="",
        principal="",
        policy_version="",
        digest="",
        metrics=frozenset(m.name for m in snapshot.metrics),
        without_warehouse=True,
    )


def _lines(found: Explanation) -> Iterator[str]:
    detail = found.detail
    owner = f", owned by {detail.owner}" if detail.owner else ""
    yield f"{detail.label} ({detail.name}): {detail.type}, version {detail.version}{owner}"
    yield from filter(None, (detail.description, *found.calculation))
    for caveat in detail.caveats:
        yield f"Be careful: {caveat}"
    for counted in found.counted:
        time = f", by its {counted.time.replace('_', ' ')}" if counted.time else ""
        yield f"Counts {counted.table}, {counted.grain}{time}."
        yield from (f"  {path}" for path in counted.paths)
    if found.query is None:
        return
    yield from ("", found.query.sql, "")
    yield from (f"-- {p.name} = {p.value}" for p in found.query.parameters)
    yield from (f"-- {note}" for note in found.query.notes)


def _as_json(found: Explanation) -> str:
    query = found.query
    whole = {
        "metric": asdict(found.detail),
        "calculation": found.calculation,
        "counted": [asdict(c) for c in found.counted],
        "sql": query.sql if query else "",
        "dialect": query.dialect if query else "",
        "parameters": {p.name: p.value for p in query.parameters} if query else {},
        "columns": [c.name for c in query.columns] if query else [],
        "tables": query.tables if query else (),
        "notes": query.notes if query else (),
    }
    return json.dumps(whole, default=str)
