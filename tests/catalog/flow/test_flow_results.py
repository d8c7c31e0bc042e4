"""MetricFlow queries on a small shop give what a person counts by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
import sqlglot

from catalog.compiler.flow.compile import compile_flow
from catalog.compiler.flow.query import FlowOrder
from catalog.management.metricflow.cases import query_of
from catalog.query import CompiledQuery
from catalog.types import Metric, MetricInput, MetricType
from tests.catalog.flow.shop import Rows, ask, query, shop, warehouse

TABLES = ("days", "orders", "customer_history", "countries", "balances", "visits")

DAYS: dict[str, tuple[str, str, dict[str, Any], Rows]] = {
    "a missing channel is a group of its own": (
        "revenue",
        "order__channel",
        {},
        {("web", 80), ("shop", 20), (None, 5)},
    ),
    "a total needs no group": ("revenue orders", "", {}, {(105, 5)}),
    "a ratio of whole numbers keeps its fraction": ("average_order", "", {}, {(21.0,)}),
    "a discrete percentile is a value that occurs": ("middle", "", {}, {(20,)}),
    "a look back sees the day before, also where today is empty": (
        "revenue_change",
        "metric_time",
        {},
        {("01-30", None), ("01-31", 10), ("02-01", 15), ("02-02", None), ("02-03", None), ("02-04", None)},
    ),
    "the start of the month is compared with each day": (
        "since_month_start",
        "metric_time__day",
        {"where": ("{{ TimeDimension('metric_time', 'day') }} >= '2025-02-01'",)},
        {("02-01", 0), ("02-02", None), ("02-03", 5), ("02-04", None)},
    ),
    "a window adds up the days before, also on empty days": (
        "revenue_two_days",
        "metric_time",
        {},
        {("01-30", 10), ("01-31", 30), ("02-01", 55), ("02-02", 35), ("02-03", 40), ("02-04", 40)},
    ),
    "a coarser period shows the last of its windows": (
        "revenue_two_days",
        "metric_time__month",
        {},
        {("01-01", 30), ("02-01", 40)},
    ),
    "a sum to date starts anew with the month": (
        "revenue_month_to_date",
        "metric_time",
        {},
        {("01-30", 10), ("01-31", 30), ("02-01", 35), ("02-02", 35), ("02-03", 75), ("02-04", 75)},
    ),
    "a sum of all time is split by a joined dimension": (
        "revenue_all_time",
        "customer__country__continent",
        {},
        {("Europe", 30), ("America", 35), (None, 40)},
    ),
    "the window of a query does not cut the window of a metric": (
        "revenue_two_days",
        "metric_time",
        {"start": datetime(2025, 2, 1), "end": datetime(2025, 2, 1)},  # noqa: DTZ001
        {("02-01", 55)},
    ),
    "a metric on the time spine shows empty days, filled": (
        "web_revenue",
        "metric_time",
        {},
        {("01-30", 10), ("01-31", 0), ("02-01", 30), ("02-02", 0), ("02-03", 40), ("02-04", 0)},
    ),
    "a date part groups over all years": ("orders", "metric_time__extract_month", {}, {(1, 2), (2, 3)}),
    "a custom period groups": ("orders", "metric_time__sprint", {}, {(0, 2), (1, 2), (2, 1)}),
    "a look back by a custom period sees its day of the same place": (
        "revenue_last_sprint",
        "metric_time",
        {"where": ("{{ TimeDimension('metric_time', 'day') }} IS NOT NULL",)},
        {("02-01", 10), ("02-02", 20), ("02-03", 35)},
    ),
    "a changing table is read as it was on the day of the order": (
        "revenue",
        "customer__tier",
        {},
        {("new", 45), ("gold", 20), (None, 40)},
    ),
    "two joins keep the grain": (
        "revenue",
        "customer__country__continent",
        {},
        {("Europe", 30), ("America", 35), (None, 40)},
    ),
    "only the last day's balances are summed": ("last_balance", "", {}, {(4,)}),
    "the last balance of each customer is summed": ("last_balance_of_each", "", {}, {(11,)}),
    "the last balance is picked for each month": (
        "last_balance",
        "metric_time__month",
        {},
        {("01-01", 7), ("02-01", 4)},
    ),
    "an order converts the last visit within the window": (
        "visit_to_order",
        "visit__campaign",
        {},
        {("a", 0.5), ("b", 2 / 3)},
    ),
    "a metric can be a condition": ("good_customer_visits", "", {}, {(0,)}),
    "values without a metric come once": ("", "order__channel", {}, {("web",), ("shop",), (None,)}),
    "the smallest and the largest value": ("", "order__ordered_at", {"min_max_only": True}, {("01-30", "02-03")}),
    "two sides meet by their groups": (
        "orders visits",
        "metric_time__month",
        {},
        {("01-01", 2, 3), ("02-01", 3, 2)},
    ),
}


@pytest.mark.parametrize("name", DAYS)
def test_a_query_gives_what_is_counted_by_hand(name: str) -> None:
    metrics, by, more, expected = DAYS[name]
    assert ask(metrics, by, **more) == expected


def test_a_metric_as_a_condition_keeps_the_rows_that_fit() -> None:
    assert ask("visits", where=("{{ Metric('revenue', ['customer']) }} > 30",)) == {(2,)}


def test_a_metric_as_a_condition_meets_the_rows_of_its_last_entity() -> None:
    # the first customer has two rows in between, both of one country
    where = ("{{ Metric('revenue', ['customer__country']) }} > 20",)
    found = compile_flow(query("", "country__continent", where=where, distinct=False), shop())
    assert isinstance(found, CompiledQuery)
    assert set(found.tables) >= {"mf.countries", "mf.orders"}
    assert sorted(warehouse().execute(found.sql).fetchall(), key=str) == [("America",), ("Europe",), (None,)]


def test_a_condition_holds_before_the_last_balance_is_picked() -> None:
    assert ask("last_balance", where=("{{ Entity('customer') }} = 1",)) == {(7,)}


def test_a_saved_query_keeps_its_order_and_its_limit() -> None:
    saved = query_of({"saved_query_name": "by_channel"}, shop(), {})
    assert saved.order_by == (FlowOrder(by="revenue", descending=True),)
    found = compile_flow(saved, shop())
    assert isinstance(found, CompiledQuery)
    assert warehouse().execute(found.sql).fetchall() == [("web", 80)]


@pytest.mark.parametrize("name", DAYS)
def test_every_query_is_written_for_postgresql_too(name: str) -> None:
    metrics, by, more, _ = DAYS[name]
    found = compile_flow(query(metrics, by, **more), shop(), dialect="postgres")
    assert isinstance(found, CompiledQuery)
    assert sqlglot.parse_one(found.sql, dialect="postgres")
    assert set(found.tables) <= {f"mf.{t}" for t in TABLES}


def test_a_formula_never_divides_whole_numbers_and_never_by_zero() -> None:
    share = Metric(
        name="share",
        type=MetricType.DERIVED,
        expr="orders / (visits - visits + orders - 2)",
        inputs=(MetricInput(metric="orders"), MetricInput(metric="visits")),
    )
    held = replace(shop(), metrics=(*shop().metrics, share))
    for dialect in ("duckdb", "postgres"):
        found = compile_flow(query("share", "metric_time"), held, dialect=dialect)
        assert isinstance(found, CompiledQuery)
        assert "NULLIF" in found.sql
        assert "AS DOUBLE" in found.sql
