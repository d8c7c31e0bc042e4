"""Sums that go on over empty periods, windows of calendar periods, and what neither may do."""

from __future__ import annotations

from dataclasses import replace

import duckdb
import pytest

from catalog.calculations import MovingWindow, PeriodComparison, RunningTotal, WindowKind
from catalog.compiler import compile_query
from catalog.issues import IssueCode
from catalog.query import CompiledQuery, QuerySpec
from catalog.types import Filter, FiscalYear, Operator, TimeGranularity
from tests.catalog.calculations.sales import TABLES, Asker, ask, by, issue, month, plain, window
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


def test_a_running_total_goes_on_over_empty_months(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("revenue",),
        group_by=by(grain=MONTH),
        time_range=window("2024-02-01", "2024-07-01"),
        calculations=(RunningTotal(metric="revenue"),),
    )
    assert ask.rows(spec) == [
        (month("2024-02"), 30, 30),
        (month("2024-03"), 50, 80),
        (month("2024-04"), 0, 80),
        (month("2024-05"), 80, 160),
        (month("2024-06"), 0, 160),
    ]


def test_a_running_total_ends_with_the_data(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("orders",),
        group_by=by(grain=MONTH),
        time_range=window("2025-05-01", "2026-01-01"),
        calculations=(RunningTotal(metric="orders"),),
    )
    assert ask.rows(spec) == [(month("2025-05"), 0, 0), (month("2025-06"), 2, 2)]


def test_each_group_runs_by_itself_and_rows_without_a_date_stay_out(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("revenue",), group_by=by("region", grain=YEAR), calculations=(RunningTotal(metric="revenue"),)
    )
    assert [row[1:] for row in ask.rows(spec)] == [
        ("AMER", 110, 110),
        ("APAC", 80, 80),
        ("EMEA", 130, 130),
        (None, 50, 50),
        ("AMER", 20, 130),
        ("APAC", 0, 80),
        ("EMEA", 260, 390),
        (None, 10, 60),
        ("EMEA", 5, None),
    ]


def test_a_running_total_starts_anew(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("revenue",),
        group_by=by(grain=QUARTER),
        time_range=window("2024-01-01", "2025-07-01"),
        calculations=(RunningTotal(metric="revenue", restart=YEAR),),
    )
    assert [row[1:] for row in ask.rows(spec)] == [(220, 220), (80, 300), (0, 300), (70, 370), (175, 175), (115, 290)]


def test_the_workspace_s_own_year_starts_a_total_anew() -> None:
    spec = QuerySpec(
        metrics=("revenue", "buyers"),
        group_by=by(grain=MONTH),
        time_range=window("2024-01-01", "2024-06-01"),
        calculations=(RunningTotal(metric="revenue", restart=YEAR), RunningTotal(metric="buyers", restart=YEAR)),
    )
    made = duckdb.connect()
    made.execute(TABLES)
    fiscal = replace(
        shop(), calendar=replace(shop().calendar, quarter_basis="fiscal", fiscal=FiscalYear(start_month=2))
    )
    query = compile_query(spec, fiscal)
    assert isinstance(query, CompiledQuery)
    found = made.execute(query.sql, {p.name: p.value for p in query.parameters}).fetchall()
    assert [plain((row[2], row[4])) for row in found] == [(140, 1), (30, 1), (80, 1), (80, 1), (160, 2)]
    assert any("fiscal year (from February)" in note for note in query.notes)
    assert [c.label for c in query.columns][2] == "Revenue, running total by fiscal year (from February)"


def test_a_year_that_nobody_has_set_is_not_guessed() -> None:
    calendar = replace(shop().calendar, quarter_basis=None, fiscal=FiscalYear(start_month=2))
    asked = (RunningTotal(metric="revenue", restart=YEAR),)
    spec = QuerySpec(metrics=("revenue",), group_by=by(grain=MONTH), calculations=asked)
    found = compile_query(spec, replace(shop(), calendar=calendar))
    assert isinstance(found, tuple)
    assert found[0].subject == "quarter_basis"
    named = replace(spec, calculations=(replace(asked[0], fiscal=True),))
    assert isinstance(compile_query(named, replace(shop(), calendar=calendar)), CompiledQuery)


