"""The other window of a comparison, in one place."""

from __future__ import annotations

from datetime import date

import pytest

from catalog.calculations import TimeRange
from catalog.types import Calendar, TimeGranularity
from catalog.windows import (
    Alignment,
    Earlier,
    cut_at,
    moved_along,
    period_before,
    same_part,
    step_between,
    whole_of,
    year_before,
)

CALENDAR = Calendar()


def window(start: str, end: str, expr: str = "", whole_end: str = "") -> TimeRange:
    whole = date.fromisoformat(whole_end) if whole_end else None
    return TimeRange(start=date.fromisoformat(start), end=date.fromisoformat(end), expr=expr, whole_end=whole)


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
        (
            window("2025-06-01", "2025-06-19", "june", "2025-07-01"),
            ("2025-05-01", "2025-05-19"),
            ("2025-05-01", "2025-06-01"),
        ),
        (
            window("2025-04-01", "2025-06-19", "q2_2025", "2025-07-01"),
            ("2025-01-01", "2025-03-21"),
            ("2025-01-01", "2025-04-01"),
        ),
        (
            window("2025-06-16", "2025-06-19", "this_week", "2025-06-23"),
            ("2025-06-09", "2025-06-12"),
            ("2025-06-09", "2025-06-16"),
        ),
        (
            window("2025-01-01", "2025-06-18", "2025", "2026-01-01"),
            ("2024-01-01", "2024-06-18"),
            ("2024-01-01", "2025-01-01"),
        ),
        (
            window("2025-02-01", "2025-06-18", "fy26", "2026-02-01"),
            ("2024-02-01", "2024-06-18"),
            ("2024-02-01", "2025-02-01"),
        ),
        (
            window("2024-01-01", "2024-03-01", "2024", "2025-01-01"),
            ("2023-01-01", "2023-03-01"),
            ("2023-01-01", "2024-01-01"),
        ),
        (
            window("2025-01-01", "2025-06-18", "h1_2025", "2025-07-01"),
            ("2024-07-01", "2024-12-16"),
            ("2024-07-01", "2025-01-01"),
        ),
        (
            window("2025-06-01", "2025-06-10", "1_to_15_june", "2025-06-16"),
            ("2025-05-17", "2025-05-26"),
            ("2025-05-17", "2025-06-01"),
        ),
    ],
)
def test_a_cut_period_stands_against_the_same_part_of_the_one_before(
    asked: TimeRange, before: tuple[str, str], whole: tuple[str, str]
) -> None:
    found = period_before(asked, CALENDAR)
    assert found is not None
    assert (ends(found), found.alignment) == (before, Alignment.ELAPSED)
    assert found.whole is not None
    assert (str(found.whole.start), str(found.whole.end)) == whole


def test_a_month_to_date_longer_than_the_month_before_stands_against_all_of_it() -> None:
    found = period_before(window("2025-03-01", "2025-03-31", "mtd", "2025-04-01"), CALENDAR)
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
        (window("2025-06-01", "2025-06-19", "mtd", "2025-07-01"), ("2024-06-01", "2024-06-19")),
        (window("2025-01-01", "2025-07-16", "2025", "2026-01-01"), ("2024-01-01", "2024-07-16")),
        (window("2024-01-01", "2024-03-01", "2024", "2025-01-01"), ("2023-01-01", "2023-03-01")),
        (window("2025-05-19", "2025-06-18", "last_30_days"), ("2024-05-19", "2024-06-18")),
        (window("2025-02-28", "2025-03-01", "28_feb"), ("2024-02-28", "2024-02-29")),
        (window("2024-02-29", "2024-03-01", "29_feb"), ("2023-02-28", "2023-03-01")),
        (window("2025-06-09", "2025-06-16", "last_week"), ("2024-06-10", "2024-06-17")),
        (window("2025-06-16", "2025-06-19", "this_week", "2025-06-23"), ("2024-06-17", "2024-06-20")),
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


def test_a_cut_window_knows_its_whole_and_a_day_outside_cuts_nothing() -> None:
    year = window("2025-01-01", "2026-01-01", "2025")
    cut = cut_at(cut_at(year, date(2025, 7, 16)), date(2025, 6, 19))
    assert (cut.end, whole_of(cut)) == (date(2025, 6, 19), year)
    assert cut_at(year, date(2026, 1, 1)) == cut_at(year, date(2025, 1, 1)) == year


