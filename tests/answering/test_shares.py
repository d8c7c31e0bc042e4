"""Sentences about shares: the whole is always named, and beside another period the share itself is compared."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from catalog.calculations import Calculation, Comparing, Derived, PeriodComparison, Share
from catalog.query import (
    ColumnRole,
    Direction,
    GroupBy,
    MetricCondition,
    MetricIntent,
    Order,
    QuerySpec,
    ResultColumn,
    TimeRange,
    Transform,
)
from catalog.types import METRIC_TIME, Filter, MetricFormat, Operator, Scalar, TimeGranularity
from dataagent.answering.changes import calculated_claims, uneven_claims
from dataagent.answering.claims import bound
from dataagent.answering.telling import Told
from dataagent.answering.told import calculation_notes
from tests.intent.library import SNAPSHOT

MAY = TimeRange(start=date(2025, 5, 1), end=date(2025, 6, 1), expr="2025-05")
APRIL = TimeRange(start=date(2025, 4, 1), end=date(2025, 5, 1), expr="2025-04")
GENRE = ResultColumn(name="genre", label="Genre", role=ColumnRole.DIMENSION)
LOANS = ResultColumn(name="loans", label="Loans", role=ColumnRole.METRIC)
BEFORE = replace(LOANS, name="loans__previous", of="loans", derived=Derived.PREVIOUS)
SHARE = replace(LOANS, name="loans__share", of="loans", derived=Derived.SHARE, format=MetricFormat.PERCENT)
SHARE_BEFORE = replace(SHARE, name="loans__share__previous", of="loans__share", derived=Derived.PREVIOUS)
POINTS = replace(LOANS, name="loans__share__points", of="loans__share", derived=Derived.POINTS, unit="pp")
POETRY = Filter(field="genre", op=Operator.EQ, values=("poetry",))
NOT_POETRY = Filter(field="genre", op=Operator.NE, values=("poetry",))
OVER_GENRE = (Transform(type="share_of_total", arguments=(("over", "genre"),)),)
Rows = tuple[tuple[Scalar, ...], ...]


def told(
    rows: Rows,
    columns: tuple[ResultColumn, ...] = (GENRE, LOANS, SHARE),
    *,
    where: tuple[Filter, ...] = (),
    kept: tuple[Filter, ...] = (),
    calculation: Calculation = Share(metric="loans"),  # noqa: B008 a frozen value
    comparison: Comparing | None = None,
    scoped: bool = False,
) -> Told:
    grouped = () if kept else ("genre",)
    intent = MetricIntent(
        metrics=("loans",), dimensions=grouped, filters=(*where, *kept), time_range=MAY, transforms=OVER_GENRE
    )
    spec = QuerySpec(
        metrics=("loans",),
        group_by=(GroupBy(dimension="genre"),),
        where=where,
        kept=kept,
        time_range=MAY,
        calculations=(calculation,),
        comparison=comparison,
    )
    return Told(
        intent=intent,
        spec=spec,
        columns=columns,
        rows=rows,
        total_row=(None, 100, *(None for _ in columns[2:])),
        today=date(2025, 6, 18),
        snapshot=SNAPSHOT,
        scoped=scoped,
    )


def said(found: Told, *, uneven: bool = False) -> list[str]:
    claims = tuple(uneven_claims(found) if uneven else calculated_claims(found))
    return [c.text.replace("\u202f", " ") for c in bound(claims, found.columns, found.rows, (found.total_row,))]


CRIME, POEMS = ("crime", 70, Decimal("0.7")), ("poetry", 30, Decimal("0.3"))


def test_the_whole_is_named_with_its_conditions() -> None:
    assert said(told((CRIME, POEMS))) == ["crime has the largest share: 70.0 % of all loans in May 2025"]
    assert said(told((POEMS,), kept=(POETRY,))) == ["poetry: 30.0 % of all loans in May 2025 (30)"]
    left = said(told((CRIME, ("crime 2", 30, Decimal("0.3"))), where=(NOT_POETRY,)))
    assert left == ["crime has the largest share: 70.0 % of loans in May 2025 where genre is not poetry"]


def test_who_sees_a_part_of_the_rows_gets_no_share_of_all() -> None:
    assert said(told((POEMS,), kept=(POETRY,), scoped=True)) == [
        "poetry: 30.0 % of loans in May 2025 that you may see (30)"
    ]


def test_where_no_share_has_a_meaning_the_answer_begins_with_that() -> None:
    assert said(told((("crime", -70, None), ("poetry", 30, None)))) == [
        "No share can be told: a part of all loans in May 2025 is negative, or the whole is 0"
    ]


def test_several_named_members_are_one_part() -> None:
    both = Filter(field="genre", op=Operator.IN, values=("poetry", "crime"))
    assert said(told((("crime", 25, Decimal("0.25")), POEMS), kept=(both,))) == [
        "crime and poetry together: 55.0 % of all loans in May 2025",
        "poetry has the largest share of those shown: 30.0 % of all loans in May 2025",
    ]


def under(found: Told, **changes: object) -> Told:
    found.intent = replace(found.intent, **changes)  # type: ignore[arg-type]
    return found


LOWEST, HIGHEST = (Order(by="loans", direction=d) for d in (Direction.ASC, Direction.DESC))
FEW, MANY = (MetricCondition(metric="loans", op=op, values=(50,)) for op in (Operator.LT, Operator.GT))


@pytest.mark.parametrize(
    ("changes", "lead"),
    [
        ({"order": (LOWEST,), "limit": 2}, "poetry has the smallest share: 30.0 %"),
        ({"order": (HIGHEST,), "limit": 2}, "crime has the largest share: 70.0 %"),
        ({"having": (FEW,)}, "crime has the largest share of those shown: 70.0 %"),
        ({"having": (MANY,)}, "crime has the largest share: 70.0 %"),
        ({"having": (MANY,), "order": (LOWEST,)}, "poetry has the smallest share of those shown: 30.0 %"),
        ({"limit": 2}, "crime has the largest share of those shown: 70.0 %"),
    ],
)
def test_nobody_is_called_the_largest_of_what_is_not_all_shown(changes: dict[str, object], lead: str) -> None:
    assert said(under(told((CRIME, POEMS)), **changes)) == [f"{lead} of all loans in May 2025"]


BESIDE = (GENRE, LOANS, BEFORE, SHARE, SHARE_BEFORE, POINTS)
COMPARED = PeriodComparison(window=APRIL, changes=())


def test_beside_another_period_the_share_is_compared_and_never_everybodys_figure() -> None:
    row = ("poetry", 30, 25, Decimal("0.3"), Decimal("0.25"), Decimal(5))
    assert said(told((row,), BESIDE, kept=(POETRY,), comparison=COMPARED)) == [
        "poetry: 30.0 % of all loans in May 2025, 5.0 pp more than in April 2025 (25.0 %)",
        "poetry, loans: 30 in May 2025; 25 in April 2025",
    ]
    assert said(told((row,), BESIDE, kept=(POETRY,), comparison=COMPARED), uneven=True) == [
        "poetry: 30.0 % of all loans in May 2025 so far",
        "25.0 % in April 2025, with all its days loaded",
    ]


def test_the_largest_change_of_a_few_is_not_that_of_all() -> None:
    rows: Rows = (
        ("crime", 20, 20, Decimal("0.2"), Decimal("0.2"), Decimal(0)),
        ("poetry", 30, 25, Decimal("0.3"), Decimal("0.25"), Decimal(5)),
    )
    everybody = said(told(rows, BESIDE, comparison=COMPARED))
    few = said(told(rows, BESIDE, kept=(POETRY,), comparison=COMPARED))
    assert "Largest change of a share: poetry, +5.0 pp" in everybody
    assert "Largest change of a share of those shown: poetry, +5.0 pp" in few


def test_a_share_that_hardly_moved_is_about_the_same() -> None:
    row = ("poetry", 30, 30, Decimal("0.30004"), Decimal("0.3"), Decimal("0.004"))
    (lead, *_) = said(told((row,), BESIDE, kept=(POETRY,), comparison=COMPARED))
    assert lead == "poetry: 30.00 % of all loans in May 2025, about the same as in April 2025 (30.0 %)"


MONTH = ResultColumn(name="metric_time__month", label="Month", role=ColumnRole.TIME, granularity=TimeGranularity.MONTH)


def test_a_members_share_by_period_leads_with_the_last_that_is_over() -> None:
    rows: Rows = tuple((date(2025, m, 1), "poetry", m, Decimal(m) / 100) for m in (4, 5, 6))
    window = TimeRange(start=date(2025, 4, 1), end=date(2025, 7, 1), expr="")
    found = told(
        rows, (MONTH, GENRE, LOANS, SHARE), kept=(POETRY,), calculation=Share(metric="loans", within=(METRIC_TIME,))
    )
    found.intent = replace(found.intent, time_range=window, grain=TimeGranularity.MONTH)
    assert said(found) == ["poetry: 5.0 % of all loans in May 2025"]


def test_the_note_says_what_the_whole_is_and_what_only_picks() -> None:
    one = told((POEMS,), kept=(POETRY,))
    assert calculation_notes(one.intent, one.spec, SNAPSHOT) == (
        "The whole of a share is all loans, over every genre. Genre is poetry only says which parts are shown.",
    )
    left = told((CRIME,), where=(NOT_POETRY,))
    assert calculation_notes(left.intent, left.spec, SNAPSHOT) == (
        "The whole of a share is loans where genre is not poetry, over every genre.",
    )
