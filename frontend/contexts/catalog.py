"""The catalog as one principal sees it: metrics and dimensions, and a page for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from catalog.access import AccessScope
from catalog.detail import MetricDetail, metric_detail
from catalog.explaining import Counted, Explanation
from catalog.labels import dimension_label, metric_label
from catalog.lookup import Held, lookup, owner_name
from catalog.reach import reachable_dimensions
from catalog.standing import is_draft
from catalog.types import METRIC_TIME, CatalogSnapshot, Filter, Metric, Polarity, Scalar
from catalog.visible import (
    declared_values_visible,
    dimension_visible,
    metric_visible,
    values_visible,
)
from frontend.charts.element import Element
from frontend.charts.graph import Graph, Node, graph_drawing
from frontend.contexts.sql import SqlPiece, sql_pieces
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
class Choice:
    """One way to group; `chosen` is the one that is shown."""

    value: str
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """How the metric is computed for a grouping `by` under a condition `where`; `problem` says why it cannot be."""

    by: str = ""
    where: str = ""
    problem: str = ""
    calculation: tuple[str, ...] = ()
    counted: tuple[Counted, ...] = ()
    notes: tuple[str, ...] = ()
    parameters: tuple[Line, ...] = ()
    sql_pieces: tuple[SqlPiece, ...] = ()


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
    choices: tuple[Choice, ...]
    steps: Steps


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
    snapshot: CatalogSnapshot, scope: AccessScope, name: str, *, steps: Steps, cards: frozenset[str] = frozenset()
) -> MetricPage | None:
    """The metric's page; None for a hidden metric as for an absent one.  `cards` are the tables to lead to."""
    detail = metric_detail(snapshot, scope, name)
    if detail is None:
        return None
    held = (lookup(snapshot).held_by(d) for d in detail.dimensions)
    groups = tuple(_dimension_row(snapshot, h) for h in held if h is not None)
    return MetricPage(
        name=name,
        label=detail.label,
        description=detail.description,
        version=str(detail.version),
        owner=detail.owner,
        lines=tuple(_lines(detail)),
        caveats=detail.caveats,
        is_draft=is_draft(snapshot, name),
        synonyms=detail.synonyms,
        dimensions=groups,
        tables=tuple(table for table in detail.tables if table in cards),
        lineage=_lineage(snapshot, detail),
        choices=tuple(_choices(groups, steps.by)),
        steps=steps,
    )


def steps_of(found: Explanation, by: str, where: str) -> Steps:
    """The explanation as it stands on the page."""
    query = found.query
    return Steps(
        by=by,
        where=where,
        calculation=found.calculation,
        counted=found.counted,
        notes=query.notes if query else (),
        parameters=tuple(Line(label=p.name, value=_literal(p.value)) for p in query.parameters) if query else (),
        sql_pieces=sql_pieces(query.sql) if query else (),
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


def _lines(detail: MetricDetail) -> Iterator[Line]:
    yield Line(label="kind", value=detail.type)
    for label, value in (("measure", detail.measure), ("formula", detail.expr)):
        if value:
            yield Line(label=label, value=value, mono=True)
    for part in detail.inputs:
        yield Line(label=part.role, value=part.metric.replace("_", " "), metric=part.metric)
    if detail.window:
        yield Line(label="window", value=detail.window)
    for condition in detail.filters:
        yield Line(label="only where", value=_condition(condition), mono=True)
    if detail.time_dimension:
        yield Line(label="counted by", value=detail.time_dimension.replace("_", " "))
    yield Line(label="shown as", value=" ".join(filter(None, (detail.format, detail.unit))))
    yield Line(label="direction", value=POLARITY_WORDS[Polarity(detail.polarity)])
    if detail.source:
        yield Line(label="written in", value=detail.source, mono=True)


def _literal(value: Scalar) -> str:
    """A parameter as SQL reads it, not as people do."""
    return str(value).lower() if isinstance(value, bool) else words(value)


def _condition(condition: Filter) -> str:
    return f"{condition.field} {condition.op.value} {', '.join(map(words, condition.values))}".strip()


def _choices(groups: Iterable[CatalogRow], by: str) -> Iterator[Choice]:
    yield Choice(value="", label="nothing", chosen=not by)
    for grain in ("day", "week", "month", "quarter", "year"):
        yield Choice(value=f"{METRIC_TIME}:{grain}", label=grain, chosen=by == f"{METRIC_TIME}:{grain}")
    for row in groups:
        yield Choice(value=row.name, label=row.label, chosen=by == row.name)


def _lineage(snapshot: CatalogSnapshot, detail: MetricDetail) -> Element | None:
    """What the metric is made from, the farthest first; what is hidden is not drawn."""
    metrics = lookup(snapshot).metrics
    steps = _steps_away(detail)
    if all(name in metrics for name in steps):
        return None

    def node(name: str) -> Node:
        kind = "here" if name == detail.name else "metric" if name in metrics else "table"
        return Node(key=name, label=metric_label(metrics[name]) if name in metrics else name, kind=kind)

    farthest_first = sorted(set(steps.values()), reverse=True)
    layers = tuple(tuple(node(n) for n, far in steps.items() if far == step) for step in farthest_first)
    edges = tuple((e.source, e.target) for e in detail.lineage if e.source in steps and e.target in steps)
    return graph_drawing(Graph(layers=layers, edges=edges, title=f"Lineage of {detail.label}"))


def _steps_away(detail: MetricDetail) -> dict[str, int]:
    """How many steps at most lie between each source and the metric; a ring is cut."""
    steps = {detail.name: 0}
    for _ in range(len(detail.lineage)):
        before = dict(steps)
        for edge in detail.lineage:
            if edge.target in steps and steps[edge.target] < len(detail.lineage) and edge.source != detail.name:
                steps[edge.source] = max(steps.get(edge.source, 0), steps[edge.target] + 1)
        if steps == before:
            break
    return steps
