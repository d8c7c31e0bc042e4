"""Lists and counts of things: which query lists each thing of an entity once, or counts them."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from catalog.access import AccessScope
from catalog.issues import Issue, IssueCode, unsupported
from catalog.lookup import lookup
from catalog.query import Direction, IntentKind, MetricCondition, MetricIntent, Order, QuerySpec, Things
from catalog.reach import model_of_entity
from catalog.specs import plain_spec
from catalog.types import Aggregation, CatalogSnapshot, DimensionType, EntityInfo, Operator, Scalar
from catalog.visible import metric_visible, visible_dimensions


def of_entity(intent: MetricIntent, snapshot: CatalogSnapshot, scope: AccessScope) -> QuerySpec | tuple[Issue, ...]:
    """The query of a list or a count of things, or every reason why there is none."""
    entity = next((e for e in snapshot.entities if e.name == intent.entity), None)
    if entity is None or model_of_entity(snapshot, entity.name) is None:
        name = intent.entity or ""
        return (Issue(code=IssueCode.UNKNOWN_DIMENSION, message=f"There is no entity {name}.", subject=name),)
    if intent.kind is IntentKind.BOOLEAN:
        return _exceptions_of(intent, snapshot, scope, entity=entity)
    if intent.kind in {IntentKind.ENTITY_COUNT, IntentKind.EXISTS}:
        return _count_of(intent, snapshot, scope, entity=entity)
    return _list_of(intent, snapshot, scope, entity=entity)


def things_behind(intent: MetricIntent, snapshot: CatalogSnapshot, scope: AccessScope) -> Things | None:
    """The things whose names a question groups by, where its condition also holds for those without any rows."""
    if len(intent.dimensions) != 1 or intent.grain or not any(holds_for_nothing(c) for c in intent.having):
        return None
    named = intent.dimensions[0]
    entity = next((e for e in snapshot.entities if named in (e.label_dimension, e.key_dimension)), None)
    key = entity.key_dimension if entity else None
    if entity is None:
        return _members_of(named, snapshot)
    if key is None or not visible_dimensions(snapshot, scope, key):
        return None
    return Things(entity=entity.name, key=key) if model_of_entity(snapshot, entity.name) else None


def _members_of(dimension: str, snapshot: CatalogSnapshot) -> Things | None:
    """Every member of a dimension that a table of the catalog knows, those without figures as well."""
    held = lookup(snapshot).held_by(dimension)
    primary = held.model.primary_entity() if held else None
    if held is None or primary is None or held.dimension.type is DimensionType.TIME:
        return None
    own = model_of_entity(snapshot, primary.name)
    return Things(entity=primary.name, key=dimension, member=True) if own is not None and own is held.model else None


def _list_of(
    intent: MetricIntent, snapshot: CatalogSnapshot, scope: AccessScope, *, entity: EntityInfo
) -> QuerySpec | tuple[Issue, ...]:
    visible = _named_by(entity, snapshot, scope)
    if entity.key_dimension is None or entity.key_dimension not in visible:
        return (unsupported(f"The catalog does not say how to list each {entity.name} once.", entity.name),)
    conditions = (*intent.having, *intent.entity_condition)
    metrics = tuple(dict.fromkeys((*intent.metrics, *(c.metric for c in conditions))))
    if not metrics and _bounded(intent) and not (intent.time_dimension or entity.time_dimension):
        return (unsupported(f"A {entity.name} has no time of its own.", entity.name),)
    spec = plain_spec(intent, metrics=metrics, dimensions=tuple(dict.fromkeys((*visible, *intent.dimensions))))
    time = intent.time_dimension or (None if metrics else entity.time_dimension)
    order = intent.order or (tuple(Order(by=d, direction=Direction.ASC) for d in visible) if intent.limit else ())
    without_rows = any(holds_for_nothing(c) for c in conditions)
    listed = Things(entity=entity.name, key=entity.key_dimension, sets=intent.sets)
    things = listed if without_rows or intent.sets else None
    return replace(spec, having=conditions, time_dimension=time, order_by=order, things=things)


def _named_by(entity: EntityInfo, snapshot: CatalogSnapshot, scope: AccessScope) -> list[str]:
    """What a list shows of each thing anyway: its key and what it is called, as far as they may be seen."""
    shown = tuple(d for d in (entity.key_dimension, entity.label_dimension) if d)
    return [d for d in dict.fromkeys(shown) if visible_dimensions(snapshot, scope, d)]


def shown_anyway(intent: MetricIntent, snapshot: CatalogSnapshot, scope: AccessScope) -> frozenset[str]:
    """The columns that a list of things has without being asked for; none of anything else."""
    entity = next((e for e in snapshot.entities if e.name == intent.entity), None)
    if intent.kind is not IntentKind.ENTITY_LIST or entity is None:
        return frozenset()
    return frozenset(_named_by(entity, snapshot, scope))


def _bounded(intent: MetricIntent) -> bool:
    return intent.time_range is not None and bool(intent.time_range.start or intent.time_range.end)


def holds_for_nothing(condition: MetricCondition) -> bool:
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
    """A count of all of an entity is a metric of the catalog; under a condition on a metric each thing is looked at."""
    conditions = (*intent.having, *intent.entity_condition)
    if conditions or intent.sets or not intent.metrics:
        counted = None if conditions or intent.sets else _counting_metric(intent, snapshot, scope, entity=entity)
        if counted is not None:
            return plain_spec(intent, metrics=(counted,))
        if not conditions and not intent.sets and _bounded(intent):
            return (unsupported(f"The catalog has no metric that counts each {entity.name} of a period.", entity.name),)
        return _counted_under(intent, snapshot, scope, entity=entity, conditions=conditions)
    counting = _counting_metric(intent, snapshot, scope, entity=entity)
    if counting is None:
        return (unsupported(f"The catalog has no metric that counts each {entity.name}.", entity.name),)
    return plain_spec(intent, metrics=(counting,))


def _counted_under(
    intent: MetricIntent,
    snapshot: CatalogSnapshot,
    scope: AccessScope,
    *,
    entity: EntityInfo,
    conditions: tuple[MetricCondition, ...],
) -> QuerySpec | tuple[Issue, ...]:
    """How many things meet the conditions, those without any rows among them where they do."""
    key = entity.key_dimension
    if key is None or not visible_dimensions(snapshot, scope, key):
        return (unsupported(f"The catalog does not say how to count each {entity.name} once.", entity.name),)
    if intent.dimensions or intent.grain or intent.order or intent.limit:
        return (unsupported(f"Each {entity.name} under a condition can be counted in all, not by group.", key),)
    metrics = tuple(dict.fromkeys((*intent.metrics, *(c.metric for c in conditions))))
    spec = plain_spec(intent, metrics=metrics, dimensions=())
    things = Things(entity=entity.name, key=key, counted=True, sets=intent.sets)
    return replace(spec, having=conditions, order_by=(), limit=None, things=things)


_OPPOSITE = {
    Operator.GT: Operator.LE,
    Operator.LE: Operator.GT,
    Operator.GE: Operator.LT,
    Operator.LT: Operator.GE,
    Operator.EQ: Operator.NE,
    Operator.NE: Operator.EQ,
}


def _exceptions_of(
    intent: MetricIntent, snapshot: CatalogSnapshot, scope: AccessScope, *, entity: EntityInfo
) -> QuerySpec | tuple[Issue, ...]:
    """How many things do not meet the condition that each of them is said to meet."""
    first = (*intent.having, *intent.entity_condition)[0]
    if first.op not in _OPPOSITE:
        return (unsupported(f"Whether each {entity.name} lies between two limits cannot be told yet.", entity.name),)
    denied = replace(first, op=_OPPOSITE[first.op])
    return _counted_under(intent, snapshot, scope, entity=entity, conditions=(denied,))


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
        and counts_rows(snapshot, m.measure, model.name)
    ]
    return rows[0] if len(rows) == 1 else None


def counts_rows(snapshot: CatalogSnapshot, measure: str, model: str) -> bool:
    """Whether the measure counts each row of the model once."""
    held = lookup(snapshot).measure(measure)
    if held is None or held[0].name != model:
        return False
    key = held[0].primary_entity()
    counted = held[1].expr.strip()
    by_row = held[1].agg is Aggregation.COUNT and counted == "1"
    counts = held[1].agg in {Aggregation.COUNT, Aggregation.COUNT_DISTINCT}
    by_key = counts and key is not None and (counted,) == key.columns()
    return by_row or by_key
