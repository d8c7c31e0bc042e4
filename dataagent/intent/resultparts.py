"""Fragments about results and things: conditions on changes and on there being anything, members that are missing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from catalog.types import Operator
from dataagent.intent.parts import Condition, Number, Part, Ref, Sense, TimeReading, ValueRef


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved(Part):
    """A condition on how the metric changed: it rose (HIGH), fell (LOW), got better or worse, perhaps by so much.

    A number without an `op` stands behind a bare "by"; `denied` turns the condition round.
    """

    sense: Sense
    op: Operator | None = None
    numbers: tuple[Number, ...] = ()
    denied: bool = False


class Measure(StrEnum):
    """In what a change is ranked: its amount, its percentage, or either where the words leave it open."""

    AMOUNT = "amount"
    PERCENT = "percent"
    EITHER = "either"


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedRank(Part):
    """A ranking by how the metric changed.  `both_ways` keeps what moved the other way ("by change in orders").

    `stated` says that the question names the measure; without `things` its grouping follows.
    """

    sense: Sense
    measure: Measure = Measure.AMOUNT
    stated: bool = False
    both_ways: bool = False
    things: Ref | None = None
    number: int | None = None
    single: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Present(Part):
    """Whether things have any of what a metric counts ("with refunds"), or none of it (`absent`).

    `level` says that the words fit only a level ("out of stock").
    """

    ref: Ref
    absent: bool = False
    level: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Averaged(Part):
    """ "average" before a metric: right where the metric is an average itself."""

    ref: Ref


@dataclass(frozen=True, slots=True, kw_only=True)
class Came(Part):
    """That things came to be, as a verb says it: "how many customers signed up"."""

    things: Ref
    verb: Ref


@dataclass(frozen=True, slots=True, kw_only=True)
class CameIn(Part):
    """Things that came to be in a period: "customers who signed up in May"."""

    things: Ref
    verb: Ref
    reading: TimeReading


@dataclass(frozen=True, slots=True, kw_only=True)
class Did(Part):
    """How often things did what a verb says ("who never ordered"): a condition, not a figure that is shown."""

    ref: Ref
    op: Operator
    numbers: tuple[Number, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing(Part):
    """Rows that have no member of a dimension ("without a promo code"), or any (`present`)."""

    ref: Ref
    present: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Periods(Part):
    """Several periods in a row, each to be shown ("in May and June")."""

    readings: tuple[TimeReading, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of two things that somebody did: with members, in a period, or both."""

    condition: Condition | None = None
    reading: TimeReading | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoSides(Part):
    """Things that did both ("Toys and Beauty"), or the first and not the second (`absent`: "in April but not in May").

    With `only` the second side is everything beside the first ("only Toys").
    """

    ref: Ref
    first: Side
    second: Side
    absent: bool = False
    only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceOf(Part):
    """Which place a member has among all of its dimension, by a metric."""

    value: ValueRef
    noun: Ref | None = None
