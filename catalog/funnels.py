"""The steps of a funnel that a question names → the part of a QuerySpec, or why they cannot be counted."""

from __future__ import annotations

from dataclasses import replace

from catalog.access import AccessScope
from catalog.adhoc import cohort_metric
from catalog.calculations import CONVERSION, FUNNEL
from catalog.issues import Issue, IssueCode, unsupported
from catalog.lookup import lookup
from catalog.query import FunnelStep, MetricIntent, QuerySpec
from catalog.specs import plain_spec
from catalog.types import CatalogSnapshot
from catalog.visible import metric_visible

STEPS = "steps"
"""The argument of a funnel: the names of its steps with commas between them."""


def of_funnel(intent: MetricIntent, snapshot: CatalogSnapshot, scope: AccessScope) -> QuerySpec | tuple[Issue, ...]:
    """The query of a row for each step that is asked for, in their order."""
    metric = lookup(snapshot).metrics.get(intent.metrics[0]) if len(intent.metrics) == 1 else None
    given = next((str(dict(t.arguments).get(STEPS, "")) for t in intent.transforms if t.type == FUNNEL), "")
    if metric is None or not given:
        return (unsupported("A funnel needs one metric that names its steps.", FUNNEL),)
    counted = dict(zip(metric.steps, metric.step_metrics, strict=False))
    asked = tuple(given.split(","))
    untold = [name for name in asked if name not in counted]
    if untold:
        words = untold[0].replace("_", " ")
        return (unsupported(f"The catalog does not say which metric counts the step “{words}”.", untold[0]),)
    hidden = [counted[name] for name in asked if not metric_visible(snapshot, scope, counted[name])]
    if hidden:
        message = "A step of this funnel cannot be counted for you."
        return (Issue(code=IssueCode.UNKNOWN_METRIC, message=message, subject=hidden[0]),)
    steps = tuple(FunnelStep(metric=counted[name], words=name.replace("_", " ").capitalize()) for name in asked)
    metrics = tuple(dict.fromkeys(s.metric for s in steps))
    return replace(plain_spec(intent, metrics=metrics), funnel=steps)


def step_metrics(intent: MetricIntent, snapshot: CatalogSnapshot) -> tuple[str, ...]:
    """The metrics that count the steps of the asked funnel, or the whole of a cohort; () where none is asked for."""
    known = lookup(snapshot).metrics
    cohort = tuple(cohort_metric(t) for t in intent.transforms if t.type == CONVERSION)
    if cohort:
        return tuple(name for name in cohort if name in known)
    asks = any(t.type == FUNNEL for t in intent.transforms)
    return tuple(s for m in intent.metrics if asks and m in known for s in known[m].step_metrics)
