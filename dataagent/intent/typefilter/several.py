"""Several periods in a row, each shown for itself: one window, cut into them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from catalog.query import TimeRange
from catalog.types import TimeGranularity
from dataagent.intent.candidate import Dead
from dataagent.intent.oneyear import in_one_year
from dataagent.intent.parts import (
    Chart,
    Condition,
    Declared,
    Flag,
    Grain,
    Groups,
    Idle,
    Metrics,
    Part,
    TimeReading,
    When,
)
from dataagent.intent.resultparts import Periods

Placed = tuple[tuple[int, Part], ...]
_AND = " + "
_BESIDE = (Metrics, Groups, Condition, Declared, Flag, Grain, Chart, Idle, Periods)
NOT_APART = "These periods cannot be shown side by side in one answer. Ask for one of them, or for a range."
_EACH_OR_BOTH = (
    "Those in each of the periods can be meant, or those in both. Ask for one period at a time, or say “both”."
)
_MONTHS = {1: TimeGranularity.MONTH, 3: TimeGranularity.QUARTER, 12: TimeGranularity.YEAR}


def shown_apart(parts: Placed, *, named_by_verb: bool) -> Placed | Dead:
    """The parts with several periods as one window and its granularity; why not, where they do not follow on.

    `named_by_verb`: the metric is read out of what somebody did, who may be meant to have done it in each period.
    """
    named = [p for _, p in parts if isinstance(p, Periods)]
    if not named:
        return parts
    if named_by_verb:
        return Dead(code="unsupported", message=_EACH_OR_BOTH)
    whole = _whole(named[0].readings)
    if len(named) > 1 or whole is None or any(not isinstance(p, _BESIDE) for _, p in parts):
        return Dead(code="unsupported", message=NOT_APART)
    reading, grain = whole
    grained = any(isinstance(p, Grain) for _, p in parts)
    found: list[tuple[int, Part]] = []
    for edge, part in parts:
        if isinstance(part, Periods):
            found.append((edge, When(reading=reading)))
            found.extend([] if grained else [(edge, Grain(grain=grain))])
        else:
            found.append((edge, part))
    return tuple(found)


def _whole(readings: tuple[TimeReading, ...]) -> tuple[TimeReading, TimeGranularity] | None:
    first, second = in_one_year(*readings)
    if any(r.asks or r.future or r.relative or r.why for r in readings):
        return None
    size = _months(first.range)
    if size not in _MONTHS or size != _months(second.range) or first.range.end != second.range.start:
        return None
    window = TimeRange(
        start=first.range.start, end=second.range.end, expr=f"{first.range.expr}{_AND}{second.range.expr}"
    )
    return replace(second, range=window, defaults=(*first.defaults, *second.defaults)), _MONTHS[size]


def _months(window: TimeRange) -> int:
    """How many whole calendar months the window is long; 0 where it is none."""
    if window.start is None or window.end is None or (window.start.day, window.end.day) != (1, 1):
        return 0
    return (window.end.year - window.start.year) * 12 + window.end.month - window.start.month


def separate_periods(window: TimeRange | None) -> tuple[TimeRange, ...]:
    """The periods that a window is made of; none where it is one period."""
    names = window.expr.split(_AND) if window is not None else []
    if window is None or window.start is None or window.end is None or len(names) != 2 or not _months(window):
        return ()
    middle = _later(window.start, _months(window) // 2)
    ends = ((window.start, middle), (middle, window.end))
    return tuple(TimeRange(start=s, end=e, expr=name) for name, (s, e) in zip(names, ends, strict=True))


def _later(day: date, months: int) -> date:
    total = day.year * 12 + day.month - 1 + months
    return date(total // 12, total % 12 + 1, 1)
