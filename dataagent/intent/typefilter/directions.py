"""Whether a figure rose or fell: against the period before, unless the question names another."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

from catalog.calculated import ASKED_DIRECTION
from catalog.query import Default, IntentKind, TimeRange
from dataagent.intent.parts import Calculated, Compared
from dataagent.intent.timex import read
from dataagent.intent.typefilter.periods import comparison_piece, recent
from dataagent.intent.typefilter.pieces import Comparison, Focus, Piece, Slot, Write, Writes, dead

_FULL = ("last week", "last month", "last quarter", "last year")
_BEFORE = Default(
    key="comparison_base",
    value="previous_period",
    text="Compared with the period before.",
)


def direction_piece(edge: int, part: Calculated, focus: Focus, others: tuple[Piece, ...]) -> Piece:
    """A change, or a yes / no about it.  Without a period each recent full one is offered."""
    if len(focus.metrics) != 1:
        return dead(edge, "unsupported", "the change")
    asked = next(value for name, value in part.arguments if name == "asked")
    fields = {w.field for p in others for way in p.alternatives for w in way}
    base: Writes = ()
    if asked:
        base = (
            Write(field="kind", value=IntentKind.BOOLEAN),
            Write(field="answer_shape", value="boolean"),
            Write(field="notes", value=(ASKED_DIRECTION, asked)),
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
    cut = _cut(window, focus)
    defaults = () if "grain" in fields else (_BEFORE,)
    if cut is None or "grain" in fields:
        return Piece(edge=edge, alternatives=(change,), defaults=defaults)
    text = "The running period is compared with equally many days of the earlier one."
    like = Default(key="partial_period", value="compared_like_for_like", text=text)
    ways = ((*change, Write(field="narrowed_range", value=cut)),)
    return Piece(edge=edge, alternatives=ways, defaults=(*defaults, like))


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
    found = comparison_piece(edge, replace(compared, base=earlier), focus, later, grained=False)
    if found.dead is not None or found.open:
        return found
    cut = any(w.field == "narrowed_range" for w in found.alternatives[0])
    own = () if cut else (Write(field="narrowed_range", value=later.range),)
    return replace(found, alternatives=((*base, *found.alternatives[0], *own),))


def _window(others: tuple[Piece, ...]) -> TimeRange | None:
    windows = [w.value for p in others for w in p.alternatives[0] if w.field in {"time_range", "narrowed_range"}]
    return windows[-1] if windows else None


def _when(edge: int, change: Writes, focus: Focus, *, grained: bool) -> Piece:
    if grained:
        return dead(edge, "unsupported", "", "A change of each period needs a time to look at. Name it.")
    found = recent(focus.setting, *_FULL)
    ways = tuple((*change, Write(field="narrowed_range", value=r.range)) for r in found)
    return Piece(edge=edge, slot=Slot.TIME, word="the change", alternatives=ways or ((),), open=True)


def _cut(window: TimeRange, focus: Focus) -> TimeRange | None:
    """The window up to today, where it still runs."""
    today = focus.setting.today
    last = today + timedelta(days=1) if focus.setting.snapshot.calendar.to_date_includes_today else today
    if window.start is None or window.end is None or not window.start < last < window.end:
        return None
    return replace(window, end=last, expr=f"{window.expr}_to_date")
