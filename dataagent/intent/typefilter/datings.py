"""Which date a time expression is about, where it need not be the metric's own."""

from __future__ import annotations

from dataagent.intent.typefilter.pieces import Piece

TWO_SPLITS = "Two breakdowns by different dates cannot be shown together. Name one of them."


def splits_twice(pieces: tuple[Piece, ...]) -> bool:
    """ "by month and signup month": granularities of two different dates."""
    dates = {
        next((w.value for w in way if w.field == "time_dimension"), None)
        for found in pieces
        for way in found.alternatives[:1]
        if any(w.field == "grain" for w in way)
    }
    return len(dates) > 1
