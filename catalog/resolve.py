"""MetricIntent → QuerySpec, or typed issues.  What a scope hides does not exist here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from catalog.access import AccessScope
from catalog.calculated import Calculated, calculated
from catalog.compiler.plan import Leaf, leaves_of, value_of
from catalog.compiler.references import target_of
from catalog.compiler.stop import CannotCompile
from catalog.contract import excludes, own_filters
from catalog.issues import Issue, IssueCode
from catalog.labels import metric_label, with_capital
from catalog.lookup import Held, lookup
from catalog.query import (
    Direction,
    GroupBy,
    IntentKind,
    MetricCondition,
    MetricIntent,
    Order,
    QuerySpec,
)
from catalog.reach import model_of_entity, models_of_metric
from catalog.types import METRIC_TIME, Aggregation, CatalogSnapshot, EntityInfo, Filter, Metric, Operator, Scalar
from catalog.visible import dimension_visible, metric_visible, value_visible

_READ = {
    IntentKind.QUERY,
    IntentKind.EXTREME,
    IntentKind.DISTINCT_VALUES,
    IntentKind.ENTITY_LIST,
    IntentKind.ENTITY_COUNT,
    IntentKind.EXISTS,
    IntentKind.BOOLEAN,
}
_YES_OR_NO = {IntentKind.EXISTS, IntentKind.BOOLEAN}
"""Kinds whose condition is not one on rows: the figure is computed, and the answer says whether it holds."""

_OF_ENTITY = {IntentKind.ENTITY_LIST, IntentKind.ENTITY_COUNT}
_CHANGES_MEANING = {"set_op", "quantifier", "precondition", "time_ranges"}
"""Notes that a plan may carry and that no query must drop."""

EACH_OF = "each_of"
"""A note whose value is a dimension: the question is about each of its members, so rows without one are left out."""

_WHAT = {
    IntentKind.DEFINE: "a definition",
    IntentKind.AGGREGATE: "an aggregate of a column that is not a metric",
    IntentKind.DISTRIBUTION: "a distribution",
    IntentKind.FUNNEL: "a funnel",
    IntentKind.COHORT_COUNT: "a cohort",
    IntentKind.CORRELATION: "a correlation",
    IntentKind.CONTRIBUTION: "an explanation of a change",
    IntentKind.EXPLAIN_LAST: "an explanation of the last answer",
    IntentKind.RESET: "a fresh start",
}


def resolve(intent: MetricIntent, snapshot: CatalogSnapshot, scope: AccessScope) -> QuerySpec | tuple[Issue, ...]:
    """The query that computes exactly what the intent says, or every reason why there is none."""
    issues = tuple(_issues(intent, snapshot, scope))
    if issues:
        return issues
    if intent.kind in _OF_ENTITY:
        return _of_entity(intent, snapshot, scope)
    found = calculated(intent, snapshot)
    if not isinstance(found, Calculated):
        return found
    return _with_calculations(intent, found, _keys(intent, snapshot, scope))


def _with_calculations(intent: MetricIntent, found: Calculated, keys: tuple[str, ...]) -> QuerySpec:
    """The query of the plain figures with what is calculated on top of them."""
    plain = replace(intent, filters=found.filters, order=found.order, limit=None if found.top else intent.limit)
    asked = () if intent.kind in _YES_OR_NO else intent.having
    return replace(
        _spec(plain, metrics=intent.metrics, dimensions=found.dimensions),
        where=(*found.filters, *_present(intent), *ranked_presence(intent)),
        having=asked,
        identify_by=keys,
        comparison=found.comparison,
        calculations=found.calculations,
        top=found.top,
        kept=found.kept,
    )


def _keys(intent: MetricIntent, snapshot: CatalogSnapshot, scope: AccessScope) -> tuple[str, ...]:
    """The keys behind the labels that the intent groups by: a name that two customers share is two customers."""
    key_of = {e.label_dimension: e.key_dimension for e in snapshot.entities if e.label_dimension}
    found: list[str] = []
    for reference in intent.dimensions if intent.metrics else ():
        *way, label = reference.split("__")
        key = key_of.get(reference) or key_of.get(label)
        own = "__".join((*way, key)) if key else ""
        if own and own not in intent.dimensions and any(True for _ in _visible(snapshot, scope, own)):
            found.append(own)
    return tuple(dict.fromkeys(found))


def _issues(intent: MetricIntent, snapshot: CatalogSnapshot, scope: AccessScope) -> Iterator[Issue]:
    yield from _unsupported(intent)
    ordering = tuple(o.by for o in intent.order if o.by not in intent.dimensions)
    known = tuple(by for by in ordering if by in lookup(snapshot).metrics)
    for by in ordering:
        if by not in {*known, METRIC_TIME, intent.time_dimension}:
            yield Issue(code=IssueCode.UNKNOWN_METRIC, message=f"There is no metric {by}.", subject=by)
    for name in dict.fromkeys((*_metric_names(intent), *known)):
        if not metric_visible(snapshot, scope, name):
            yield Issue(code=IssueCode.UNKNOWN_METRIC, message=f"There is no metric {name}.", subject=name)
    for reference in dict.fromkeys(_references(intent)):
        yield from _reference_issues(intent, snapshot, scope, reference=reference)
    for given in intent.filters:
        yield from _value_issues(given, scope)
    yield from _contradictions(intent, snapshot)
    yield from _two_dates(intent, snapshot)


def _two_dates(intent: MetricIntent, snapshot: CatalogSnapshot) -> Iterator[Issue]:
    """A grouping by another date than the metric's own: a period, or a level, would be cut by the wrong one."""
    if intent.grain is None or intent.time_dimension in (None, METRIC_TIME):
        return
    other = str(intent.time_dimension).rsplit("__", maxsplit=1)[-1]
    for name in intent.metrics:
        metric = lookup(snapshot).metrics.get(name)
        if metric is None or other in _own_times(metric, snapshot):
            continue
        level = any(leaf.measure.non_additive for leaf in _leaves(snapshot, name))
        if level or (intent.time_range is not None and (intent.time_range.start or intent.time_range.end)):
            message = (
                f"{with_capital(metric_label(metric))} has a date of its own, and this groups by "
                f"{other.replace('_', ' ')}. Which of the two the period is about is not clear, so it is not computed."
            )
            yield Issue(code=IssueCode.UNSUPPORTED, message=message, subject=other)