@pytest.mark.parametrize("metric", ["seats", "revenue_to_date", "revenue_7d"])
def test_what_is_made_of_other_days_has_no_running_total(metric: str) -> None:
    spec = QuerySpec(metrics=(metric,), group_by=by(grain=MONTH), calculations=(RunningTotal(metric=metric),))
    assert issue(spec).code is IssueCode.WRONG_TYPE


@pytest.mark.parametrize(("grain", "restart"), [(WEEK, MONTH), (MONTH, MONTH), (YEAR, MONTH)])
def test_a_total_cannot_start_anew_within_a_period(grain: TimeGranularity, restart: TimeGranularity) -> None:
    asked = (RunningTotal(metric="revenue", restart=restart),)
    assert issue(QuerySpec(metrics=("revenue",), group_by=by(grain=grain), calculations=asked)).code is (
        IssueCode.UNSUPPORTED
    )


def test_a_total_by_quarters_cannot_start_anew_with_a_year_that_cuts_them() -> None:
    calendar = replace(shop().calendar, quarter_basis="calendar", fiscal=FiscalYear(start_month=2))
    asked = (RunningTotal(metric="revenue", restart=YEAR, fiscal=True),)
    spec = QuerySpec(metrics=("revenue",), group_by=by(grain=QUARTER), calculations=asked)
    found = compile_query(spec, replace(shop(), calendar=calendar))
    assert isinstance(found, tuple)
    assert found[0].code is IssueCode.UNSUPPORTED


def test_hours_need_a_time_range_for_sums_and_none_for_a_comparison(ask: Asker) -> None:
    hourly = TimeGranularity.HOUR
    model = next(m for m in shop().models if m.name == "orders")
    fine = tuple(replace(d, granularity=hourly) if d.name == "ordered_on" else d for d in model.dimensions)
    others = (m for m in shop().models if m.name != "orders")
    by_hour = replace(shop(), models=(replace(model, dimensions=fine), *others))
    asked = (RunningTotal(metric="revenue"),)
    spec = QuerySpec(metrics=("revenue",), group_by=by(grain=hourly), calculations=asked)
    found = compile_query(spec, by_hour, dialect=ask.dialect)
    assert isinstance(found, tuple)
    assert found[0].code is IssueCode.UNSUPPORTED
    bounded = replace(spec, time_range=window("2025-01-30", "2025-01-31"))
    assert [(row[0].hour, *row[1:]) for row in ask.rows(bounded, by_hour)][9:12] == [  # type: ignore[attr-defined]
        (9, 0, 0),
        (10, 60, 60),
        (11, 0, 60),
    ]
    compared = replace(spec, calculations=(), comparison=PeriodComparison(changes=()))
    assert len(ask.rows(compared, by_hour)) > 10


def test_a_moving_window_counts_calendar_months_and_reaches_before_the_asked_window(ask: Asker) -> None:
    asked = tuple(MovingWindow(metric="revenue", periods=3, kind=kind) for kind in WindowKind)
    spec = QuerySpec(metrics=("revenue",), group_by=by(grain=MONTH), time_range=H1, calculations=asked)
    assert ask.rows(spec) == [
        (month("2025-01"), 150, 73.333333333, 220, 0, 150),
        (month("2025-02"), 25, 81.666666667, 245, 25, 150),
        (month("2025-03"), 0, 58.333333333, 175, 0, 150),
        (month("2025-04"), -15, 3.333333333, 10, -15, 25),
        (month("2025-05"), 0, -5, -15, -15, 0),
        (month("2025-06"), 130, 38.333333333, 115, -15, 130),
    ]


