"""Whether a metric has been reviewed by anyone, and what must be said about it wherever it is shown."""

from __future__ import annotations

from catalog.labels import metric_label
from catalog.lookup import lookup
from catalog.reach import inputs_of, models_of_metric
from catalog.types import CatalogSnapshot, Metric, Status


def is_draft(snapshot: CatalogSnapshot, name: str) -> bool:
    """Whether the metric, one that it is made of, or a model that it counts is a draft."""
    return _is_draft(snapshot, name, frozenset())


def _is_draft(snapshot: CatalogSnapshot, name: str, seen: frozenset[str]) -> bool:
    metric = lookup(snapshot).metrics.get(name)
    if metric is None or name in seen:
        return False
    if metric.status is Status.DRAFT or any(m.status is Status.DRAFT for m in models_of_metric(snapshot, name)):
        return True
    return any(_is_draft(snapshot, part, seen | {name}) for part in inputs_of(metric))


def caveats_of(snapshot: CatalogSnapshot, metric: Metric) -> tuple[str, ...]:
    """What a person must know about the metric: that it is a draft, then what its owner has written."""
    if not is_draft(snapshot, metric.name):
        return metric.caveats
    return (f"{metric_label(metric)} is a draft that nobody has reviewed.", *metric.caveats)
