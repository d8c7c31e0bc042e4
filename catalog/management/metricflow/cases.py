"""A suite of typed metric queries: each is compiled, run, and compared with its own check query."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from catalog.compiler.flow.compile import compile_flow
from catalog.compiler.flow.query import FlowOrder, FlowQuery
from catalog.compiler.refs import Ref, ref_of
from catalog.compiler.templates import BadTemplate, Name, evaluate, names_of, render
from catalog.importers.metricflow import documents, load_manifest
from catalog.issues import CatalogError
from catalog.management.metricflow.compare import difference
from catalog.management.metricflow.engines import REVERSED, SCHEMA, Engine, EngineError, Table, engine_with, load
from catalog.management.metricflow.helpers import functions
from catalog.management.metricflow.other_engines import TYPES, other_engine
from catalog.query import CompiledQuery
from catalog.types import CatalogSnapshot, SavedQuery

_FOLDERS = {
    "SIMPLE_MODEL": "simple_manifest",
    "SIMPLE_MODEL_NON_DS": "non_sm_manifest",
    "UNPARTITIONED_MULTI_HOP_JOIN_MODEL": "multi_hop_join_manifest",
    "PARTITIONED_MULTI_HOP_JOIN_MODEL": "partitioned_multi_hop_join_manifest",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """How one case went.

    `kind` is ok, ok_by_order (the check query has more than one right result, by the
    order in which rows are stored, and this is one of them), differs, unsupported (a
    typed issue) or failed.
    """

    file: str
    name: str
    kind: str
    detail: str = ""
    code: str = ""
    sql: str = ""


def run_suite(suite: Path, *, cases: Path | None = None, engine: str = "duckdb") -> Iterator[CaseResult]:
    """Every case of the folder, one after the other.  `cases` replaces the suite's own folder of cases."""
    files = sorted((cases or suite / "cases").glob("*.yaml"))
    with _engines(suite / "tables", engine) as (ready, checks):
        runner = _Runner(suite / "manifests", ready, checks)
        for path in files:
            for given in _cases(path):
                yield runner.run(path.name, given)


@contextmanager
def _engines(tables: Path, name: str) -> Iterator[tuple[Engine, Engine]]:
    """The engine for our queries and the one for the check queries: DuckDB, where ours cannot read those."""
    if name not in TYPES:
        with engine_with(tables, name) as both:
            yield both, both
        return
    ours = other_engine(name, lambda engine: load(engine, tables, SCHEMA, TYPES[name]))
    with engine_with(tables, "duckdb") as checks, ours as ready:
        yield ready, checks


def _cases(path: Path) -> Iterator[dict[str, Any]]:
    for text, _ in documents(path.read_text(encoding="utf-8")):
        held = yaml.load(text, Loader=yaml.CSafeLoader)
        if isinstance(held, dict) and "integration_test" in held:
            yield held["integration_test"]


