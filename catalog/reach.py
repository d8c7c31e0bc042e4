"""Which dimensions a metric may be grouped by: many-to-one joins only, one path or a typed ambiguity."""

from __future__ import annotations

from functools import lru_cache

from catalog.expressions import BadExpression, formula, linear
from catalog.keyed import entities_reached, speaks_of_keys
from catalog.lookup import Held, Lookup, Whole, lookup
from catalog.paths import Reached, Ways, models_reached, ways_between
from catalog.types import Aggregation, CatalogSnapshot, Measure, Metric, MetricType, SemanticModel

MAY_CROSS = frozenset(
    {Aggregation.COUNT, Aggregation.COUNT_DISTINCT, Aggregation.AVERAGE, Aggregation.MIN, Aggregation.MAX}
)
"""Aggregations whose meaning survives a bridge, when each row counts once per group."""

COUNTABLE = frozenset({Aggregation.SUM, Aggregation.SUM_BOOLEAN, Aggregation.COUNT, Aggregation.COUNT_DISTINCT})
"""Aggregations that come to a total, be it added up or counted anew."""


def reachable_dimensions(snapshot: CatalogSnapshot, metric: str) -> frozenset[str]:
    """The public names of all dimensions that every part of the metric reaches by one path.

    A dimension with several paths is listed once per path, as `entity__name`.
    """
    return _of_metric(Whole(snapshot), metric, frozenset())


def reachable_of_entity(snapshot: CatalogSnapshot, entity: str) -> frozenset[str]:
    """The public names of all dimensions that rows of an entity reach."""
    model = model_of_entity(snapshot, entity)
    return names_reached(snapshot, model.name) if model else frozenset()


def model_of_entity(snapshot: CatalogSnapshot, entity: str) -> SemanticModel | None:
    """The model whose primary entity it is; the first that is declared where several share it."""
    return lookup(snapshot).primaries.get(entity)


def models_of_metric(snapshot: CatalogSnapshot, metric: str) -> tuple[SemanticModel, ...]:
    """The models whose measures a metric is made of, in order, each once."""
    return _models_of(snapshot, metric, frozenset())


def _models_of(snapshot: CatalogSnapshot, name: str, seen: frozenset[str]) -> tuple[SemanticModel, ...]:
    parts = lookup(snapshot)
    metric = parts.metrics.get(name)
    if metric is None or name in seen:
        return ()
    found = [held[0] for held in (parts.measure(m) for m in measures_of(metric)) if held]
    for inner in inputs_of(metric):
        found.extend(_models_of(snapshot, inner, seen | {name}))
    return tuple({m.name: m for m in found}.values())


def measures_of(metric: Metric) -> tuple[str, ...]:
    """The measures that a metric names itself; of a conversion the one whose rows are divided."""
    if metric.conversion is not None:
        return (metric.conversion.base.name,)
    return (metric.measure,) if metric.measure else ()


def inputs_of(metric: Metric) -> tuple[str, ...]:
    """The metrics that a metric is made of, in order."""
    parts = (metric.numerator, metric.denominator, *metric.inputs)
    return tuple(p.metric for p in parts if p is not None)


def is_countable(snapshot: CatalogSnapshot, name: str, seen: frozenset[str] = frozenset()) -> bool:
    """Whether the metric is made of sums and counts alone, so that it has a total; what is not found has none."""
    parts = lookup(snapshot)
    metric = parts.metrics.get(name)
    if metric is None or name in seen or metric.type in {MetricType.RATIO, MetricType.CONVERSION}:
        return False
    if metric.measure:
        held = parts.measure(metric.measure)
        return held is not None and held[1].agg in COUNTABLE
    inner = inputs_of(metric) if _adds(metric.expr or "", snapshot.dialect) else ()
    return bool(inner) and all(is_countable(snapshot, i, seen | {name}) for i in inner)


def _adds(expr: str, dialect: str) -> bool:
    try:
        return linear(formula(expr, dialect))
    except BadExpression:
        return False


@lru_cache(maxsize=20_000)
def _of_metric(whole: Whole, name: str, seen: frozenset[str]) -> frozenset[str]:
    snapshot = whole.snapshot
    parts = lookup(snapshot)
    metric = parts.metrics.get(name)
    if metric is None or name in seen:
        return frozenset()
    counted = next(iter(measures_of(metric)), None)
    held = parts.measure(counted) if counted else None
    if held is not None:
        return names_reached(snapshot, held[0].name, bridges=_may_cross(*held))
    inner = inputs_of(metric)
    if inner and all(i in parts.metrics for i in inner):
        each = [_of_metric(whole, i, seen | {name}) for i in inner]
        return each[0] if all(e is each[0] for e in each) else frozenset.intersection(*each)
    return reachable_of_entity(snapshot, metric.entity) if metric.entity else frozenset()


def _may_cross(model: SemanticModel, measure: Measure) -> bool:
    """Whether the measure keeps its meaning over a bridge: its rows must have a key by which each counts once."""
    return measure.agg in MAY_CROSS and measure.non_additive is None and model.primary_entity() is not None


def names_reached(snapshot: CatalogSnapshot, model: str, *, bridges: bool = True) -> frozenset[str]:
    """The public names of all dimensions that rows of a model reach, over bridges too unless told not to."""
    return _names_reached(Whole(snapshot), model, bridges and bool(snapshot.bridges))


@lru_cache(maxsize=4_096)
def _names_reached(whole: Whole, model: str, bridges: bool) -> frozenset[str]:
    names: set[str] = set()
    for target in models_reached(whole.snapshot, model):
        ways = ways_between(whole.snapshot, model, target)
        if bridges or not ways.paths[0].crosses_bridge:
            names |= _names_of(whole, target) if ways.only else _names_by_path(whole, ways)
    keys = entities_reached(whole.snapshot, model) if speaks_of_keys(whole.snapshot) else frozenset()
    return frozenset(names) | keys


@lru_cache(maxsize=8_192)
def _names_of(whole: Whole, model: str) -> frozenset[str]:
    """The public names of a model's own dimensions."""
    parts = lookup(whole.snapshot)
    return frozenset(parts.canonical(Held(parts.models[model], d)) for d in parts.models[model].dimensions)


def _names_by_path(whole: Whole, ways: Ways) -> set[str]:
    held = lookup(whole.snapshot).models[ways.paths[0].model].dimensions
    return {"__".join((*path.entities, d.name)) for path in ways.paths for d in held}


def way_names(parts: Lookup, ways: tuple[Reached, ...]) -> tuple[str, ...]:
    """How to name each way to one dimension: its public name, or one name per path."""
    if len(ways) == 1:
        return (parts.canonical(ways[0].held),)
    return tuple("__".join((*w.path.entities, w.held.dimension.name)) for w in ways)


def ways_to(snapshot: CatalogSnapshot, model: str, held: Held) -> tuple[Reached, ...]:
    """The ways from a model to a dimension; over bridges only where there is no other."""
    return tuple(Reached(held, path) for path in ways_between(snapshot, model, held.model.name).paths)
