"""Which metrics a spec needs, whatever speaks of them, and which columns its parts speak of."""

from __future__ import annotations

from collections.abc import Iterator

from catalog.calculations import Derived, Rank
from catalog.compiler.question import part_alias
from catalog.query import QuerySpec
from catalog.types import METRIC_TIME

_SUFFIXES = tuple(f"__{d}" for d in Derived)


def needed_metrics(spec: QuerySpec) -> tuple[str, ...]:
    """The metrics shown, then those that only calculations, conditions and orders need."""
    groups = {g.dimension for g in spec.group_by} | {METRIC_TIME}
    groups |= {f"{g.dimension}__{g.granularity}" for g in spec.group_by}
    groups |= {part_alias(g.dimension, g.part) for g in spec.group_by if g.part is not None}
    others = (metric_behind(name) for name in _spoken_of(spec) if name not in groups)
    return tuple(dict.fromkeys((*spec.metrics, *others)))


def named_columns(spec: QuerySpec) -> frozenset[str]:
    """Every column that a calculation, a condition or an order speaks of, also on the way to another."""
    found: set[str] = set()
    for name in _spoken_of(spec):
        while name not in found:
            found.add(name)
            name = _without_suffix(name)
    return frozenset(found)


def metric_behind(column: str) -> str:
    """The metric from which a column follows: `revenue__percent_change__rank` → `revenue`."""
    shorter = _without_suffix(column)
    return column if shorter == column else metric_behind(shorter)


def _without_suffix(column: str) -> str:
    return next((column[: -len(s)] for s in _SUFFIXES if column.endswith(s) and len(column) > len(s)), column)


def _spoken_of(spec: QuerySpec) -> Iterator[str]:
    for calculation in spec.calculations:
        yield calculation.by if isinstance(calculation, Rank) else calculation.metric
    if spec.top is not None:
        yield spec.top.by
    yield from (h.metric for h in spec.having)
    yield from (o.by for o in spec.order_by)