@pytest.mark.parametrize("end", ["2024-02-29", "2024-03-01", "2024-03-02", "2024-07-16", "2024-12-31"])
def test_a_running_year_means_the_same_days_as_the_year_before_and_as_a_year_ago(end: str) -> None:
    running = window("2024-01-01", end, "2024", "2025-01-01")
    assert ends(period_before(running, CALENDAR)) == ends(year_before(running, CALENDAR))


def test_the_same_part_of_any_other_period_of_its_kind() -> None:
    year = window("2025-01-01", "2025-07-16", "2025", "2026-01-01")
    part = same_part(year, window("2023-01-01", "2024-01-01"))
    assert (part.end, part.whole_end) == (date(2023, 7, 16), date(2024, 1, 1))
    june = window("2025-06-01", "2025-06-19", "june", "2025-07-01")
    assert same_part(june, window("2025-04-01", "2025-05-01")).end == date(2025, 4, 19)
    late = window("2025-03-01", "2025-03-31", "march", "2025-04-01")
    assert same_part(late, window("2025-02-01", "2025-03-01")) == window("2025-02-01", "2025-03-01")


@pytest.mark.parametrize(
    ("asked", "other", "grain", "step"),
    [
        (("2024-01-01", "2025-01-01"), ("2023-01-01", "2024-01-01"), "month", (1, "year")),
        (("2024-01-01", "2025-01-01"), ("2022-01-01", "2023-01-01"), "week", (104, "week")),
        (("2025-04-01", "2025-07-01"), ("2025-01-01", "2025-04-01"), "month", (3, "month")),
        (("2025-04-01", "2025-07-01"), ("2025-01-01", "2025-04-01"), "week", None),
        (("2025-06-01", "2025-07-01"), ("2025-05-01", "2025-06-01"), "day", (1, "month")),
        (("2025-06-01", "2025-07-01"), ("2025-05-01", "2025-06-01"), "quarter", None),
        (("2025-06-09", "2025-06-16"), ("2025-05-12", "2025-05-19"), "day", (28, "day")),
        (("2025-06-09", "2025-06-16"), ("2025-05-12", "2025-05-19"), "week", (4, "week")),
        (("2025-06-10", "2025-06-20"), ("2025-05-31", "2025-06-10"), "week", None),
        (("2025-06-10", "2025-06-20"), ("2025-05-30", "2025-06-10"), "day", None),
        (("2025-06-10", "2025-06-20"), ("2025-06-10", "2025-06-20"), "day", None),
    ],
)
def test_the_periods_of_two_windows_meet_by_one_step(
    asked: tuple[str, str], other: tuple[str, str], grain: str, step: tuple[int, str] | None
) -> None:
    assert step_between(window(*asked), window(*other), TimeGranularity(grain)) == step


@pytest.mark.parametrize(
    ("asked", "moved"),
    [
        (("2025-05-01", "2025-06-01"), ("2023-05-01", "2023-06-01")),
        (("2025-01-01", "2025-04-01"), ("2023-01-01", "2023-04-01")),
        (("2025-05-05", "2025-05-12"), None),
    ],
)
def test_the_other_window_moves_along_where_that_is_exact(
    asked: tuple[str, str], moved: tuple[str, str] | None
) -> None:
    march, before = window("2025-03-01", "2025-04-01"), window("2023-03-01", "2023-04-01")
    found = moved_along(march, before, window(*asked))
    assert (found and (str(found.start), str(found.end))) == moved


def test_months_of_another_number_and_other_days_have_nothing_that_moves_along() -> None:
    june, april = window("2025-06-01", "2025-07-01"), window("2025-04-01", "2025-05-01")
    assert moved_along(june, april, window("2025-01-01", "2025-04-01")) is None
    week, earlier = window("2025-06-09", "2025-06-16"), window("2025-05-12", "2025-05-19")
    found = moved_along(week, earlier, window("2025-06-02", "2025-06-09"))
    assert found is not None
    assert found.start == date(2025, 5, 5)
