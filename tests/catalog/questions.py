"""Queries that stand for their kind; snapshots and both engines use them."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from catalog.calculations import (
    MemberComparison,
    MovingWindow,
    PeriodComparison,
    Rank,
    RunningTotal,
    Share,
    TieRule,
    Top,
)
from catalog.query import Direction, GroupBy, MetricCondition, Order, QuerySpec, TimeRange
from catalog.types import METRIC_TIME, Filter, Operator, TimeGranularity
from tests.catalog.figures_of_each import FIGURES_OF_EACH

JANUARY = TimeRange(start=date(2025, 1, 1), end=date(2025, 2, 1), expr="2025-01")
FEBRUARY = TimeRange(start=date(2025, 2, 1), end=date(2025, 3, 1), expr="2025-02")
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
    "each_month_beside_a_year_earlier": QuerySpec(
        metrics=("revenue", "refund_rate"),
        group_by=_by("region", grain=TimeGranularity.MONTH),
        time_range=WINTER,
        comparison=PeriodComparison(back_granularity=TimeGranularity.YEAR),
    ),
    "what_fell_against_another_window": QuerySpec(
        metrics=("revenue", "buyers"),
        group_by=_by("region"),
        time_range=FEBRUARY,
        comparison=PeriodComparison(window=JANUARY),
        having=(MetricCondition(metric="revenue__percent_change", op=Operator.LE, values=(Decimal("-0.1"),)),),
        order_by=(Order(by="revenue__difference", direction=Direction.ASC),),
        limit=3,
    ),
    "members_beside_a_baseline": QuerySpec(
        metrics=("revenue", "aov"),
        group_by=_by("region", grain=TimeGranularity.MONTH),
        comparison=MemberComparison(field="region", baseline="AMER"),
    ),
    "running_totals_and_moving_windows": QuerySpec(
        metrics=("revenue",),
        group_by=_by("region", grain=TimeGranularity.MONTH),
        time_range=WINTER,
        calculations=(
            RunningTotal(metric="revenue", restart=TimeGranularity.YEAR),
            MovingWindow(metric="revenue", periods=2),
        ),
    ),
    "running_and_moving_counted_anew": QuerySpec(
        metrics=("buyers", "aov"),
        group_by=_by("region", grain=TimeGranularity.MONTH),
        time_range=WINTER,
        calculations=(
            RunningTotal(metric="buyers", restart=TimeGranularity.YEAR),
            MovingWindow(metric="aov", periods=2),
        ),
    ),
    "shares_and_ranks": QuerySpec(
        metrics=("revenue", "buyers"),
        group_by=_by("region", "status"),
        calculations=(
            Share(metric="revenue", within=("status",)),
            Share(metric="buyers"),
            Rank(by="revenue", within=("status",)),
        ),
    ),
    "first_of_each_group": QuerySpec(
        metrics=("orders",),
        group_by=_by("status", "store_name"),
        top=Top(by="orders", count=1, within=("status",), ties=TieRule.ALL),
    ),
    "members": QuerySpec(metrics=(), group_by=_by("country_name", "tier")),
    **FIGURES_OF_EACH,
}
