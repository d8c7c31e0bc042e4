"""Sentences about changes: every number is recomputed, and the direction is the one of the figures."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from catalog.calculated import ASKED_DIRECTION
from catalog.calculations import Derived, PeriodComparison
from catalog.query import (
    ColumnRole,
    Comparison,
    IntentKind,
    MetricCondition,
    MetricIntent,
    QuerySpec,
    ResultColumn,
    TimeRange,
)
from catalog.types import Calendar, MetricFormat, Operator, Polarity, Scalar, TimeGranularity
from dataagent.answering.buckets import bucket_end, still_runs
from dataagent.answering.changes import calculated_claims, uneven_claims
from dataagent.answering.claims import bound, words_of_change
from dataagent.answering.numerals import cell_text
from dataagent.answering.periodnames import in_period, period_name
from dataagent.answering.telling import Told
from dataagent.answering.told import calculation_notes
from dataagent.answering.validate import Result, validate
from dataagent.answering.verdicts import holds_of, verdict_claims
from tests.intent.library import SNAPSHOT

MAY = TimeRange(start=date(2025, 5, 1), end=date(2025, 6, 1), expr="2025-05")
APRIL = TimeRange(start=date(2025, 4, 1), end=date(2025, 5, 1), expr="2025-04")
ORDERS = ResultColumn(name="orders", label="Orders", role=ColumnRole.METRIC)
EARLIER = replace(ORDERS, name="orders__previous", of="orders", derived=Derived.PREVIOUS)
DIFFERENCE = replace(ORDERS, name="orders__difference", of="orders", derived=Derived.DIFFERENCE)
PERCENT = replace(
    ORDERS,
    name="orders__percent_change",
    of="orders",
    derived=Derived.PERCENT_CHANGE,
    format=MetricFormat.PERCENT,
)
COLUMNS = (ORDERS, EARLIER, DIFFERENCE, PERCENT)
COMPARED = MetricIntent(
    metrics=("orders",), time_range=MAY, comparison=Comparison(type="previous_period", calc=("diff", "pct"))
)
SPEC = QuerySpec(metrics=("orders",), time_range=MAY, comparison=PeriodComparison(window=APRIL))


def told(row: tuple[Scalar, ...], intent: MetricIntent = COMPARED, columns: tuple[ResultColumn, ...] = COLUMNS) -> Told:
    return Told(
        intent=intent, spec=SPEC, columns=columns, rows=(row,), total_row=(), today=date(2025, 6, 18), snapshot=SNAPSHOT
    )


def headline(row: tuple[Scalar, ...], columns: tuple[ResultColumn, ...] = COLUMNS) -> str:
    claims = bound(tuple(calculated_claims(told(row, columns=columns))), columns, (row,), ())
    return claims[0].text.replace("\u202f", " ") if claims else ""


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ((120, 100, 20, Decimal("0.2")), "Orders: 120 in May 2025, 20.0 % more than in April 2025 (100)"),
        ((80, 100, -20, Decimal("-0.2")), "Orders: 80 in May 2025, 20.0 % less than in April 2025 (100)"),
        ((100, 100, 0, Decimal(0)), "Orders: 100 in May 2025, the same as in April 2025 (100)"),
        (
            (10**15 + 3, 10**15, 3, Decimal(0)),
            "Orders: 1 000 000 000 000 003 in May 2025, 3 more than in April 2025 (1 000 000 000 000 000)",
        ),
        ((5, 0, 5, None), "Orders: 5 in May 2025, 5 more than in April 2025 (0)"),
        ((5, None, None, None), "Orders: 5 in May 2025; there is no value in April 2025 to compare with"),
        ((None, 7, None, None), "Orders: no value in May 2025; 7 in April 2025"),
    ],
)
def test_a_change_is_said_with_both_figures(row: tuple[Scalar, ...], said: str) -> None:
    assert headline(row) == said


def test_running_figures_are_compared_as_of_the_last_days_of_their_windows() -> None:
    found = told((120, 100, 20, Decimal("0.2")))
    found.as_of_end = True
    assert calculated_claims(found)[0].text.replace("\u202f", " ") == (
        "Orders: 120 as of 31 May 2025, 20.0 % more than as of 30 Apr 2025 (100)"
    )
    assert calculation_notes(COMPARED, SPEC, SNAPSHOT, as_of_end=True) == (
        "The figure as of 31 May 2025 is compared with the one as of 30 Apr 2025.",
    )


@pytest.mark.parametrize(("shape", "asked"), [(None, ""), ("boolean", "Not known yet. ")])
def test_over_unevenly_loaded_days_no_change_is_said(shape: str | None, asked: str) -> None:
    row = (80, 100, -20, Decimal("-0.2"))
    claims = bound(tuple(uneven_claims(told(row, replace(COMPARED, answer_shape=shape)))), COLUMNS, (row,), ())
    assert [c.text for c in claims] == [
        f"{asked}Orders: 80 in May 2025 so far",
        "100 in April 2025, with all its days loaded",
    ]


def test_a_change_that_is_not_between_its_figures_is_never_shown() -> None:
    assert headline((120, 100, 20, Decimal("0.3"))) == ""


def test_more_of_what_should_be_less_is_called_worse() -> None:
    columns = tuple(replace(c, polarity=Polarity.LOWER_IS_BETTER) for c in COLUMNS)
    assert headline((120, 100, 20, Decimal("0.2")), columns).endswith("(100), which is worse")
    assert headline((80, 100, -20, Decimal("-0.2")), columns).endswith("(100), which is better")


def test_a_change_below_what_is_shown_is_about_the_same_and_exact_in_the_table() -> None:
    points = replace(DIFFERENCE, derived=Derived.POINTS, unit="pp")
    assert words_of_change(Decimal("-0.004"), points) == "about the same as"
    assert words_of_change(Decimal("0.06"), points) == "0.06\u202fpp more than"
    assert words_of_change(Decimal(0), points) == "the same as"
    assert cell_text(Decimal("-0.0041"), points) == "\u22120.0041\u202fpp"
    assert cell_text(Decimal("0.00002"), PERCENT) == "+0.002\u202f%"


def test_a_change_has_its_sign_and_points_have_their_unit() -> None:
    points = replace(DIFFERENCE, derived=Derived.POINTS, unit="pp")
    assert cell_text(Decimal("1.64"), points) == "+1.64\u202fpp"
    assert cell_text(Decimal("-1.64"), points) == "\u22121.64\u202fpp"
    assert words_of_change(Decimal("-1.64"), points) == "1.64\u202fpp less than"
    assert words_of_change(None, points) == ""


@pytest.mark.parametrize(
    ("asked", "row", "word"),
    [
        ("up", (120, 100, 20, Decimal("0.2")), "Yes: "),
        ("down", (120, 100, 20, Decimal("0.2")), "No: "),
        ("up", (100, 100, 0, Decimal(0)), "No: "),
        ("", (80, 100, -20, Decimal("-0.2")), "Down: "),
        ("", (100, 100, 0, Decimal(0)), "Unchanged: "),
        ("", (100001, 100000, 1, Decimal("0.00001")), "Hardly changed: "),
        ("up", (100001, 100000, 1, Decimal("0.00001")), "Hardly: "),
        ("down", (100001, 100000, 1, Decimal("0.00001")), "No: "),
    ],
)
def test_yes_or_no_follows_the_figures(asked: str, row: tuple[Scalar, ...], word: str) -> None:
    notes = ((ASKED_DIRECTION, asked),) if asked else ()
    kind = IntentKind.BOOLEAN if asked else IntentKind.QUERY
    intent = replace(COMPARED, kind=kind, answer_shape="boolean", notes=notes)
    assert verdict_claims(told(row, intent))[0].text.startswith(word)


@pytest.mark.parametrize(
    ("op", "values", "holds"),
    [
        (Operator.GT, (100,), False),
        (Operator.GE, (100,), True),
        (Operator.LT, (100,), False),
        (Operator.LE, (Decimal("100.0"),), True),
        (Operator.EQ, (100,), True),
        (Operator.BETWEEN, (50, 150), True),
        (Operator.NE, (100,), False),
    ],
)
def test_a_condition_is_held_against_the_exact_figure(op: Operator, values: tuple[Scalar, ...], holds: bool) -> None:
    condition = MetricCondition(metric="orders", op=op, values=values)
    assert holds_of(100, condition) is holds
    assert holds_of(None, condition) is False


def test_both_windows_must_have_run() -> None:
    result = Result(
        calendar=Calendar(),
        intent=COMPARED,
        columns=COLUMNS,
        rows=((1, 1, 0, Decimal(0)),),
        total_row=(),
        truncated=False,
        parameters=(),
        data_states=(),
        today=date(2025, 6, 18),
        spec=SPEC,
    )
    failed = [c.detail for c in validate(result) if c.outcome.value == "failed"]
    assert any("the period compared with" in d and "time range" in d for d in failed)


@pytest.mark.parametrize(
    ("start", "grain", "end"),
    [
        (date(2025, 1, 31), TimeGranularity.DAY, date(2025, 2, 1)),
        (date(2025, 6, 16), TimeGranularity.WEEK, date(2025, 6, 23)),
        (date(2024, 2, 1), TimeGranularity.MONTH, date(2024, 3, 1)),
        (date(2025, 10, 1), TimeGranularity.QUARTER, date(2026, 1, 1)),
        (date(2025, 1, 1), TimeGranularity.YEAR, date(2026, 1, 1)),
    ],
)
def test_a_bucket_ends_where_the_next_begins(start: date, grain: TimeGranularity, end: date) -> None:
    assert bucket_end(start, grain) == end
    assert still_runs(start, grain, date.fromordinal(end.toordinal() - 1))
    assert not still_runs(start, grain, end)


@pytest.mark.parametrize(
    ("start", "end", "said"),
    [
        (date(2025, 3, 1), date(2025, 4, 1), "in March 2025"),
        (date(2025, 4, 1), date(2025, 7, 1), "in Q2 2025"),
        (date(2025, 1, 1), date(2026, 1, 1), "in 2025"),
        (date(2025, 6, 17), date(2025, 6, 18), "on 17 Jun 2025"),
        (date(2025, 6, 1), date(2025, 6, 19), "from 1 Jun 2025 to 18 Jun 2025"),
        (date(2025, 2, 1), date(2025, 5, 1), "from 1 Feb 2025 to 30 Apr 2025"),
        (None, None, "over all time"),
    ],
)
def test_windows_are_named_as_people_name_them(start: date | None, end: date | None, said: str) -> None:
    window = TimeRange(start=start, end=end, expr="")
    assert in_period(window) == said
    assert period_name(window) in (said.split(" ", 1)[1], "all time")


def test_a_headline_never_takes_a_cut_week_for_a_whole_one() -> None:
    week = ResultColumn(name="metric_time__week", label="Week", role=ColumnRole.TIME, granularity=TimeGranularity.WEEK)
    rows = ((date(2025, 5, 19), 80, 100, -20, Decimal("-0.2")), (date(2025, 5, 26), 60, 50, 10, Decimal("0.2")))
    series = QuerySpec(
        metrics=("orders",),
        time_range=MAY,
        comparison=PeriodComparison(back_count=1, back_granularity=TimeGranularity.WEEK),
    )
    found = Told(
        intent=replace(COMPARED, grain=TimeGranularity.WEEK),
        spec=series,
        columns=(week, *COLUMNS),
        rows=rows,
        total_row=(),
        today=date(2025, 6, 18),
        snapshot=SNAPSHOT,
    )
    assert calculated_claims(found)[0].text.replace("\u202f", " ") == (
        "Orders: 80 in week of 19 May 2025, 20.0 % less than the week before (100)"
    )
