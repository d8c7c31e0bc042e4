"""What a question touches in the catalog, and metric contracts and events as evidence.  Pure."""

from __future__ import annotations

from collections.abc import Iterator

from catalog.access import AccessScope
from catalog.adhoc import FIELD
from catalog.funnels import step_metrics
from catalog.labels import metric_label, plain
from catalog.query import MetricIntent, TimeRange
from catalog.reach import model_of_entity
from catalog.types import METRIC_TIME, CatalogEvent, CatalogSnapshot, Filter, Metric, SemanticModel
from contextcards.digests import text_digest
from contextcards.types import Authority, ClaimKind, Evidence, SourceType


def metrics_of(intent: MetricIntent, snapshot: CatalogSnapshot, scope: AccessScope) -> tuple[Metric, ...]:
    """The permitted metrics that the intent names, in its order."""
    known = {m.name: m for m in snapshot.metrics}
    conditions = (*intent.having, *intent.entity_condition)
    subject = (intent.subject,) if intent.subject else ()
    names = (*intent.metrics, *(c.metric for c in conditions), *step_metrics(intent, snapshot), *subject)
    return tuple(known[n] for n in dict.fromkeys(names) if n in known and scope.may_use_metric(n))


def tables_of(
    intent: MetricIntent, metrics: tuple[Metric, ...], snapshot: CatalogSnapshot, scope: AccessScope
) -> tuple[str, ...]:
    """The granted tables that these metrics and the intent's dimensions read, the metrics' own first."""
    measures = {measure for metric in metrics for measure in measures_of(metric, snapshot)}
    own = [m.table for m in snapshot.models if any(x.name in measures for x in m.measures)]
    named = {*intent.dimensions, *(f.field for f in intent.filters)} - {METRIC_TIME}
    named |= {f.field for metric in metrics for f in metric.filters}
    named |= {str(value) for t in intent.transforms for name, value in t.arguments if name == FIELD}
    listed = model_of_entity(snapshot, intent.entity) if intent.entity else None
    things = (listed.table,) if listed else ()
    grouped = [m.table for m in snapshot.models if _has_dimension(m, named)]
    subject = [m.table for m in snapshot.models if intent.subject in {m.name, m.table}]
    return tuple(t for t in dict.fromkeys((*own, *things, *grouped, *subject)) if scope.table(t) is not None)


def measures_of(metric: Metric, snapshot: CatalogSnapshot) -> frozenset[str]:
    """Names of all measures behind a metric, through its inputs."""
    known = {m.name: m for m in snapshot.metrics}
    found: set[str] = set()
    waiting, seen = [metric], {metric.name}
    while waiting:
        one = waiting.pop()
        found.update([one.measure] if one.measure else [])
        inputs = (*one.inputs, *(i for i in (one.numerator, one.denominator) if i is not None))
        fresh = [i.metric for i in inputs if i.metric in known and i.metric not in seen]
        seen.update(fresh)
        waiting += [known[name] for name in fresh]
    return frozenset(found)


def contract_evidence(metric: Metric, snapshot: CatalogSnapshot, scope: AccessScope) -> Evidence:
    """A metric's contract: its definition, version, owner, filters and caveats, as text and as evidence."""
    text = "\n".join(_contract_lines(metric, scope))
    source = metric.source
    return Evidence(
        id=f"metric:{metric.name}",
        type=SourceType.METRIC_CONTRACT,
        claim=ClaimKind.METRIC_DEFINITION,
        authority=Authority.CONTRACT,
        title=metric_label(metric),
        text=text,
        version=str(metric.version),
        digest=text_digest(metric.name, str(metric.version), text),
        pointer=f"{source.file}:{source.line}" if source else f"{snapshot.name} {snapshot.digest[:12]}",
        why="The question names this metric.",
        relevance=1.0,
    )


def _contract_lines(metric: Metric, scope: AccessScope) -> Iterator[str]:
    yield f"Definition: {metric.description or metric.label or metric.name}"
    if formula := formula_of(metric, scope):
        yield f"Calculation: {formula}"
    if metric.filters:
        yield f"Filters: {' and '.join(filter_text(f) for f in metric.filters)}"
    if metric.unit:
        yield f"Unit: {metric.unit}"
    if metric.owner:
        yield f"Owner: {metric.owner}"
    for caveat in metric.caveats:
        yield f"Caveat: {caveat}"


def formula_of(metric: Metric, scope: AccessScope) -> str:
    """How the metric is calculated, in catalog names; empty when a part of it may not be named."""
    ends = tuple(i.metric for i in (metric.numerator, metric.denominator) if i is not None)
    parts = (*ends, *(i.metric for i in metric.inputs))
    if not all(scope.may_use_metric(name) for name in parts):
        return ""
    if len(ends) == 2:
        return f"{ends[0]} / {ends[1]}"
    return metric.expr or (metric.measure or "")


def filter_text(condition: Filter) -> str:
    """A condition as a person reads it."""
    values = ", ".join(str(v) for v in condition.values)
    return f"{condition.field} {condition.op} {values}".strip()


def event_evidence(intent: MetricIntent, snapshot: CatalogSnapshot) -> tuple[Evidence, ...]:
    """The catalog's dated events inside the intent's window; none where the window is open."""
    window = intent.time_range
    if window is None or window.start is None or window.end is None:
        return ()
    return tuple(_event(event, snapshot) for event in snapshot.events if _inside(event, window))


def _inside(event: CatalogEvent, window: TimeRange) -> bool:
    return window.start is not None and window.end is not None and window.start <= event.date < window.end


def _event(event: CatalogEvent, snapshot: CatalogSnapshot) -> Evidence:
    title = plain(event.name)
    text = f"{title}: {event.date.isoformat()}."
    return Evidence(
        id=f"event:{event.name}",
        type=SourceType.OWNER_NOTE,
        claim=ClaimKind.EVENT,
        authority=Authority.OWNER,
        title=title,
        text=text,
        version=snapshot.digest[:12],
        digest=text_digest("event", text),
        pointer=f"{snapshot.name} {snapshot.digest[:12]}",
        why="It happened inside the question's period.",
        relevance=0.5,
    )


def _has_dimension(model: SemanticModel, named: set[str]) -> bool:
    bare = {n.rsplit("__", maxsplit=1)[-1] for n in named}
    return any(d.name in named or d.name in bare for d in model.dimensions)
