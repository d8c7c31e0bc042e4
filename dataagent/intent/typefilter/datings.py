"""Which date a time expression is about, where it need not be the metric's own."""

from __future__ import annotations

from itertools import pairwise

from catalog.types import CatalogSnapshot
from dataagent.intent.candidate import Dead
from dataagent.intent.chart import Edge
from dataagent.intent.parts import Condition, Declared, Flag, Grain, Metrics, Ranked, Things, When
from dataagent.intent.typefilter.pieces import Piece
from dataagent.intent.types import BoundTo
from dataagent.intent.view import held_of

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


_NAMED = frozenset({BoundTo.VALUE, BoundTo.ADJECTIVE, BoundTo.DIMENSION})
_PARTICIPLES = frozenset(
    {
        "begun", "bought", "broken", "built", "done", "due", "frozen", "given", "held", "kept", "left", "lost", "made",
        "met", "open", "overdue", "paid", "put", "sent", "shut", "sold", "spent", "taken", "won", "written",
    }
)  # fmt: skip


def undated_event(path: tuple[Edge, ...], snapshot: CatalogSnapshot) -> Dead | None:
    """ "closed on 31 May": the day may be that of the closing, and not the one that the metric goes by."""
    heads = [i for i, edge in enumerate(path) if any(isinstance(p, Metrics | Things | Ranked) for p in edge.meaning)]
    for first, second in pairwise(path[heads[0] :] if heads else ()):
        timed = second.meaning and isinstance(second.meaning[0], When | Grain)
        word = _event_word(first, snapshot) if timed else ""
        if word:
            message = (
                f"The time behind “{word}” can be that of another event than the one the figures are dated by. "
                "Put the word before its noun if it is only a condition."
            )
            return Dead(code="unsupported", message=message)
    return None


def _event_word(edge: Edge, snapshot: CatalogSnapshot) -> str:
    """The condition that this phrase ends in, where it can say what happened; "in …" and a noun name a member."""
    part, marks = edge.meaning[-1], edge.marks
    led = marks[0].end - marks[0].start if marks[0].target == "prep" else 0
    if marks[-1].kind not in _NAMED or led == 1:
        return ""
    if isinstance(part, Declared):
        return part.word
    if isinstance(part, Flag):
        return part.ref.surface if says_event(part.ref.surface) else ""
    if not isinstance(part, Condition) or part.noun is not None or part.verb:
        return ""
    last = part.values[-1]
    others = [] if led else [m for d, _ in last.choices for m in _members(d, snapshot)]
    return last.surface if any(says_event(m) for m in (last.surface, *others)) else ""


def _members(dimension: str, snapshot: CatalogSnapshot) -> tuple[str, ...]:
    held = held_of(snapshot, dimension)
    return tuple(str(v) for v in held.dimension.values) if held else ()


def says_event(text: str) -> bool:
    """Whether the words end like a participle, which tells what happened to something."""
    word = text.replace("_", " ").replace("-", " ").casefold().split()[-1:] or [""]
    return word[0] in _PARTICIPLES or (word[0].endswith("ed") and len(word[0]) > 4)
