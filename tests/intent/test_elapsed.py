"""Comparisons of periods that still run, of series beside another period, and of what moves along in a follow-up."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from catalog.calculated import calculated, cut_alike
from catalog.calculations import PeriodComparison
from catalog.query import Default, MetricIntent
from catalog.types import Calendar
from dataagent.intent.types import Decision, Turn, Understanding
from dataagent.intent.understand import understand
from dataagent.intent.words import phrase_of
from tests.intent import library

Windows = tuple[tuple[str, str], tuple[str, str]]


def understood(*questions: str, today: date = library.TODAY, calendar: Calendar | None = None) -> Understanding:
    snapshot = library.library(calendar) if calendar else library.SNAPSHOT
    turns: tuple[Turn, ...] = ()
    for question in questions:
        found = understand(
            question, snapshot=snapshot, scope=library.scope(), index=library.INDEX, today=today, turns=turns
        )
        turns = (*turns, Turn(question=question, intent=found.intent))
    return found


def plan(*questions: str, today: date = library.TODAY, calendar: Calendar | None = None) -> MetricIntent:
    found = understood(*questions, today=today, calendar=calendar)
    assert found.decision is Decision.ANSWER, (questions, found.limitation, found.options)
    assert found.intent is not None
    return found.intent


def compared(intent: MetricIntent) -> PeriodComparison:
    found = calculated(intent, library.SNAPSHOT)
    assert not isinstance(found, tuple), found
    assert isinstance(found.comparison, PeriodComparison)
    return found.comparison


def windows(intent: MetricIntent) -> Windows:
    asked, other = intent.time_range, compared(intent).window
    assert asked is not None
    assert other is not None
    return (str(asked.start), str(asked.end)), (str(other.start), str(other.end))


RUNNING: tuple[tuple[str, Windows], ...] = (
    ("loans in 2025 vs 2024", (("2025-01-01", "2025-06-19"), ("2024-01-01", "2024-06-19"))),
    ("did loans grow in 2025", (("2025-01-01", "2025-06-19"), ("2024-01-01", "2024-06-19"))),
    ("loans in 2025 vs 2023", (("2025-01-01", "2025-06-19"), ("2023-01-01", "2023-06-19"))),
    ("loans ytd vs 2023", (("2025-01-01", "2025-06-19"), ("2023-01-01", "2023-06-19"))),
    ("ratio of fines in 2025 to 2024", (("2025-01-01", "2025-06-19"), ("2024-01-01", "2024-06-19"))),
    ("did loans grow in June 2025", (("2025-06-01", "2025-06-19"), ("2025-05-01", "2025-05-19"))),
    ("loans in June vs April", (("2025-06-01", "2025-06-19"), ("2025-04-01", "2025-04-19"))),
    ("loans in Q2 vs Q1", (("2025-04-01", "2025-06-19"), ("2025-01-01", "2025-03-21"))),
    ("loans in Q2 2025 vs Q2 2023", (("2025-04-01", "2025-06-19"), ("2023-04-01", "2023-06-19"))),
    ("loans h1 2025 vs h2 2024", (("2025-01-01", "2025-06-19"), ("2024-07-01", "2024-12-17"))),
    ("loans this week vs 4 weeks ago", (("2025-06-16", "2025-06-19"), ("2025-05-19", "2025-05-22"))),
    ("loans this week vs last week", (("2025-06-16", "2025-06-19"), ("2025-06-09", "2025-06-12"))),
    ("loans from 10 June to 25 June vs 10 May to 25 May", (("2025-06-10", "2025-06-19"), ("2025-05-10", "2025-05-19"))),
    ("ratio of fines this month to the previous month", (("2025-06-01", "2025-06-19"), ("2025-05-01", "2025-05-19"))),
    ("loans this year vs ytd last year", (("2025-01-01", "2025-06-19"), ("2024-01-01", "2024-06-19"))),
)


@pytest.mark.parametrize(("question", "expected"), RUNNING)
def test_a_running_period_stands_against_the_same_part_of_any_other_and_that_is_told(
    question: str, expected: Windows
) -> None:
    intent = plan(question)
    assert windows(intent) == expected
    assert "partial_period" in {d.key for d in intent.defaults_used}


def test_fiscal_years_keep_their_dates_too() -> None:
    fiscal = Calendar(fiscal=library.SNAPSHOT.calendar.fiscal.__class__(start_month=2, label_by="end_year"))
    asked, other = windows(plan("loans fy26 vs fy25", calendar=fiscal))
    assert (asked, other) == (("2025-02-01", "2025-06-19"), ("2024-02-01", "2024-06-19"))


@pytest.mark.parametrize("today", [date(2024, 2, 29), date(2024, 3, 1), date(2024, 7, 15), date(2025, 2, 28)])
def test_this_year_against_last_year_is_the_same_in_every_wording(today: date) -> None:
    said = ("loans this year vs last year", "loans ytd vs last year", f"loans {today.year} vs {today.year - 1}")
    assert len({windows(plan(question, today=today)) for question in said}) == 1


@pytest.mark.parametrize("question", ["loans 2025 vs all of 2023", "loans this year vs the whole of 2023"])
def test_all_of_the_other_period_is_taken_where_that_is_said(question: str) -> None:
    intent = plan(question)
    assert windows(intent) == (("2025-01-01", "2025-06-19"), ("2023-01-01", "2024-01-01"))
    assert "partial_period" not in {d.key for d in intent.defaults_used}
    assert plan(phrase_of(intent, library.SNAPSHOT)).comparison is not None


def test_a_running_period_does_not_stand_against_one_of_another_kind() -> None:
    assert understood("loans this month vs last 30 days").decision is not Decision.ANSWER
    assert understood("loans this month vs this quarter").decision is not Decision.ANSWER


@pytest.mark.parametrize(
    ("question", "step"),
    [
        ("loans by month in 2024 vs 2023", (1, "year")),
        ("trend of loans in 2024 vs 2023", (1, "year")),
        ("loans by month in 2025 vs 2023", (2, "year")),
        ("loans by day in June vs May", (1, "month")),
        ("loans by day this week vs last week", (7, "day")),
        ("loans by day last week vs same week last year", (52, "week")),
        ("loans by week this year vs last year", (52, "week")),
        ("loans by month in 2024 vs the month before", (1, "month")),
        ("loans by week last 4 weeks vs the previous 4 weeks", (4, "week")),
        ("loans by month this year vs all of 2024", (1, "year")),
        ("loans by month in 2024 vs previous month", (1, "month")),
        ("loans by month since January 2024 vs the year before", (1, "year")),
    ],
)
def test_a_series_stands_beside_its_counterparts_in_the_other_period(question: str, step: tuple[int, str]) -> None:
    found = compared(plan(question))
    assert (found.window, found.back_count, found.back_granularity) == (None, *step)


def test_a_series_over_periods_that_do_not_meet_stops() -> None:
    assert understood("loans by month last 12 months vs last year").decision is Decision.ABSTAIN
    found = calculated(plan("loans by week this quarter vs last quarter"), library.SNAPSHOT)
    assert isinstance(found, tuple)
    assert "no counterparts" in found[0].message


@pytest.mark.parametrize("first", ["loans in 2024 vs 2023", "loans in 2024 vs the year before"])
def test_a_follow_up_by_month_keeps_the_two_years(first: str) -> None:
    found = compared(plan(first, "by month"))
    assert (found.back_count, found.back_granularity) == (1, "year")


def test_a_running_year_by_month_in_a_follow_up_is_told_as_it_is_cut() -> None:
    intent = plan("loans in 2025 vs 2024", "by month")
    assert intent.comparison is not None
    assert (intent.comparison.type, compared(intent).back_granularity) == ("year_ago", "year")
    halves = plan("loans h1 2025 vs h2 2024", "by month").comparison
    assert halves is not None
    assert halves.range is not None
    assert (str(halves.range.start), str(halves.range.end)) == ("2024-07-01", "2024-12-19")


@pytest.mark.parametrize("question", ["loans before March 2025 vs last year", "loans until March 2025 vs 2024"])
def test_words_that_are_one_period_are_never_read_as_two(question: str) -> None:
    assert understood(question).decision is not Decision.ANSWER
    assert str(plan("loans before March 2025").time_range.end) == "2025-03-01"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (
            ("loans in March 2025 vs March 2023", "last month"),
            (("2025-05-01", "2025-06-01"), ("2023-05-01", "2023-06-01")),
        ),
        (
            ("loans in March 2025 vs March 2023", "this month"),
            (("2025-06-01", "2025-06-19"), ("2023-06-01", "2023-06-19")),
        ),
        (
            ("loans ytd vs 2023", "mtd"),
            (("2025-06-01", "2025-06-19"), ("2023-06-01", "2023-06-19")),
        ),
        (
            ("loans last month vs the month before", "this month"),
            (("2025-06-01", "2025-06-19"), ("2025-05-01", "2025-05-19")),
        ),
    ],
)
def test_the_other_period_moves_along_with_a_follow_up(turns: tuple[str, ...], expected: Windows) -> None:
    assert windows(plan(*turns)) == expected


def test_a_follow_up_stops_where_the_other_period_cannot_move_along() -> None:
    assert understood("loans in March 2025 vs January 2025", "in Q1 2025").decision is not Decision.ANSWER


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ("loans in January 2025 vs previous month", ("2024-12-01", "2025-01-01")),
        ("loans in January 2025 vs the month before", ("2024-12-01", "2025-01-01")),
        ("ratio of fines in January 2025 to the previous month", ("2024-12-01", "2025-01-01")),
        ("loans in January 2025 vs previous year", ("2024-01-01", "2024-02-01")),
        ("loans in Q1 2025 vs the quarter before", ("2024-10-01", "2025-01-01")),
    ],
)
def test_the_one_before_counts_from_the_asked_period(question: str, other: tuple[str, str]) -> None:
    assert windows(plan(question))[1] == other


@pytest.mark.parametrize(
    "question",
    [
        "loans in Q1 2025 vs the month before",
        "loans in 2024 vs previous month",
        "loans last 30 days vs the week before",
    ],
)
def test_the_one_before_of_another_size_is_asked_about(question: str) -> None:
    assert understood(question).decision is Decision.CLARIFY


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("loans ytd last year", "2024-01-01", "2024-06-19"),
        ("loans 2024 ytd", "2024-01-01", "2024-06-19"),
        ("loans 2025 so far", "2025-01-01", "2025-06-19"),
        ("loans in June so far", "2025-06-01", "2025-06-19"),
    ],
)
def test_to_date_of_a_period_never_reaches_into_the_next(text: str, start: str, end: str) -> None:
    found = plan(text).time_range
    assert found is not None
    assert (str(found.start), str(found.end)) == (start, end)


def test_to_date_of_a_period_that_is_over_is_not_read() -> None:
    assert understood("loans q1 2025 to date").decision is not Decision.ANSWER


@pytest.mark.parametrize("question", ["did loans grow this week", "running total of loans this week"])
def test_each_reading_of_a_period_is_cut_on_its_own(question: str) -> None:
    open_weeks = Calendar(week_start=None)
    found = understood(question, calendar=open_weeks)
    assert found.decision is Decision.CLARIFY
    starts = {str(o.intent.time_range.start) for o in found.options if o.intent.time_range}
    assert starts == {"2025-06-16", "2025-06-15"}


@pytest.mark.parametrize("question", ["loans this week vs last week", "did loans grow this week vs last week"])
def test_two_periods_of_one_unset_setting_are_asked_about_together(question: str) -> None:
    found = understood(question, calendar=Calendar(week_start=None))
    assert found.decision is Decision.CLARIFY
    assert {windows(o.intent) for o in found.options} == {
        (("2025-06-16", "2025-06-19"), ("2025-06-09", "2025-06-12")),
        (("2025-06-15", "2025-06-19"), ("2025-06-08", "2025-06-12")),
    }


def test_a_holiday_has_no_other_year_by_its_date() -> None:
    assert windows(plan("loans on black friday vs black friday 2023")) == (
        ("2024-11-29", "2024-11-30"),
        ("2023-11-24", "2023-11-25"),
    )


def test_a_year_behind_the_second_of_two_months_may_be_that_of_both() -> None:
    found = understood("loans in May vs April 2024")
    assert found.decision is Decision.CLARIFY
    assert [windows(o.intent)[0][0] for o in found.options] == ["2024-05-01", "2025-05-01"]


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        ("loans in Q1 vs Q2 2024", "2024-04-01", "2025-01-01"),
        ("compare loans in Q1 and Q2 2024", "2024-04-01", "2025-01-01"),
        ("loans in the first half vs the second half of 2024", "2024-07-01", "2025-01-01"),
        ("loans on 1 May vs 2 May 2024", "2024-05-02", "2025-05-01"),
        ("loans in Q1 2024 vs Q2", "2024-04-01", "2024-01-01"),
        ("loans in May 2024 vs June", "2024-06-01", "2024-05-01"),
        ("loans in December 2024 vs January", "2025-01-01", "2024-12-01"),
    ],
)
def test_a_period_without_a_year_that_may_lie_before_or_behind_the_other_is_asked_about(
    question: str, first: str, second: str
) -> None:
    found = understood(question)
    assert found.decision is Decision.CLARIFY
    assert [windows(o.intent)[0][0] for o in found.options] == [first, second]


def test_a_week_without_a_year_is_not_answered_beside_one_of_another_year() -> None:
    assert understood("loans in week 10 vs week 11 of 2024").decision is Decision.CLARIFY


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("loans in May 2024 vs April", (("2024-05-01", "2024-06-01"), ("2024-04-01", "2024-05-01"))),
        ("loans in January 2024 vs December", (("2024-01-01", "2024-02-01"), ("2023-12-01", "2024-01-01"))),
        ("loans in May vs May 2024", (("2025-05-01", "2025-06-01"), ("2024-05-01", "2024-06-01"))),
    ],
)
def test_a_period_without_a_year_goes_with_the_one_that_has_it(question: str, expected: Windows) -> None:
    assert windows(plan(question)) == expected


@pytest.mark.parametrize(
    ("today", "expected"),
    [
        (date(2025, 6, 30), (("2025-06-01", "2025-06-30"), ("2025-05-01", "2025-05-30"))),
        (date(2025, 7, 1), (("2025-07-01", "2025-07-02"), ("2025-06-01", "2025-06-02"))),
    ],
)
def test_where_today_does_not_count_a_period_that_begins_today_has_its_first_day(
    today: date, expected: Windows
) -> None:
    calendar = Calendar(to_date_includes_today=False)
    assert windows(plan("loans this month vs last month", today=today, calendar=calendar)) == expected


@pytest.mark.parametrize(
    ("first", "then", "expected"),
    [
        ("loans in 2025 vs 2023", "vs 2022", (("2025-01-01", "2025-06-19"), ("2022-01-01", "2022-06-19"))),
        ("loans in 2025 vs 2023", "in Lyon", (("2025-01-01", "2025-06-19"), ("2023-01-01", "2023-06-19"))),
        (
            "loans this month vs all of last month",
            "in Lyon",
            (("2025-06-01", "2025-06-19"), ("2025-05-01", "2025-06-01")),
        ),
        (
            "loans this month vs all of last month",
            "last month",
            (("2025-05-01", "2025-06-01"), ("2025-04-01", "2025-05-01")),
        ),
    ],
)
def test_a_follow_up_starts_from_what_was_asked_and_not_from_what_was_loaded_then(
    first: str, then: str, expected: Windows
) -> None:
    told = Default(key="loaded_until", value="2025-06-10", text="")
    asked = plan(first)
    loaded = cut_alike(replace(asked, defaults_used=(*asked.defaults_used, told)), date(2025, 6, 10))
    found = understand(
        then,
        snapshot=library.SNAPSHOT,
        scope=library.scope(),
        index=library.INDEX,
        today=library.TODAY,
        turns=(Turn(question=first, intent=loaded),),
    ).intent
    assert found is not None
    assert windows(found) == expected
    assert "loaded_until" not in {d.key for d in found.defaults_used}
