"""The JSON of a run keeps every digit, and says what each column is."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from catalog.query import ColumnRole, ResultColumn
from catalog.types import Scalar
from dataagent.answering.types import Answer
from dataagent.intent.types import Decision, Option
from dataagent.runs.document import decision, document, write
from dataagent.runs.types import RunState, RunView


def a_run(state: RunState, answer: Answer | None) -> RunView:
    return RunView(
        id="r",
        session_id="s",
        workspace="shop",
        asker="analyst",
        question="q",
        state=state,
        reason="",
        today=date(2025, 6, 18),
        created_at=datetime(2025, 6, 18, tzinfo=UTC),
        finished_at=None,
        answer=answer,
        receipt_digest="",
        timings_ms={},
    )


def an_answer(*rows: tuple[Scalar, ...]) -> Answer:
    width = len(rows[0]) if rows else 0
    columns = tuple(ResultColumn(name=f"c{i}", label="", role=ColumnRole.METRIC) for i in range(width))
    return Answer(question="q", decision=Decision.ANSWER, headline="h", columns=columns, rows=rows)


@pytest.mark.parametrize("digits", ["0.10", "12345678901234567890.123456789", "-0.000000001", "1E+3"])
def test_a_decimal_keeps_every_digit(digits: str) -> None:
    text = write(document(a_run(RunState.ANSWERED, an_answer((Decimal(digits),)))))
    (cell,) = json.loads(text, parse_float=Decimal, parse_int=Decimal)["rows"][0]
    assert Decimal(cell) == Decimal(digits)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (2**53 - 1, "9007199254740991"),
        (2**53 + 1, '"9007199254740993"'),
        (-(2**100), f'"{-(2**100)}"'),
        (Decimal("0.1"), "0.1"),
        (Decimal("0.30000000000000004"), "0.30000000000000004"),
        (Decimal("9999999999999999.01"), '"9999999999999999.01"'),
        (Decimal("-0.0"), "0.0"),
    ],
)
def test_what_a_float_would_change_is_text(value: Scalar, written: str) -> None:
    text = write(document(a_run(RunState.ANSWERED, an_answer((value,)))))
    assert f'"rows": [[{written}]]' in text


def test_the_whole_document_is_plain_json() -> None:
    answer = an_answer((date(2025, 1, 1), 'a"\n\u2028é', True, None, Decimal("NaN")))
    loaded = json.loads(write(document(a_run(RunState.ANSWERED, answer))))
    assert loaded["rows"] == [["2025-01-01", 'a"\n\u2028é', True, None, None]]


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ((1, 2), "integer"),
        ((1, Decimal("1.5")), "decimal"),
        ((None, date(2025, 1, 1)), "date"),
        ((datetime(2025, 1, 1, tzinfo=UTC),), "datetime"),
        ((True, False), "boolean"),
        (("a", 1), "text"),
        ((None,), "text"),
    ],
)
def test_a_column_says_its_type(cells: tuple[Scalar, ...], kind: str) -> None:
    run = a_run(RunState.ANSWERED, an_answer(*((c,) for c in cells)))
    assert document(run)["columns"][0]["type"] == kind


def test_options_are_numbered_from_one() -> None:
    options = (Option(label="a", question="a?", intent=None), Option(label="b", question="b?", intent=None))
    asked = Answer(question="q", decision=Decision.CLARIFY, headline="h", options=options)
    run = a_run(RunState.WAITING_FOR_PERSON, asked)
    assert [o["number"] for o in document(run)["options"]] == [1, 2]


def test_a_run_without_an_answer_is_a_failure_once_it_has_ended() -> None:
    assert decision(a_run(RunState.QUEUED, None)) == ""
    assert decision(a_run(RunState.CANCELLED, an_answer())) == "failure"
    assert decision(a_run(RunState.ANSWERED, an_answer())) == "answer"
