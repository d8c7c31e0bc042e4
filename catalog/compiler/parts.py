"""How the rows of a metric make up a whole, and what the metric is where a group has no rows."""

from __future__ import annotations

from collections.abc import Callable

from catalog.compiler.plan import COUNTS, SUMS, Leaf, Ratio, Single, Value
from catalog.compiler.relation import Missing, Parts
from catalog.expressions import linear
from catalog.types import Aggregation

_PARTS, _MISSING = tuple(Parts), tuple(Missing)


def parts_of(value: Value, overlapping: Callable[[Leaf], bool]) -> Parts:
    """A formula is as good as the least of its inputs, provided that it only adds, subtracts and scales."""
    if isinstance(value, Single):
        return _leaf_parts(value.leaf, shared=overlapping(value.leaf))
    if isinstance(value, Ratio) or not linear(value.tree):
        return Parts.NONE
    return max((parts_of(v, overlapping) for _, v in value.inputs), key=_PARTS.index)


def _leaf_parts(leaf: Leaf, *, shared: bool) -> Parts:
    if leaf.measure.agg is Aggregation.COUNT_DISTINCT or (shared and leaf.measure.agg in COUNTS):
        return Parts.COUNTED
    if leaf.measure.agg not in SUMS:
        return Parts.NONE
    return Parts.AT_ONE_TIME if _of_a_moment(leaf) else Parts.ADD_UP


def missing_of(value: Value) -> Missing:
    """A formula of sums and counts is 0 where they all are; anything else is unknown."""
    if isinstance(value, Single):
        return _leaf_missing(value)
    if isinstance(value, Ratio) or not linear(value.tree):
        return Missing.UNKNOWN
    return max((missing_of(v) for _, v in value.inputs), key=_MISSING.index)


def _leaf_missing(value: Single) -> Missing:
    if value.leaf.measure.agg not in SUMS | COUNTS or value.fill:
        return Missing.UNKNOWN
    return Missing.ZERO_BESIDE_OTHERS if _of_a_moment(value.leaf) else Missing.ZERO


def _of_a_moment(leaf: Leaf) -> bool:
    """Whether the value belongs to a point in time, as balances and running sums do."""
    return leaf.measure.non_additive is not None or leaf.accumulation is not None
