"""Shares of a plan: over what they are taken, and which of its conditions hold for their whole."""

from __future__ import annotations

from catalog.query import MetricIntent, Transform
from catalog.types import METRIC_TIME, Filter, Operator, Scalar

SHARE_OF_TOTAL = "share_of_total"
OVER, WHOLE, ALL = "over", "whole", "all"
"""Arguments of a share: the dimension over which it is taken, and `whole: all` where the whole is of everything."""

_LEAVES_OUT = frozenset({Operator.NE, Operator.NOT_IN})


def share_in(intent: MetricIntent) -> Transform | None:
    """The plan's share, or None."""
    return next((t for t in intent.transforms if t.type == SHARE_OF_TOTAL), None)


def shared_over(intent: MetricIntent) -> str | None:
    """The dimension over which a share is taken; None where there is no share, or none that is settled."""
    made = share_in(intent)
    over = _argument(made, OVER) if made else None
    return str(over) if over else None


def is_over_time(intent: MetricIntent) -> bool:
    """Whether each period is a part of all periods."""
    over = shared_over(intent)
    return over is not None and intent.grain is not None and over == (intent.time_dimension or METRIC_TIME)


def is_of_all(intent: MetricIntent) -> bool:
    """Whether the asker said that the whole holds also what the question leaves out."""
    made = share_in(intent)
    return made is not None and _argument(made, WHOLE) == ALL


def picked(intent: MetricIntent) -> tuple[Filter, ...]:
    """The conditions that pick members, by any dimension: one of them can be what a share is of."""
    return tuple(f for f in intent.filters if f.op not in _LEAVES_OUT)


def left_out(intent: MetricIntent) -> tuple[Filter, ...]:
    """The conditions that leave out members of what is shared."""
    over = shared_over(intent)
    return tuple(f for f in intent.filters if over is not None and f.field == over and f.op in _LEAVES_OUT)


def only_parts(intent: MetricIntent) -> tuple[Filter, ...]:
    """The conditions that say which parts are shown and do not hold for the whole.

    Those that pick members of what is shared: EMEA's share is one of all regions.  What is
    left out is no part of the whole either, unless the whole is said to be of all.
    """
    over = shared_over(intent)
    mine = tuple(f for f in picked(intent) if over is not None and f.field == over)
    return (*mine, *left_out(intent)) if is_of_all(intent) else mine


def _argument(made: Transform, name: str) -> Scalar:
    return next((value for key, value in made.arguments if key == name), None)
