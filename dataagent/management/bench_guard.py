"""How long the guard takes on compiled metric queries, beside sqlglot's own parse, qualify and generate."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import sqlglot
from sqlglot.optimizer.qualify import qualify
from sqlglot.schema import MappingSchema

from catalog.access import AccessScope, TableAccess
from catalog.compiler import compile_query
from catalog.importers.own import load_folder
from catalog.query import CompiledQuery, GroupBy, QuerySpec
from catalog.reach import reachable_dimensions
from catalog.types import CatalogSnapshot
from dataagent.management.bench_report import Timing, result
from dataagent.sqlguard import guard as guard_module
from dataagent.sqlguard.guard import GuardedQuery, guard
from dataagent.sqlguard.schema import Column, TableSchema

_DIMENSIONS_PER_METRIC = 3
_ROUNDS = 5


def measure(catalog: Path) -> list[dict[str, object]]:
    """One result per case: a text seen for the first time, and one seen before."""
    snapshot = load_folder(catalog)
    queries = _compiled(snapshot)
    schema = _schema(queries)
    scope = _everything(schema)

    def ours(query: CompiledQuery) -> None:
        found = guard(query.sql, dialect="duckdb", parameters=query.parameters, scope=scope, schema=schema)
        if not isinstance(found, GuardedQuery):
            raise RuntimeError(f"The guard refused a compiled query: {found.reason}")

    def ours_first(query: CompiledQuery) -> None:
        guard_module.forget_decisions()
        ours(query)

    mapping = MappingSchema(_nested(schema), dialect="duckdb")

    def peer(query: CompiledQuery) -> None:
        qualify(sqlglot.parse_one(query.sql, read="duckdb"), schema=mapping, dialect="duckdb").sql("duckdb")

    floor = _timed(peer, queries)
    first = _timed(ours_first, queries)
    for query in queries:
        ours(query)
    return [
        _result("compiled metric queries, first time", first, floor, len(queries)),
        _result("compiled metric queries, text seen before", _timed(ours, queries), floor, len(queries)),
    ]


def _result(name: str, ours: Timing, peer: Timing, queries: int) -> dict[str, object]:
    return {**result(name, ours, "sqlglot parse + qualify + generate", peer), "queries": queries}


def _timed(work: Callable[[CompiledQuery], None], queries: tuple[CompiledQuery, ...]) -> Timing:
    times = []
    for _ in range(_ROUNDS):
        for query in queries:
            started = time.thread_time()
            work(query)
            times.append((time.thread_time() - started) * 1000)
    return Timing(values_ms=tuple(sorted(times)))


def _compiled(snapshot: CatalogSnapshot) -> tuple[CompiledQuery, ...]:
    """Every metric alone and by its first dimensions, as far as it compiles."""
    found = []
    for metric in snapshot.metrics:
        dimensions = sorted(reachable_dimensions(snapshot, metric.name))[:_DIMENSIONS_PER_METRIC]
        for groups in [(), *((GroupBy(dimension=name),) for name in dimensions)]:
            compiled = compile_query(QuerySpec(metrics=(metric.name,), group_by=groups), snapshot)
            if isinstance(compiled, CompiledQuery):
                found.append(compiled)
    return tuple(found)


def _schema(queries: tuple[CompiledQuery, ...]) -> tuple[TableSchema, ...]:
    """The tables that the queries read, with the columns that they read: no warehouse is needed."""
    columns: dict[str, set[str]] = {}
    for query in queries:
        tree = sqlglot.parse_one(query.sql, read="duckdb")
        for select in tree.find_all(sqlglot.exp.Select):
            tables = {t.alias_or_name: f"{t.db}.{t.name}" for t in select.find_all(sqlglot.exp.Table) if t.db}
            for column in select.find_all(sqlglot.exp.Column):
                if column.table in tables:
                    columns.setdefault(tables[column.table], set()).add(column.name)
    return tuple(
        TableSchema(name=name, columns=tuple(Column(name=c, type="VARCHAR") for c in sorted(found)))
        for name, found in sorted(columns.items())
    )


def _everything(schema: tuple[TableSchema, ...]) -> AccessScope:
    tables = tuple(TableAccess(table=t.name, columns=frozenset(c.name for c in t.columns)) for t in schema)
    return AccessScope(workspace="bench", principal="bench", policy_version="bench", digest="bench", tables=tables)


def _nested(schema: tuple[TableSchema, ...]) -> dict[str, object]:
    nested: dict[str, dict[str, dict[str, str]]] = {}
    for table in schema:
        place, _, name = table.name.partition(".")
        nested.setdefault(place, {})[name] = {c.name: c.type for c in table.columns}
    return dict(nested)
