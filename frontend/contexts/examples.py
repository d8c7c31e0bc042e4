"""Questions to start with: only ones that this principal can ask."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from catalog.access import AccessScope
from catalog.labels import dimension_label, metric_label
from catalog.lookup import Held, lookup
from catalog.reach import inputs_of, reachable_dimensions
from catalog.types import CatalogSnapshot, DimensionType, Metric, MetricType
from catalog.visible import dimension_visible, metric_visible

GROUPING_TYPES = frozenset({DimensionType.CATEGORICAL, DimensionType.ORDINAL, DimensionType.GEO})
MOST = 6


def examples(snapshot: CatalogSnapshot, scope: AccessScope) -> tuple[str, ...]:
    """Up to six questions over permitted metrics and dimensions, each of another kind."""
    metrics = [m for m in snapshot.metrics if metric_visible(snapshot, scope, m.name)]
    kept = [m for m in metrics if m.type in {MetricType.SIMPLE, MetricType.RATIO, MetricType.DERIVED}]
    built_on = Counter(name for m in metrics for name in inputs_of(m))
    kept.sort(key=lambda m: (-_weight(m, built_on), m.name))
    return tuple(dict.fromkeys(_questions(kept, snapshot, scope)))[:MOST]


def _questions(metrics: Sequence[Metric], snapshot: CatalogSnapshot, scope: AccessScope) -> Iterator[str]:
    for position, metric in enumerate(metrics[:MOST]):
        groups = _groups(metric, snapshot, scope)
        name, group = _said(metric), groups[position % len(groups)] if groups else ""
        patterns = (
            f"{name} by month this year",
            f"{name} by {group} last quarter" if group else f"{name} last quarter",
            f"{name} yesterday",
            f"{name} by {group}" if group else f"{name} last month",
            f"what does {name} mean?",
            f"{name} by week in the last 8 weeks",
        )
        yield patterns[position % len(patterns)]


def _weight(metric: Metric, built_on: Counter[str]) -> int:
    """How central a metric is: how many others are built on it, and how many words people have for it."""
    return built_on[metric.name] * 2 + len(metric.synonyms)


def _said(metric: Metric) -> str:
    return metric_label(metric).lower()


def _groups(metric: Metric, snapshot: CatalogSnapshot, scope: AccessScope) -> list[str]:
    """Words for the visible dimensions that the metric can be grouped by."""
    parts = lookup(snapshot)
    held = [parts.held_by(name) for name in sorted(reachable_dimensions(snapshot, metric.name))]
    return [
        _word(h) for h in held if h and h.dimension.type in GROUPING_TYPES and dimension_visible(snapshot, scope, h)
    ]


def _word(held: Held) -> str:
    return dimension_label(held.dimension).lower()
