"""Leaving members out of a count: sound only where each counted thing has one value of the dimension.

"Orders without headphones" means orders, but a condition on lines leaves out
lines: an order with headphones and a lamp would still be counted.
"""

from __future__ import annotations

from collections.abc import Iterator

from catalog.expressions import BadExpression, columns_of
from catalog.lookup import lookup
from catalog.query import MetricIntent
from catalog.reach import MAY_CROSS, inputs_of, is_countable, model_of_entity, ways_to
from catalog.types import Aggregation, CatalogSnapshot, Filter, Measure, Operator, SemanticModel
from dataagent.intent.candidate import Dead
from dataagent.intent.view import entity_of_metric, held_of, metric_of, shown

_DENIES = frozenset({Operator.NE, Operator.NOT_IN})


def unsound_exclusion(plan: MetricIntent, snapshot: CatalogSnapshot) -> Dead | None:
    """Why what the plan leaves out does not leave out the things that it counts, or None."""
    for condition in plan.filters:
        if not leaves_out(condition):
            continue
        for model in _counted(plan, snapshot):
            if not _has_one(snapshot, model, condition.field):
                return _reason(model, condition.field)
    return None


def leaves_out(condition: Filter) -> bool:
    """Whether the condition says what is not wanted; a yes / no dimension that does not hold is such."""
    return condition.op in _DENIES or condition.values == (False,)


def adds_up_over(snapshot: CatalogSnapshot, metric: str, field: str) -> bool:
    """Whether it is known that the parts of a metric by this dimension make its whole: no part shares a thing."""
    parts = tuple(_of_metric(snapshot, metric, frozenset()))
    return is_countable(snapshot, metric) and all(_has_one(snapshot, model, field) for model in parts)


def _reason(model: SemanticModel | None, field: str) -> Dead:
    primary = model.primary_entity() if model else None
    thing = shown(primary.name) if primary else "thing"
    name = shown(field).removeprefix("is ")
    message = (
        f"Each {thing} is counted once, and “{name}” can differ within one {thing}: leaving some out would not leave "
        f"out every {thing} that has it. Ask for what to include, or for a metric that adds up."
    )
    return Dead(code="unsupported", words=(name,), message=message)


Counted = SemanticModel | None
"""The model whose rows are the things counted; None where the catalog does not say what they are."""


def _counted(plan: MetricIntent, snapshot: CatalogSnapshot) -> Iterator[Counted]:
    """What the plan counts or lists."""
    for name in (*plan.metrics, *(c.metric for c in (*plan.having, *plan.entity_condition))):
        yield from _of_metric(snapshot, name, frozenset())
    listed = model_of_entity(snapshot, plan.entity) if plan.entity else None
    if listed is not None:
        yield listed


def _of_metric(snapshot: CatalogSnapshot, name: str, seen: frozenset[str]) -> Iterator[Counted]:
    metric = metric_of(snapshot, name)
    if metric is None or name in seen:
        return
    held = lookup(snapshot).measure(metric.measure) if metric.measure else None
    if held is not None and held[1].agg in MAY_CROSS:
        yield from _of_measure(snapshot, name, *held)
    for inner in inputs_of(metric):
        yield from _of_metric(snapshot, inner, seen | {name})


def _of_measure(snapshot: CatalogSnapshot, metric: str, model: SemanticModel, measure: Measure) -> Iterator[Counted]:
    if measure.agg is not Aggregation.COUNT_DISTINCT:
        yield model
        return
    try:
        read = {c.lower() for c in columns_of(measure.expr, snapshot.dialect)}
    except BadExpression:
        read = set()
    found = [m for m in snapshot.models if (key := m.primary_entity()) and not key.further and key.expr.lower() in read]
    if found:
        yield from found
    elif measure.expr == measure.name:
        yield model_of_entity(snapshot, entity_of_metric(snapshot, metric)) or model
    else:
        yield None


def _has_one(snapshot: CatalogSnapshot, model: Counted, field: str) -> bool:
    """Whether each row of the model has at most one value of the dimension."""
    if model is None:
        return False
    held = held_of(snapshot, field) or held_of(snapshot, field.rsplit("__", maxsplit=1)[-1])
    if held is None:
        return False
    return any(not way.path.crosses_bridge for way in ways_to(snapshot, model.name, held))
