"""Whether a figure rose or fell: against the period before, unless the question names another."""

from __future__ import annotations

import re
from dataclasses import replace

from catalog.calculated import ASKED_DIRECTION
from catalog.query import Default, IntentKind, TimeRange
from catalog.specs import SOME
from dataagent.intent.parts import Calculated, Compared
from dataagent.intent.timex import read
from dataagent.intent.typefilter.comparisons import comparison_piece
from dataagent.intent.typefilter.elapsed import BASE
from dataagent.intent.typefilter.periods import recent
from dataagent.intent.typefilter.pieces import Comparison, Focus, Piece, Slot, Write, Writes, dead

_FULL = ("last week", "last month", "last quarter", "last year")
_BEFORE = Default(
    key=BASE,
    value="previous_period",
    text="Compared with the period before.",
)


def direction_piece(edge: int, part: Calculated, focus: Focus, others: tuple[Piece, ...]) -> Piece:
    """A change, or a yes / no about it.  Without a period each recent full one is offered."""
    if len(focus.metrics) > 1:
        return dead(edge, "unsupported", "the change")
    asked = next(value for name, value in part.arguments if name == "asked")
    fields = {w.field for p in others for way in p.alternatives for w in way}
    base: Writes = ()
    if asked:
        base = (
            Write(field="kind", value=IntentKind.BOOLEAN),
            Write(field="answer_shape", value="boolean"),
            Write(field="notes", value=(ASKED_DIRECTION, asked)),
            *(Write(field="notes", value=(SOME, True)) for name, _ in part.arguments if name == SOME),
        )
    if "comparison" in fields:
        return Piece(edge=edge, alternatives=(base,))
    change = (*base, Write(field="comparison", value=Comparison(type="previous_period", calc=("diff", "pct"))))
    window = _window(others)
    ends = _ENDS.fullmatch(window.expr) if window is not None else None
    if ends is not None and window is not None and window.start is not None:
        compared = Compared(type="", calc=("diff", "pct"))
        return _between(edge, (ends["left"], ends["right"]), focus, (base, compared), year=window.start.year)
    if window is None:
        return _when(edge, change, focus, grained="grain" in fields)
    return Piece(edge=edge, alternatives=(change,), defaults=() if "grain" in fields else (_BEFORE,))


_ENDS = re.compile(r"(?:from|between)_(?P<left>.+?)_(?:to|and|through|until)_(?P<right>.+)")


def _between(edge: int, ends: tuple[str, str], focus: Focus, asked: tuple[Writes, Compared], *, year: int) -> Piece:
    """ "from April to May": the later period against the earlier one; a month takes the year that the whole has."""
    calendar, today = focus.setting.snapshot.calendar, focus.setting.today
    left, right = (end.replace("_", " ") for end in ends)
    earlier, later = (
        read(f"{left} {year}", calendar, today) or read(left, calendar, today),
        read(right, calendar, today),
    )
    if earlier is None or later is None or later.asks or earlier.asks:
        return dead(edge, "unsupported", "the change")
    base, compared = asked
    found = comparison_piece(edge, replace(compared, base=earlier), focus, later, grain=None)
    if found.dead is not None or found.open:
        return found
    own = Write(field="narrowed_range", value=later.range)
    return replace(found, alternatives=((*base, *found.alternatives[0], own),))


def _window(others: tuple[Piece, ...]) -> TimeRange | None:
    windows = [w.value for p in others for w in p.alternatives[0] if w.field in {"time_range", "narrowed_range"}]
    return windows[-1] if windows else None


def _when(edge: int, change: Writes, focus: Focus, *, grained: bool) -> Piece:
    if grained:
        return dead(edge, "unsupported", "", "A change of each period needs a time to look at. Name it.")
    found = recent(focus.setting, *_FULL)
    ways = tuple((*change, Write(field="narrowed_range", value=r.range)) for r in found)
    return Piece(edge=edge, slot=Slot.TIME, word="the change", alternatives=ways or ((),), open=True)
