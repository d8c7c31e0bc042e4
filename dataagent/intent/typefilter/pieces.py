"""Pieces of a plan: what a phrase writes, or the rival things that it could write."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from itertools import islice, product
from typing import Any

from catalog.access import AccessScope
from catalog.query import Comparison, Default, MetricCondition, MetricIntent, Order, TimeRange, Transform
from catalog.timeparts import timed_group
from catalog.types import CatalogSnapshot, Filter, Operator, TimeGranularity
from catalog.windows import cut_at
from dataagent.intent.candidate import Dead, Slot
from dataagent.intent.parts import TimeReading
from dataagent.intent.seen import SeenIndex
from dataagent.intent.types import Turn

MAX_PLANS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What stays the same for all readings of one question; `contrasts`: it asks "what about" something else."""

    snapshot: CatalogSnapshot
    scope: AccessScope
    index: SeenIndex
    today: date
    denied: frozenset[str] = frozenset()
    turns: tuple[Turn, ...] = ()
    contrasts: bool = False

    def permitted(self, metric: str) -> bool:
        """Whether the asker may use the metric."""
        return self.scope.may_use_metric(metric)

    def seen(self, dimensions: frozenset[str]) -> frozenset[str]:
        """The dimensions among these that the asker may see."""
        return self.index.seen(dimensions)


@dataclass(frozen=True, slots=True, kw_only=True)
class Focus:
    """The metrics that a reading is about, what they reach, and the dimensions that it names to group by."""

    setting: Setting
    metrics: tuple[str, ...]
    entity: str
    reach: frozenset[str]
    things: str = ""

    def reaches(self, name: str) -> bool:
        """Whether a dimension can be grouped by: one of the reach, or what comes back in the metrics' own time."""
        return name in self.reach or (bool(self.metrics) and timed_group(name) is not None)

    grouped: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """One part of a plan: the field of `MetricIntent` and the value, appended where it is a tuple.

    "narrowed_range" is a period that takes the place of the named one; "elapsed_until"
    is the day at which whichever period is taken gets cut.
    """

    field: str
    value: Any


Writes = tuple[Write, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """What the phrase at `edge` writes.  More than one alternative leaves `slot` open, and so does `open`."""

    edge: int
    alternatives: tuple[Writes, ...] = ((),)
    slot: Slot | None = None
    word: str = ""
    why: str = ""
    defaults: tuple[Default, ...] = ()
    dead: Dead | None = None
    joined: int = 0
    open: bool = False


def piece(edge: int, *writes: Write, defaults: tuple[Default, ...] = (), joined: int = 0) -> Piece:
    """A decided piece."""
    return Piece(edge=edge, alternatives=(writes,), defaults=defaults, joined=joined)


def dead(edge: int, code: str, words: str, message: str = "") -> Piece:
    """A piece that cannot be."""
    return Piece(edge=edge, dead=Dead(code=code, words=(words,), message=message))


_LISTS = {
    "metrics",
    "dimensions",
    "filters",
    "having",
    "order",
    "transforms",
    "entity_condition",
    "sets",
    "defaults_used",
    "notes",
}


def fold(intent: MetricIntent, writes: Writes) -> MetricIntent | None:
    """The plan with all writes done, or None where two of them want the same place."""
    changes: dict[str, Any] = {}
    narrowed = any(w.field == "narrowed_range" for w in writes)
    until = next((w.value for w in writes if w.field == "elapsed_until"), None)
    for write in (w for w in writes if w.field != "elapsed_until"):
        if write.field == "time_range" and narrowed:
            continue
        if write.field == "narrowed_range":
            write = Write(field="time_range", value=write.value)
        if write.field in _LISTS:
            before = changes.get(write.field, getattr(intent, write.field))
            if write.value not in before:
                changes[write.field] = (*before, write.value)
            continue
        present = changes.get(write.field, getattr(intent, write.field))
        if present not in (None, write.value) and write.field != "kind":
            return None
        changes[write.field] = write.value
    plan = replace(intent, **changes)
    return replace(plan, time_range=cut_at(plan.time_range, until)) if until and plan.time_range else plan


def contradict(writes: Writes) -> bool:
    """Whether two writes of one edit want the same place: two values of a field, or other members of a dimension."""
    narrowed = any(w.field == "narrowed_range" for w in writes)
    taken: dict[str, Any] = {}
    picked: dict[str, frozenset[Any]] = {}
    for write in writes:
        if write.field == "filters" and write.value.op in _PICKS:
            values = frozenset(write.value.values)
            if not values & picked.setdefault(write.value.field, values):
                return True
        elif write.field in _LISTS or write.field == "kind" or (write.field == "time_range" and narrowed):
            continue
        elif taken.setdefault(write.field, write.value) != write.value:
            return True
    return False


_PICKS = frozenset({Operator.EQ, Operator.IN})


def plans_of(start: MetricIntent, pieces: tuple[Piece, ...]) -> tuple[MetricIntent, ...]:
    """The plans that the pieces leave possible, at most four; empty where they contradict each other."""
    ways = product(*(p.alternatives for p in pieces))
    plans: list[MetricIntent] = []
    for way in islice(ways, 64):
        plan = fold(start, tuple(w for writes in way for w in writes))
        if plan is not None and plan not in plans:
            plans.append(plan)
    return tuple(plans)


def time_writes(reading: TimeReading) -> tuple[Writes, ...]:
    """The alternatives of a period: one, or the rivals of an unset setting."""
    ranges: tuple[TimeRange, ...] = reading.asks or (reading.range,)
    return tuple((Write(field="time_range", value=r),) for r in ranges)


__all__ = [
    "Comparison",
    "Dead",
    "Default",
    "Filter",
    "Focus",
    "MetricCondition",
    "Operator",
    "Order",
    "Piece",
    "Setting",
    "Slot",
    "TimeGranularity",
    "Transform",
    "Write",
    "dead",
    "fold",
    "piece",
    "plans_of",
    "time_writes",
]
