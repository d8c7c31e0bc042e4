"""Values beside those of another period: every metric by its own definition, nothing left out, nothing made up."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from catalog.calculations import Change, PeriodComparison
from catalog.issues import IssueCode
from catalog.query import Direction, GroupBy, MetricCondition, Order, QuerySpec
from catalog.types import METRIC_TIME, DatePart, Filter, MetricFormat, Operator, TimeGranularity
from tests.catalog.calculations.sales import Asker, ask, by, issue, month, window
from tests.catalog.shop import shop

__all__ = ["ask"]

DAY, WEEK, MONTH, QUARTER, YEAR = (
    TimeGranularity.DAY,
    TimeGranularity.WEEK,
    TimeGranularity.MONTH,
    TimeGranularity.QUARTER,
    TimeGranularity.YEAR,
)
H1 = window("2025-01-01", "2025-07-01")
H1_BEFORE = window("2024-01-01", "2024-07-01")
YEAR_AGO = PeriodComparison(window=H1_BEFORE)


def test_a_total_stands_beside_that_of_the_other_window(ask: Asker) -> None:
    spec = QuerySpec(metrics=("revenue", "orders"), time_range=H1, comparison=YEAR_AGO)
    assert ask.rows(spec) == [(290, 300, -10, -0.033333333, 7, 5, 2, 0.4)]


def test_members_of_one_period_only_are_kept(ask: Asker) -> None:
    spec = QuerySpec(metrics=("revenue",), group_by=by("region"), time_range=H1, comparison=YEAR_AGO)
    assert ask.rows(spec) == [
        ("AMER", 20, 40, -20, -0.5),
        ("APAC", 0, 80, -80, -1),
        ("EMEA", 260, 130, 130, 1),
        (None, 10, 50, -40, -0.8),
    ]


def test_members_whose_value_fell_are_found_also_where_nothing_is_left(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("revenue",),
        group_by=by("region"),
        time_range=H1,
        comparison=PeriodComparison(window=H1_BEFORE, changes=(Change.DIFFERENCE,)),
        having=(MetricCondition(metric="revenue__percent_change", op=Operator.LE, values=(-0.5,)),),
        order_by=(Order(by="revenue__difference", direction=Direction.ASC),),
        limit=2,
    )
    assert ask.rows(spec) == [("APAC", 0, 80, -80), (None, 10, 50, -40)]


def test_an_average_of_nothing_stays_empty(ask: Asker) -> None:
    spec = QuerySpec(metrics=("average_order",), group_by=by("region"), time_range=H1, comparison=YEAR_AGO)
    assert ask.table(spec, "average_order", "average_order__previous", "average_order__difference")[("APAC",)] == (
        None,
        80,
        None,
    )


def test_a_ratio_a_distinct_count_and_a_balance_are_each_computed_for_both_periods(ask: Asker) -> None:
    spec = QuerySpec(metrics=("refund_rate", "buyers", "seats"), time_range=H1, comparison=YEAR_AGO)
    by_hand = """
      SELECT 20 / 290.0, 60 / 300.0, 3, 3, 4, 8"""
    got = ask.rows(spec)[0]
    names = [c.name for c in ask.compiled(spec).columns]
    picked = [
        got[names.index(n)]
        for n in ("refund_rate", "refund_rate__previous", "buyers", "buyers__previous", "seats", "seats__previous")
    ]
    assert picked == pytest.approx(list(ask.hand(by_hand)[0]))


def test_a_percentage_changes_in_points_and_never_in_percent_of_them(ask: Asker) -> None:
    spec = QuerySpec(metrics=("refund_rate",), time_range=H1, comparison=YEAR_AGO)
    columns = {c.name: c for c in ask.compiled(spec).columns}
    points = columns["refund_rate__points"]
    assert (points.unit, points.format, points.of) == ("pp", MetricFormat.NUMBER, "refund_rate")
    assert columns["refund_rate__previous"].format is MetricFormat.PERCENT
    assert ask.rows(spec)[0][2] == pytest.approx((20 / 290 - 60 / 300) * 100)


def test_a_divisor_of_nothing_but_binary_dust_leaves_the_change_empty(ask: Asker) -> None:
    early = "CASE WHEN ordered_at < '2025-01-01' THEN 0.0000000000000000000000000001 ELSE 1 END"
    dust = f"CAST({early} AS DOUBLE PRECISION) * amount"
    orders = next(m for m in shop().models if m.name == "orders")
    measures = tuple(replace(m, expr=dust) if m.name == "order_amount" else m for m in orders.measures)
    others = (m for m in shop().models if m.name != "orders")
    dusty = replace(shop(), models=(replace(orders, measures=measures), *others))
    asked = PeriodComparison(window=H1_BEFORE, changes=(Change.RATIO, Change.PERCENT))
    spec = QuerySpec(metrics=("revenue",), time_range=H1, comparison=asked)
    assert ask.rows(spec, dusty)[0][2:] == (None, None)


def test_a_metric_that_is_no_percentage_has_no_points() -> None:
    spec = QuerySpec(metrics=("revenue",), comparison=PeriodComparison(window=H1_BEFORE, changes=(Change.POINTS,)))
    assert issue(spec).code is IssueCode.WRONG_TYPE


def test_the_filter_of_a_metric_holds_in_both_periods(ask: Asker) -> None:
    spec = QuerySpec(metrics=("done_revenue",), group_by=by(grain=YEAR), comparison=PeriodComparison())
    assert ask.rows(spec) == [
        (date(2024, 1, 1), 270, None, None, None),
        (date(2025, 1, 1), 210, 270, -60, -0.222222222),
        (None, 5, None, None, None),
    ]


def test_each_month_stands_beside_the_one_a_year_earlier_also_where_one_is_missing(ask: Asker) -> None:
    asked = PeriodComparison(back_granularity=YEAR, changes=(Change.DIFFERENCE, Change.PERCENT))
    spec = QuerySpec(metrics=("revenue",), group_by=by(grain=MONTH), time_range=H1, comparison=asked)
    assert ask.rows(spec) == [
        (month("2025-01"), 150, 140, 10, 0.071428571),
        (month("2025-02"), 25, 30, -5, -0.166666667),
        (month("2025-03"), 0, 50, -50, -1),
        (month("2025-04"), -15, 0, -15, None),
        (month("2025-05"), 0, 80, -80, -1),
        (month("2025-06"), 130, 0, 130, None),
    ]


def test_the_first_row_of_a_window_has_its_predecessor(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("revenue", "aov"),
        group_by=by(grain=MONTH),
        time_range=window("2025-01-01", "2025-03-01"),
        comparison=PeriodComparison(changes=(Change.DIFFERENCE,)),
    )
    assert ask.rows(spec) == [
        (month("2025-01"), 150, 70, 80, 50, 70, -20),
        (month("2025-02"), 25, 150, -125, 25, 50, -25),
    ]


def test_periods_after_the_data_are_not_made_up(ask: Asker) -> None:
    asked = PeriodComparison(back_granularity=YEAR, changes=(Change.DIFFERENCE,))
    whole_year = window("2025-01-01", "2026-01-01")
    spec = QuerySpec(metrics=("revenue",), group_by=by("region", grain=MONTH), time_range=whole_year, comparison=asked)
    assert max(row[0] for row in ask.rows(spec)) == month("2025-06")


def test_groups_by_month_keep_what_either_period_has(ask: Asker) -> None:
    asked = PeriodComparison(back_granularity=YEAR, changes=(Change.DIFFERENCE,))
    spec = QuerySpec(
        metrics=("revenue",),
        group_by=by("region", grain=MONTH),
        time_range=window("2025-01-01", "2025-06-01"),
        comparison=asked,
    )
    assert ask.rows(spec) == [
        (month("2025-01"), "AMER", 0, 40, -40),
        (month("2025-01"), "EMEA", 150, 100, 50),
        (month("2025-02"), "EMEA", 0, 30, -30),
        (month("2025-02"), None, 25, 0, 25),
        (month("2025-03"), None, 0, 50, -50),
        (month("2025-04"), None, -15, 0, -15),
        (month("2025-05"), "APAC", 0, 80, -80),
    ]


def test_a_day_without_counterpart_has_no_earlier_value(ask: Asker) -> None:
    asked = PeriodComparison(back_granularity=YEAR, changes=(Change.DIFFERENCE,))
    leap = window("2025-02-27", "2025-03-02")
    spec = QuerySpec(metrics=("revenue",), group_by=by(grain=DAY), time_range=leap, comparison=asked)
    assert ask.rows(spec) == [
        (date(2025, 2, 27), 0, 0, 0),
        (date(2025, 2, 28), 25, 0, 25),
        (date(2025, 3, 1), 0, 0, 0),
    ]
    back = QuerySpec(
        metrics=("revenue",),
        group_by=by(grain=DAY),
        time_range=window("2025-03-28", "2025-04-01"),
        comparison=PeriodComparison(back_granularity=MONTH, changes=()),
    )
    assert ask.rows(back) == [
        (date(2025, 3, 28), 0, 25),
        (date(2025, 3, 29), 0, None),
        (date(2025, 3, 30), 0, None),
        (date(2025, 3, 31), 0, None),
    ]
    assert any("29 February" in n for n in ask.compiled(back).notes)


def test_a_leap_day_has_no_earlier_value(ask: Asker) -> None:
    asked = PeriodComparison(back_granularity=YEAR, changes=())
    spec = QuerySpec(
        metrics=("orders",), group_by=by(grain=DAY), time_range=window("2024-02-29", "2024-03-01"), comparison=asked
    )
    assert ask.rows(spec) == [(date(2024, 2, 29), 1, None)]


def test_weeks_stand_beside_those_52_weeks_earlier(ask: Asker) -> None:
    asked = PeriodComparison(back_granularity=YEAR, changes=())
    spec = QuerySpec(
        metrics=("revenue",), group_by=by(grain=WEEK), time_range=window("2025-01-06", "2025-02-03"), comparison=asked
    )
    by_hand = """
      SELECT DATE '2025-01-06', 0, 100 UNION ALL SELECT DATE '2025-01-13', 0, 0
      UNION ALL SELECT DATE '2025-01-20', 0, 0 UNION ALL SELECT DATE '2025-01-27', 60, 40 ORDER BY 1"""
    assert ask.rows(spec) == ask.hand(by_hand)
    assert any("52 weeks (364 days)" in n for n in ask.compiled(spec).notes)
    weeks = replace(spec, comparison=PeriodComparison(back_count=52, back_granularity=WEEK, changes=()))
    assert ask.rows(weeks) == ask.rows(spec)
    assert any("52 weeks (364 days)" in n for n in ask.compiled(weeks).notes)


def test_a_running_metric_is_compared_by_its_own_definition(ask: Asker) -> None:
    asked = PeriodComparison(back_granularity=YEAR, changes=(Change.DIFFERENCE,))
    spec = QuerySpec(
        metrics=("revenue_to_date", "revenue_mtd"),
        group_by=by(grain=MONTH),
        time_range=window("2025-01-01", "2025-03-01"),
        comparison=asked,
    )
    table = ask.table(spec, "revenue_to_date", "revenue_to_date__previous", "revenue_mtd", "revenue_mtd__previous")
    assert table == {(month("2025-01"),): (520, 140, 150, 140), (month("2025-02"),): (545, 170, 25, 30)}


def test_a_balance_is_nothing_only_where_others_have_one(ask: Asker) -> None:
    asked = PeriodComparison(back_granularity=YEAR, changes=(Change.DIFFERENCE,))
    spec = QuerySpec(metrics=("seats",), group_by=by("customer_name", grain=MONTH), time_range=H1, comparison=asked)
    assert ask.rows(spec) == [
        (month("2025-01"), "A", 7, 5, 2),
        (month("2025-01"), "B", 0, 3, -3),
        (month("2025-01"), "C", 2, 0, 2),
        (month("2025-02"), "A", 4, None, None),
    ]


def test_a_metric_that_looks_back_itself_looks_back_from_both_periods(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("revenue_growth",),
        group_by=by(grain=MONTH),
        time_range=window("2025-01-01", "2025-03-01"),
        comparison=PeriodComparison(back_granularity=YEAR, changes=()),
    )
    assert ask.rows(spec) == [(month("2025-01"), 80, None), (month("2025-02"), -125, -110)]


@pytest.mark.parametrize(
    ("grain", "back"), [(WEEK, MONTH), (MONTH, WEEK), (QUARTER, MONTH), (YEAR, QUARTER), (DAY, TimeGranularity.HOUR)]
)
def test_a_step_that_meets_no_whole_period_is_refused(grain: TimeGranularity, back: TimeGranularity) -> None:
    spec = QuerySpec(metrics=("revenue",), group_by=by(grain=grain), comparison=PeriodComparison(back_granularity=back))
    assert issue(spec).code is IssueCode.UNSUPPORTED


@pytest.mark.parametrize(
    "spec",
    [
        QuerySpec(metrics=("revenue",), comparison=PeriodComparison()),
        QuerySpec(metrics=("revenue",), group_by=by(grain=MONTH), comparison=YEAR_AGO),
        QuerySpec(metrics=("revenue",), group_by=by("ordered_on"), comparison=YEAR_AGO),
        QuerySpec(metrics=("revenue", "refunded"), group_by=by("ordered_on"), comparison=YEAR_AGO),
        QuerySpec(metrics=("revenue", "refunded"), group_by=by("ordered_on"), comparison=PeriodComparison()),
        QuerySpec(
            metrics=("revenue",),
            where=(Filter(field="ordered_on", op=Operator.GE, values=(date(2025, 1, 1),)),),
            comparison=YEAR_AGO,
        ),
    ],
)
def test_a_comparison_that_could_only_mislead_is_refused(spec: QuerySpec) -> None:
    assert issue(spec).code is IssueCode.UNSUPPORTED


def test_months_of_the_year_stand_beside_those_of_another_window(ask: Asker) -> None:
    season = (GroupBy(dimension=METRIC_TIME, part=DatePart.MONTH),)
    asked = PeriodComparison(window=window("2024-01-01", "2024-04-01"), changes=())
    spec = QuerySpec(
        metrics=("revenue",), group_by=season, time_range=window("2025-01-01", "2025-04-01"), comparison=asked
    )
    assert ask.rows(spec) == [(1, 150, 140), (2, 25, 30), (3, 0, 50)]


def test_another_time_may_bound_and_group(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("revenue",),
        group_by=by(),
        time_range=window("2025-01-01", "2026-01-01"),
        time_dimension="signed_up_on",
        comparison=PeriodComparison(window=window("2024-01-01", "2025-01-01"), changes=()),
    )
    assert ask.rows(spec) == [(165, 480)]


def test_two_metrics_of_different_tables_lose_no_member(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("revenue", "refunded"),
        group_by=by("region"),
        time_range=window("2024-01-01", "2024-03-01"),
        comparison=PeriodComparison(window=window("2024-03-01", "2024-05-01"), changes=(Change.DIFFERENCE,)),
    )
    assert ask.rows(spec) == [
        ("AMER", 40, 0, 40, 0, 0, 0),
        ("EMEA", 130, 0, 130, 10, 0, 10),
        (None, 0, 50, -50, 0, 50, -50),
    ]
