"""Prose is bound to cells: every number of an answer is recomputed from the result before it is shown."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from catalog.query import MetricIntent, Parameter, ResultColumn
from catalog.types import MetricFormat, Scalar
from dataagent.answering.numerals import cell_text, number_text
from dataagent.answering.types import CellRef, Check, CheckOutcome, Claim

Rows = tuple[tuple[Scalar, ...], ...]


def bound(claims: tuple[Claim, ...], columns: tuple[ResultColumn, ...], rows: Rows, total: Rows) -> tuple[Claim, ...]:
    """The claims whose value follows from their cells, in order.  Others are dropped, never shown."""
    return tuple(c for c in claims if _follows(c, columns, {"result": rows, "total": total}))


def _follows(claim: Claim, columns: tuple[ResultColumn, ...], tables: dict[str, Rows]) -> bool:
    try:
        values = [_cell(ref, columns, tables) for ref in claim.cells]
    except (IndexError, KeyError):
        return False
    return calculated(claim.calculation, values) == claim.value and claim.value in claim.text


def _cell(ref: CellRef, columns: tuple[ResultColumn, ...], tables: dict[str, Rows]) -> tuple[Scalar, ResultColumn]:
    names = [c.name for c in columns]
    if ref.column not in names:
        raise KeyError(ref.column)
    position = names.index(ref.column)
    return tables[ref.table][ref.row][position], columns[position]


def calculated(calculation: str, cells: list[tuple[Scalar, ResultColumn]]) -> str:
    """The text of a stated calculation over cells: "" (the cell itself), difference, percent_change or share.

    percent_change is (last − first) / |first|; share is first / second.  "" where it cannot be computed.
    """
    if calculation == "" and len(cells) == 1:
        return cell_text(*cells[0])
    numbers = [Decimal(v) for v, _ in cells if isinstance(v, int | Decimal) and not isinstance(v, bool)]
    if len(numbers) != 2 or len(cells) != 2:
        return ""
    first, last = numbers
    if calculation == "difference":
        return number_text(last - first, cells[0][1].format, cells[0][1].unit)
    if calculation == "percent_change" and first != 0:
        return number_text((last - first) / abs(first), MetricFormat.PERCENT)
    if calculation == "share" and last != 0:
        return number_text(first / last, MetricFormat.PERCENT)
    return ""


def stated_conditions(
    intent: MetricIntent, parameters: tuple[Parameter, ...], *, open_start: bool = False
) -> tuple[Check, ...]:
    """Checks that each filter and the window that the answer states are really bound in the SQL that ran.

    `open_start`: a running figure as of the window's end, so only the end is stated.
    """
    bound_values = {_comparable(p.value) for p in parameters}
    wanted: list[tuple[str, Scalar]] = [(f.field, v) for f in intent.filters for v in f.values]
    wanted += [(h.metric, v) for h in intent.having for v in h.values]
    if intent.time_range is not None:
        ends = (None if open_start else intent.time_range.start, intent.time_range.end)
        wanted += [("time range", end) for end in ends if end is not None]
    missing = sorted({name for name, value in wanted if _comparable(value) not in bound_values and value is not None})
    if not missing:
        return (Check(name="stated_conditions", outcome=CheckOutcome.PASSED, detail="Each stated filter ran."),)
    detail = f"These stated conditions are not in the SQL that ran: {', '.join(missing)}."
    return (Check(name="stated_conditions", outcome=CheckOutcome.FAILED, detail=detail),)


def _comparable(value: Scalar) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | Decimal):
        return f"{Decimal(value).normalize():f}"
    return value.isoformat()[:10] if isinstance(value, date) else str(value)