def _own_times(metric: Metric, snapshot: CatalogSnapshot) -> frozenset[str]:
    """The time dimensions that are the metric's own: its leaves' and its declared one."""
    times = {leaf.time_dimension for leaf in _leaves(snapshot, metric.name)} | {metric.time_dimension}
    return frozenset(t for t in times if t)


def _leaves(snapshot: CatalogSnapshot, name: str) -> tuple[Leaf, ...]:
    try:
        return leaves_of(value_of(snapshot, name))
    except CannotCompile:
        return ()


def _contradictions(intent: MetricIntent, snapshot: CatalogSnapshot) -> Iterator[Issue]:
    """Filters that ask for what a metric leaves out by definition: the result would be an empty or zero figure."""
    metrics = {m.name: m for m in snapshot.metrics}
    for name in intent.metrics:
        for own in own_filters(snapshot, name):
            if any(excludes(own, given) for given in intent.filters):
                message = (
                    f"{with_capital(metric_label(metrics[name]))} counts only rows where {_spoken(own.field)} is "
                    f"{_plain(own)}, by definition. What you ask for is left out of it."
                )
                yield Issue(code=IssueCode.CONTRADICTION, message=message, subject=name)


def _spoken(field: str) -> str:
    return field.rsplit("__", maxsplit=1)[-1].removeprefix("is_").replace("_", " ")


