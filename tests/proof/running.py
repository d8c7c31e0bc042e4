"""Runs what the compiler makes on DuckDB, and compares it with the naive evaluation."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, time
from decimal import Decimal
from typing import Any

import duckdb
import pytest

from catalog.compiler import compile_query
from catalog.issues import IssueCode
from catalog.query import CompiledQuery
from tests.proof.naive import Evaluation
from tests.proof.tables import Data, Key, NoAnswer
from tests.proof.worlds import World

AMBIGUOUS = {
    IssueCode.AMBIGUOUS_PATH,
    IssueCode.AMBIGUOUS_DIMENSION,
    IssueCode.UNREACHABLE_DIMENSION,
    IssueCode.FAN_OUT,
}
"""Codes that claim that there is no single right answer."""
DOCUMENTED = {*AMBIGUOUS, IssueCode.GRAIN_TOO_FINE, IssueCode.UNSUPPORTED}


def loaded(data: Data, columns: dict[str, dict[str, str]]) -> duckdb.DuckDBPyConnection:
    """A database in memory that holds the rows."""
    connection = duckdb.connect()
    connection.execute("CREATE SCHEMA shop")
    for table, types in columns.items():
        held = ", ".join(f'"{name}" {kind}' for name, kind in types.items())
        connection.execute(f"CREATE TABLE {table}({held})")
        places = ", ".join("?" for _ in types)
        if data[table]:
            connection.executemany(f"INSERT INTO {table} VALUES ({places})", [list(r.values()) for r in data[table]])
    return connection


def check(world: World, tally: Counter[str]) -> None:
    """The compiled query gives the naive rows; or a documented stop, which is counted."""
    query = compile_query(world.spec, world.snapshot)
    expected = _expected(world)
    if expected is None:
        assert not isinstance(query, CompiledQuery), query
        tally["rightly stopped"] += 1
        return
    if not isinstance(query, CompiledQuery):
        assert query[0].code in DOCUMENTED - AMBIGUOUS, query
        tally[f"{query[0].code}: {query[0].message}"] += 1
        return
    tally["answered"] += 1
    connection = loaded(world.data, world.columns)
    try:
        found = connection.execute(query.sql, {p.name: p.value for p in query.parameters}).fetchall()
    finally:
        connection.close()
    compare(world, query, found, expected)


def _expected(world: World) -> list[Key] | None:
    try:
        return Evaluation(world.snapshot, world.data, world.spec).rows()
    except NoAnswer:
        return None


def compare(world: World, query: CompiledQuery, found: list[Key], expected: list[Key]) -> None:
    groups = len(world.spec.group_by)
    wanted = in_order(world, expected)
    if world.spec.limit:
        wanted = wanted[: world.spec.limit]
    seen, right = ([tuple(_plain(v) for v in r[:groups]) for r in rows] for rows in (found, wanted))
    assert seen == right, query.sql
    for mine, other in zip(found, wanted, strict=True):
        for a, b in zip(mine[groups:], other[groups:], strict=True):
            assert same(a, b), (mine, other, query.sql)


def _plain(value: Any) -> Any:
    """A midnight is its day."""
    return value.date() if isinstance(value, datetime) and value.time() == time() else value


def same(found: Any, expected: Any) -> bool:
    if found is None or expected is None:
        return found is expected
    if isinstance(found, float):
        return bool(found == pytest.approx(float(expected), rel=1e-9, abs=1e-9))
    return Decimal(found) == Decimal(expected)


def in_order(world: World, rows: list[Key]) -> list[Key]:
    """By what was asked, then by every group; what is missing stands last."""
    spec = world.spec
    names = [*(g.dimension for g in spec.group_by), *spec.metrics]
    for place in reversed(range(len(spec.group_by))):
        rows = _sorted(rows, place, descending=False)
    for order in reversed(spec.order_by):
        rows = _sorted(rows, names.index(order.by), descending=order.direction == "desc")
    return rows


def _sorted(rows: list[Key], place: int, *, descending: bool) -> list[Key]:
    present = sorted((r for r in rows if r[place] is not None), key=lambda r: r[place], reverse=descending)
    return [*present, *(r for r in rows if r[place] is None)]
