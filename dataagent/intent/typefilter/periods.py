"""Periods and granularities."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

from catalog.periods import elapsed_end
from catalog.query import Default, TimeRange
from catalog.types import DimensionType, TimeGranularity
from dataagent.intent.parts import Grain, Part, TimeReading, When
from dataagent.intent.timex import REVERSED, read
from dataagent.intent.typefilter.clocks import without_grain
from dataagent.intent.typefilter.pieces import Focus, Piece, Setting, Slot, Write, dead, piece, time_writes
from dataagent.intent.view import is_cumulative, is_rate, is_semi_additive, type_of

_UNITS = ("day", "week", "month", "quarter", "year")


def when_piece(edge: int, part: When, focus: Focus) -> Piece:
    """A period, its rivals where a setting is unset, or a stop for the future."""
    reading = part.reading
    if reading.why == REVERSED:
        message = f"“{reading.range.expr}” ends before it begins. Name the earlier end first, with its year if needed."
        return dead(edge, "contradiction", reading.range.expr, message)
    if reading.future and not reading.asks:
        return dead(edge, "forecast", reading.range.expr.replace("_", " "))
    window, tomorrow = reading.range, focus.setting.today + timedelta(days=1)
    unfinished = window.end is not None and window.end > tomorrow and not reading.asks
    if unfinished and window.start is None:
        return dead(edge, "forecast", window.expr.replace("_", " "))
    if reading.relative == "end" and not all(is_semi_additive(focus.setting.snapshot, m) for m in focus.metrics):
        return dead(edge, "unsupported", reading.range.expr.replace("_", " "))
    ways = time_writes(reading)
    if reading.relative == "from":
        ways = (*ways, (Write(field="time_range", value=_since(window, focus.setting)),))
    if reading.relative == "as of" and window.end is not None and not _shows_state(focus):
        before = TimeRange(start=None, end=window.end, expr=f"until_{window.expr}")
        ways = (*ways, (Write(field="time_range", value=before),))
    defaults = reading.defaults
    if unfinished:
        text = "The period is not over: it holds what is loaded so far."
        defaults = (*defaults, Default(key="unfinished_period", value=window.expr, text=text))
    if reading.trend and any(is_rate(focus.setting.snapshot, m) for m in focus.metrics):
        grain = focus.setting.snapshot.defaults.trend_grain
        ways = tuple((*way, Write(field="grain", value=grain)) for way in ways)
        defaults = (*defaults, grain_default(grain))
    return Piece(
        edge=edge,
        alternatives=ways,
        slot=Slot.TIME,
        word=reading.range.expr.replace("_", " "),
        why=reading.why,
        defaults=defaults,
    )


def _shows_state(focus: Focus) -> bool:
    """Whether a date alone says how far the metrics reach: levels, and what is cumulated already."""
    snapshot = focus.setting.snapshot
    return bool(focus.metrics) and all(
        is_semi_additive(snapshot, m) or is_cumulative(snapshot, m) for m in focus.metrics
    )


def narrowed(parts: tuple[tuple[int, Part], ...]) -> tuple[tuple[int, Part], ...]:
    """ "before the spring launch this year": an open side and a period together are the part that both hold."""
    held = [p.reading for _, p in parts if isinstance(p, When)]
    if len(held) != 2 or any(r.asks or r.why or r.future or r.relative == "as of" for r in held):
        return parts
    sided = [r for r in held if is_sided(r)]
    if not sided or any(r.range.start is None and r.range.end is None for r in held):
        return parts
    side = sided[-1]
    period = next(r for r in held if r is not side)
    starts = [d for d in (side.range.start, period.range.start) if d]
    ends = [d for d in (side.range.end, period.range.end) if d]
    if not starts or not ends or max(starts) >= min(ends):
        return parts
    window = TimeRange(start=max(starts), end=min(ends), expr=f"{period.range.expr}_{side.range.expr}")
    both = replace(period, range=window, defaults=(*period.defaults, *side.defaults), relative="", trend=False)
    return tuple((i, When(reading=both) if isinstance(p, When) else p) for i, p in parts)


_SIDED = re.compile(r"(since|after|before|until)_")


def is_sided(reading: TimeReading) -> bool:
    """Whether the period is open on one side ("since May", "before the launch")."""
    return _SIDED.match(reading.range.expr) is not None


def _since(day: TimeRange, setting: Setting) -> TimeRange:
    """The days from this one on."""
    last = elapsed_end(setting.snapshot.calendar, setting.today)
    return TimeRange(start=day.start, end=last, expr=f"since_{day.expr}")


def grain_default(grain: TimeGranularity) -> Default:
    """The disclosure of a granularity that nobody named."""
    others = tuple(g for g in _UNITS if g != grain.value)
    return Default(key="trend_grain", value=grain.value, text=f"Shown by {grain.value}.", alternatives=others)


def grain_piece(edge: int, part: Grain, focus: Focus) -> Piece:
    """A granularity, of the metric's own time or of a named time dimension."""
    missing = "" if part.dimension else without_grain(part.grain, focus)
    if missing:
        return dead(edge, "incompatible", part.grain.value, missing)
    if part.ends and not all(is_semi_additive(focus.setting.snapshot, m) for m in focus.metrics):
        return dead(edge, "unsupported", f"the end of each {part.grain.value}")
    writes = [Write(field="grain", value=part.grain)]
    if part.dimension is not None:
        found = [
            d
            for d in part.dimension.targets
            if d in focus.reach and type_of(focus.setting.snapshot, d) is DimensionType.TIME
        ]
        if len(found) != 1:
            return dead(edge, "incompatible", part.dimension.surface)
        writes.append(Write(field="time_dimension", value=found[0]))
    return piece(edge, *writes)


def trend_writes(focus: Focus, *, timed: bool, grained: bool) -> tuple[tuple[Write, ...], tuple[Default, ...]]:
    """The declared range and granularity of a trend, as far as the question does not name them."""
    setting = focus.setting
    writes: list[Write] = []
    defaults: list[Default] = []
    if not timed:
        name = setting.snapshot.defaults.trend_range
        reading = read(name.replace("_", " "), setting.snapshot.calendar, setting.today)
        if reading is not None:
            writes.append(Write(field="time_range", value=replace(reading.range, expr=name)))
            text = f"No period was named: took the {name.replace('_', ' ')}."
            defaults.append(Default(key="trend_range", value=name, text=text))
    if not grained:
        grain = setting.snapshot.defaults.trend_grain
        writes.append(Write(field="grain", value=grain))
        defaults.append(grain_default(grain))
    return tuple(writes), tuple(defaults)


def silent_period(focus: Focus) -> tuple[TimeRange, Default]:
    """What is taken where the question names no period: everything, or the latest snapshot of a level."""
    setting = focus.setting
    if focus.metrics and all(is_semi_additive(setting.snapshot, m) for m in focus.metrics):
        window = TimeRange(start=setting.today - timedelta(days=1), end=setting.today, expr="latest")
        text = "No period was named: the latest complete day is shown, as this is a level and not a sum."
        return window, Default(key="snapshot", value=setting.snapshot.defaults.snapshot, text=text)
    text = "No period was named: all time."
    default = Default(key="time_range", value="all_time", text=text, alternatives=("this year", "last month"))
    return TimeRange(start=None, end=None, expr="all_time"), default


def recent(setting: Setting, *phrases: str) -> tuple[TimeReading, ...]:
    """The periods of these names that the calendar decides."""
    found = (read(p, setting.snapshot.calendar, setting.today) for p in phrases)
    return tuple(r for r in found if r is not None and not r.asks)
