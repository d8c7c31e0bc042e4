"""What the columns of a result are called and how they are shown."""

from __future__ import annotations

from catalog.compiler.dateparts import LABELS
from catalog.compiler.plan import Leaf, Value
from catalog.compiler.question import Group
from catalog.compiler.values import additive
from catalog.labels import dimension_label, metric_label, plain, with_capital
from catalog.lookup import lookup
from catalog.query import ColumnRole, ResultColumn
from catalog.types import CatalogSnapshot


def group_column(group: Group) -> ResultColumn:
    """The column of a grouping."""
    label = dimension_label(group.held.dimension) if group.held else ""
    if group.grain is not None:
        grain = group.grain.value.capitalize()
        label = f"{label} ({group.grain})" if label else grain
    if group.part is not None:
        part = LABELS[group.part]
        label = f"{label} ({part})" if label else with_capital(part)
    if group.custom:
        label = f"{label} ({plain(group.custom).lower()})" if label else plain(group.custom)
    return ResultColumn(
        name=group.alias,
        label=label,
        role=ColumnRole.TIME if group.grain is not None else ColumnRole.DIMENSION,
        granularity=group.grain,
        part=group.part,
    )


def metric_column(
    snapshot: CatalogSnapshot, name: str, value: Value, *, by_time: bool, shared: set[Leaf]
) -> ResultColumn:
    """The column of a metric.  `shared` are leaves whose groups overlap."""
    metric = lookup(snapshot).metrics[name]
    return ResultColumn(
        name=name,
        label=metric_label(metric),
        role=ColumnRole.METRIC,
        format=metric.format,
        unit=metric.unit,
        polarity=metric.polarity,
        additive=additive(value, by_time=by_time, overlapping=lambda leaf: leaf in shared),
    )
