"""The text for each engine stays as it is in the snapshots, and each reads it as one query."""

from __future__ import annotations

import os

import pytest
import sqlglot
from sqlglot import exp

from catalog.compiler.dialects import DIALECTS
from catalog.compiler.dialects.times import rewritten_times
from catalog.compiler.dialects.trino import TIMES as TRINO
from catalog.compiler.flow.compile import compile_flow
from catalog.compiler.stop import CannotCompile
from catalog.query import CompiledQuery
from tests.architecture.sources import ROOT
from tests.catalog.dialects.shapes import SHAPES, compiled
from tests.catalog.flow.shop import query as flow_query
from tests.catalog.flow.shop import shop as flow_shop
from tests.catalog.questions import QUESTIONS

SNAPSHOTS = ROOT / "tests" / "snapshots" / "dialects"
BOTH = ("duckdb", "postgres")
"""Their snapshots of the other shapes stand with those of the catalog."""
TEXTS = [(s, d) for s in SHAPES for d in DIALECTS if d not in BOTH or s not in QUESTIONS]


@pytest.mark.parametrize(("shape", "dialect"), TEXTS)
def test_the_text_is_the_snapshot(shape: str, dialect: str) -> None:
    file = SNAPSHOTS / f"{shape}.{dialect}.sql"
    sql = compiled(shape, dialect).sql + "\n"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(sql, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == sql


def test_no_snapshot_is_left_over() -> None:
    held = {(p.name.split(".")[0], p.name.split(".")[1]) for p in SNAPSHOTS.glob("*.sql")}
    assert held == set(TEXTS)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("shape", SHAPES)
def test_the_text_is_one_query_of_its_dialect(shape: str, dialect: str) -> None:
    read = sqlglot.parse(compiled(shape, dialect).sql, dialect=dialect)
    assert len(read) == 1
    assert isinstance(read[0], exp.Select)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_bound_value_stands_in_the_text(dialect: str) -> None:
    for shape in SHAPES:
        query = compiled(shape, dialect)
        for parameter in query.parameters:
            assert query.placeholder.value.replace("p1", parameter.name).removesuffix(": Type}") in query.sql


@pytest.mark.parametrize("dialect", DIALECTS)
def test_queries_of_one_name_within_queries_stay_apart(dialect: str) -> None:
    """Two metrics as conditions each bring a query of their own under the same name."""
    conditions = ("{{ Metric('revenue', ['customer']) }} > 30 AND {{ Metric('orders', ['customer']) }} > 1",)
    query = compile_flow(flow_query("visits", where=conditions), flow_shop(), dialect=dialect)
    assert isinstance(query, CompiledQuery), query
    for found in sqlglot.parse_one(query.sql, dialect=dialect).find_all(exp.With):
        names = [cte.alias for cte in found.expressions]
        assert len(names) == len(set(names))


def test_an_engine_stops_at_a_unit_that_it_cannot_cut_to() -> None:
    cut = {u: sqlglot.parse_one(f"DATE_TRUNC('{u}', t)", dialect="duckdb") for u in ("millisecond", "microsecond")}
    written = rewritten_times(TRINO)(cut["millisecond"]).sql("trino")
    assert written == "DATE_TRUNC('millisecond', CAST(t AS TIMESTAMP(6)))"
    with pytest.raises(CannotCompile, match="Trino has no times by microsecond"):
        rewritten_times(TRINO)(cut["microsecond"])
