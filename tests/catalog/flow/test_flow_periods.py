"""Periods that a query looks back at, adds up over or leaves empty, as a person counts them by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from catalog.compiler.flow.compile import compile_flow
from catalog.issues import IssueCode
from catalog.query import CompiledQuery
from catalog.types import Metric, MetricType, TimeGranularity
from tests.catalog.flow.shop import Rows, ask, issues, query, shop, warehouse

DAY = "{{ TimeDimension('metric_time', 'day') }}"

ASKED: dict[str, tuple[str, str, dict[str, Any], Rows]] = {
    # Jan 30 and 31 have no day in February that lies one month later
    "a month ago is the whole month": ("revenue_month_ago", "metric_time__month", {}, {("02-01", 30)}),
    "a month ago by day is that day": ("revenue_month_ago", "metric_time", {}, set()),
    "a condition on days chooses the months, not the days looked back at": (
        "revenue_month_ago",
        "metric_time__month",
        {"where": (f"{DAY} >= '2025-02-03'",)},
        {("02-01", 30)},
    ),
    "a condition that no day of a month meets leaves the month out": (
        "revenue_month_ago",
        "metric_time__month",
        {"where": (f"{DAY} < '2025-02-01'",)},
        set(),
    ),
    "a date part that months tell looks back by months": (
        "revenue_month_ago",
        "metric_time__extract_month",
        {},
        {(2, 30)},
    ),
    "by month, the start of the year is its first month": (
        "revenue_year_start",
        "metric_time__month",
        {},
        {("01-01", 30), ("02-01", 30)},
    ),
    "a condition of the definition leaves out the spine's days, whatever is asked for": (
        "revenue_since_february",
        "metric_time__extract_month",
        {},
        {(2, 75)},
    ),
    "a condition on time alone chooses the spine's days, asked for or not": (
        "named_channel_revenue",
        "metric_time__sprint",
        {"where": (f"{DAY} > '2025-02-01'",)},
        {(1, None), (2, 40)},
    ),
    "the definition's own condition keeps days without rows": (
        "named_channel_revenue",
        "metric_time order__channel",
        {"where": (f"{DAY} >= '2025-02-01'",)},
        {("02-01", "web", 30), ("02-02", None, None), ("02-03", "web", 40), ("02-04", None, None)},
    ),
    "the first value of a period is its first day's, filled": (
        "shop_revenue_that_day",
        "metric_time__sprint",
        {},
        {(0, 0), (1, 0), (2, 0)},
    ),
    "a window that is looked back at has a last value in each month": (
        "revenue_two_days_before",
        "metric_time__month",
        {},
        {("01-01", 10), ("02-01", 40)},
    ),
    "events of a month follow events of the same month": ("visit_to_order_month", "", {}, {(1.0,)}),
    "a sum of all time ends with the window": ("revenue_all_time", "", {"end": datetime(2025, 1, 31)}, {(30,)}),  # noqa: DTZ001
    "a window without a period is widened to the metric's own periods": (
        "orders_seen_by_month",
        "metric_time__extract_year",
        {"start": datetime(2025, 1, 31), "end": datetime(2025, 1, 31)},  # noqa: DTZ001
        {(2025, 2)},
    ),
    "a name is found behind any key that tells one row": ("", "landmass__continent", {}, {("Europe",), ("America",)}),
}


@pytest.mark.parametrize("name", ASKED)
def test_periods_are_what_is_counted_by_hand(name: str) -> None:
    metrics, by, more, expected = ASKED[name]
    assert ask(metrics, by, **more) == expected


def test_whole_months_are_not_mixed_with_a_condition_on_days_and_more() -> None:
    mixed = f"{DAY} > '2025-02-01' OR {{{{ Dimension('order__channel') }}}} = 'web'"
    assert issues("revenue_month_ago", "metric_time__month", where=(mixed,))[0].code is IssueCode.UNSUPPORTED
    coarse = mixed.replace("day", "month")
    assert ask("revenue_month_ago", "metric_time__month", where=(coarse,)) == {("02-01", 10)}


def test_times_on_the_finest_spine_are_shown_as_they_are() -> None:
    finest = replace(shop().time_spines[0], granularity=TimeGranularity.NANOSECOND, custom=())
    found = compile_flow(query("", "metric_time__nanosecond"), replace(shop(), time_spines=(finest,)))
    assert isinstance(found, CompiledQuery)
    assert len(warehouse().execute(found.sql).fetchall()) == 6


def test_a_metric_with_the_name_of_a_group_never_hides_it() -> None:
    twin = Metric(name="customer", type=MetricType.SIMPLE, measure="visits")
    held = replace(shop(), metrics=(*shop().metrics, twin))
    refused = compile_flow(query("customer", "customer"), held)
    assert isinstance(refused, tuple)
    assert refused[0].subject == "customer"
    inside = compile_flow(query("visits", where=("{{ Metric('customer', ['customer']) }} > 1",)), held)
    assert isinstance(inside, CompiledQuery)
    assert warehouse().execute(inside.sql).fetchall() == [(2,)]
