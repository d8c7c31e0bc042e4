"""A metric's or a dimension's contract as one scope may read it; what is hidden is left out, never hinted at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from catalog.access import AccessScope
from catalog.labels import dimension_label, metric_label
from catalog.lineage import Edge, edges
from catalog.lookup import lookup
from catalog.reach import models_of_metric, reachable_dimensions
from catalog.standing import caveats_of
from catalog.types import CatalogSnapshot, Filter, Metric, MetricInput, MetricType, SourceLocation
from catalog.visible import (
    declared_values_visible,
    dimension_visible,
    expression_visible,
    metric_visible,
    table_visible,
    values_visible,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class InputDetail:
    """A metric that another is made of; `role` is numerator, denominator or input."""

    role: str
    metric: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricDetail:
    """A metric's contract.  Empty text: it has no such part, or the part is hidden."""

    name: str
    label: str
    description: str
    type: str
    version: int
    owner: str
    format: str
    unit: str
    polarity: str
    measure: str
    expr: str
    window: str
    time_dimension: str
    source: str
    inputs: tuple[InputDetail, ...]
    filters: tuple[Filter, ...]
    caveats: tuple[str, ...]
    synonyms: tuple[str, ...]
    dimensions: tuple[str, ...]
    tables: tuple[str, ...]
    lineage: tuple[Edge, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DimensionDetail:
    """A dimension: what it is, its members where they may be listed, and the metrics that it divides."""

    name: str
    label: str
    description: str
    type: str
    expr: str
    table: str
    owner: str
    values: tuple[str, ...]
    synonyms: tuple[str, ...]
    metrics: tuple[str, ...]


def metric_detail(snapshot: CatalogSnapshot, scope: AccessScope, name: str) -> MetricDetail | None:
    """The metric's contract; None for a hidden metric as for an absent one."""
    if not metric_visible(snapshot, scope, name):
        return None
    metric = lookup(snapshot).metrics[name]
    return MetricDetail(
        name=name,
        label=metric_label(metric),
        description=metric.description,
        type=metric.type.value,
        version=metric.version,
        owner=metric.owner,
        format=metric.format.value,
        unit=metric.unit,
        polarity=metric.polarity.value,
        measure=_measure(snapshot, scope, metric),
        expr=_formula(snapshot, scope, metric),
        window=_window(metric),
        time_dimension=_if_visible(snapshot, scope, metric.time_dimension),
        source=_written(metric.source),
        inputs=tuple(
            InputDetail(role=role, metric=part.metric)
            for role, part in _inputs(metric)
            if metric_visible(snapshot, scope, part.metric)
        ),
        filters=tuple(f for f in metric.filters if _if_visible(snapshot, scope, f.field)),
        caveats=caveats_of(snapshot, metric),
        synonyms=metric.synonyms,
        dimensions=tuple(d for d in sorted(reachable_dimensions(snapshot, name)) if _if_visible(snapshot, scope, d)),
        tables=tuple(dict.fromkeys(m.table for m in models_of_metric(snapshot, name) if table_visible(scope, m.table))),
        lineage=_lineage(snapshot, scope, name),
    )


def dimension_detail(snapshot: CatalogSnapshot, scope: AccessScope, name: str) -> DimensionDetail | None:
    """The dimension's contract; None for a hidden dimension as for an absent one."""
    held = lookup(snapshot).held_by(name)
    if held is None or not dimension_visible(snapshot, scope, held):
        return None
    dimension, canonical = held.dimension, lookup(snapshot).canonical(held)
    listed = values_visible(snapshot, scope, held) and declared_values_visible(scope, held)
    return DimensionDetail(
        name=canonical,
        label=dimension_label(dimension),
        description=dimension.description,
        type=dimension.type.value,
        expr=dimension.expr,
        table=held.model.table,
        owner=held.model.owner,
        values=tuple(v for v in dimension.values if scope.may_name_value(canonical, v)) if listed else (),
        synonyms=dimension.synonyms,
        metrics=tuple(
            m.name
            for m in snapshot.metrics
            if metric_visible(snapshot, scope, m.name) and canonical in reachable_dimensions(snapshot, m.name)
        ),
    )


def _measure(snapshot: CatalogSnapshot, scope: AccessScope, metric: Metric) -> str:
    found = lookup(snapshot).measure(metric.measure) if metric.measure else None
    if found is None or not expression_visible(snapshot, scope, found[0], found[1].expr):
        return ""
    return f"{found[1].agg.value} of {found[1].expr}"


def _formula(snapshot: CatalogSnapshot, scope: AccessScope, metric: Metric) -> str:
    """The expression where all that it names may be named."""
    shown = all(metric_visible(snapshot, scope, part.metric) for _, part in _inputs(metric))
    return (metric.expr or "") if shown else ""


def _window(metric: Metric) -> str:
    if metric.type is not MetricType.CUMULATIVE:
        return ""
    if metric.window_count and metric.window_granularity:
        return f"{metric.window_count} {metric.window_granularity.value}s"
    return f"{metric.grain_to_date.value} to date" if metric.grain_to_date else "all time"


def _inputs(metric: Metric) -> Iterator[tuple[str, MetricInput]]:
    if metric.numerator:
        yield "numerator", metric.numerator
    if metric.denominator:
        yield "denominator", metric.denominator
    for part in metric.inputs:
        yield "input", part


def _lineage(snapshot: CatalogSnapshot, scope: AccessScope, name: str) -> tuple[Edge, ...]:
    """Steps between things that may both be named."""

    def shown(end: str) -> bool:
        is_metric = end in lookup(snapshot).metrics
        return metric_visible(snapshot, scope, end) if is_metric else table_visible(scope, end)

    return tuple(e for e in edges(snapshot, name) if shown(e.source) and shown(e.target))


def _if_visible(snapshot: CatalogSnapshot, scope: AccessScope, dimension: str | None) -> str:
    """The dimension's name where it may be named, else nothing."""
    held = lookup(snapshot).held_by(dimension) if dimension else None
    return dimension if dimension and held and dimension_visible(snapshot, scope, held) else ""


def _written(source: SourceLocation | None) -> str:
    return f"{source.file}:{source.line}" if source else ""
