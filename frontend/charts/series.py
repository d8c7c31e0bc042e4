"""Result rows → what a chart draws: categories in order and named series of exact numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from catalog.query import ColumnRole, ResultColumn
from catalog.types import MetricFormat, Scalar
from dataagent.answering.numerals import rounded_text
from dataagent.answering.types import ChartKind, ChartSpec
from frontend.charts.periods import UNKNOWN, Reach, ordered, provisional
from frontend.values import as_decimal, decimals_of, scaled_to, show, unit_of, with_unit

MAX_SERIES = 8
MAX_BARS = 30
Row = Sequence[Scalar]


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One line or one colour of bars.  `values` are in shown units, None where there is none."""

    name: str
    values: tuple[Decimal | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One drawing: all its series share a unit.  `over_time` says that x is a time axis."""

    kind: ChartKind
    categories: tuple[str, ...]
    series: tuple[Series, ...]
    column: ResultColumn
    x_label: str
    over_time: bool
    note: str = ""
    provisional: frozenset[int] = frozenset()

    @property
    def unit(self) -> str:
        """The unit of its axis."""
        return unit_of(self.column)

    def numbers(self) -> tuple[Decimal, ...]:
        """All values that are there."""
        return tuple(v for s in self.series for v in s.values if v is not None)

    def label(self, value: Decimal) -> str:
        """A value of this panel as text, with its unit."""
        unscaled = value / 100 if self.column.format is MetricFormat.PERCENT else value
        return with_unit(rounded_text(value, decimals_of((unscaled,), self.column)), self.column)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """A result with its x column found."""

    spec: ChartSpec
    columns: Sequence[ResultColumn]
    rows: Sequence[Row]
    x: int
    reach: Reach

    def keys(self) -> tuple[Scalar, ...]:
        """The x values to draw, in order."""
        return ordered([row[self.x] for row in self.rows], self.columns[self.x])


def panels(
    spec: ChartSpec, columns: Sequence[ResultColumn], rows: Sequence[Row], reach: Reach = UNKNOWN
) -> tuple[Panel, ...]:
    """The drawings for a chart: one per unit.  Empty when there is nothing that can be drawn truthfully."""
    at = {column.name: position for position, column in enumerate(columns)}
    named = [spec.x, *spec.y, *([spec.series] if spec.series else [])]
    if spec.kind is ChartKind.NONE or not spec.y or not rows or any(name not in at for name in named):
        return ()
    table = _Table(spec=spec, columns=columns, rows=rows, x=at[spec.x], reach=reach)
    found: list[Panel | None]
    if spec.kind is ChartKind.WATERFALL:
        found = [_steps(table, by=at[spec.series], y=at[spec.y[0]])] if spec.series else []
    elif spec.series:
        found = [_by_series(table, by=at[spec.series], y=at[spec.y[0]])]
    else:
        found = [_side_by_side(table, group) for group in _same_unit([at[name] for name in spec.y], columns)]
    return tuple(panel for panel in found if panel and panel.numbers())


def _same_unit(positions: list[int], columns: Sequence[ResultColumn]) -> list[list[int]]:
    groups: dict[tuple[MetricFormat, str], list[int]] = {}
    for position in positions:
        groups.setdefault((columns[position].format, columns[position].unit), []).append(position)
    return list(groups.values())


def _side_by_side(table: _Table, ys: list[int]) -> Panel | None:
    cells = {row[table.x]: row for row in table.rows}
    if len(cells) != len(table.rows):
        return None
    keys = table.keys()
    series = tuple(
        Series(
            name=table.columns[y].label,
            values=tuple(_number(cells[key][y], table.columns[y]) if key in cells else None for key in keys),
        )
        for y in ys
    )
    return _panel(table, ys[0], keys, series)


def _number(value: Scalar, column: ResultColumn) -> Decimal | None:
    number = as_decimal(value)
    return None if number is None else scaled_to(number, column.format)


def _by_series(table: _Table, *, by: int, y: int) -> Panel | None:
    cells = {(row[by], row[table.x]): _number(row[y], table.columns[y]) for row in table.rows}
    if len(cells) != len(table.rows):
        return None
    keys = table.keys()
    names = tuple(dict.fromkeys(row[by] for row in table.rows))
    lines = {name: tuple(cells.get((name, key)) for key in keys) for name in names}
    drawn = _largest(lines)
    series = tuple(Series(name=show(name, table.columns[by]).text, values=lines[name]) for name in drawn)
    cut = f"The {len(drawn)} largest of {len(names)} series are drawn; all are in the table."
    return _panel(table, y, keys, series, note=cut if len(drawn) < len(names) else "")


ALL_STEPS = "Change in all"


def _steps(table: _Table, *, by: int, y: int) -> Panel | None:
    """The contributions of the first dimension of a change, and their sum; none where one of them is not known."""
    first = [row for row in table.rows if row[by] == table.rows[0][by]]
    values = [_number(row[y], table.columns[y]) for row in first]
    known = tuple(v for v in values if v is not None)
    if len(known) < len(values):
        return None
    named = replace(table.columns[table.x], label=str(table.rows[0][by]))
    return Panel(
        kind=ChartKind.WATERFALL,
        categories=(*(show(row[table.x], named).text for row in first), ALL_STEPS),
        series=(Series(name=table.columns[y].label, values=(*known, sum(known, Decimal(0)))),),
        column=table.columns[y],
        x_label=named.label,
        over_time=False,
    )


def _largest(lines: dict[Scalar, tuple[Decimal | None, ...]]) -> tuple[Scalar, ...]:
    """The names of at most MAX_SERIES lines, the largest by size, in their given order."""
    size = {name: sum((abs(v) for v in values if v is not None), Decimal(0)) for name, values in lines.items()}
    kept = set(sorted(lines, key=lambda name: size[name], reverse=True)[:MAX_SERIES])
    return tuple(name for name in lines if name in kept)


def _panel(table: _Table, y: int, keys: tuple[Scalar, ...], series: tuple[Series, ...], *, note: str = "") -> Panel:
    over_time = table.columns[table.x].role is ColumnRole.TIME
    if not over_time and len(keys) > MAX_BARS:
        note = f"{note} The first {MAX_BARS} of {len(keys)} are drawn; all are in the table.".strip()
        keys = keys[:MAX_BARS]
        series = tuple(Series(name=s.name, values=s.values[:MAX_BARS]) for s in series)
    return Panel(
        kind=table.spec.kind,
        categories=tuple(show(key, table.columns[table.x]).text for key in keys),
        series=series,
        column=table.columns[y],
        x_label=table.columns[table.x].label,
        over_time=over_time,
        note=note,
        provisional=provisional(keys, table.columns[table.x], table.reach),
    )
