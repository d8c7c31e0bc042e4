"""The other window of a comparison, in one place."""

from __future__ import annotations

from datetime import date

import pytest

from catalog.calculations import TimeRange
from catalog.types import Calendar, TimeGranularity
from catalog.windows import Alignment, Earlier, period_before, running_unit, year_before

CALENDAR = Calendar()


def window(start: str, end: str, expr: str = "") -> TimeRange:
    return TimeRange(start=date.fromisoformat(start), end=date.fromisoformat(end), expr=expr)


def ends(found: Earlier | None) -> tuple[str, str]:
    assert found is not None
    assert found.window.start is not None
    assert found.window.end is not None
    return found.window.start.isoformat(), found.window.end.isoformat()


@pytest.mark.parametrize(
    ("asked", "before"),
    [
        (window("2025-03-01", "2025-04-01", "2025-03"), ("2025-02-01", "2025-03-01")),
        (window("2024-02-01", "2024-03-01", "2024-02"), ("2024-01-01", "2024-02-01")),
        (window("2025-01-01", "2025-04-01", "q1_2025"), ("2024-10-01", "2025-01-01")),
        (window("2025-02-01", "2025-05-01", "fy26_q1"), ("2024-11-01", "2025-02-01")),
        (window("2024-01-01", "2025-01-01", "2024"), ("2023-01-01", "2024-01-01")),
        (window("2024-12-01", "2025-06-01", "last_6_months"), ("2024-06-01", "2024-12-01")),
        (window("2025-06-09", "2025-06-16", "last_week"), ("2025-06-02", "2025-06-09")),
        (window("2025-05-19", "2025-06-18", "last_30_days"), ("2025-04-19", "2025-05-19")),
        (window("2025-06-17", "2025-06-18", "yesterday"), ("2025-06-16", "2025-06-17")),
        (window("2024-02-29", "2024-03-01", "29_feb"), ("2024-02-28", "2024-02-29")),
        (window("2025-05-01", "2025-05-19", "1_may_to_18_may"), ("2025-04-13", "2025-05-01")),
    ],
)
def test_the_period_before_is_of_equal_kind(asked: TimeRange, before: tuple[str, str]) -> None:
    assert ends(period_before(asked, CALENDAR)) == before


@pytest.mark.parametrize(
    ("asked", "before", "whole"),
    [
        (window("2025-06-01", "2025-06-19", "mtd"), ("2025-05-01", "2025-05-19"), ("2025-05-01", "2025-06-01")),
        (
            window("2025-06-01", "2025-06-19", "this_month_to_date"),
            ("2025-05-01", "2025-05-19"),
            ("2025-05-01", "2025-06-01"),
        ),
        (window("2025-04-01", "2025-06-19", "qtd"), ("2025-01-01", "2025-03-21"), ("2025-01-01", "2025-04-01")),
        (
            window("2025-06-16", "2025-06-19", "this_week_to_date"),
            ("2025-06-09", "2025-06-12"),
            ("2025-06-09", "2025-06-16"),
        ),
        (
            window("2025-01-01", "2025-06-18", "this_year_through_yesterday"),
            ("2024-01-01", "2024-06-17"),
            ("2024-01-01", "2025-01-01"),
        ),
    ],
)
def test_a_running_period_stands_against_the_same_elapsed_days(
    asked: TimeRange, before: tuple[str, str], whole: tuple[str, str]
) -> None:
    found = period_before(asked, CALENDAR)
    assert found is not None
    assert (ends(found), found.alignment) == (before, Alignment.ELAPSED)
    assert found.whole is not None
    assert (str(found.whole.start), str(found.whole.end)) == whole


def test_a_month_to_date_longer_than_the_month_before_stands_against_all_of_it() -> None:
    found = period_before(window("2025-03-01", "2025-03-31", "mtd"), CALENDAR)
    assert found is not None
    assert (ends(found), found.alignment, found.whole) == (("2025-02-01", "2025-03-01"), Alignment.WHOLE, None)


def test_a_period_to_date_that_is_over_today_is_a_whole_one() -> None:
    found = period_before(window("2025-04-01", "2025-05-01", "mtd"), CALENDAR)
    assert found is not None
    assert (ends(found), found.alignment) == (("2025-03-01", "2025-04-01"), Alignment.WHOLE)


@pytest.mark.parametrize(
    ("asked", "ago"),
    [
        (window("2025-03-01", "2025-04-01", "2025-03"), ("2024-03-01", "2024-04-01")),
        (window("2025-02-01", "2025-03-01", "2025-02"), ("2024-02-01", "2024-03-01")),
        (window("2024-02-01", "2024-03-01", "2024-02"), ("2023-02-01", "2023-03-01")),
        (window("2025-06-01", "2025-06-19", "mtd"), ("2024-06-01", "2024-06-19")),
        (window("2025-05-19", "2025-06-18", "last_30_days"), ("2024-05-19", "2024-06-18")),
        (window("2025-02-28", "2025-03-01", "28_feb"), ("2024-02-28", "2024-02-29")),
        (window("2024-02-29", "2024-03-01", "29_feb"), ("2023-02-28", "2023-03-01")),
        (window("2025-06-09", "2025-06-16", "last_week"), ("2024-06-10", "2024-06-17")),
        (window("2025-06-16", "2025-06-19", "this_week_to_date"), ("2024-06-17", "2024-06-20")),
    ],
)
def test_a_year_ago_keeps_dates_and_weeks_keep_weekdays(asked: TimeRange, ago: tuple[str, str]) -> None:
    assert ends(year_before(asked, CALENDAR)) == ago


def test_a_week_of_another_start_is_still_a_week() -> None:
    sundays = Calendar(week_start="sunday")
    found = year_before(window("2025-06-08", "2025-06-15", "last_week"), sundays)
    assert found is not None
    assert (ends(found), found.alignment) == (("2024-06-09", "2024-06-16"), Alignment.WEEKDAYS)


def test_seven_rolling_days_are_no_week_even_from_a_monday() -> None:
    found = year_before(window("2025-06-09", "2025-06-16", "last_7_days"), CALENDAR)
    assert found is not None
    assert (ends(found), found.alignment) == (("2024-06-09", "2024-06-16"), Alignment.DAYS)


@pytest.mark.parametrize("open_ended", [
    TimeRange(start=None, end=None, expr="all_time"),
    TimeRange(start=date(2025, 1, 1), end=None, expr="since"),
    TimeRange(start=None, end=date(2025, 1, 1), expr="until"),
    TimeRange(start=date(2025, 1, 1), end=date(2025, 1, 1), expr="empty"),
])  # fmt: skip
def test_an_open_window_has_nothing_before_it(open_ended: TimeRange) -> None:
    assert period_before(open_ended, CALENDAR) is None
    assert year_before(open_ended, CALENDAR) is None


def test_only_names_of_running_periods_are_running() -> None:
    assert running_unit(window("2025-06-01", "2025-06-19", "this_month_to_date")) is TimeGranularity.MONTH
    assert running_unit(window("2025-06-01", "2025-06-19", "wtd")) is TimeGranularity.WEEK
    assert running_unit(window("2025-06-01", "2025-07-01", "this_month")) is None
    assert running_unit(window("2025-06-01", "2025-07-01", "this_decade_to_date")) is None
