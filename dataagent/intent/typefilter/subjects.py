"""What a list or a yes / no question is about."""

from __future__ import annotations

from catalog.query import IntentKind
from dataagent.intent.parts import Things, Truth
from dataagent.intent.typefilter.members import group_choice
from dataagent.intent.typefilter.pieces import Focus, Piece, Slot, Write, dead, piece
from dataagent.intent.types import BoundTo
from dataagent.intent.view import is_personal


def things_piece(edge: int, part: Things, focus: Focus) -> Piece:
    """A list of things: by their label, or as an entity list where the label is personal data."""
    if part.asked == "list":
        writes = (
            Write(field="kind", value=IntentKind.ENTITY_LIST),
            Write(field="entity", value=focus.entity),
        )
        return piece(edge, *writes)
    if not focus.metrics:
        return dead(edge, "unsupported", part.ref.surface)
    settled, defaults = group_choice(part.ref, focus)
    if not settled:
        return dead(edge, "incompatible", part.ref.surface)
    snapshot = focus.setting.snapshot
    if part.ref.kind is BoundTo.ENTITY and any(is_personal(snapshot, d) for d in settled):
        writes = (Write(field="kind", value=IntentKind.ENTITY_LIST), Write(field="entity", value=part.ref.targets[0]))
        return piece(edge, *writes, defaults=defaults)
    ways = tuple((Write(field="dimensions", value=d),) for d in settled)
    return Piece(edge=edge, alternatives=ways, slot=Slot.DIMENSION, word=part.ref.surface, defaults=defaults)


def truth_piece(edge: int, part: Truth, focus: Focus) -> Piece:
    """A yes / no question over the metric."""
    kind = IntentKind.EXISTS if part.kind == "exists" else IntentKind.BOOLEAN
    if len(focus.metrics) != 1:
        return dead(edge, "unsupported", "the yes / no question")
    return piece(edge, Write(field="kind", value=kind), Write(field="answer_shape", value="boolean"))
