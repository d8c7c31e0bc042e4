"""Lists and counts of things: which query lists each thing of an entity once, or counts them."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from catalog.access import AccessScope
from catalog.issues import Issue, IssueCode, unsupported
from catalog.lookup import lookup
from catalog.query import Direction, IntentKind, MetricCondition, MetricIntent, Order, QuerySpec
from catalog.reach import model_of_entity
from catalog.specs import plain_spec
from catalog.types import Aggregation, CatalogSnapshot, EntityInfo, Operator, Scalar
from catalog.visible import metric_visible, visible_dimensions


def of_entity(intent: MetricIntent, snapshot: CatalogSnapshot, scope: AccessScope) -> QuerySpec | tuple[Issue, ...]:
    """The query of a list or a count of things, or every reason why there is none."""
    entity = next((e for e in snapshot.entities if e.name == intent.entity), None)
    if entity is None or model_of_entity(snapshot, entity.name) is None:
        name = intent.entity or ""
        return (Issue(code=IssueCode.UNKNOWN_DIMENSION, message=f"There is no entity {name}.", subject=name),)
    if intent.kind is IntentKind.ENTITY_COUNT:
        return _count_of(intent, snapshot, scope, entity=entity)
    return _list_of(intent, snapshot, scope, entity=entity)


def _list_of(
    intent: MetricIntent, snapshot: CatalogSnapshot, scope: AccessScope, *, entity: EntityInfo
) -> QuerySpec | tuple[Issue, ...]:
    shown = tuple(d for d in (entity.key_dimension, entity.label_dimension) if d)
    visible = [d for d in dict.fromkeys(shown) if visible_dimensions(snapshot, scope, d)]
    if entity.key_dimension is None or entity.key_dimension not in visible:
        return (unsupported(f"The catalog does not say how to list each {entity.name} once.", entity.name),)
    conditions = (*intent.having, *intent.entity_condition)
    absent = next((c for c in conditions if _holds_for_nothing(c)), None)
    if absent is not None:
        message = f"Each {entity.name} without any {absent.metric} would be missing from the list."
        return (unsupported(message, absent.metric),)
    metrics = tuple(dict.fromkeys((*intent.metrics, *(c.metric for c in conditions))))
    if not metrics and _bounded(intent) and not (intent.time_dimension or entity.time_dimension):
        return (unsupported(f"A {entity.name} has no time of its own.", entity.name),)
    spec = plain_spec(intent, metrics=metrics, dimensions=tuple(dict.fromkeys((*visible, *intent.dimensions))))
    time = intent.time_dimension or (None if metrics else entity.time_dimension)
    order = intent.order or (tuple(Order(by=d, direction=Direction.ASC) for d in visible) if intent.limit else ())
    return replace(spec, having=conditions, time_dimension=time, order_by=order)


def _bounded(intent: MetricIntent) -> bool:
    return intent.time_range is not None and bool(intent.time_range.start or intent.time_range.end)


def _holds_for_nothing(condition: MetricCondition) -> bool:
    """Whether the condition holds for something without rows, whose count would be 0."""
    first = condition.values[0] if condition.values else None
    if condition.op is Operator.GT:
        return not _positive(first, allow_zero=True)
    if condition.op in {Operator.GE, Operator.BETWEEN, Operator.EQ, Operator.IN}:
        return not all(_positive(v, allow_zero=False) for v in condition.values[:1] or (None,)) or (
            condition.op is Operator.IN and not all(_positive(v, allow_zero=False) for v in condition.values)
        )
    return condition.op is not Operator.IS_NOT_NULL


def _positive(value: Scalar, *, allow_zero: bool) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return False
    return value >= 0 if allow_zero else value > 0


def _count_of(
    intent: MetricIntent, snapshot: CatalogSnapshot, scope: AccessScope, *, entity: EntityInfo
) -> QuerySpec | tuple[Issue, ...]:
    """A count of all of an entity is a metric of the catalog, or it is not computed."""
    if intent.having or intent.entity_condition:
        return (unsupported(f"Each {entity.name} with a condition on a metric cannot be counted yet.", entity.name),)
    counting = _counting_metric(intent, snapshot, scope, entity=entity)
    if counting is None:
        return (unsupported(f"The catalog has no metric that counts each {entity.name}.", entity.name),)
    return plain_spec(intent, metrics=(counting,))


def _counting_metric(
    intent: MetricIntent, snapshot: CatalogSnapshot, scope: AccessScope, *, entity: EntityInfo
) -> str | None:
    if intent.metrics:
        return intent.metrics[0] if len(intent.metrics) == 1 else None
    model = model_of_entity(snapshot, entity.name)
    rows = [
        m.name
        for m in snapshot.metrics
        if model is not None
        and m.measure
        and not m.filters
        and metric_visible(snapshot, scope, m.name)
        and _counts_rows(snapshot, m.measure, model.name)
    ]
    return rows[0] if len(rows) == 1 else None


def _counts_rows(snapshot: CatalogSnapshot, measure: str, model: str) -> bool:
    held = lookup(snapshot).measure(measure)
    if held is None or held[0].name != model:
        return False
    key = held[0].primary_entity()
    counted = held[1].expr.strip()
    by_row = held[1].agg is Aggregation.COUNT and counted == "1"
    counts = held[1].agg in {Aggregation.COUNT, Aggregation.COUNT_DISTINCT}
    by_key = counts and key is not None and (counted,) == key.columns()
    return by_row or by_key
