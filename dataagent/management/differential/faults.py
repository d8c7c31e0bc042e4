"""Kinds of queries on which MetricFlow is known to be wrong: docs/adr/0021 tells why, each checked by hand.

A difference on such a query is told apart from others, and never counted as equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from catalog.compiler.flow.paths import names_itself, reach
from catalog.compiler.flow.query import FlowQuery
from catalog.compiler.plan import Leaf, Single, Value, base_grain, leaves_of, value_of
from catalog.compiler.refs import Ref
from catalog.compiler.stop import CannotCompile
from catalog.compiler.templates import condition_of
from catalog.lookup import lookup
from catalog.types import Aggregation, CatalogSnapshot, MetricType, TimeGranularity

_MONTHS = frozenset({TimeGranularity.MONTH, TimeGranularity.QUARTER, TimeGranularity.YEAR})
_ORDER = tuple(TimeGranularity)


def known_fault(query: FlowQuery, snapshot: CatalogSnapshot) -> str:
    """The kind to which the query belongs; empty where the two should agree."""
    try:
        asked = _Question(query, snapshot)
        return next((kind for kind, is_so in KINDS if is_so(asked)), "")
    except CannotCompile:
        return ""


@dataclass(frozen=True)
class _Question:
    query: FlowQuery
    snapshot: CatalogSnapshot

    @cached_property
    def values(self) -> tuple[Value, ...]:
        return tuple(value_of(self.snapshot, m) for m in self.query.metrics)

    @cached_property
    def leaves(self) -> tuple[Leaf, ...]:
        return tuple(leaf for v in self.values for leaf in leaves_of(v))

    @cached_property
    def asked_conditions(self) -> tuple[tuple[Ref, ...], ...]:
        return tuple(condition_of(text, self.snapshot, "day").refs for text in self.query.where)

    @property
    def is_bounded(self) -> bool:
        return bool(self.query.start or self.query.end)

    def is_own(self, leaf: Leaf, ref: Ref) -> bool:
        """Whether the name is the time of the leaf's own rows."""
        model = lookup(self.snapshot).models[leaf.model]
        return ref.is_metric_time or (ref.name == leaf.time_dimension and names_itself(model, ref.path))

    def times(self, leaf: Leaf) -> tuple[Ref, ...]:
        """The leaf's own times that are asked for."""
        return tuple(g for g in self.query.group_by if self.is_own(leaf, g))

    def by_base(self, leaf: Leaf) -> bool:
        """Whether the rows' own periods are asked for."""
        base = base_grain(self.snapshot, leaf.measure.name)
        return any(not t.part and t.grain in {None, base} for t in self.times(leaf))

    def conditions(self, leaf: Leaf) -> Iterator[tuple[Ref, ...]]:
        """The names of each condition under which the leaf stands."""
        yield from self.asked_conditions
        yield from (c.refs for c in leaf.where)

    def ways(self, leaf: Leaf) -> Iterator[tuple[str, ...]]:
        """The tables on the way to each name."""
        model = lookup(self.snapshot).models[leaf.model]
        for ref in (*self.query.group_by, *(r for refs in self.conditions(leaf) for r in refs)):
            if not (ref.metric or self.is_own(leaf, ref)):
                yield tuple(h.right for h in reach(self.snapshot, model, ref).hops)


def _several_times(asked: _Question) -> bool:
    return any((leaf.shifts or leaf.on_spine) and len(asked.times(leaf)) > 1 for leaf in asked.leaves)


def _looks_back_twice(asked: _Question) -> bool:
    """A look back of what is itself a formula or a look back, by more than the rows' own periods."""
    formulas = {m.name for m in asked.snapshot.metrics if m.type in {MetricType.DERIVED, MetricType.RATIO}}
    metrics = lookup(asked.snapshot).metrics
    waiting, moved = list(asked.query.metrics), False
    while waiting and not moved:
        metric = metrics[waiting.pop()]
        inputs = [i for i in (*metric.inputs, metric.numerator, metric.denominator) if i]
        moved = any(i.metric in formulas and (i.offset_count or i.offset_to_grain or i.offset_custom) for i in inputs)
        waiting.extend(i.metric for i in inputs)
    if not moved:
        return False
    # the condition is held against rows that are never added up again; its source says so
    if any(True for leaf in asked.leaves for _ in asked.conditions(leaf)):
        return True
    custom = any(g.grain and g.grain not in _ORDER for g in asked.query.group_by)
    return custom or any(leaf.shifts and (leaf.on_spine or not asked.by_base(leaf)) for leaf in asked.leaves)