class _Runner:
    def __init__(self, manifests: Path, engine: Engine, checks: Engine) -> None:
        self.manifests = manifests
        self.engine = engine
        self.checks = checks
        self.functions = functions(checks.dialect, SCHEMA)
        self.snapshot = cache(self._snapshot)

    def run(self, file: str, given: dict[str, Any]) -> CaseResult:
        """The case's result; what cannot be read, compiled or run is told."""
        title = str(given["name"])
        try:
            query, found = self._compile(given)
            if not isinstance(found, CompiledQuery):
                issue = found[0]
                return CaseResult(file=file, name=title, kind="unsupported", code=issue.code, detail=issue.message)
            kind, told = self._compare(given, query, found)
        except (BadTemplate, CatalogError, EngineError) as bad:
            return CaseResult(file=file, name=title, kind="failed", detail=f"{type(bad).__name__}: {bad}")
        return CaseResult(file=file, name=title, kind=kind, detail=told, sql=found.sql)

    def _compile(self, given: dict[str, Any]) -> tuple[FlowQuery, Any]:
        snapshot = self.snapshot(str(given["model"]))
        query = query_of(given, snapshot, self.functions)
        return query, compile_flow(query, snapshot, dialect=self.engine.dialect)

    def _compare(self, given: dict[str, Any], query: FlowQuery, found: CompiledQuery) -> tuple[str, str]:
        ours, expected = self.engine.run(found.sql), self._expected(given, SCHEMA)
        if not expected[1] and not given.get("allow_empty"):
            return "differs", "the check query gives no rows"
        names = {c.name for c in found.columns}
        ordered = tuple(o.by for o in query.order_by if o.by in names)
        told = difference(ours, expected, ordered)
        if not told:
            return "ok", ""
        other = self._expected(given, REVERSED)
        undecided = difference(expected, other) and not difference(ours, other, ordered)
        return ("ok_by_order" if undecided else "differs"), told

    def _expected(self, given: dict[str, Any], schema: str) -> Table:
        return self.checks.run(render(str(given["check_query"]), functions(self.checks.dialect, schema)))

    def _snapshot(self, model: str) -> CatalogSnapshot:
        folder = self.manifests / _FOLDERS.get(model, f"{model.lower().removesuffix('_model')}_manifest")
        if not folder.is_dir():
            raise BadTemplate(f"there is no manifest for {model}")
        own = any(folder.rglob("project_configuration.yaml"))
        folders = (folder,) if own else (folder, self.manifests / "shared")
        return load_manifest(*folders, name=model.lower(), schema=SCHEMA)


def query_of(given: dict[str, Any], snapshot: CatalogSnapshot, helpers: dict[str, Any]) -> FlowQuery:
    """The typed query of a case: its own parts, on top of those of a saved query that it names."""
    saved = _saved(given, snapshot)
    groups = [ref_of(g, snapshot) for g in given.get("group_bys") or ()]
    groups += [_group(g, snapshot) for g in given.get("group_by_objs") or ()]
    where = given.get("where_filter")
    window = given.get("time_constraint") or (None, None)
    orders = [_order(o) for o in given.get("order_bys") or ()]
    limit = given.get("limit")
    return FlowQuery(
        metrics=tuple(str(m) for m in given.get("metrics") or ()) or saved.metrics,
        group_by=tuple(groups) or tuple(_named(g, snapshot).ref for g in saved.group_by),
        where=(*saved.where, *((render(str(where), helpers).strip(),) if where else ())),
        order_by=tuple(orders) or tuple(_saved_order(o, snapshot) for o in saved.order_by),
        limit=limit if isinstance(limit, int) else saved.limit,
        start=_moment(window[0]),
        end=_moment(window[1]),
        distinct=given.get("apply_group_by", True) is not False,
        min_max_only=given.get("min_max_only") is True,
    )


def _saved(given: dict[str, Any], snapshot: CatalogSnapshot) -> SavedQuery:
    name = given.get("saved_query_name")
    if name is None:
        return SavedQuery(name="")
    found = next((s for s in snapshot.saved_queries if s.name == name), None)
    if found is None:
        raise BadTemplate(f"there is no saved query {name}")
    return found


def _group(given: dict[str, Any], snapshot: CatalogSnapshot) -> Ref:
    ref = ref_of(str(given["name"]), snapshot)
    path = (*(given.get("entity_path") or ()), *ref.path)
    return Ref(path=path, name=ref.name, grain=given.get("grain") or ref.grain, part=given.get("date_part") or ref.part)


def _order(text: str) -> FlowOrder:
    return FlowOrder(by=text.removeprefix("-"), descending=text.startswith("-"))


def _saved_order(text: str, snapshot: CatalogSnapshot) -> FlowOrder:
    name = _named(text, snapshot)
    return FlowOrder(by=name.ref.column, descending=name.is_descending)


def _named(text: str, snapshot: CatalogSnapshot) -> Name:
    found = evaluate(text, names_of(snapshot))
    if not isinstance(found, Name):
        raise BadTemplate(f'"{text}" is not a name')
    return found


def _moment(given: object) -> datetime | None:
    return datetime.fromisoformat(str(given)) if given else None
