"""Questions about the reasons of a change: which change is meant, so that it can be verified and taken apart."""

from __future__ import annotations

import re

from catalog.periods import first_day, next_first_day
from catalog.query import Default, Direction, IntentKind, Order, TimeRange, Transform
from catalog.types import DimensionType, TimeGranularity
from dataagent.intent.parts import Calculated
from dataagent.intent.timex import read
from dataagent.intent.typefilter.elapsed import elapsed_until
from dataagent.intent.typefilter.periods import recent
from dataagent.intent.typefilter.pieces import Comparison, Focus, Piece, Slot, Write, Writes, dead, piece
from dataagent.intent.view import type_of

_SIDES = ("since_", "after_")
_EACH = (
    "A change is taken apart by what its parts have in common, such as a region, and not by each single row. For an"
    " average of each, name its metric."
)
_ONE = "A change is explained between two periods. Name one period, or the two that are compared."


def reasons_piece(edge: int, part: Calculated, focus: Focus, others: tuple[Piece, ...]) -> Piece:
    """A change to be taken apart: against what the question compares with, else against the period before."""
    if len(focus.metrics) != 1:
        return dead(edge, "unsupported", "why")
    fields = {w.field: w.value for p in others for way in p.alternatives for w in way}
    if "grain" in fields:
        return dead(edge, "unsupported", "", _ONE)
    split = (w.value for p in others for way in p.alternatives for w in way if w.field == "dimensions")
    if any(type_of(focus.setting.snapshot, d) is DimensionType.ID for d in split):
        return dead(edge, "unsupported", "", _EACH)
    if "comparison" in fields:
        given = fields["comparison"]
        if part.grain is not None or getattr(given, "type", "values") == "values":
            return dead(edge, "unsupported", "", _ONE)
        return piece(edge, *_explained(part))
    if "time_range" not in fields:
        return _why_when(edge, part, focus)
    if part.grain is not None:
        return _in_units(edge, part, focus, fields["time_range"], part.grain)
    window = fields["time_range"]
    ends = _RANGE.fullmatch(window.expr) if isinstance(window, TimeRange) else None
    if ends is not None:
        return _from_one_to_the_other(edge, part, focus, ends)
    return piece(edge, *_against_before(part), defaults=(_BEFORE,))


_RANGE = re.compile(r"(?:(?:between|from)_)?(?P<left>.+?)_(?:and|to|until|through)_(?P<right>.+)")
_YEAR = re.compile(r"(?:19|20)\d\d$")


def _from_one_to_the_other(edge: int, part: Calculated, focus: Focus, ends: re.Match[str]) -> Piece:
    """ "why did it change between April and May": from the one period to the other, not over both."""
    calendar, today = focus.setting.snapshot.calendar, focus.setting.today
    left, right = (ends[side].replace("_", " ") for side in ("left", "right"))
    year = _YEAR.search(right)
    if year and not _YEAR.search(left):
        left = f"{left} {year.group()}"
    first, second = read(left, calendar, today), read(right, calendar, today)
    if first is None or second is None or first.asks or second.asks or first.why or second.why:
        return dead(edge, "unsupported", "", _ONE)
    start, end = first.range.end, second.range.start
    days = [_days(r.range) for r in (first, second)]
    if start is None or end is None or start > end or min(days) < 1 or max(days) - min(days) > _UNEVEN_DAYS:
        return dead(edge, "unsupported", "", _ONE)
    before = Comparison(type="custom", calc=("diff",), range=first.range)
    narrowed = Write(field="narrowed_range", value=second.range)
    return piece(edge, *_explained(part), Write(field="comparison", value=before), narrowed)


def _days(window: TimeRange) -> int:
    return (window.end - window.start).days if window.start and window.end else 0


_UNEVEN_DAYS = 3
"""Months and quarters have not all equally many days."""
_BEFORE = Default(key="comparison", value="previous_period", text="Compared with the period before.")


def _explained(part: Calculated) -> Writes:
    arguments = tuple(a for a in part.arguments if a[0] != _MOST)
    ordered = (Write(field="order", value=_LARGEST_FIRST),) if arguments != part.arguments else ()
    return (
        Write(field="kind", value=IntentKind.CONTRIBUTION),
        Write(field="transforms", value=Transform(type="contribution", arguments=arguments)),
        *ordered,
    )


_MOST = "most"
_LARGEST_FIRST = Order(by="contribution", direction=Direction.DESC)


def _against_before(part: Calculated) -> Writes:
    return (*_explained(part), Write(field="comparison", value=Comparison(type="previous_period", calc=("diff",))))


def _why_when(edge: int, part: Calculated, focus: Focus) -> Piece:
    """A change of an open period: that of each recent full one, of the named size where one is named."""
    units = (part.grain.value,) if part.grain else ("week", "month", "quarter")
    found = recent(focus.setting, *(f"last {unit}" for unit in units))
    ways = tuple((*_against_before(part), Write(field="narrowed_range", value=r.range)) for r in found)
    return Piece(edge=edge, slot=Slot.TIME, word="why", alternatives=ways or ((),), open=True)


def _in_units(edge: int, part: Calculated, focus: Focus, window: object, unit: TimeGranularity) -> Piece:
    """ "why did weekly orders dip after the launch": the first whole week after it, against the week before."""
    calendar = focus.setting.snapshot.calendar
    if not isinstance(window, TimeRange) or window.start is None:
        return dead(edge, "unsupported", "", f"Name one {unit.value}.")
    start = first_day(window.start, unit, calendar)
    if window.expr.startswith(_SIDES):
        start = start if start == window.start else next_first_day(start, unit)
        told = Default(key="period", value=unit.value, text=f"Taken as the first whole {unit.value} after that.")
    elif window.start != start or window.end != next_first_day(start, unit):
        return dead(edge, "unsupported", "", f"The period is not one {unit.value}. Name one {unit.value}.")
    else:
        told = None
    end = next_first_day(start, unit)
    if end > elapsed_until(None, focus.setting):
        return dead(edge, "unsupported", "", f"The first whole {unit.value} after that is not over yet.")
    asked = TimeRange(start=start, end=end, expr=f"{unit.value}_of_{start.isoformat()}")
    writes = _against_before(part)
    if told is not None:
        writes = (*writes, Write(field="narrowed_range", value=asked))
    return piece(edge, *writes, defaults=(_BEFORE, *((told,) if told else ())))
