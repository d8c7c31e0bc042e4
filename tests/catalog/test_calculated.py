"""What an intent wants calculated becomes a typed part of the query, or a typed stop."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from catalog.access import AccessScope
from catalog.calculations import (
    Change,
    Direction,
    MemberComparison,
    MovingWindow,
    PeriodComparison,
    Rank,
    RunningTotal,
    Share,
    TieRule,
    Top,
)
from catalog.issues import Issue, IssueCode
from catalog.query import Comparison, IntentKind, MetricCondition, MetricIntent, Order, QuerySpec, TimeRange, Transform
from catalog.resolve import resolve
from catalog.types import METRIC_TIME, Filter, Operator, TimeGranularity
from tests.catalog.shop import everything, shop

MARCH = TimeRange(start=date(2025, 3, 1), end=date(2025, 4, 1), expr="2025-03")
EMEA = Filter(field="region", op=Operator.EQ, values=("EMEA",))
OVER_REGION = Transform(type="share_of_total", arguments=(("over", "region"),))
BEFORE = MetricIntent(metrics=("revenue",), time_range=MARCH, comparison=Comparison(type="previous_period"))


def spec(intent: MetricIntent) -> QuerySpec:
    found = resolve(intent, shop(), everything())
    assert isinstance(found, QuerySpec), found
    return found


def issues(intent: MetricIntent, scope: AccessScope | None = None) -> tuple[Issue, ...]:
    found = resolve(intent, shop(), scope or everything())
    assert isinstance(found, tuple), found
    return found


def window(found: QuerySpec) -> tuple[date | None, date | None]:
    assert isinstance(found.comparison, PeriodComparison)
    assert found.comparison.window is not None
    return found.comparison.window.start, found.comparison.window.end


def test_a_period_is_set_against_the_one_before_or_a_year_ago() -> None:
    assert window(spec(BEFORE)) == (date(2025, 2, 1), date(2025, 3, 1))
    year_ago = replace(BEFORE, comparison=Comparison(type="year_ago"))
    assert window(spec(year_ago)) == (date(2024, 3, 1), date(2024, 4, 1))
    other = TimeRange(start=date(2023, 1, 1), end=date(2023, 2, 1), expr="2023-01")
    assert window(spec(replace(BEFORE, comparison=Comparison(type="custom", range=other)))) == (other.start, other.end)


def test_a_comparison_without_an_end_stops() -> None:
    open_ended = TimeRange(start=None, end=None, expr="all_time")
    assert issues(replace(BEFORE, time_range=open_ended))[0].code is IssueCode.UNSUPPORTED
    assert issues(replace(BEFORE, time_range=None))[0].code is IssueCode.UNSUPPORTED


@pytest.mark.parametrize(
    ("grain", "kind", "back"),
    [
        (TimeGranularity.MONTH, "previous_period", (1, TimeGranularity.MONTH)),
        (TimeGranularity.MONTH, "year_ago", (1, TimeGranularity.YEAR)),
        (TimeGranularity.WEEK, "year_ago", (52, TimeGranularity.WEEK)),
    ],
)
def test_a_series_looks_back_from_each_period(
    grain: TimeGranularity, kind: str, back: tuple[int, TimeGranularity]
) -> None:
    found = spec(replace(BEFORE, grain=grain, comparison=Comparison(type=kind))).comparison
    assert isinstance(found, PeriodComparison)
    assert (found.window, found.back_count, found.back_granularity) == (None, *back)


def test_what_changes_of_a_percentage_are_points() -> None:
    def changes(metric: str, *calc: str) -> tuple[Change, ...]:
        found = spec(replace(BEFORE, metrics=(metric,), comparison=Comparison(type="previous_period", calc=calc)))
        assert found.comparison is not None
        return found.comparison.changes

    assert changes("revenue", "diff", "pct") == (Change.DIFFERENCE, Change.PERCENT)
    percentage = next(m.name for m in shop().metrics if m.format.value == "percent")
    assert changes(percentage, "diff", "pct") == (Change.POINTS,)
    assert changes(percentage, "pct") == (Change.PERCENT,)
    assert changes("revenue", "ratio") == (Change.RATIO,)


def test_two_members_stand_side_by_side() -> None:
    both = Filter(field="region", op=Operator.IN, values=("EMEA", "AMER"))
    compared = Comparison(type="values", calc=("diff",), field="region", values=("EMEA", "AMER"))
    ask = MetricIntent(metrics=("revenue",), dimensions=("region",), filters=(both,), comparison=compared)
    assert spec(ask).comparison == MemberComparison(field="region", baseline="AMER", changes=(Change.DIFFERENCE,))
    three = replace(compared, values=("EMEA", "AMER", "APAC"))
    assert issues(replace(ask, comparison=three))[0].code is IssueCode.UNSUPPORTED


def test_a_share_of_one_member_keeps_the_whole_whole() -> None:
    ask = MetricIntent(metrics=("revenue",), filters=(EMEA,), transforms=(OVER_REGION,))
    found = spec(ask)
    assert (found.calculations, found.kept, found.where) == ((Share(metric="revenue"),), (EMEA,), ())
    assert [g.dimension for g in found.group_by] == ["region"]
    grouped = spec(replace(ask, filters=(), dimensions=("region", "tier"), grain=TimeGranularity.MONTH))
    assert grouped.calculations == (Share(metric="revenue", within=(METRIC_TIME, "tier")),)
    assert issues(replace(ask, filters=()))[0].code is IssueCode.UNSUPPORTED


def test_what_is_left_out_is_no_part_of_the_whole_unless_the_whole_is_of_all() -> None:
    without = Filter(field="region", op=Operator.NE, values=("EMEA",))
    ask = MetricIntent(metrics=("revenue",), dimensions=("region",), filters=(without,), transforms=(OVER_REGION,))
    found = spec(ask)
    assert (found.where, found.kept) == ((without,), ())
    of_all = replace(OVER_REGION, arguments=(*OVER_REGION.arguments, ("whole", "all")))
    found = spec(replace(ask, transforms=(of_all,)))
    assert (found.where, found.kept) == ((), (without,))
    assert issues(replace(ask, dimensions=()))[0].code is IssueCode.UNSUPPORTED


def test_a_period_is_a_part_of_all_periods_where_nothing_else_is_shared() -> None:
    over_time = Transform(type="share_of_total", arguments=(("over", METRIC_TIME),))
    ask = MetricIntent(metrics=("revenue",), grain=TimeGranularity.MONTH, transforms=(over_time,))
    found = spec(ask)
    assert found.calculations == (Share(metric="revenue"),)
    assert [g.dimension for g in found.group_by] == [METRIC_TIME]


def test_a_ranking_takes_nothing_from_the_whole_of_a_share() -> None:
    first = Order(by="revenue", direction=Direction.DESC)
    ask = MetricIntent(metrics=("revenue",), dimensions=("region",), order=(first,), limit=2, transforms=(OVER_REGION,))
    found = spec(ask)
    assert found.where == ()
    assert found.kept == (Filter(field="region", op=Operator.IS_NOT_NULL),)


def test_the_first_of_each_group_keep_their_ties() -> None:
    ask = MetricIntent(
        metrics=("revenue",),
        dimensions=("store_name", "region"),
        order=(Order(by="revenue", direction=Direction.DESC),),
        limit=3,
        per_group="region",
    )
    found = spec(ask)
    assert found.top == Top(by="revenue", count=3, within=("region",), ties=TieRule.ALL)
    assert (found.limit, found.group_by[0].dimension, found.order_by[0].by) == (None, "region", "region")
    assert issues(replace(ask, order=()))[0].code is IssueCode.UNSUPPORTED


def test_totals_windows_and_ranks() -> None:
    monthly = MetricIntent(metrics=("revenue",), grain=TimeGranularity.MONTH, time_range=MARCH)
    running = Transform(type="running_total")
    moving = Transform(type="moving_average", arguments=(("window", 3), ("unit", "month")))
    assert spec(replace(monthly, transforms=(running,))).calculations == (RunningTotal(metric="revenue"),)
    assert spec(replace(monthly, transforms=(moving,))).calculations == (MovingWindow(metric="revenue", periods=3),)
    assert issues(replace(monthly, grain=None, transforms=(running,)))[0].code is IssueCode.UNSUPPORTED
    other = Transform(type="moving_average", arguments=(("window", 3), ("unit", "week")))
    assert issues(replace(monthly, transforms=(other,)))[0].code is IssueCode.UNSUPPORTED
    ranked = MetricIntent(metrics=("revenue",), dimensions=("region",), transforms=(Transform(type="rank"),))
    assert spec(ranked).calculations == (Rank(by="revenue"),)
    assert issues(replace(ranked, transforms=(Transform(type="histogram"),)))[0].code is IssueCode.UNSUPPORTED


def test_the_condition_of_a_yes_or_no_is_left_to_the_answer() -> None:
    condition = MetricCondition(metric="revenue", op=Operator.GT, values=(100,))
    ask = MetricIntent(kind=IntentKind.BOOLEAN, metrics=("revenue",), having=(condition,), time_range=MARCH)
    assert spec(ask).having == ()
    assert issues(replace(ask, dimensions=("region",)))[0].code is IssueCode.UNSUPPORTED
    assert issues(replace(ask, having=()))[0].code is IssueCode.UNSUPPORTED


def test_what_is_hidden_is_as_unknown_in_calculations_as_what_is_absent() -> None:
    nothing = replace(everything(), metrics=frozenset())
    absent = issues(replace(BEFORE, metrics=("ghost",)))
    hidden = issues(BEFORE, nothing)
    assert [(i.code, i.message.replace("ghost", "revenue")) for i in absent] == [(i.code, i.message) for i in hidden]
    shares = MetricIntent(metrics=("revenue",), filters=(replace(EMEA, field="ghost"),))
    over_ghost = Transform(type="share_of_total", arguments=(("over", "ghost"),))
    assert issues(replace(shares, transforms=(over_ghost,)))[0].code is IssueCode.UNKNOWN_DIMENSION


@pytest.mark.parametrize("kind", ["running_total", "moving_average"])
def test_what_runs_over_periods_is_not_set_beside_others(kind: str) -> None:
    made = Transform(type=kind, arguments=(("window", 3),) if kind == "moving_average" else ())
    ask = MetricIntent(metrics=("revenue",), grain=TimeGranularity.MONTH, transforms=(made,))
    assert len(spec(ask).calculations) == 1
    (found,) = issues(replace(ask, comparison=Comparison(type="year_ago", calc=("pct",))))
    assert found.message.startswith(f"A {kind.replace('_', ' ')} is not set beside another period.")
