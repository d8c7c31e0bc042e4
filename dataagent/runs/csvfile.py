"""An answer's result as a CSV file: every row that the answer holds, every digit of every number.

RFC 4180 in UTF-8.  Text stands in quotes, numbers and days stand bare; a missing
value is nothing at all, an empty text is a pair of quotes.  Shares are written as
percentages, as the page shows them, and the header says the unit.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from decimal import Context, Decimal

from catalog.query import ResultColumn
from catalog.types import MetricFormat, Scalar
from dataagent.answering.types import Answer

LINE_END = "\r\n"
_STARTERS = frozenset("=+-@")
_CONTROLS = ("\t", "\r", "\n")
_NEGATIVE = re.compile(r"-\d+(\.\d+)?")
_WIDE = Context(prec=400)
_UNITS = {MetricFormat.PERCENT: "%", MetricFormat.HOURS: "h", MetricFormat.DAYS: "days"}


def csv_text(answer: Answer) -> str:
    """The file's text: a line of labels, then a line a row.  A result that was cut says so in a last line."""
    lines = [[_text(_label(c)) for c in answer.columns]]
    lines += [[_cell(v, c) for v, c in zip(row, answer.columns, strict=True)] for row in answer.rows]
    if answer.truncated:
        told = f"Only the first {len(answer.rows)} rows; the result has more."
        lines.append([_text(told), *[""] * (len(answer.columns) - 1)])
    return "".join(",".join(line) + LINE_END for line in lines)


def is_formula(text: str) -> bool:
    """Whether a spreadsheet may run the text: whatever starts one after signs that are not seen.

    A plain negative number is none.  Full-width signs count as the signs that they stand for.
    """
    if text.startswith(_CONTROLS):
        return True
    seen = unicodedata.normalize("NFKC", text)
    start = next((i for i, c in enumerate(seen) if not _is_blank(c)), None)
    return start is not None and seen[start] in _STARTERS and not _NEGATIVE.fullmatch(text)


def _is_blank(character: str) -> bool:
    return unicodedata.category(character) in {"Zs", "Zl", "Zp", "Cc", "Cf"}


def _cell(value: Scalar, column: ResultColumn) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | Decimal):
        return _number(Decimal(value), column)
    if isinstance(value, date):
        return value.isoformat()
    return _text(value)


def _number(value: Decimal, column: ResultColumn) -> str:
    if not value.is_finite():
        return ""
    shown = _WIDE.multiply(value, Decimal(100)) if column.format is MetricFormat.PERCENT else value
    text = f"{shown:f}"
    if column.format is MetricFormat.PERCENT and "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.removeprefix("-") if shown == 0 else text


def _text(value: str) -> str:
    """In quotes; an apostrophe before what a spreadsheet would run."""
    held = f"'{value}" if is_formula(value) else value
    return '"' + held.replace('"', '""') + '"'


def _label(column: ResultColumn) -> str:
    unit = _UNITS.get(column.format, column.unit)
    return f"{column.label or column.name} ({unit})" if unit else column.label or column.name
