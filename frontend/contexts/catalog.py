"""The catalog as one principal sees it: metrics and dimensions, and a page for each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from catalog.access import AccessScope
from catalog.labels import dimension_label, metric_label
from catalog.lookup import Held, lookup, owner_name
from catalog.reach import reachable_dimensions
from catalog.standing import caveats_of, is_draft
from catalog.types import CatalogSnapshot, Filter, Metric, MetricInput, MetricType, Polarity, SemanticModel
from catalog.visible import (
    declared_values_visible,
    dimension_visible,
    expression_visible,
    metric_visible,
    values_visible,
)
from frontend.charts.element import Element
from frontend.charts.graph import Graph, Node, graph_drawing
from frontend.values import short_digest, words

POLARITY_WORDS = {
    Polarity.HIGHER_IS_BETTER: "more is better",
    Polarity.LOWER_IS_BETTER: "less is better",
    Polarity.NEUTRAL: "neither more nor less is better",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogRow:
    """A metric or dimension in a list.  `text` is what the filter searches."""

    name: str
    label: str
    description: str
    kind: str
    detail: str
    owner: str
    version: str
    text: str
    is_draft: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogPage:
    """The list of everything that the principal may see, narrowed by `query`."""

    query: str
    metrics: tuple[CatalogRow, ...]
    dimensions: tuple[CatalogRow, ...]
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A named statement on a page; `metric` is a metric to go to, if it names one."""

    label: str
    value: str
    metric: str = ""
    mono: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricPage:
    """A metric's contract."""

    name: str
    label: str
    description: str
    version: str
    owner: str
    is_draft: bool
    lines: tuple[Line, ...]
    caveats: tuple[str, ...]
    synonyms: tuple[str, ...]
    dimensions: tuple[CatalogRow, ...]
    tables: tuple[str, ...]
    lineage: Element | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DimensionPage:
    """A dimension: what it means and, where they may be listed, its members."""

    name: str
    label: str
    description: str
    lines: tuple[Line, ...]
    values: tuple[str, ...]
    synonyms: tuple[str, ...]
    metrics: tuple[CatalogRow, ...]


def catalog_page(snapshot: CatalogSnapshot, scope: AccessScope, query: str = "") -> CatalogPage:
    """The lists; every word of the query must stand in a row."""
    asked = query.lower().split()
    metrics = (_metric_row(snapshot, m) for m in snapshot.metrics if metric_visible(snapshot, scope, m.name))
    dimensions = (_dimension_row(snapshot, held) for held in _visible(snapshot, scope))
    return CatalogPage(
        query=query,
        metrics=_narrowed(sorted(metrics, key=lambda row: row.label.lower()), asked),
        dimensions=_narrowed(sorted(dimensions, key=lambda row: row.label.lower()), asked),
        version=short_digest(snapshot.digest),
    )


def metric_page(
    snapshot: CatalogSnapshot, scope: AccessScope, name: str, *, cards: frozenset[str] = frozenset()
) -> MetricPage | None:
    """The metric's page; None for a hidden metric as for an absent one.  `cards` are the tables to lead to."""
    if not metric_visible(snapshot, scope, name):
        return None
    parts = lookup(snapshot)
    metric = parts.metrics[name]
    reached = (parts.held_by(found) for found in sorted(reachable_dimensions(snapshot, name)))
    groups = [h for h in reached if h is not None and dimension_visible(snapshot, scope, h)]
    return MetricPage(
        name=name,
        label=metric_label(metric),
        description=metric.description,
        version=str(metric.version),
        owner=metric.owner,
        lines=tuple(_lines(snapshot, scope, metric)),
        caveats=caveats_of(snapshot, metric),
        is_draft=is_draft(snapshot, name),
        synonyms=metric.synonyms,
        dimensions=tuple(_dimension_row(snapshot, held) for held in groups),
        tables=tuple(dict.fromkeys(model.table for model in _models(snapshot, metric) if model.table in cards)),
        lineage=_lineage(snapshot, scope, metric),
    )


def dimension_page(snapshot: CatalogSnapshot, scope: AccessScope, name: str) -> DimensionPage | None:
    """The dimension's page; None for a hidden dimension as for an absent one."""
    held = lookup(snapshot).held_by(name)
    if held is None or not dimension_visible(snapshot, scope, held):
        return None
    dimension = held.dimension
    listed = values_visible(snapshot, scope, held) and declared_values_visible(scope, held)
    metrics = [m for m in snapshot.metrics if metric_visible(snapshot, scope, m.name)]
    row = _dimension_row(snapshot, held)
    return DimensionPage(
        name=name,
        label=row.label,
        description=dimension.description,
        lines=(
            Line(label="kind", value=dimension.type.value),
            Line(label="column", value=dimension.expr, mono=True),
            Line(label="table", value=held.model.table, mono=True),
        ),
        values=tuple(v for v in dimension.values if scope.may_name_value(name, v)) if listed else (),
        synonyms=dimension.synonyms,
        metrics=tuple(_metric_row(snapshot, m) for m in metrics if name in reachable_dimensions(snapshot, m.name)),
    )


def _visible(snapshot: CatalogSnapshot, scope: AccessScope) -> Iterator[Held]:
    for held in (h for group in lookup(snapshot).dimensions.values() for h in group):
        if dimension_visible(snapshot, scope, held):
            yield held


