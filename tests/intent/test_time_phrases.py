"""Phrases of time that people write, each with the window that a calendar on the wall gives."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.types import Calendar
from dataagent.intent.normalise import tokens_of
from dataagent.intent.parts import TimeReading
from dataagent.intent.timex import time_spans

TODAY = date(2025, 6, 18)
CALENDAR = Calendar(date_order="DMY")
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
          "November", "December")  # fmt: skip


def reading(phrase: str, calendar: Calendar = CALENDAR, today: date = TODAY) -> TimeReading | None:
    """What is read where the phrase is read as a whole."""
    tokens = tokens_of(phrase)
    whole = [r for start, end, r in time_spans(tokens, calendar, today) if (start, end) == (0, len(tokens))]
    return whole[0] if whole else None


def window(phrase: str, calendar: Calendar = CALENDAR) -> tuple[str, str]:
    found = reading(phrase, calendar)
    assert found is not None, phrase
    assert not found.asks, found.asks
    assert not found.why, found.why
    return str(found.range.start), str(found.range.end)


@pytest.mark.parametrize(
    ("phrase", "start", "end"),
    [
        ("Jan-Feb 2017", "2017-01-01", "2017-03-01"),
        ("Nov 18-Dec 19, 2015", "2015-11-18", "2015-12-20"),
        ("18 Nov - 19 Dec 2015", "2015-11-18", "2015-12-20"),
        ("March 13-15", "2025-03-13", "2025-03-16"),
        ("July 13-15", "2024-07-13", "2024-07-16"),
        ("1-8 September 2024", "2024-09-01", "2024-09-09"),
        ("from the 1st to the 8th of September 2024", "2024-09-01", "2024-09-09"),
        ("2014-2018", "2014-01-01", "2019-01-01"),
        ("2024Q4", "2024-10-01", "2025-01-01"),
        ("Q4/2024", "2024-10-01", "2025-01-01"),
        ("Q1-Q3 2024", "2024-01-01", "2024-10-01"),
        ("Dec/2018", "2018-12-01", "2019-01-01"),
        ("2024-05", "2024-05-01", "2024-06-01"),
        ("5/2024", "2024-05-01", "2024-06-01"),
        ("31/Oct/2024", "2024-10-31", "2024-11-01"),
        ("from 10/1 to 7/2", "2025-01-10", "2025-02-08"),
        ("1/1/2024 - 31/3/2024", "2024-01-01", "2024-04-01"),
        ("w/c 4 Feb", "2025-02-04", "2025-02-11"),
        ("the week starting on February 4", "2025-02-04", "2025-02-11"),
        ("the last Monday of March", "2025-03-31", "2025-04-01"),
        ("first Tuesday of October 2024", "2024-10-01", "2024-10-02"),
        ("Monday, 16 June 2025", "2025-06-16", "2025-06-17"),
        ("the first quarter of the year", "2025-01-01", "2025-04-01"),
        ("the 1990s", "1990-01-01", "2000-01-01"),
        ("the month before last", "2025-04-01", "2025-05-01"),
        ("the week before last", "2025-06-02", "2025-06-09"),
        ("Easter 2024", "2024-03-31", "2024-04-01"),
        ("Black Friday of last year", "2024-11-29", "2024-11-30"),
        ("Christmas last year", "2024-12-25", "2024-12-26"),
        ("MLK day 2024", "2024-01-15", "2024-01-16"),
        ("2023 or later", "2023-01-01", "2025-06-19"),
        ("5 past years", "2020-01-01", "2025-01-01"),
        ("from March to date", "2025-03-01", "2025-06-19"),
    ],
)
def test_dates_as_people_write_them(phrase: str, start: str, end: str) -> None:
    assert window(phrase) == (start, end)


@pytest.mark.parametrize(
    ("phrase", "start", "end"),
    [
        ("since the start of May", "2025-05-01", "2025-06-19"),
        ("from the beginning of the year", "2025-01-01", "2025-06-19"),
        ("before the beginning of May", "None", "2025-05-01"),
        ("until the start of May", "None", "2025-05-01"),
        ("since the end of May", "2025-06-01", "2025-06-19"),
        ("after the end of 2024", "2025-01-01", "2025-06-19"),
        ("until the end of May", "None", "2025-06-01"),
        ("through the end of last month", "None", "2025-06-01"),
        ("from the beginning of March to the end of April", "2025-03-01", "2025-05-01"),
        ("from March to the end of April", "2025-03-01", "2025-05-01"),
    ],
)
def test_parts_with_a_definite_edge_are_taken_at_that_edge(phrase: str, start: str, end: str) -> None:
    assert window(phrase) == (start, end)


@pytest.mark.parametrize("part", ["late", "early", "mid", "the middle of"])
@pytest.mark.parametrize("frame", ["since {}", "after {}", "before {}", "until {}", "from {} to today", "{}"])
@pytest.mark.parametrize("period", ["March", "2024", "last year", "May 2024", "Q1"])
def test_parts_without_an_edge_are_not_read(part: str, frame: str, period: str) -> None:
    assert reading(frame.format(f"{part} {period}")) is None


@pytest.mark.parametrize(
    "phrase",
    [
        "after the beginning of March", "through the start of May", "from the end of March to the middle of May",
        "month end", "year-end", "2010-12", "fifth Friday of February 2025", "Tuesday, 16 June 2025",
        "from 31/2 to 1/3",
    ],
)  # fmt: skip
def test_what_two_people_would_read_differently_is_not_read(phrase: str) -> None:
    assert reading(phrase) is None


@pytest.mark.parametrize(
    ("phrase", "start", "end", "said"),
    [
        ("2 weeks ago", "2025-06-02", "2025-06-09", "that whole week"),
        ("three months ago", "2025-03-01", "2025-04-01", "that whole month"),
        ("since 2 quarters ago", "2024-10-01", "2025-06-19", "from the beginning of that quarter"),
        ("the first week of May", "2025-05-01", "2025-05-08", "seven days each, counted from its first day"),
        ("last two weeks of May 2024", "2024-05-18", "2024-06-01", "counted up to its last day"),
        ("since the end of May", "2025-06-01", "2025-06-19", "the day after that end"),
        ("March 13-15", "2025-03-13", "2025-03-16", "2025"),
    ],
)
def test_what_was_decided_for_the_person_is_said(phrase: str, start: str, end: str, said: str) -> None:
    assert window(phrase) == (start, end)
    found = reading(phrase)
    assert found is not None
    assert said in " ".join(d.text for d in found.defaults)


@pytest.mark.parametrize(
    ("phrase", "start", "end"),
    [
        ("last May", "2025-05-01", "2025-06-01"),
        ("last June", "2024-06-01", "2024-07-01"),
        ("last Dec", "2024-12-01", "2025-01-01"),
        ("this May", "2025-05-01", "2025-06-01"),
    ],
)
def test_a_month_beside_last_is_the_latest_that_is_over_and_its_year_is_told(phrase: str, start: str, end: str) -> None:
    found = reading(phrase)
    assert found is not None
    assert window(phrase) == (start, end)
    assert [d.text for d in found.defaults] == [f"Read “{phrase.lower()}” as that of {start[:4]}."]


def test_days_without_an_order_of_day_and_month_ask() -> None:
    found = reading("from 3/1 to 4/2", Calendar())
    assert found is not None
    assert {(str(w.start), str(w.end)) for w in found.asks} == {
        ("2025-03-01", "2025-04-03"),
        ("2025-01-03", "2025-02-05"),
    }
    assert found.why == "date_order"


def test_where_one_order_would_end_before_it_begins_nothing_is_read() -> None:
    assert reading("from 10/1 to 7/2", Calendar()) is None


@pytest.mark.parametrize("phrase", ["next week", "next 3 days", "the coming month", "upcoming 2 quarters"])
@pytest.mark.parametrize("full", [True, False])
def test_what_lies_ahead_is_marked_so_in_every_calendar(phrase: str, full: bool) -> None:
    found = reading(phrase, replace(CALENDAR, rolling_full_periods=full))
    assert found is not None
    assert found.future


@pytest.mark.parametrize(
    ("phrase", "start", "end"),
    [
        ("last month", "2025-05-01", "2025-06-01"),
        ("20th of last month", "2025-05-20", "2025-05-21"),
        ("the end of last month", "2025-05-31", "2025-06-01"),
        ("last year", "2024-01-01", "2025-01-01"),
        ("last 2 months", "2025-04-18", "2025-06-18"),
    ],
)
def test_where_several_units_roll_one_named_unit_is_still_that_of_the_calendar(
    phrase: str, start: str, end: str
) -> None:
    assert window(phrase, replace(CALENDAR, rolling_full_periods=False)) == (start, end)


days = st.dates(date(2001, 1, 1), TODAY - timedelta(days=1))


@settings(max_examples=150, deadline=None)
@given(days, days, st.sampled_from(["{} - {}", "from {} to {}", "between {} and {}", "from {} until {}"]))
def test_any_two_days_make_the_period_from_the_one_to_the_other(a: date, b: date, frame: str) -> None:
    first, last = sorted((a, b))
    expected = (str(first), str(last + timedelta(days=1)))
    for written in (_words, _slashed):
        phrase = frame.format(written(first), written(last))
        assert window(phrase) == expected, phrase


@settings(max_examples=150, deadline=None)
@given(days, st.integers(1, 60), st.sampled_from(["{m} {a}-{b}, {y}", "{a}-{b} {m} {y}", "from {a} to {b} {m} {y}"]))
def test_any_days_of_one_month_make_the_days_between_them(start: date, more: int, frame: str) -> None:
    last = start + timedelta(days=more)
    if last.month != start.month or last > TODAY:
        return
    phrase = frame.format(m=MONTHS[start.month - 1], a=start.day, b=last.day, y=start.year)
    assert window(phrase) == (str(start), str(last + timedelta(days=1))), phrase


@settings(max_examples=100, deadline=None)
@given(st.integers(2001, 2024), st.integers(1, 12), st.sampled_from(["since", "after", "before", "until"]))
def test_edges_of_any_month(year: int, month: int, operator: str) -> None:
    begins = date(year, month, 1)
    ends = date(year + month // 12, month % 12 + 1, 1)
    name = f"{MONTHS[month - 1]} {year}"
    tomorrow = str(TODAY + timedelta(days=1))
    expected = {
        "since": (str(ends), tomorrow), "after": (str(ends), tomorrow),
        "before": ("None", str(ends)), "until": ("None", str(ends)),
    }  # fmt: skip
    assert window(f"{operator} the end of {name}") == expected[operator]
    if operator in {"since", "until"}:
        at_start = {"since": (str(begins), tomorrow), "until": ("None", str(begins))}
        assert window(f"{operator} the beginning of {name}") == at_start[operator]


def _words(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def _slashed(day: date) -> str:
    return f"{day.day}/{day.month}/{day.year}"
