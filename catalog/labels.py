"""What people read for the catalog's names."""

from __future__ import annotations

from catalog.types import Dimension, Metric


def metric_label(metric: Metric) -> str:
    """What a person reads for a metric."""
    return metric.label or plain(metric.name)


def dimension_label(dimension: Dimension) -> str:
    """What a person reads for a dimension."""
    return dimension.label or plain(dimension.name)


def plain(name: str) -> str:
    """A catalog name as words: `net_revenue` → `Net revenue`."""
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]
