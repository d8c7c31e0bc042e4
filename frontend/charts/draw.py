"""The door of the charts: a spec with its result → figures ready for a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from catalog.query import ColumnRole, ResultColumn
from dataagent.answering.types import ChartKind, ChartSpec
from frontend.charts.bars import lying_bars, upright_bars
from frontend.charts.element import Element
from frontend.charts.line import line_chart
from frontend.charts.periods import UNKNOWN, Reach
from frontend.charts.plot import is_flat
from frontend.charts.series import Panel, Row, panels
from frontend.charts.waterfall import waterfall

WIDE, NARROW = 760.0, 340.0
WIDE_HEIGHT, NARROW_HEIGHT = 270.0, 220.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LegendEntry:
    """A series' name and the class of its colour."""

    name: str
    mark: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A drawing in two widths; a style sheet shows the one that fits.  `notes` are said below it."""

    caption: str
    unit: str
    wide: Element
    narrow: Element
    legend: tuple[LegendEntry, ...]
    notes: tuple[str, ...]


def figures(
    spec: ChartSpec | None, columns: Sequence[ResultColumn], rows: Sequence[Row], reach: Reach = UNKNOWN
) -> tuple[Figure, ...]:
    """The figures of an answer, one per unit; none when there is nothing to draw.

    `reach` tells which periods are not complete: they are drawn dashed or pale.
    """
    if spec is None:
        return ()
    return tuple(_figure(panel) for panel in panels(spec, columns, rows, reach))


def _figure(panel: Panel) -> Figure:
    legend = tuple(LegendEntry(name=s.name, mark=f"s{i + 1}") for i, s in enumerate(panel.series))
    many = len(panel.series) > 1
    return Figure(
        caption=panel.column.label,
        unit=panel.unit,
        wide=_drawn(panel, WIDE, WIDE_HEIGHT, "wide"),
        narrow=_drawn(panel, NARROW, NARROW_HEIGHT, "narrow"),
        legend=legend if many and panel.kind is ChartKind.BAR else (),
        notes=tuple(note for note in (panel.note, _open_note(panel), _axis_note(panel)) if note),
    )


def kinds_for(spec: ChartSpec | None, columns: Sequence[ResultColumn]) -> tuple[ChartKind, ...]:
    """The kinds a reader may switch between: lines and bars over time, bars alone otherwise."""
    if spec is not None and spec.kind is ChartKind.WATERFALL:
        return ()
    x = next((column for column in columns if spec and column.name == spec.x), None)
    if spec is None or spec.kind is ChartKind.NONE or x is None:
        return ()
    return (ChartKind.LINE, ChartKind.BAR) if x.role is ColumnRole.TIME else (ChartKind.BAR,)


def _drawn(panel: Panel, width: float, height: float, name: str) -> Element:
    if panel.kind is ChartKind.LINE:
        return line_chart(panel, width=width, height=height, name=name)
    if panel.kind is ChartKind.WATERFALL:
        return waterfall(panel, width=width, name=name)
    if panel.over_time:
        return upright_bars(panel, width=width, height=height, name=name)
    return lying_bars(panel, width=width, name=name)


def _open_note(panel: Panel) -> str:
    if not panel.provisional:
        return ""
    names = [panel.categories[i] for i in sorted(panel.provisional)]
    said = f"{', '.join(names[:3])} and others" if len(names) > 3 else " and ".join(names)
    drawn = "Dashed" if panel.kind is ChartKind.LINE else "Pale"
    return f"{drawn}: not complete yet ({said})."


def _axis_note(panel: Panel) -> str:
    if panel.kind is ChartKind.LINE and is_flat(panel.numbers()):
        return "The value axis does not start at zero."
    return ""
