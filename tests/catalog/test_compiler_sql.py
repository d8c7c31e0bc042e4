"""The SQL text stays as it is in the snapshots, and both engines give the same rows for it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from decimal import Decimal

import duckdb
import pytest
from django.db import connection

from catalog.compiler import compile_query
from catalog.issues import IssueCode
from catalog.query import CompiledQuery, QuerySpec
from tests.architecture.sources import ROOT
from tests.catalog.questions import QUESTIONS
from tests.catalog.shop import shop
from tests.catalog.test_compiler_results import ROWS

SNAPSHOTS = ROOT / "tests" / "snapshots" / "catalog"
DIALECTS = ("duckdb", "postgres")


def compiled(spec: QuerySpec, dialect: str) -> CompiledQuery:
    found = compile_query(spec, shop(), dialect=dialect)
    assert isinstance(found, CompiledQuery), found
    return found


@pytest.fixture(scope="module")
def warehouse() -> Iterator[duckdb.DuckDBPyConnection]:
    made = duckdb.connect()
    made.execute(ROWS)
    yield made
    made.close()


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", QUESTIONS)
def test_the_sql_is_the_snapshot(name: str, dialect: str) -> None:
    file = SNAPSHOTS / f"{name}.{dialect}.sql"
    sql = compiled(QUESTIONS[name], dialect).sql + "\n"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(sql)
    assert file.read_text() == sql


@pytest.mark.django_db
@pytest.mark.parametrize("name", QUESTIONS)
def test_both_engines_give_the_same_rows(name: str, warehouse: duckdb.DuckDBPyConnection) -> None:
    here = compiled(QUESTIONS[name], "duckdb")
    there = compiled(QUESTIONS[name], "postgres")
    with connection.cursor() as cursor:
        cursor.execute(ROWS)
        cursor.execute(there.sql, {p.name: p.value for p in there.parameters})
        rows = [tuple(r) for r in cursor.fetchall()]
    expected = warehouse.execute(here.sql, {p.name: p.value for p in here.parameters}).fetchall()
    assert [_plain(r) for r in rows] == [pytest.approx(_plain(r)) for r in expected]
    assert expected


def _plain(row: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(float(v) if isinstance(v, Decimal) else v for v in row)


def test_every_literal_is_a_parameter() -> None:
    for spec in QUESTIONS.values():
        query = compiled(spec, "duckdb")
        for value in (v for f in spec.where for v in f.values):
            assert str(value) not in query.sql
        assert all(f"${p.name}" in query.sql for p in query.parameters)


def test_an_unknown_dialect_is_an_issue() -> None:
    found = compile_query(QUESTIONS["one_sum"], shop(), dialect="oracle")
    assert isinstance(found, tuple)
    assert found[0].code is IssueCode.UNSUPPORTED
