"""Whatever the compiler writes passes the guard, and under a policy gives what filtered and masked copies give."""

from __future__ import annotations

from collections import Counter
from functools import cache

import duckdb
import pytest

from catalog.access import AccessScope, Mask, MaskKind, RowFilter, TableAccess
from catalog.query import CompiledQuery, Parameter
from dataagent.sqlguard.guard import GuardedQuery, guard
from dataagent.sqlguard.schema import Column, TableSchema
from tests.catalog.dialects.shapes import SHAPES, compiled
from tests.catalog.dialects.test_running import WORDS
from tests.catalog.flow.shop import ROWS as FLOW_ROWS
from tests.catalog.test_compiler_results import ROWS

HIDDEN = {"shop.orders": "order_id = 1", "shop.refunds": "reason = 'lost'", "mf.orders": "channel = 'shop'"}
"""Rows that the policy takes away; a row for which this is not known stays."""
MASKED = {"shop.stores": "region", "mf.visits": "campaign"}
PUT = "hidden"


@cache
def warehouse() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    for statements in (ROWS, WORDS, FLOW_ROWS):
        connection.execute(statements)
    return connection


@cache
def copies() -> duckdb.DuckDBPyConnection:
    """The same tables without the hidden rows and with the masked values."""
    connection = duckdb.connect()
    for statements in (ROWS, WORDS, FLOW_ROWS):
        connection.execute(statements)
    for table, rows in HIDDEN.items():
        connection.execute(f"DELETE FROM {table} WHERE {rows}")
    for table, column in MASKED.items():
        connection.execute(f"UPDATE {table} SET {column} = '{PUT}'")
    return connection


@cache
def schema() -> tuple[TableSchema, ...]:
    found: dict[str, list[Column]] = {}
    listed = "SELECT schema_name, table_name, column_name, data_type FROM duckdb_columns()"
    for of, table, column, kind in warehouse().execute(f"{listed} WHERE schema_name IN ('shop', 'mf')").fetchall():
        found.setdefault(f"{of}.{table}", []).append(Column(name=column, type=kind))
    return tuple(TableSchema(name=name, columns=tuple(columns)) for name, columns in found.items())


@cache
def scope(*, narrowed: bool) -> AccessScope:
    tables = tuple(_granted(table, narrowed=narrowed) for table in schema())
    return AccessScope(workspace="test", principal="ada", policy_version="1", digest=f"{narrowed}", tables=tables)


def _granted(table: TableSchema, *, narrowed: bool) -> TableAccess:
    columns = frozenset(c.name for c in table.columns)
    rows, masked = HIDDEN.get(table.name), MASKED.get(table.name)
    if not narrowed or (rows is None and masked is None):
        return TableAccess(table=table.name, columns=columns)
    kept = None if rows is None else RowFilter(id="kept", predicate=f"({rows}) IS NOT TRUE", label="kept rows")
    masks = () if masked is None else (Mask(column=masked, kind=MaskKind.CONSTANT, argument=PUT),)
    return TableAccess(table=table.name, columns=columns, row_filter=kept, masks=masks)


def rows(of: duckdb.DuckDBPyConnection, sql: str, parameters: tuple[Parameter, ...]) -> Counter[str]:
    return Counter(repr(r) for r in of.execute(sql, {p.name: p.value for p in parameters}).fetchall())


def passed(query: CompiledQuery, *, narrowed: bool) -> GuardedQuery:
    found = guard(
        query.sql,
        dialect=query.dialect,
        parameters=query.parameters,
        scope=scope(narrowed=narrowed),
        schema=schema(),
    )
    assert isinstance(found, GuardedQuery), found
    return found


@pytest.mark.parametrize("dialect", ["duckdb", "postgres"])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_guard_lets_every_shape_through(shape: str, dialect: str) -> None:
    passed(compiled(shape, dialect), narrowed=False)
    passed(compiled(shape, dialect), narrowed=True)


@pytest.mark.parametrize("shape", SHAPES)
def test_without_a_policy_the_answer_stays_the_same(shape: str) -> None:
    query = compiled(shape, "duckdb")
    found = passed(query, narrowed=False)
    assert rows(warehouse(), found.sql, found.parameters) == rows(warehouse(), query.sql, query.parameters)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_policy_gives_what_narrowed_tables_give(shape: str) -> None:
    query = compiled(shape, "duckdb")
    found = passed(query, narrowed=True)
    assert rows(warehouse(), found.sql, found.parameters) == rows(copies(), query.sql, query.parameters)


def test_the_policy_changes_most_answers() -> None:
    """Else the test above would show nothing."""
    changed = [s for s in SHAPES if _is_changed(compiled(s, "duckdb"))]
    assert len(changed) > len(SHAPES) / 2


def _is_changed(query: CompiledQuery) -> bool:
    return rows(warehouse(), query.sql, query.parameters) != rows(copies(), query.sql, query.parameters)
