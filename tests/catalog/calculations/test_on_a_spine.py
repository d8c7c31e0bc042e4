"""Calculations stand on catalogs that keep time on a spine as on our own."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime

from catalog.calculations import (
    Change,
    MemberComparison,
    MovingWindow,
    PeriodComparison,
    Rank,
    RunningTotal,
    Share,
    Top,
    WindowKind,
)
from catalog.compiler import compile_query
from catalog.query import CompiledQuery, QuerySpec
from catalog.types import Calendar, TimeGranularity
from tests.catalog.calculations.sales import Row, by, window
from tests.catalog.flow.shop import shop, warehouse

DAY = TimeGranularity.DAY
FEBRUARY = window("2025-02-01", "2025-03-01")
DIFFERENCE = (Change.DIFFERENCE,)


def rows(spec: QuerySpec) -> list[Row]:
    query = compile_query(spec, shop())
    assert isinstance(query, CompiledQuery), query
    found = warehouse().execute(query.sql, {p.name: p.value for p in query.parameters}).fetchall()
    return [tuple(v.strftime("%m-%d") if isinstance(v, datetime | date) else v for v in row) for row in found]


def test_each_day_stands_beside_the_day_before() -> None:
    spec = QuerySpec(
        metrics=("revenue", "average_order"),
        group_by=by(grain=DAY),
        time_range=FEBRUARY,
        comparison=PeriodComparison(changes=DIFFERENCE),
    )
    assert rows(spec) == [
        ("02-01", 35, 20, 15, 17.5, 20, -2.5),
        ("02-02", None, 35, None, None, 17.5, None),
        ("02-03", 40, None, None, 40, None, None),
    ]


def test_a_day_is_the_same_in_a_comparison_as_without_one() -> None:
    plain = QuerySpec(metrics=("revenue", "visits"), group_by=by(grain=DAY))
    alone = {row[0]: row[1:] for row in rows(plain)}
    assert any(None in row for row in alone.values())
    compared = rows(replace(plain, comparison=PeriodComparison(changes=())))
    assert {row[0]: (row[1], row[3]) for row in compared if row[0] in alone} == alone
    assert all((row[1], row[3]) == (None, None) for row in compared if row[0] not in alone)


def test_a_moving_window_takes_a_day_without_rows_as_nothing_added() -> None:
    spec = QuerySpec(
        metrics=("revenue",),
        group_by=by(grain=DAY),
        time_range=FEBRUARY,
        calculations=(MovingWindow(metric="revenue", periods=2),),
    )
    assert rows(spec) == [("02-01", 35, 27.5), ("02-02", None, 17.5), ("02-03", 40, 20)]


def test_a_balance_of_a_day_without_one_is_unknown_also_beside_other_metrics() -> None:
    spec = QuerySpec(
        metrics=("last_balance", "visits"), group_by=by(grain=DAY), comparison=PeriodComparison(changes=())
    )
    found = {row[0]: row[1:] for row in rows(spec)}
    assert found["02-02"] == (None, 4, 2, None)
    assert found["01-31"] == (7, 7, 1, 1)


def test_channels_of_one_period_only_are_kept() -> None:
    asked = PeriodComparison(window=window("2025-01-01", "2025-02-01"), changes=DIFFERENCE)
    spec = QuerySpec(metrics=("revenue",), group_by=by("channel"), time_range=FEBRUARY, comparison=asked)
    assert rows(spec) == [("shop", 0, 20, -20), ("web", 70, 10, 60), (None, 5, 0, 5)]


def test_everything_at_once() -> None:
    spec = QuerySpec(
        metrics=("revenue",),
        group_by=by("channel", grain=DAY),
        calculations=(
            RunningTotal(metric="revenue"),
            MovingWindow(metric="revenue", periods=2, kind=WindowKind.SUM),
            Share(metric="revenue"),
            Rank(by="revenue"),
        ),
        top=Top(by="revenue", count=3),
    )
    found = [(*row[:3], round(row[3], 6), *row[4:]) for row in rows(spec)]  # type: ignore[call-overload]
    assert found == [
        ("02-03", "web", 40, 0.380952, 80, 40, 1),
        ("02-01", "web", 30, 0.285714, 40, 30, 2),
        ("01-31", "shop", 20, 0.190476, 20, 20, 3),
    ]


def test_a_conversion_a_window_and_a_filtered_metric_are_compared() -> None:
    spec = QuerySpec(
        metrics=("visit_to_order", "revenue_two_days", "web_revenue"),
        group_by=by(grain=DAY),
        time_range=window("2025-02-02", "2025-02-03"),
        comparison=PeriodComparison(changes=()),
    )
    assert rows(spec) == [("02-02", 0.5, None, 35, 55, 0, 30)]


def test_members_stand_beside_a_baseline() -> None:
    baseline = MemberComparison(field="channel", baseline="web", changes=DIFFERENCE)
    spec = QuerySpec(metrics=("revenue",), group_by=by("channel"), comparison=baseline)
    assert rows(spec) == [("shop", 20, 80, -60), ("web", 80, 80, 0), (None, 5, 80, -75)]


def test_ratios_and_percentiles_run_over_all_rows_so_far() -> None:
    spec = QuerySpec(
        metrics=("average_order", "middle"),
        group_by=by(grain=DAY),
        calculations=(
            RunningTotal(metric="average_order"),
            RunningTotal(metric="middle"),
            MovingWindow(metric="average_order", periods=2),
        ),
    )
    assert [(r[0], r[2], r[3] and round(r[3], 6), r[5]) for r in rows(spec)] == [  # type: ignore[call-overload]
        ("01-30", 10, None, 10),
        ("01-31", 15, 15, 10),
        ("02-01", 16.25, 18.333333, 10),
        ("02-02", 16.25, 17.5, 10),
        ("02-03", 21, 40, 20),
    ]


def test_each_tier_of_a_changing_table_has_the_rows_of_its_time() -> None:
    spec = QuerySpec(
        metrics=("average_order",),
        group_by=by("tier", grain=DAY),
        calculations=(RunningTotal(metric="average_order", restart=TimeGranularity.MONTH),),
    )
    found = {r[:2]: r[3] for r in rows(spec)}
    assert found["01-30", "new"] == 10
    assert found["01-31", "gold"] == 20
    assert found["02-02", "new"] == 17.5
    assert found["02-03", None] == 40
    assert found["02-01", "gold"] is None


def test_weeks_on_a_spine_start_on_monday_whatever_the_workspace_says() -> None:
    spec = QuerySpec(
        metrics=("revenue",),
        group_by=by(grain=TimeGranularity.WEEK),
        calculations=(RunningTotal(metric="revenue"),),
    )
    sundays = replace(shop(), calendar=Calendar(week_start="sunday"))
    query = compile_query(spec, sundays)
    assert isinstance(query, CompiledQuery)
    found = warehouse().execute(query.sql).fetchall()
    assert [(row[0].strftime("%m-%d"), *row[1:]) for row in found] == [("01-27", 65, 65), ("02-03", 40, 105)]
