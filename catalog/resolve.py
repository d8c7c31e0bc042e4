"""MetricIntent → QuerySpec, or typed issues.  What a scope hides does not exist here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from catalog.access import AccessScope
from catalog.adhoc import FIELD, ad_hoc_metrics, cohort_metric, with_own_metrics
from catalog.calculated import Calculated, calculated
from catalog.calculations import CHANGES, CONVERSION, TOP_PERCENT, metric_behind, split_derived
from catalog.compiler.plan import Leaf, leaves_of, value_of
from catalog.compiler.references import target_of, way_to
from catalog.compiler.stop import CannotCompile
from catalog.contract import excludes, own_filters
from catalog.entities import of_entity, shown_anyway, things_behind
from catalog.funnels import of_funnel
from catalog.issues import Issue, IssueCode, unsupported
from catalog.labels import metric_label, with_capital
from catalog.lookup import lookup
from catalog.overs import over_in, with_over
from catalog.query import IntentKind, MetricIntent, QuerySpec
from catalog.reach import models_of_metric
from catalog.specs import YES_OR_NO, keys_behind, present, with_calculations
from catalog.timeparts import custom_periods, time_behind, time_words, timed_group
from catalog.types import METRIC_TIME, CatalogSnapshot, Filter, Metric, Operator, Scalar
from catalog.visible import dimension_visible, metric_visible, value_visible, visible_dimensions

_READ = {
    IntentKind.QUERY,
    IntentKind.EXTREME,
    IntentKind.DISTINCT_VALUES,
    IntentKind.ENTITY_LIST,
    IntentKind.ENTITY_COUNT,
    IntentKind.EXISTS,
    IntentKind.BOOLEAN,
    IntentKind.AGGREGATE,
    IntentKind.DISTRIBUTION,
    IntentKind.CORRELATION,
    IntentKind.FUNNEL,
    IntentKind.COHORT_COUNT,
}
_OF_ENTITY = {IntentKind.ENTITY_LIST, IntentKind.ENTITY_COUNT}
_CHANGES_MEANING = {"set_op", "quantifier", "precondition", "time_ranges"}
"""Notes that a plan may carry and that no query must drop."""

_WHAT = {
    IntentKind.DEFINE: "a definition",
    IntentKind.CONTRIBUTION: "an explanation of a change",
    IntentKind.EXPLAIN_LAST: "an explanation of the last answer",
    IntentKind.RESET: "a fresh start",
}


def resolve(intent: MetricIntent, snapshot: CatalogSnapshot, scope: AccessScope) -> QuerySpec | tuple[Issue, ...]:
    """The query that computes exactly what the intent says, or every reason why there is none."""
    issues = tuple(_issues(intent, snapshot, scope))
    if issues:
        return issues
    if intent.kind in _OF_ENTITY or (intent.kind in YES_OR_NO and intent.entity):
        return of_entity(intent, snapshot, scope)
    if intent.kind is IntentKind.FUNNEL:
        return of_funnel(intent, snapshot, scope)
    found = calculated(intent, snapshot)
    if not isinstance(found, Calculated):
        return found
    spec = with_calculations(intent, found, keys_behind(intent, snapshot, scope))
    own = ad_hoc_metrics(intent, snapshot)
    if isinstance(own, Issue):
        return (own,)
    if own or over_in(intent):
        return with_over(with_own_metrics(spec, own, intent), intent, snapshot, scope)
    if spec.comparison or spec.calculations or spec.top or intent.kind is not IntentKind.QUERY:
        return spec
    return replace(spec, things=things_behind(intent, snapshot, scope))


def _issues(intent: MetricIntent, snapshot: CatalogSnapshot, scope: AccessScope) -> Iterator[Issue]:
    yield from _unsupported(intent)
    shown = {*intent.dimensions, *shown_anyway(intent, snapshot, scope)}
    ordering = tuple(o.by for o in intent.order if o.by not in shown)
    known = tuple(by for by in ordering if metric_behind(by) in lookup(snapshot).metrics)
    for by in ordering:
        if by not in {*known, METRIC_TIME, intent.time_dimension}:
            yield Issue(code=IssueCode.UNKNOWN_METRIC, message=f"There is no metric {by}.", subject=by)
    for name in dict.fromkeys((*_metric_names(intent), *(metric_behind(by) for by in known))):
        if not metric_visible(snapshot, scope, name):
            yield Issue(code=IssueCode.UNKNOWN_METRIC, message=f"There is no metric {name}.", subject=name)
    for reference in dict.fromkeys(_references(intent)):
        yield from _reference_issues(intent, snapshot, scope, reference=reference)
    for given in (*intent.filters, *_set_filters(intent), *_compared_members(intent)):
        yield from _value_issues(given, scope)
    yield from _changes_of_nothing(intent)
    yield from _timed_issues(intent, snapshot)
    yield from _contradictions(intent, snapshot)
    yield from _two_dates(intent, snapshot)


def _changes_of_nothing(intent: MetricIntent) -> Iterator[Issue]:
    """A condition on a change, or an order by it, needs an earlier figure."""
    named = (*(c.metric for c in intent.having), *(o.by for o in intent.order))
    changes = [name for name in named if split_derived(name)[1] in CHANGES]
    if changes and intent.comparison is None:
        yield unsupported("A change needs an earlier period to compare with. Name one.", metric_behind(changes[0]))


def _timed_issues(intent: MetricIntent, snapshot: CatalogSnapshot) -> Iterator[Issue]:
    """What comes back in time has no level, and a period must be one that the catalog has."""
    for reference in intent.dimensions:
        group = timed_group(reference)
        if group is None:
            continue
        words = time_words(reference)
        if group.custom and group.custom not in custom_periods(snapshot):
            yield Issue(code=IssueCode.UNKNOWN_DIMENSION, message=f"There is no period {words}.", subject=reference)
        for name in intent.metrics:
            if group.part and any(leaf.measure.non_additive for leaf in _leaves(snapshot, name)):
                message = f"A level is of one moment: it has no {words}. Ask for it by day or month."
                yield Issue(code=IssueCode.UNSUPPORTED, message=message, subject=name)


def _compared_members(intent: MetricIntent) -> tuple[Filter, ...]:
    given = intent.comparison
    if given is None or given.field is None:
        return ()
    return (Filter(field=given.field, op=Operator.IN, values=given.values),)


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


def _metric_names(intent: MetricIntent) -> Iterator[str]:
    yield from intent.metrics
    yield from (cohort_metric(t) for t in intent.transforms if t.type == CONVERSION)
    for condition in (*intent.having, *intent.entity_condition):
        yield metric_behind(condition.metric)
    yield from (s.metric for s in intent.sets)


def _set_filters(intent: MetricIntent) -> tuple[Filter, ...]:
    return tuple(f for s in intent.sets for f in s.filters)


def _references(intent: MetricIntent) -> Iterator[str]:
    yield from (time_behind(d) for d in intent.dimensions)
    yield from (f.field for f in (*intent.filters, *present(intent), *_set_filters(intent)))
    yield from (str(value) for t in intent.transforms for name, value in t.arguments if name == FIELD)
    if intent.time_dimension:
        yield intent.time_dimension


def _unsupported(intent: MetricIntent) -> Iterator[Issue]:
    if intent.kind not in _READ:
        yield unsupported(f"{_WHAT[intent.kind].capitalize()} cannot be computed as one query yet.", intent.kind.value)
    if (intent.kind in _OF_ENTITY or intent.entity) and (intent.comparison or intent.transforms or intent.per_group):
        yield unsupported("A list of things with a calculation over it cannot be made yet.", intent.entity or "")
    yield from _incomplete(intent)
    for name, _ in intent.notes:
        if name in _CHANGES_MEANING:
            yield unsupported(f"The part {name.replace('_', ' ')} of the question cannot be computed yet.", name)


def _incomplete(intent: MetricIntent) -> Iterator[Issue]:
    if intent.kind not in {*_OF_ENTITY, *YES_OR_NO} and (intent.entity or intent.entity_condition or intent.sets):
        yield unsupported("Values per entity cannot be computed yet.", intent.entity or "")
    if intent.kind is IntentKind.DISTINCT_VALUES and (intent.metrics or not intent.dimensions):
        yield unsupported("Only the values of a dimension can be listed.", "")
    if intent.kind is IntentKind.CORRELATION and (intent.grain is None or intent.dimensions):
        yield unsupported("How two figures move together is told over time. Say by day, by week or by month.", "")
    yield from _no_part(intent)
    if intent.kind in {IntentKind.QUERY, *YES_OR_NO} and not (intent.metrics or intent.entity):
        yield unsupported("The question names no metric.", "")
    if intent.kind in YES_OR_NO and intent.entity:
        yield from _undecided_things(intent)
    elif intent.kind in YES_OR_NO:
        yield from _undecided(intent)
    if intent.kind is IntentKind.EXTREME and not (intent.order and intent.limit):
        yield unsupported("A highest or lowest needs a metric to go by.", "")


def _no_part(intent: MetricIntent) -> Iterator[Issue]:
    """The first 0 in a hundred are none, and the first 150 are not there."""
    for given in (dict(t.arguments).get("value") for t in intent.transforms if t.type == TOP_PERCENT):
        if not (isinstance(given, int | Decimal) and 0 < given <= 100):
            yield unsupported("A part of all lies above 0% and goes up to 100%.", TOP_PERCENT)


def _undecided_things(intent: MetricIntent) -> Iterator[Issue]:
    """Whether any, or every, thing meets a condition: one for every, as several cannot be denied together."""
    conditions = (*intent.having, *intent.entity_condition)
    if intent.sets or not conditions or (intent.kind is IntentKind.BOOLEAN and len(conditions) != 1):
        yield unsupported("A yes or no about things needs one condition on them.", intent.entity or "")


def _undecided(intent: MetricIntent) -> Iterator[Issue]:
    """A yes or no needs one figure and one condition on it, or a change over one or several periods."""
    named = {metric_behind(c.metric) for c in intent.having}
    each = len(intent.dimensions) == 1 and intent.comparison is not None and intent.grain is None and not named
    if (intent.dimensions and not each) or intent.entity or intent.limit or len(intent.metrics) != 1:
        yield unsupported("A yes or no can be told of one figure only. Ask without a grouping.", "")
    elif intent.comparison is None and (not named or not named <= set(intent.metrics) or intent.grain is not None):
        yield unsupported("A yes or no needs a condition on the figure that is asked for.", "")
    elif intent.comparison is not None and intent.comparison.type not in {"previous_period", "year_ago", "custom"}:
        yield unsupported("A yes or no about a change needs an earlier period to compare with.", "")


def _reference_issues(
    intent: MetricIntent, snapshot: CatalogSnapshot, scope: AccessScope, *, reference: str
) -> Iterator[Issue]:
    if reference == METRIC_TIME:
        return
    message = f"There is no dimension {reference}."
    unknown = Issue(code=IssueCode.UNKNOWN_DIMENSION, message=message, subject=reference)
    if not visible_dimensions(snapshot, scope, reference):
        yield unknown
        return
    models = {m.name: m for name in _metric_names(intent) for m in models_of_metric(snapshot, name)}
    if not models:
        return
    try:
        held = target_of(snapshot, tuple(models), reference)
        if not all(dimension_visible(snapshot, scope, way_to(snapshot, m, reference, held).held) for m in models):
            yield unknown
    except CannotCompile as cannot:
        yield from (_permitted(i, snapshot, scope) for i in cannot.issues)


def _permitted(issue: Issue, snapshot: CatalogSnapshot, scope: AccessScope) -> Issue:
    """The issue without choices that the scope may not see."""
    shown = tuple(c for c in issue.choices if visible_dimensions(snapshot, scope, c))
    return Issue(code=issue.code, message=issue.message, subject=issue.subject, choices=shown)


def _value_issues(given: Filter, scope: AccessScope) -> Iterator[Issue]:
    names = (given.field, given.field.split("__")[-1])
    hidden = [v for v in given.values if v is not None and not value_visible(scope, names, _shown(v))]
    for value in hidden:
        message = f"{given.field} has no value {_shown(value)}."
        yield Issue(code=IssueCode.UNKNOWN_VALUE, message=message, subject=given.field)


def _shown(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
