"""The CSV of a result: exact numbers, harmless text, the unit in the header."""

from __future__ import annotations

import csv
import io
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from catalog.query import ColumnRole, ResultColumn
from catalog.types import MetricFormat, Scalar
from dataagent.answering.types import Answer
from dataagent.intent.types import Decision
from dataagent.runs.csvfile import csv_text, is_formula


def column(label: str, form: MetricFormat = MetricFormat.NUMBER, unit: str = "") -> ResultColumn:
    return ResultColumn(name=label.lower(), label=label, role=ColumnRole.METRIC, format=form, unit=unit)


def answer(columns: tuple[ResultColumn, ...], *rows: tuple[Scalar, ...], truncated: bool = False) -> Answer:
    return Answer(question="q", decision=Decision.ANSWER, headline="h", columns=columns, rows=rows, truncated=truncated)


def cells(*values: Scalar) -> list[str]:
    """The cells of one line as a reader of CSV gets them."""
    columns = tuple(column(f"C{i}") for i, _ in enumerate((*values, "end")))
    return list(csv.reader(io.StringIO(csv_text(answer(columns, (*values, "end"))), newline="")))[1][:-1]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1254071346418286654, "1254071346418286654"),
        (2**100, str(2**100)),
        (Decimal("9999999999999999.01"), "9999999999999999.01"),
        (Decimal("0.1") + Decimal("0.2"), "0.3"),
        (Decimal("0.00000000000000000001"), "0.00000000000000000001"),
        (Decimal("1E+3"), "1000"),
        (-5, "-5"),
        (Decimal("-0.0"), "0.0"),
        (Decimal("NaN"), ""),
        (None, ""),
        (True, "true"),
        (date(2025, 1, 31), "2025-01-31"),
        (datetime(2025, 1, 31, 23, 59, tzinfo=UTC), "2025-01-31T23:59:00+00:00"),
    ],
)
def test_a_value_keeps_every_digit(value: Scalar, text: str) -> None:
    assert cells(value) == [text]


@pytest.mark.parametrize(
    "given",
    ["=cmd|' /C calc'!A0", "+1", "@x", "\tx", "\rx", "\nx", "-1+1", "  =1", "\u3000=1", "＝1", "\u00a0＠x", "\ufeff-x"],
)
def test_text_that_a_spreadsheet_would_run_is_only_text(given: str) -> None:
    assert is_formula(given)
    assert cells(given) == [f"'{given}"]


@pytest.mark.parametrize("given", ["-5", "-0.25", "a=b", "", "Österreich", '"quoted", and more', "two\nlines", "1+1"])
def test_other_text_stays_as_it_is(given: str) -> None:
    assert cells(given) == [given]


def test_a_label_that_a_spreadsheet_would_run_is_only_text_too() -> None:
    assert csv_text(answer((column("=1+1"),))) == '"\'=1+1"\r\n'


def test_a_share_is_written_as_the_percentage_that_the_page_shows() -> None:
    shares = answer((column("Rate", MetricFormat.PERCENT), column("Sales", MetricFormat.CURRENCY, "EUR")))
    made = csv_text(Answer(**{**_fields(shares), "rows": ((Decimal("0.3919"), Decimal("1980417814.285")),)}))
    assert made == '"Rate (%)","Sales (EUR)"\r\n39.19,1980417814.285\r\n'


def _fields(of: Answer) -> dict[str, object]:
    return {"question": of.question, "decision": of.decision, "headline": of.headline, "columns": of.columns}


def test_a_missing_value_and_an_empty_text_differ() -> None:
    assert csv_text(answer((column("A"), column("B")), (None, ""))).endswith('\r\n,""\r\n')


def test_a_result_that_was_cut_says_so_in_its_last_line() -> None:
    whole = csv_text(answer((column("A"), column("B")), (1, 2)))
    cut = csv_text(answer((column("A"), column("B")), (1, 2), truncated=True))
    assert cut == whole + '"Only the first 1 rows; the result has more.",\r\n'