def _plain(given: Filter) -> str:
    words = {True: "yes", False: "no"}
    shown = " or ".join(words.get(v, str(v)) if isinstance(v, bool) else str(v) for v in given.values)
    return f"not {shown}" if given.op in (Operator.NE, Operator.NOT_IN) else shown


def ranked_presence(intent: MetricIntent) -> tuple[Filter, ...]:
    """A ranking by a metric ranks members: rows that belong to none are left out of it."""
    by_metric = any(o.by in intent.metrics for o in intent.order)
    ranks = any(t.type == "rank" for t in intent.transforms)
    if (intent.limit is None and not ranks) or not by_metric:
        return ()
    return tuple(Filter(field=d, op=Operator.IS_NOT_NULL) for d in intent.dimensions)


def _metric_names(intent: MetricIntent) -> Iterator[str]:
    yield from intent.metrics
    for condition in (*intent.having, *intent.entity_condition):
        yield condition.metric


def _references(intent: MetricIntent) -> Iterator[str]:
    yield from intent.dimensions
    yield from (f.field for f in (*intent.filters, *_present(intent)))
    if intent.time_dimension:
        yield intent.time_dimension


def _present(intent: MetricIntent) -> tuple[Filter, ...]:
    """The conditions that what the question goes through one by one is there."""
    each = (str(value) for name, value in intent.notes if name == EACH_OF)
    return tuple(Filter(field=field, op=Operator.IS_NOT_NULL) for field in each)


def _unsupported(intent: MetricIntent) -> Iterator[Issue]:
    if intent.kind not in _READ:
        yield _cannot(f"{_WHAT[intent.kind].capitalize()} cannot be computed as one query yet.", intent.kind.value)
    if intent.kind in _OF_ENTITY and (intent.comparison or intent.transforms or intent.per_group):
        yield _cannot("A list of things with a comparison or a calculation cannot be made yet.", intent.entity or "")
    yield from _incomplete(intent)
    for name, _ in intent.notes:
        if name in _CHANGES_MEANING:
            yield _cannot(f"The part {name.replace('_', ' ')} of the question cannot be computed yet.", name)


def _incomplete(intent: MetricIntent) -> Iterator[Issue]:
    if intent.kind not in _OF_ENTITY and (intent.entity or intent.entity_condition):
        yield _cannot("Values per entity cannot be computed yet.", intent.entity or "")
    if intent.kind is IntentKind.DISTINCT_VALUES and (intent.metrics or not intent.dimensions):
        yield _cannot("Only the values of a dimension can be listed.", "")
    if intent.kind in {IntentKind.QUERY, *_YES_OR_NO} and not intent.metrics:
        yield _cannot("The question names no metric.", "")
    if intent.kind in _YES_OR_NO:
        yield from _undecided(intent)
    if intent.kind is IntentKind.EXTREME and not (intent.order and intent.limit):
        yield _cannot("A highest or lowest needs a metric to go by.", "")


def _undecided(intent: MetricIntent) -> Iterator[Issue]:
    """A yes or no needs one figure and one condition on it, or a change over one or several periods."""
    named = {c.metric for c in intent.having}
    if intent.dimensions or intent.entity or intent.limit or len(intent.metrics) != 1:
        yield _cannot("A yes or no can be told of one figure only. Ask without a grouping.", "")
    elif intent.comparison is None and (not named or not named <= set(intent.metrics) or intent.grain is not None):
        yield _cannot("A yes or no needs a condition on the figure that is asked for.", "")
    elif intent.comparison is not None and intent.comparison.type not in {"previous_period", "year_ago", "custom"}:
        yield _cannot("A yes or no about a change needs an earlier period to compare with.", "")


def _cannot(message: str, subject: str) -> Issue:
    return Issue(code=IssueCode.UNSUPPORTED, message=message, subject=subject)


