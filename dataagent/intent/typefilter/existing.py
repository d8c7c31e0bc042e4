"""Conditions that something is there at all, or that nothing is: what they may be said of, and of which things."""

from __future__ import annotations

from catalog.types import DimensionType, Filter, Operator
from dataagent.intent.parts import (
    Measured,
    Number,
)
from dataagent.intent.resultparts import (
    Did,
    Missing,
    Present,
)
from dataagent.intent.typefilter.amounts import measured_piece
from dataagent.intent.typefilter.members import group_choice
from dataagent.intent.typefilter.pieces import Focus, MetricCondition, Piece, Slot, Write, dead, piece
from dataagent.intent.view import is_count, is_rate, is_semi_additive, metric_of, type_of

_NONE = (Number(value=0),)


def present_piece(edge: int, part: Present, focus: Focus) -> Piece:
    """A condition on the figure: above 0, or exactly 0; only counts and levels say that something is there."""
    snapshot = focus.setting.snapshot
    names = tuple(m for m in part.ref.targets if m in focus.metrics)
    levels = all(is_semi_additive(snapshot, m) for m in names)
    if part.level and not levels:
        return dead(edge, "unsupported", part.ref.surface)
    counts = all(is_count(snapshot, m) for m in names) or levels
    if not counts and (not part.absent or any(is_rate(snapshot, m) or metric_of(snapshot, m) is None for m in names)):
        return dead(edge, "unsupported", part.ref.surface)
    op = Operator.EQ if part.absent else Operator.GT
    return measured_piece(edge, Measured(op=op, numbers=_NONE, ref=part.ref), focus)


def did_piece(edge: int, part: Did, focus: Focus) -> Piece:
    """A condition on how often; the figure itself is not shown."""
    values = tuple(n.value for n in part.numbers)
    if any(n.unit or isinstance(n.value, str) for n in part.numbers) or not focus.things:
        return dead(edge, "unsupported", part.ref.surface)
    condition = MetricCondition(metric=part.ref.targets[0], op=part.op, values=values)
    return piece(edge, Write(field="entity_condition", value=condition))


def missing_piece(edge: int, part: Missing, focus: Focus) -> Piece:
    """A condition that rows have no member of the dimension, or any."""
    snapshot = focus.setting.snapshot
    settled, defaults = group_choice(part.ref, focus)
    own = tuple(d for d in settled if type_of(snapshot, d) is not DimensionType.BOOLEAN)
    if not own or len(own) != len(settled):
        return dead(edge, "unknown_term", part.ref.surface, f"“{part.ref.surface}” cannot be missing.")
    op = Operator.IS_NOT_NULL if part.present else Operator.IS_NULL
    ways = tuple((Write(field="filters", value=Filter(field=d, op=op, values=())),) for d in own)
    return Piece(edge=edge, alternatives=ways, slot=Slot.DIMENSION, word=part.ref.surface, defaults=defaults)