def _months_of_weeks_or_parts(asked: _Question) -> bool:
    return any(
        any(s.count and s.granularity in _MONTHS for s in leaf.shifts)
        and any(t.part or t.grain == TimeGranularity.WEEK for t in asked.times(leaf))
        for leaf in asked.leaves
    )


def _mixed_condition(asked: _Question) -> bool:
    return any(
        leaf.shifts and len({asked.is_own(leaf, r) for r in refs}) > 1
        for leaf in asked.leaves
        for refs in asked.conditions(leaf)
    )


def _far_partition(asked: _Question) -> bool:
    models = lookup(asked.snapshot).models
    return any(
        len(names) > 1 and any(d.is_partition for name in names for d in models[name].dimensions)
        for leaf in asked.leaves
        for names in asked.ways(leaf)
    )


def _changing_table(asked: _Question) -> bool:
    """A name of a table that changes over time, of rows that are seen from another day than their own."""
    models = lookup(asked.snapshot).models
    return any(
        (leaf.shifts or leaf.accumulation is not None)
        and any(d.validity for hop in asked.ways(leaf) for name in hop for d in models[name].dimensions)
        for leaf in asked.leaves
    )


def _fills_inside(asked: _Question) -> bool:
    """A running sum is never filled again once it is joined with another value; others are, at the top."""
    running = any(leaf.fill is not None for leaf in asked.leaves)
    if running and (len(asked.values) > 1 or not all(isinstance(v, Single) for v in asked.values)):
        return True
    return len(asked.values) > 1 and any(not isinstance(v, Single) and _has_fill(v) for v in asked.values)


def _has_fill(value: Value) -> bool:
    if isinstance(value, Single):
        return value.fill is not None
    inner = [v for _, v in value.inputs] if hasattr(value, "inputs") else [value.numerator, value.denominator]
    return any(_has_fill(v) for v in inner)


def _spined_conversion(asked: _Question) -> bool:
    kept = asked.is_bounded or bool(asked.query.where)
    return kept and any(leaf.followed is not None and leaf.on_spine for leaf in asked.leaves)


def _balance_by_part(asked: _Question) -> bool:
    return any(
        leaf.measure.non_additive is not None and (len(times) > 1 or any(t.part for t in times))
        for leaf in asked.leaves
        for times in (asked.times(leaf),)
    )


def _days_of_hours(asked: _Question) -> bool:
    """A window in days, of a time that is kept more finely."""
    day = _ORDER.index(TimeGranularity.DAY)
    sizes = (_ORDER.index(base_grain(asked.snapshot, leaf.measure.name)) for leaf in asked.leaves)
    return asked.is_bounded and any(size < day for size in sizes)


def _running_without_metric_time(asked: _Question) -> bool:
    return asked.is_bounded and any(
        leaf.accumulation is not None and not all(t.is_metric_time for t in asked.times(leaf) or (Ref(name=""),))
        for leaf in asked.leaves
    )


def _crossed_values(asked: _Question) -> bool:
    refs = [*asked.query.group_by, *(r for refs in asked.asked_conditions for r in refs)]
    return not asked.query.metrics and len({r.is_metric_time for r in refs}) > 1


def _count_of_nothing(asked: _Question) -> bool:
    return not asked.query.group_by and any(leaf.measure.agg is Aggregation.COUNT for leaf in asked.leaves)


KINDS: tuple[tuple[str, Callable[[_Question], bool]], ...] = (
    ("several times on a spine", _several_times),
    ("a look back of a look back or a formula", _looks_back_twice),
    ("months back by week or date part", _months_of_weeks_or_parts),
    ("a look back under a mixed condition", _mixed_condition),
    ("a partitioned table two joins away", _far_partition),
    ("a changing table seen from another day", _changing_table),
    ("a filled metric inside another", _fills_inside),
    ("a conversion on a spine, bounded", _spined_conversion),
    ("a balance by a date part or several times", _balance_by_part),
    ("a window in days of a finer time", _days_of_hours),
    ("a bounded running sum without metric_time", _running_without_metric_time),
    ("values crossed with periods", _crossed_values),
    ("a count of no rows", _count_of_nothing),
)
"""Kinds in the order in which they are tried."""