def _reference_issues(
    intent: MetricIntent, snapshot: CatalogSnapshot, scope: AccessScope, *, reference: str
) -> Iterator[Issue]:
    if reference == METRIC_TIME:
        return
    visible = tuple(_visible(snapshot, scope, reference))
    if not visible:
        yield Issue(code=IssueCode.UNKNOWN_DIMENSION, message=f"There is no dimension {reference}.", subject=reference)
        return
    models = {m.name: m for name in _metric_names(intent) for m in models_of_metric(snapshot, name)}
    if not models:
        return
    try:
        target_of(snapshot, tuple(models), reference)
    except CannotCompile as cannot:
        yield from (_permitted(i, snapshot, scope) for i in cannot.issues)


def _permitted(issue: Issue, snapshot: CatalogSnapshot, scope: AccessScope) -> Issue:
    """The issue without choices that the scope may not see."""
    shown = tuple(c for c in issue.choices if any(True for _ in _visible(snapshot, scope, c)))
    return Issue(code=issue.code, message=issue.message, subject=issue.subject, choices=shown)


def _visible(snapshot: CatalogSnapshot, scope: AccessScope, reference: str) -> Iterator[Held]:
    name = reference.rsplit("__", maxsplit=1)[-1]
    return (h for h in lookup(snapshot).dimensions.get(name, ()) if dimension_visible(snapshot, scope, h))


def _value_issues(given: Filter, scope: AccessScope) -> Iterator[Issue]:
    names = (given.field, given.field.split("__")[-1])
    hidden = [v for v in given.values if v is not None and not value_visible(scope, names, _shown(v))]
    for value in hidden:
        message = f"{given.field} has no value {_shown(value)}."
        yield Issue(code=IssueCode.UNKNOWN_VALUE, message=message, subject=given.field)


def _shown(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _spec(intent: MetricIntent, *, metrics: tuple[str, ...], dimensions: tuple[str, ...] | None = None) -> QuerySpec:
    named = intent.dimensions if dimensions is None else dimensions
    time = intent.time_dimension or METRIC_TIME
    groups = [GroupBy(dimension=d) for d in named if not (intent.grain and d == time)]
    if intent.grain is not None:
        groups.insert(0, GroupBy(dimension=time, granularity=intent.grain))
    return QuerySpec(
        metrics=metrics,
        group_by=tuple(groups),
        where=(*intent.filters, *_present(intent), *ranked_presence(intent)),
        having=intent.having,
        time_range=intent.time_range,
        time_dimension=intent.time_dimension,
        order_by=intent.order,
        limit=intent.limit,
    )


# -- entities ------------------------------------------------------------------------------


def _of_entity(intent: MetricIntent, snapshot: CatalogSnapshot, scope: AccessScope) -> QuerySpec | tuple[Issue, ...]:
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
    visible = [d for d in dict.fromkeys(shown) if any(True for _ in _visible(snapshot, scope, d))]
    if entity.key_dimension is None or entity.key_dimension not in visible:
        return (_cannot(f"The catalog does not say how to list each {entity.name} once.", entity.name),)
    conditions = (*intent.having, *intent.entity_condition)
    absent = next((c for c in conditions if _holds_for_nothing(c)), None)
    if absent is not None:
        message = f"Each {entity.name} without any {absent.metric} would be missing from the list."
        return (_cannot(message, absent.metric),)
    metrics = tuple(dict.fromkeys((*intent.metrics, *(c.metric for c in conditions))))
    if not metrics and _bounded(intent) and not (intent.time_dimension or entity.time_dimension):
        return (_cannot(f"A {entity.name} has no time of its own.", entity.name),)
    spec = _spec(intent, metrics=metrics, dimensions=tuple(dict.fromkeys((*visible, *intent.dimensions))))
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
        return (_cannot(f"Each {entity.name} with a condition on a metric cannot be counted yet.", entity.name),)
    counting = _counting_metric(intent, snapshot, scope, entity=entity)
    if counting is None:
        return (_cannot(f"The catalog has no metric that counts each {entity.name}.", entity.name),)
    return _spec(intent, metrics=(counting,))


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
