"""Which metrics a spec needs, whatever speaks of them, and which columns its parts speak of."""

from __future__ import annotations

from collections.abc import Iterator

from catalog.calculations import Rank, metric_behind, split_derived
from catalog.query import QuerySpec
from catalog.timeparts import part_reference
from catalog.types import METRIC_TIME


def needed_metrics(spec: QuerySpec) -> tuple[str, ...]:
    """The metrics shown, then those that only calculations, conditions and orders need."""
    groups = {g.dimension for g in spec.group_by} | {METRIC_TIME}
    groups |= {f"{g.dimension}__{g.granularity}" for g in spec.group_by}
    groups |= {part_reference(g.part, g.dimension) for g in spec.group_by if g.part is not None}
    groups |= {f"{g.dimension}__{g.custom}" for g in spec.group_by if g.custom}
    others = (metric_behind(name) for name in _spoken_of(spec) if name not in groups)
    return tuple(dict.fromkeys((*spec.metrics, *others)))


def named_columns(spec: QuerySpec) -> frozenset[str]:
    """Every column that a calculation, a condition or an order speaks of, also on the way to another."""
    found: set[str] = set()
    for name in _spoken_of(spec):
        while name not in found:
            found.add(name)
            name = split_derived(name)[0]
    return frozenset(found)


def _spoken_of(spec: QuerySpec) -> Iterator[str]:
    for calculation in spec.calculations:
        yield calculation.by if isinstance(calculation, Rank) else calculation.metric
    if spec.top is not None:
        yield spec.top.by
    yield from (h.metric for h in spec.having)
    yield from (o.by for o in spec.order_by)
