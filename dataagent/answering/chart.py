"""Which chart fits a result, by rule."""

from __future__ import annotations

from catalog.calculations import Derived
from catalog.query import ColumnRole, ResultColumn
from catalog.types import Scalar
from dataagent.answering.types import ChartKind, ChartSpec

MAX_BARS = 30
MAX_SERIES = 8


def choose_chart(
    columns: tuple[ResultColumn, ...], rows: tuple[tuple[Scalar, ...], ...], *, visual: str | None = None
) -> ChartSpec:
    """A line over time, bars over categories, or none with its reason.

    `visual` is what the person asked for ("line", "bar"); it is honoured where it can be drawn.
    """
    times = [c for c in columns if c.role is ColumnRole.TIME]
    groups = [c for c in columns if c.role is ColumnRole.DIMENSION]
    metrics = _of_one_format(_drawn([c for c in columns if c.role is ColumnRole.METRIC]))
    if not any(c.role is ColumnRole.METRIC for c in columns):
        return ChartSpec(kind=ChartKind.NONE, reason="A list needs no chart.")
    if len(rows) < 2 or not metrics:
        return ChartSpec(kind=ChartKind.NONE, reason="One value needs no chart.")
    names = tuple(c.name for c in metrics)
    if len(times) == 1 and len(groups) <= 1:
        return _over_time(times[0], groups, names, (columns, rows), bars=visual == "bar")
    if len(groups) == 1 and not times:
        return _over_categories(groups[0], names, rows)
    return ChartSpec(kind=ChartKind.NONE, reason="Several groupings read better as a table.")


def _over_time(
    time: ResultColumn,
    groups: list[ResultColumn],
    names: tuple[str, ...],
    table: tuple[tuple[ResultColumn, ...], tuple[tuple[Scalar, ...], ...]],
    *,
    bars: bool,
) -> ChartSpec:
    kind = ChartKind.BAR if bars else ChartKind.LINE
    if not groups:
        return ChartSpec(kind=kind, x=time.name, y=names, reason="Values over time.")
    columns, rows = table
    position = columns.index(groups[0])
    if len({row[position] for row in rows}) > MAX_SERIES:
        return ChartSpec(kind=ChartKind.NONE, reason=f"More than {MAX_SERIES} lines cannot be told apart.")
    return ChartSpec(kind=kind, x=time.name, y=names[:1], series=groups[0].name, reason="Values over time by group.")


def _over_categories(group: ResultColumn, names: tuple[str, ...], rows: tuple[tuple[Scalar, ...], ...]) -> ChartSpec:
    if len(rows) > MAX_BARS:
        return ChartSpec(kind=ChartKind.NONE, reason=f"More than {MAX_BARS} bars read better as a table.")
    return ChartSpec(kind=ChartKind.BAR, x=group.name, y=names, reason="Values by group.")


def _drawn(metrics: list[ResultColumn]) -> list[ResultColumn]:
    """What is drawn of a calculation: a share or a running total with its earlier one, others with what they follow."""
    alone = [c for c in metrics if c.derived in _ALONE][:1]
    if alone:
        return [*alone, *(c for c in metrics if c.derived is Derived.PREVIOUS and c.of == alone[0].name)]
    plain = [c for c in metrics if c.derived is None and not c.of]
    beside = [c for c in metrics if c.derived in _BESIDE and plain and c.of == plain[0].name]
    return [*plain[:1], *beside] if beside else plain


_ALONE = (Derived.SHARE, Derived.RUNNING_TOTAL)
_BESIDE = (
    Derived.PREVIOUS,
    Derived.MOVING_AVERAGE,
    Derived.MOVING_SUM,
    Derived.MOVING_MINIMUM,
    Derived.MOVING_MAXIMUM,
)


def _of_one_format(metrics: list[ResultColumn]) -> list[ResultColumn]:
    """The leading metrics that share the first one's format: one axis, one unit."""
    return [c for c in metrics if (c.format, c.unit) == (metrics[0].format, metrics[0].unit)]
