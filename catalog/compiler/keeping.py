"""How a catalog keeps time, chosen once for a query: by the workspace's calendar, or on a time spine as MetricFlow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from catalog.compiler.bindings import Bindings
from catalog.compiler.flow.asked import spine_joins, spine_sides
from catalog.compiler.plan import Leaf
from catalog.compiler.question import Question
from catalog.compiler.scans import JoinsOf
from catalog.compiler.side import Side, build_side, joins_of
from catalog.lookup import KEPT, Whole
from catalog.types import CatalogSnapshot, Metric

MakeSide = Callable[[tuple[Leaf, ...], str], Side]


@dataclass(frozen=True, slots=True, kw_only=True)
class Timekeeping:
    """`sides` makes the sides of a question, `joins` tells which tables a leaf joins in it.

    `fills`: a count without rows is 0, and so is a missing sum within a formula; else only a
    metric's own null policy fills.  `keeps_later`: an input that looks back may add periods
    after the last one that has rows.  `own_calendar`: weeks and quarters are the workspace's, not ISO's.
    """

    sides: Callable[[Question, Bindings], MakeSide]
    joins: Callable[[Question], JoinsOf]
    fills: bool
    keeps_later: bool
    own_calendar: bool


def _calendar_joins(question: Question) -> JoinsOf:
    return lambda leaf: joins_of(question, leaf)


def _calendar_sides(question: Question, bindings: Bindings) -> MakeSide:
    def side(leaves: tuple[Leaf, ...], name: str) -> Side:
        return build_side(question, leaves, name, bindings)

    return side


BY_CALENDAR = Timekeeping(
    sides=_calendar_sides, joins=_calendar_joins, fills=True, keeps_later=False, own_calendar=True
)
ON_SPINE = Timekeeping(sides=spine_sides, joins=spine_joins, fills=False, keeps_later=True, own_calendar=False)


def timekeeping_of(snapshot: CatalogSnapshot) -> Timekeeping:
    """The catalog's own: a time spine or a templated condition means that it is written as MetricFlow writes it."""
    return ON_SPINE if snapshot.time_spines or is_templated(Whole(snapshot)) else BY_CALENDAR


@lru_cache(maxsize=KEPT)
def is_templated(whole: Whole) -> bool:
    """Whether a metric has a condition with a template, or asks for days without rows."""
    return any(_has_templates(m) for m in whole.snapshot.metrics)


def _has_templates(metric: Metric) -> bool:
    inputs = (*metric.inputs, metric.numerator, metric.denominator)
    uses = (metric.measure_use, metric.conversion.base if metric.conversion else None)
    given = (metric.where, *(i.where for i in inputs if i), *(u.where for u in uses if u))
    return any(given) or any(u.join_to_timespine for u in uses if u)
