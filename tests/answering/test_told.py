"""What is told of a comparison by period: a cut period meets the same days of the earlier one."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from catalog.calculations import PeriodComparison, TimeRange
from catalog.compiler.calculations.shares import overlap_note
from catalog.query import MetricIntent, QuerySpec, Transform
from catalog.types import Calendar, FiscalYear, TimeGranularity
from dataagent.answering.told import calculation_notes, needless_notes, repeated_notes
from tests.intent.library import SNAPSHOT

CUT = "A {} that the period cuts is compared with the same days of the earlier one."


def told(grain: TimeGranularity, start: date, end: date, calendar: Calendar | None = None) -> tuple[str, ...]:
    window = TimeRange(start=start, end=end, expr="")
    spec = QuerySpec(
        metrics=("loans",), time_range=window, comparison=PeriodComparison(back_count=1, back_granularity=grain)
    )
    snapshot = replace(SNAPSHOT, calendar=calendar or Calendar())
    return calculation_notes(MetricIntent(metrics=("loans",), grain=grain, time_range=window), spec, snapshot)


@pytest.mark.parametrize(
    ("grain", "start", "end", "cut"),
    [
        (TimeGranularity.WEEK, date(2025, 5, 1), date(2025, 6, 1), True),
        (TimeGranularity.WEEK, date(2025, 5, 5), date(2025, 6, 2), False),
        (TimeGranularity.MONTH, date(2025, 5, 1), date(2025, 6, 1), False),
        (TimeGranularity.MONTH, date(2025, 4, 1), date(2025, 6, 15), True),
        (TimeGranularity.QUARTER, date(2025, 2, 1), date(2025, 7, 1), True),
        (TimeGranularity.QUARTER, date(2025, 1, 1), date(2025, 7, 1), False),
        (TimeGranularity.YEAR, date(2023, 1, 1), date(2025, 6, 1), True),
        (TimeGranularity.DAY, date(2025, 5, 3), date(2025, 5, 9), False),
    ],
)
def test_cut_periods_are_told(grain: TimeGranularity, start: date, end: date, cut: bool) -> None:
    assert (CUT.format(grain) in told(grain, start, end)) is cut


def test_a_week_begins_as_the_workspace_says() -> None:
    sunday = Calendar(week_start="sunday")
    assert CUT.format("week") not in told(TimeGranularity.WEEK, date(2025, 5, 4), date(2025, 6, 1), sunday)
    assert CUT.format("week") in told(TimeGranularity.WEEK, date(2025, 5, 5), date(2025, 6, 2), sunday)


def test_quarters_of_another_year_are_not_judged() -> None:
    fiscal = Calendar(quarter_basis="fiscal", fiscal=FiscalYear(start_month=2))
    assert CUT.format("quarter") not in told(TimeGranularity.QUARTER, date(2025, 2, 1), date(2025, 8, 1), fiscal)


def test_a_window_is_told_once() -> None:
    spec = QuerySpec(
        metrics=("loans",),
        comparison=PeriodComparison(window=TimeRange(start=date(2025, 4, 1), end=date(2025, 5, 1), expr="")),
    )
    assert repeated_notes(spec) == {"Each value stands beside that of 1 Apr 2025 to 30 Apr 2025."}
    assert repeated_notes(QuerySpec(metrics=("loans",))) == repeated_notes(None) == frozenset()


def test_a_warning_that_does_not_hold_is_not_told() -> None:
    share = Transform(type="share_of_total", arguments=(("over", "genre"),))
    asked = MetricIntent(metrics=("loans",), dimensions=("genre",), transforms=(share,))
    assert needless_notes(asked, SNAPSHOT) == {overlap_note("Loans")}
    assert needless_notes(replace(asked, transforms=()), SNAPSHOT) == frozenset()
    unknown = replace(share, arguments=(("over", "ghost"),))
    assert needless_notes(replace(asked, transforms=(unknown,)), SNAPSHOT) == frozenset()
