"""Things under a condition on what they have: lists of them, and how many there are."""

from __future__ import annotations

from catalog.types import Operator
from dataagent.intent.chart import Rule, rules
from dataagent.intent.parts import Condition, Measured, Number, Part, Ref, Things, ValueRef

Parts = tuple[Part, ...]
Limits = tuple[Operator, tuple[Number, ...]]


def holding(_who: str | None, _verb: str, limits: Limits, ref: Ref) -> Parts:
    """ "who placed fewer than 3 orders": the verb of having adds nothing to the condition."""
    return (Measured(op=limits[0], numbers=limits[1], ref=ref),)


def counted(
    _det: str | None,
    _many: str,
    _the: str | None,
    _different: str | None,
    values: tuple[ValueRef, ...] | None,
    things: Ref,
    condition: Parts,
) -> Parts:
    """ "how many customers have net revenue over 1000": each thing is looked at once."""
    described = (Condition(values=values),) if values else ()
    return (Things(ref=things, asked="count"), *described, *condition)


def listed(_list: str | None, _which: str | None, _det: str | None, things: Ref, condition: Parts) -> Parts:
    """ "customers who placed at least 5 orders"."""
    return (Things(ref=things), *condition)


RULES: tuple[Rule, ...] = (
    *rules("Held", "WHOM? LIGHTVERB Lim M", holding),
    *rules("H", "DET? HOWMANY DET? DIFFERENT? VL? E Hav/Held", counted),
    *rules("H", "LISTOF? WHICH? DET? E/D Held", listed),
)
