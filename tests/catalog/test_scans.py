"""Metrics that differ by their conditions are computed in one scan, and each is what it is alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

import duckdb
import pytest
from django.db import connection

from catalog.compiler import compile_query
from catalog.compiler.flow.compile import compile_flow
from catalog.query import CompiledQuery, GroupBy, QuerySpec
from catalog.types import Filter, Metric, MetricType, Operator
from tests.catalog.dialects.shapes import compiled
from tests.catalog.flow.shop import ROWS as FLOW_ROWS
from tests.catalog.flow.shop import query as flow_query
from tests.catalog.flow.shop import shop as flow_shop
from tests.catalog.shop import shop
from tests.catalog.test_compiler_results import ROWS

OPEN, GOLD = (Filter(field=f, op=Operator.EQ, values=(v,)) for f, v in (("status", "open"), ("tier", "gold")))
MEASURES = (
    "order_amount",
    "order_count",
    "buyers",
    "average_amount",
    "largest_amount",
    "median_amount",
    "large_orders",
)


@pytest.fixture(scope="module")
def warehouse() -> Iterator[duckdb.DuckDBPyConnection]:
    made = duckdb.connect()
    made.execute(ROWS)
    made.execute(FLOW_ROWS)
    yield made
    made.close()


def asked(metrics: dict[str, tuple[str, tuple[Filter, ...]]], by: tuple[str, ...] = ()) -> CompiledQuery:
    """Simple metrics by name: their measure and their conditions."""
    made = tuple(Metric(name=n, type=MetricType.SIMPLE, measure=m, filters=f) for n, (m, f) in metrics.items())
    snapshot = replace(shop(), metrics=made, saved_queries=())
    spec = QuerySpec(metrics=tuple(metrics), group_by=tuple(GroupBy(dimension=d) for d in by))
    found = compile_query(spec, snapshot)
    assert isinstance(found, CompiledQuery), found
    return found


def rows(warehouse: duckdb.DuckDBPyConnection, query: CompiledQuery) -> list[tuple[Any, ...]]:
    return warehouse.execute(query.sql, {p.name: p.value for p in query.parameters} or None).fetchall()


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("by", [(), ("region",), ("status", "region")])
def test_a_part_beside_others_is_what_it_is_alone(
    measure: str, by: tuple[str, ...], warehouse: duckdb.DuckDBPyConnection
) -> None:
    together = asked({"part": (measure, (OPEN,)), "whole": (measure, ())}, by)
    assert together.sql.count('FROM "shop"."orders"') == 1
    alone = {r[:-1]: r[-1] for r in rows(warehouse, asked({"part": (measure, (OPEN,))}, by))}
    nothing = 0 if measure in {"order_count", "buyers"} else None
    found = {r[:-2]: r[-2] for r in rows(warehouse, together)}
    assert alone.keys() <= found.keys()
    assert found == {k: alone.get(k, nothing) for k in found}


def test_a_group_that_no_part_has_is_absent(warehouse: duckdb.DuckDBPyConnection) -> None:
    done = Filter(field="status", op=Operator.EQ, values=("done",))
    found = rows(warehouse, asked({"open": ("order_count", (OPEN,)), "done": ("buyers", (done,))}, ("status",)))
    assert {r[0] for r in found} == {"open", "done"}
    assert all(r[1] == 0 for r in found if r[0] == "done")


def test_a_join_that_one_part_needs_does_not_touch_the_others(warehouse: duckdb.DuckDBPyConnection) -> None:
    whole = rows(warehouse, asked({"whole": ("order_amount", ())}))
    warehouse.execute("BEGIN; INSERT INTO shop.customers SELECT * FROM shop.customers")
    try:
        found = rows(warehouse, asked({"gold": ("order_amount", (GOLD,)), "whole": ("order_amount", ())}))
    finally:
        warehouse.execute("ROLLBACK")
    assert found[0][1] == whole[0][0]


def test_on_a_spine_a_count_of_no_rows_stays_nothing(warehouse: duckdb.DuckDBPyConnection) -> None:
    shop_only = Metric(
        name="shop_orders",
        type=MetricType.SIMPLE,
        measure="orders",
        where=("{{ Dimension('order__channel') }} = 'shop'",),
    )
    snapshot = replace(flow_shop(), metrics=(*flow_shop().metrics, shop_only))
    query = compile_flow(flow_query("shop_orders orders", "customer"), snapshot)
    assert isinstance(query, CompiledQuery)
    assert query.sql.count('FROM "mf"."orders"') == 1
    assert set(rows(warehouse, query)) == {(1, 1, 2), (2, None, 2), (3, None, 1)}


@pytest.mark.django_db
@pytest.mark.parametrize("shape", ["filtered_beside_all", "filtered_alone"])
def test_both_engines_give_the_same_rows(shape: str, warehouse: duckdb.DuckDBPyConnection) -> None:
    there = compiled(shape, "postgres")
    with connection.cursor() as cursor:
        cursor.execute(ROWS)
        cursor.execute(there.sql, {p.name: p.value for p in there.parameters})
        found = [_plain(tuple(r)) for r in cursor.fetchall()]
    assert found == [pytest.approx(_plain(r)) for r in rows(warehouse, compiled(shape, "duckdb"))]
    assert found


def _plain(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(float(v) if isinstance(v, Decimal) else v for v in row)