def _narrowed(rows: list[CatalogRow], asked: list[str]) -> tuple[CatalogRow, ...]:
    return tuple(row for row in rows if all(word in row.text.lower() for word in asked))


def _metric_row(snapshot: CatalogSnapshot, metric: Metric) -> CatalogRow:
    unit = metric.unit or metric.format.value
    return CatalogRow(
        name=metric.name,
        label=metric_label(metric),
        description=metric.description,
        kind=metric.type.value,
        detail=unit,
        owner=metric.owner,
        version=str(metric.version),
        text=" ".join((metric.name, metric_label(metric), metric.description, *metric.synonyms, metric.owner)),
        is_draft=is_draft(snapshot, metric.name),
    )


def _dimension_row(snapshot: CatalogSnapshot, held: Held) -> CatalogRow:
    dimension = held.dimension
    label = dimension_label(dimension)
    owner = owner_name(held.model)
    return CatalogRow(
        name=lookup(snapshot).canonical(held),
        label=label,
        description=dimension.description,
        kind=dimension.type.value,
        detail=f"of {owner.replace('_', ' ')}",
        owner=held.model.owner,
        version="",
        text=" ".join((dimension.name, label, dimension.description, *dimension.synonyms, owner)),
    )


def _lines(snapshot: CatalogSnapshot, scope: AccessScope, metric: Metric) -> Iterator[Line]:
    yield Line(label="kind", value=metric.type.value)
    yield from _calculation(snapshot, scope, metric)
    for condition in metric.filters:
        held = lookup(snapshot).held_by(condition.field)
        if held is None or not dimension_visible(snapshot, scope, held):
            continue
        yield Line(label="only where", value=_condition(condition), mono=True)
    if metric.time_dimension:
        yield Line(label="counted by", value=metric.time_dimension.replace("_", " "))
    yield Line(label="shown as", value=" ".join(filter(None, (metric.format.value, metric.unit))))
    yield Line(label="direction", value=POLARITY_WORDS[metric.polarity])
    if metric.source:
        yield Line(label="written in", value=f"{metric.source.file}:{metric.source.line}", mono=True)


def _calculation(snapshot: CatalogSnapshot, scope: AccessScope, metric: Metric) -> Iterator[Line]:
    found = lookup(snapshot).measure(metric.measure) if metric.measure else None
    if found and expression_visible(snapshot, scope, found[0], found[1].expr):
        yield Line(label="measure", value=f"{found[1].agg.value} of {found[1].expr}", mono=True)
    if metric.expr and all(metric_visible(snapshot, scope, part.metric) for _, part in _inputs(metric)):
        yield Line(label="formula", value=metric.expr, mono=True)
    for label, part in _inputs(metric):
        if metric_visible(snapshot, scope, part.metric):
            yield Line(label=label, value=part.metric.replace("_", " "), metric=part.metric)
    if metric.type is MetricType.CUMULATIVE:
        yield Line(label="window", value=_window(metric))


def _inputs(metric: Metric) -> Iterator[tuple[str, MetricInput]]:
    if metric.numerator:
        yield "numerator", metric.numerator
    if metric.denominator:
        yield "denominator", metric.denominator
    for part in metric.inputs:
        yield "input", part


def _window(metric: Metric) -> str:
    if metric.window_count and metric.window_granularity:
        return f"{metric.window_count} {metric.window_granularity.value}s"
    return f"{metric.grain_to_date.value} to date" if metric.grain_to_date else "all time"


def _condition(condition: Filter) -> str:
    return f"{condition.field} {condition.op.value} {', '.join(map(words, condition.values))}".strip()


def _models(snapshot: CatalogSnapshot, metric: Metric) -> Iterator[SemanticModel]:
    parts = lookup(snapshot)
    found = parts.measure(metric.measure) if metric.measure else None
    if found:
        yield found[0]
    for _, part in _inputs(metric):
        if part.metric in parts.metrics and part.metric != metric.name:
            yield from _models(snapshot, parts.metrics[part.metric])


def _lineage(snapshot: CatalogSnapshot, scope: AccessScope, metric: Metric) -> Element | None:
    """Granted tables → the metrics they feed → this metric; what is hidden is not drawn."""
    parts, upstream = lookup(snapshot), dict(snapshot.lineage)
    inputs = [i.metric for _, i in _inputs(metric) if metric_visible(snapshot, scope, i.metric)]
    edges: list[tuple[str, str]] = []
    tables: dict[str, None] = {}
    for name in inputs or [metric.name]:
        for model in _models(snapshot, parts.metrics[name]):
            if scope.table(model.table):
                tables[model.table] = None
                edges.append((model.table, name))
    edges.extend((name, metric.name) for name in inputs)
    sources: dict[str, None] = {}
    for table in tables:
        for source in upstream.get(table, ()):
            if scope.table(source) and source not in tables:
                sources[source] = None
                edges.append((source, table))
    if not tables:
        return None
    layers = (
        tuple(Node(key=t, label=t, kind="table") for t in sources),
        tuple(Node(key=t, label=t, kind="table") for t in tables),
        tuple(Node(key=n, label=metric_label(parts.metrics[n]), kind="metric") for n in dict.fromkeys(inputs)),
        (Node(key=metric.name, label=metric_label(metric), kind="here"),),
    )
    return graph_drawing(
        Graph(layers=layers, edges=tuple(dict.fromkeys(edges)), title=f"Lineage of {metric_label(metric)}")
    )
