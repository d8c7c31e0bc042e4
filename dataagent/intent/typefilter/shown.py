"""Columns that the asker wants to see: each has to be one that the plan shows anyway."""

from __future__ import annotations

from dataagent.intent.parts import Ref, Shown
from dataagent.intent.typefilter.members import dimension_choices, group_choice
from dataagent.intent.typefilter.pieces import Focus, Piece, Write, dead, piece
from dataagent.intent.view import entity_of_dimension, is_personal, label_of_entity

NOT_SHOWN = "A column that is not grouped by cannot be added to the result: ask for the figures by it."


def shown_piece(edge: int, part: Shown, focus: Focus, others: tuple[Piece, ...]) -> Piece:
    """Nothing to write where the plan groups by each of the columns; else the reading cannot be."""
    written = {(w.field, w.value) for p in others for way in p.alternatives for w in way}
    if part.grain is not None and ("grain", part.grain) not in written:
        return dead(edge, "unsupported", part.grain.value, NOT_SHOWN)
    confirmed: list[Write] = [] if part.grain is None else [Write(field="grain", value=part.grain)]
    for ref in part.refs:
        choices, _ = group_choice(ref, focus)
        grouped = [d for d in choices if ("dimensions", d) in written] or _of_list(ref, focus)
        if len(grouped) != 1:
            return dead(edge, "unsupported", ref.surface, NOT_SHOWN)
        if grouped[0] != label_of_entity(focus.setting.snapshot, focus.entity) or focus.metrics:
            confirmed.append(Write(field="dimensions", value=grouped[0]))
    return piece(edge, *confirmed)


def _of_list(ref: Ref, focus: Focus) -> list[str]:
    """A list of things takes any further column of the things themselves."""
    snapshot = focus.setting.snapshot
    if focus.metrics or not focus.things:
        return []
    own = [d for d in dimension_choices(ref, focus) if entity_of_dimension(snapshot, d) == focus.entity]
    return [d for d in own if not is_personal(snapshot, d)]
