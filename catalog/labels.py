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
    return with_capital(name.replace("_", " ").strip())


def with_capital(words: str) -> str:
    """The words as they begin a sentence or stand alone; capitals within them stay."""
    return words[:1].upper() + words[1:]
