"""Sentences about those that a question ranks by their change, or picks out by it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal

from catalog.calculations import Derived
from catalog.query import (
    ColumnRole,
    Direction,
    IntentKind,
    MetricCondition,
    MetricIntent,
    Order,
    QuerySpec,
    ResultColumn,
    Things,
    TimeRange,
    Transform,
)
from catalog.types import Calendar, Operator, Scalar
from dataagent.answering.movers import mover_claims, place_claims
from dataagent.answering.telling import Told
from dataagent.answering.types import CheckOutcome, DataState
from dataagent.answering.validate import Result, validate
from dataagent.answering.verdicts import verdict_claims
from tests.answering.test_changes import COLUMNS, COMPARED, SPEC
from tests.intent.library import SNAPSHOT

GENRE = ResultColumn(name="genre", label="Genre", role=ColumnRole.DIMENSION)
GROUPED = (GENRE, *COLUMNS)
ROWS: tuple[tuple[Scalar, ...], ...] = (
    ("crime", 8, 10, -2, Decimal("-0.2")),
    ("poetry", 5, 20, -15, Decimal("-0.75")),
    ("drama", 5, 20, -15, Decimal("-0.75")),
)
FELL = MetricCondition(metric="orders__difference", op=Operator.LT, values=(0,))


def told(intent: MetricIntent, rows: tuple[tuple[Scalar, ...], ...] = ROWS) -> Told:
    return Told(
        intent=intent, spec=SPEC, columns=GROUPED, rows=rows, total_row=(), today=date(2025, 6, 18), snapshot=SNAPSHOT
    )


def headline(intent: MetricIntent) -> str:
    claims = mover_claims(told(intent))
    return claims[0].text.replace("\u202f", " ") if claims else ""


def test_a_ranking_by_change_tells_the_first_with_both_figures() -> None:
    order = (Order(by="orders__difference", direction=Direction.ASC),)
    text = headline(replace(COMPARED, dimensions=("genre",), order=order))
    assert text == "poetry, orders: 5 in May 2025, 75.0 % less than in April 2025 (20), shared by 2"


def test_a_condition_on_a_change_tells_the_largest_move() -> None:
    assert headline(replace(COMPARED, dimensions=("genre",), having=(FELL,))).startswith("poetry, orders: 5")


def test_a_comparison_that_no_change_is_asked_of_is_told_as_before() -> None:
    assert headline(replace(COMPARED, dimensions=("genre",))) == ""


def test_what_never_was_did_not_fall_so_nothing_is_missing() -> None:
    found = Result(
        intent=replace(COMPARED, dimensions=("genre",), having=(FELL,)),
        columns=GROUPED,
        rows=(),
        total_row=(),
        truncated=False,
        parameters=(),
        data_states=(),
        today=date(2025, 6, 18),
        calendar=Calendar(),
    )
    names = {c.name: c.outcome for c in validate(found)}
    assert "groups_without_rows" not in names
    assert names["rows"] is CheckOutcome.PASSED
    below = replace(found, intent=replace(found.intent, having=(replace(FELL, metric="orders", values=(3,)),)))
    assert {c.name: c.outcome for c in validate(below)}["groups_without_rows"] is CheckOutcome.FAILED


def test_a_yes_or_no_about_the_size_of_a_change_looks_at_the_size() -> None:
    by_half = MetricCondition(metric="orders__percent_change", op=Operator.LT, values=(Decimal("-0.5"),))
    asked = replace(COMPARED, kind=IntentKind.BOOLEAN, answer_shape="boolean", having=(by_half,))
    fell_a_bit = Told(
        intent=asked,
        spec=SPEC,
        columns=COLUMNS,
        rows=(ROWS[0][1:],),
        total_row=(),
        today=date(2025, 6, 18),
        snapshot=SNAPSHOT,
    )
    assert verdict_claims(fell_a_bit)[0].text.startswith("No: ")
    fell_much = Told(
        intent=asked,
        spec=SPEC,
        columns=COLUMNS,
        rows=(ROWS[1][1:],),
        total_row=(),
        today=date(2025, 6, 18),
        snapshot=SNAPSHOT,
    )
    assert verdict_claims(fell_much)[0].text.startswith("Yes: ")


def test_a_yes_or_no_about_things_tells_how_many() -> None:
    stores = ResultColumn(name="store", label="Stores", role=ColumnRole.METRIC)
    asked = MetricIntent(kind=IntentKind.EXISTS, entity="store", having=(replace(FELL, metric="orders"),))

    def said(intent: MetricIntent, number: int) -> str:
        found = Told(
            intent=intent,
            spec=SPEC,
            columns=(stores,),
            rows=((number,),),
            total_row=(),
            today=date(2025, 6, 18),
            snapshot=SNAPSHOT,
        )
        return verdict_claims(found)[0].text

    assert said(asked, 3).startswith("Yes: stores that meet this")
    assert said(asked, 0).startswith("No: ")
    assert said(replace(asked, kind=IntentKind.BOOLEAN), 0).startswith("Yes: stores that do not meet this")
    assert said(replace(asked, kind=IntentKind.BOOLEAN), 2).startswith("No: ")


def test_what_belongs_to_no_member_leads_only_where_there_is_no_other() -> None:
    nobody = (None, 1, 40, -39, Decimal("-0.975"))
    intent = replace(COMPARED, dimensions=("genre",), having=(FELL,))
    for rows, first in (((*ROWS, nobody), "poetry"), ((nobody,), "(no genre)")):
        assert mover_claims(told(intent, rows))[0].text.startswith(f"{first}, orders:")


def test_things_without_anything_over_days_that_are_not_loaded_are_no_finding() -> None:
    day = TimeRange(start=date(2025, 6, 18), end=date(2025, 6, 19), expr="today")
    reach = DataState(table="shop.orders", complete_until=datetime(2025, 6, 18, tzinfo=UTC), loaded_at=None)
    none = MetricCondition(metric="orders", op=Operator.EQ, values=(0,))
    asked = MetricIntent(kind=IntentKind.EXISTS, entity="store", having=(none,), time_range=day)
    stores = ResultColumn(name="store", label="Stores", role=ColumnRole.METRIC)
    things = Things(entity="store", key="store_number", counted=True)
    found = Result(
        intent=asked,
        columns=(stores,),
        rows=((40,),),
        total_row=(),
        truncated=False,
        parameters=(),
        data_states=(reach,),
        today=date(2025, 6, 18),
        calendar=Calendar(),
        spec=QuerySpec(metrics=("orders",), things=things),
    )
    assert {c.name: c.outcome for c in validate(found)}["not_loaded"] is CheckOutcome.FAILED
    loaded = replace(found, data_states=(replace(reach, complete_until=datetime(2025, 6, 19, tzinfo=UTC)),))
    assert "not_loaded" not in {c.name for c in validate(loaded)}


def test_the_place_of_a_member_is_told_with_its_figure() -> None:
    rank = replace(COLUMNS[0], name="orders__rank", label="Rank", of="orders", derived=Derived.RANK)
    placed = Transform(type="rank", arguments=(("field", "genre"), ("value", "poetry")))
    asked = MetricIntent(metrics=("orders",), dimensions=("genre",), transforms=(placed,))
    found = Told(
        intent=asked,
        spec=SPEC,
        columns=(GENRE, COLUMNS[0], rank),
        rows=(("poetry", 5, 3),),
        total_row=(),
        today=date(2025, 6, 18),
        snapshot=SNAPSHOT,
    )
    assert place_claims(found)[0].text.startswith("poetry is number 3 by orders")
    assert place_claims(found)[0].text.endswith(": 5")
