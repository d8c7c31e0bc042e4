"""A result as a table: heads with units, cells aligned and exact, at most 200 rows on a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from catalog.query import ColumnRole, ResultColumn
from catalog.types import Polarity, Scalar
from dataagent.answering.numerals import SIGNED, rounded_text
from frontend.values import Shown, decimals_of, show, unit_of, verdict

SHOWN_ROWS = 200
TALL_ROWS = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """A column's head.  `align` is number or text; `unit` is empty where there is none."""

    label: str
    unit: str
    align: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A cell: what is read, the exact value to sort by and to hover for, and its alignment.

    `verdict` is better or worse for a change of a metric that has a good side, else empty.
    """

    text: str
    exact: str
    kind: str
    align: str
    verdict: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """What a table template shows.  `note` says what was left out, and is empty otherwise."""

    heads: tuple[Head, ...]
    rows: tuple[tuple[Cell, ...], ...]
    total: tuple[Cell, ...]
    count: str
    note: str
    tall: bool


def table_view(
    columns: Sequence[ResultColumn],
    rows: Sequence[Sequence[Scalar]],
    *,
    total_row: Sequence[Scalar] = (),
    truncated: bool = False,
) -> TableView:
    """The table of a result; the first 200 rows of it when it is longer, the whole in its foot."""
    every = (*rows, total_row) if total_row else rows
    places = [decimals_of((row[i] for row in every), column) for i, column in enumerate(columns)]

    def cells(row: Sequence[Scalar]) -> tuple[Cell, ...]:
        return tuple(
            _cell(show(v, column, place), column, verdict(v, column))
            for v, column, place in zip(row, columns, places, strict=True)
        )

    return TableView(
        heads=tuple(_head(column, _short_label(columns, column)) for column in columns),
        rows=tuple(map(cells, rows[:SHOWN_ROWS])),
        total=_total(columns, cells(total_row)) if total_row else (),
        count=_count(columns, len(rows)),
        note=" ".join(part for part in (_note(len(rows), truncated=truncated), _sides(columns)) if part),
        tall=len(rows) > TALL_ROWS,
    )


def _count(columns: Sequence[ResultColumn], rows: int) -> str:
    """How many rows there are; a list of statements, without a metric, is not counted."""
    if all(column.role is not ColumnRole.METRIC for column in columns) and rows <= TALL_ROWS:
        return ""
    return f"{rounded_text(Decimal(rows), 0)} row{'' if rows == 1 else 's'}."


def _total(columns: Sequence[ResultColumn], cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """The foot: its first cell says what it is; cells under groupings, shares and ranks are empty."""
    metric = [column.role is ColumnRole.METRIC for column in columns]
    name = "Total" if all(column.additive for column, m in zip(columns, metric, strict=True) if m) else "Overall"
    blank = Cell(text="", exact="", kind="text", align="text")
    without = [column.derived is not None and cell.kind == "null" for column, cell in zip(columns, cells, strict=True)]
    shown = [is_metric and not empty for is_metric, empty in zip(metric, without, strict=True)]
    cells = tuple(cell if is_shown else blank for cell, is_shown in zip(cells, shown, strict=True))
    return cells if metric[0] else (Cell(text=name, exact="", kind="text", align="text"), *cells[1:])


def _short_label(columns: Sequence[ResultColumn], column: ResultColumn) -> str:
    """What follows from the only metric of a table is called without that metric's name."""
    plain = [c for c in columns if c.role is ColumnRole.METRIC and c.derived is None]
    lead = f"{plain[0].label}, " if len(plain) == 1 else ""
    short = column.label.removeprefix(lead) if column.derived and lead else column.label
    return short[:1].upper() + short[1:] if short != column.label else short


def _head(column: ResultColumn, label: str) -> Head:
    metric = column.role is ColumnRole.METRIC
    return Head(label=label, unit=unit_of(column) if metric else "", align=_align(column))


def _cell(shown: Shown, column: ResultColumn, verdict: str) -> Cell:
    return Cell(text=shown.text, exact=shown.exact, kind=shown.kind, align=_align(column), verdict=verdict)


def _align(column: ResultColumn) -> str:
    return "number" if column.role is ColumnRole.METRIC else "text"


def _sides(columns: Sequence[ResultColumn]) -> str:
    """Which way is better, where changes are coloured by it."""
    told = {c.of: c for c in columns if c.derived in SIGNED and c.polarity is not Polarity.NEUTRAL}
    words = [
        f"{'higher' if c.polarity is Polarity.HIGHER_IS_BETTER else 'lower'} {_metric_label(columns, c)}"
        for c in told.values()
    ]
    return f"Changes are green where they are better: {' and '.join(words)}." if words else ""


def _metric_label(columns: Sequence[ResultColumn], column: ResultColumn) -> str:
    plain = next((c.label for c in columns if c.name == column.of), column.label)
    return plain if plain[1:2].isupper() else plain[:1].lower() + plain[1:]


def _note(total: int, *, truncated: bool) -> str:
    shown = f"The first {SHOWN_ROWS} of {rounded_text(Decimal(total), 0)} rows are shown." if total > SHOWN_ROWS else ""
    cut = (
        f"The result was cut at {rounded_text(Decimal(total), 0)} rows; there are more in the warehouse."
        if truncated
        else ""
    )
    return " ".join(part for part in (shown, cut) if part)
