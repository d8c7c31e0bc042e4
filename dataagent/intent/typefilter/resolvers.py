"""Which function types which fragment, for fragments that stand for themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dataagent.intent.candidate import refused
from dataagent.intent.parts import (
    Chart,
    Condition,
    Declared,
    Flag,
    Formula,
    Grain,
    Groups,
    Measured,
    Metrics,
    Part,
    Ranked,
    Refused,
    Summed,
    Things,
    Trend,
    Truth,
    Versus,
    When,
)
from dataagent.intent.resultparts import (
    Averaged,
    Came,
    CameIn,
    Did,
    Missing,
    Moved,
    MovedRank,
    Periods,
    PlaceOf,
    Present,
    TwoSides,
)
from dataagent.intent.typefilter.amounts import measured_piece
from dataagent.intent.typefilter.cohorts import came_in_piece, came_piece
from dataagent.intent.typefilter.combining import two_sides_piece
from dataagent.intent.typefilter.existing import did_piece, missing_piece, present_piece
from dataagent.intent.typefilter.members import condition_piece, declared_piece, flag_piece, group_pieces
from dataagent.intent.typefilter.moved import moved_piece, moved_rank_piece
from dataagent.intent.typefilter.overs import averaged_piece
from dataagent.intent.typefilter.periods import grain_piece, when_piece
from dataagent.intent.typefilter.pieces import Focus, Piece, Write, dead, piece
from dataagent.intent.typefilter.ranks import place_piece, ranked_piece
from dataagent.intent.typefilter.results import versus_piece
from dataagent.intent.typefilter.several import NOT_APART
from dataagent.intent.typefilter.subjects import formula_piece, things_piece, truth_piece
from dataagent.intent.typefilter.sums import summed_piece


def _periods_apart(edge: int, _part: Periods, _focus: Focus) -> Piece:
    return dead(edge, "contradiction", "", NOT_APART)


_RESOLVERS: dict[type[Part], Callable[[int, Any, Focus], Piece]] = {
    Grain: grain_piece,
    Condition: condition_piece,
    Flag: flag_piece,
    Declared: declared_piece,
    Measured: measured_piece,
    Missing: missing_piece,
    Present: present_piece,
    Averaged: averaged_piece,
    Came: came_piece,
    CameIn: came_in_piece,
    Did: did_piece,
    Moved: moved_piece,
    MovedRank: moved_rank_piece,
    When: when_piece,
    Ranked: ranked_piece,
    Versus: versus_piece,
    Formula: formula_piece,
    Summed: summed_piece,
    Things: things_piece,
    Periods: _periods_apart,
    PlaceOf: place_piece,
    Truth: truth_piece,
    TwoSides: two_sides_piece,
}


def plain_pieces(edge: int, part: Part, focus: Focus) -> tuple[Piece, ...]:
    """What a fragment writes that needs no other fragment to be known."""
    if isinstance(part, Groups):
        return group_pieces(edge, part, focus)
    if isinstance(part, Chart):
        return (piece(edge, Write(field="visual", value=part.visual)),) if part.visual else (piece(edge),)
    if isinstance(part, Metrics) and part.scalar:
        return (piece(edge, Write(field="answer_shape", value="scalar")),)
    if isinstance(part, Trend):
        return (piece(edge),)
    if isinstance(part, Refused):
        return (Piece(edge=edge, dead=refused(part.code)),)
    resolver = _RESOLVERS.get(type(part))
    return (resolver(edge, part, focus),) if resolver else (piece(edge),)