def test_a_moving_window_is_empty_until_the_data_go_back_far_enough(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("orders",),
        group_by=by(grain=MONTH),
        time_range=window("2024-01-01", "2024-05-01"),
        calculations=(MovingWindow(metric="orders", periods=3, kind=WindowKind.SUM),),
    )
    assert [row[1:] for row in ask.rows(spec)] == [(2, None), (1, None), (1, 4), (0, 2)]


def test_a_window_of_days_reaches_over_the_leap_day(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("revenue",),
        group_by=by(grain=DAY),
        time_range=window("2024-03-01", "2024-03-07"),
        calculations=(MovingWindow(metric="revenue", periods=3, kind=WindowKind.SUM),),
    )
    assert [row[1:] for row in ask.rows(spec)] == [(0, 30), (0, 30), (0, 0), (0, 0), (50, 50), (0, 50)]


def test_each_group_moves_by_itself_also_one_that_has_rows_before_the_window_only(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("revenue",),
        group_by=by("region", grain=MONTH),
        time_range=window("2025-02-01", "2025-03-01"),
        calculations=(MovingWindow(metric="revenue", periods=2, kind=WindowKind.SUM),),
    )
    assert [row[1:] for row in ask.rows(spec)] == [("AMER", 0, 0), ("EMEA", 0, 150), (None, 25, 25)]


def test_the_average_of_a_balance_needs_one_in_every_period(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("seats",),
        group_by=by(grain=MONTH),
        time_range=window("2025-01-01", "2025-03-01"),
        calculations=(MovingWindow(metric="seats", periods=2),),
    )
    assert [row[1:] for row in ask.rows(spec)] == [(9, None), (4, 6.5)]


def test_the_highest_of_an_average_skips_periods_without_one(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("average_order",),
        group_by=by(grain=MONTH),
        time_range=window("2025-03-01", "2025-05-01"),
        calculations=(MovingWindow(metric="average_order", periods=3, kind=WindowKind.MAXIMUM),),
    )
    assert [row[1:] for row in ask.rows(spec)] == [(None, 50), (-15, 25)]


@pytest.mark.parametrize(
    ("metric", "kind"),
    [
        ("average_order", WindowKind.SUM),
        ("aov", WindowKind.SUM),
        ("seats", WindowKind.SUM),
    ],
)
def test_a_window_that_means_nothing_is_refused(metric: str, kind: WindowKind) -> None:
    asked = (MovingWindow(metric=metric, periods=3, kind=kind),)
    assert issue(QuerySpec(metrics=(metric,), group_by=by(grain=MONTH), calculations=asked)).code is (
        IssueCode.WRONG_TYPE
    )


@pytest.mark.parametrize("periods", [0, 1, 5000])
def test_a_window_has_a_sensible_width(periods: int) -> None:
    asked = (MovingWindow(metric="revenue", periods=periods),)
    assert issue(QuerySpec(metrics=("revenue",), group_by=by(grain=MONTH), calculations=asked)).code is (
        IssueCode.WRONG_TYPE
    )


def test_both_need_periods() -> None:
    for asked in (RunningTotal(metric="revenue"), MovingWindow(metric="revenue", periods=2)):
        assert issue(QuerySpec(metrics=("revenue",), group_by=by("region"), calculations=(asked,))).code is (
            IssueCode.UNSUPPORTED
        )


def test_a_filtered_series_keeps_the_months_in_which_the_filter_leaves_nothing(ask: Asker) -> None:
    spec = QuerySpec(
        metrics=("revenue",),
        group_by=by(grain=MONTH),
        time_range=window("2025-04-01", "2025-07-01"),
        where=(Filter(field="region", op=Operator.EQ, values=("EMEA",)),),
        calculations=(RunningTotal(metric="revenue"),),
    )
    assert ask.rows(spec) == [(month("2025-04"), 0, 0), (month("2025-05"), 0, 0), (month("2025-06"), 110, 110)]
