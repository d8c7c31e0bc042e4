"""Queries that stand for their kind; snapshots and both engines use them."""

from __future__ import annotations

from datetime import date

from catalog.query import Direction, GroupBy, MetricCondition, Order, QuerySpec, TimeRange
from catalog.types import METRIC_TIME, Filter, Operator, TimeGranularity

WINTER = TimeRange(start=date(2025, 1, 1), end=date(2025, 4, 1), expr="2025-Q1")


def _by(*names: str, grain: TimeGranularity | None = None) -> tuple[GroupBy, ...]:
    time = (GroupBy(dimension=METRIC_TIME, granularity=grain),) if grain else ()
    return (*time, *(GroupBy(dimension=n) for n in names))


QUESTIONS: dict[str, QuerySpec] = {
    "one_sum": QuerySpec(metrics=("revenue",)),
    "sum_by_month_and_joined_dimension": QuerySpec(
        metrics=("revenue",),
        group_by=_by("region", grain=TimeGranularity.MONTH),
        where=(Filter(field="tier", op=Operator.GE, values=("silver",)),),
        time_range=WINTER,
    ),
    "derived_over_two_sides": QuerySpec(
        metrics=("net_revenue", "refund_rate", "aov"), group_by=_by("tier", grain=TimeGranularity.WEEK)
    ),
    "two_sides_without_groups": QuerySpec(metrics=("net_revenue", "orders"), time_range=WINTER),
    "top_with_a_hidden_condition": QuerySpec(
        metrics=("revenue",),
        group_by=_by("store_name"),
        having=(MetricCondition(metric="orders", op=Operator.GE, values=(1,)),),
        order_by=(Order(by="revenue", direction=Direction.DESC),),
        limit=2,
    ),
    "counts_over_a_bridge": QuerySpec(metrics=("orders", "average_order"), group_by=_by("category")),
    "last_snapshot_by_quarter": QuerySpec(
        metrics=("seats",),
        group_by=_by("tier", grain=TimeGranularity.QUARTER),
        where=(Filter(field="tier", op=Operator.IN, values=("gold", None)),),
    ),
    "cumulative_to_the_end_of_the_window": QuerySpec(metrics=("revenue_to_date", "revenue_7d"), time_range=WINTER),
    "cumulative_by_month": QuerySpec(
        metrics=("revenue_to_date", "revenue_mtd"),
        group_by=_by("region", grain=TimeGranularity.MONTH),
        time_range=WINTER,
    ),
    "median_and_distinct": QuerySpec(metrics=("median_order", "buyers", "large_order_count"), group_by=_by("status")),
    "members": QuerySpec(metrics=(), group_by=_by("country_name", "tier")),
}
