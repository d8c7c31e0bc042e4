"""Comparisons with another period: which one is meant, and how it stands to the asked one."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from catalog.calculations import TimeRange
from catalog.periods import MONTHS_OF
from catalog.query import Default
from catalog.types import Calendar, TimeGranularity
from catalog.windows import (
    cut_at,
    is_weeks,
    period_before,
    same_part,
    whole_months,
    whole_of,
    year_before,
)
from dataagent.intent.parts import Compared, TimeReading
from dataagent.intent.timex import read
from dataagent.intent.typefilter.elapsed import BASE, elapsed_until, same_days
from dataagent.intent.typefilter.otheryears import Pair, in_year_before, is_later, rival_pairs
from dataagent.intent.typefilter.periods import recent
from dataagent.intent.typefilter.pieces import Comparison, Focus, Piece, Slot, Write, dead, piece, time_writes

_YEAR_DAYS = 360
_PREVIOUS = re.compile(r"(?:previous|prior|preceding)_(day|week|month|quarter|year)")
_BEFORE = re.compile(r"\b(day|week|month|quarter|year)\b")
_OVERLAP = "The two periods overlap, so their parts by {grain} cannot be set side by side. Name an earlier one."
_OTHER_SIZE = "A period that is not over can only be compared with one of its kind. Name another period."


def comparison_piece(
    edge: int, part: Compared, focus: Focus, main: TimeReading | None, *, grain: TimeGranularity | None
) -> Piece:
    """A comparison with an earlier period; the main period is taken or anchored."""
    if part.anchor is not None or (part.base is None and part.type == "year_ago"):
        return _fixed(edge, part, focus, main, grain=grain)
    if part.relative == "series":
        return _series(edge, part, grain=grain)
    if main is None and part.relative == "running" and part.base is not None:
        return _running(edge, part, focus, part.base)
    if main is None:
        return _over_periods(edge, part, focus)
    if part.relative.startswith("whole") and grain is None:
        return _against_all(edge, part, focus, main)
    if part.base is None:
        return _one_before(edge, part, focus, main, grain=grain)
    return _against(edge, part, focus, main, grain=grain)


def _compared(edge: int, part: Compared, kind: str, other: TimeRange | None = None) -> Piece:
    return piece(edge, Write(field="comparison", value=Comparison(type=kind, calc=part.calc, range=other)))


# -- without a named period ------------------------------------------------------------------


def _one_before(
    edge: int, part: Compared, focus: Focus, main: TimeReading, *, grain: TimeGranularity | None, unit: str = ""
) -> Piece:
    """ "the month before": of a month or by month; for a period of another size it is asked which one is meant."""
    unit = unit or next(iter(_BEFORE.findall(part.relative)), "")
    if not unit or main.asks or (grain is not None and grain.value == unit):
        return _compared(edge, part, "previous_period")
    if unit == "year" and (grain is not None or _length(whole_of(main.range)) < _YEAR_DAYS):
        return _compared(edge, part, "year_ago")
    calendar = focus.setting.snapshot.calendar
    if _is_one(main.range, TimeGranularity(unit), calendar):
        found = period_before(whole_of(main.range), calendar) if grain is not None else None
        return _compared(edge, part, "custom", found.window) if found else _compared(edge, part, "previous_period")
    asked = _compared(edge, part, "previous_period")
    return replace(asked, slot=Slot.BASE, word=f"the {unit} before", open=True)


def _is_one(window: TimeRange, unit: TimeGranularity, calendar: Calendar) -> bool:
    """Whether the window, or the whole that it is a part of, is exactly one such period."""
    whole = whole_of(window)
    if unit in MONTHS_OF:
        return whole_months(whole) == MONTHS_OF[unit]
    days = (whole.end - whole.start).days if whole.start and whole.end else 0
    return days == 1 if unit is TimeGranularity.DAY else days == 7 and is_weeks(window, calendar)


def _against_all(edge: int, part: Compared, focus: Focus, main: TimeReading) -> Piece:
    """ "compared with the whole month before", "with all of 2023": more days than the running period has."""
    cut = cut_at(main.range, elapsed_until(main.range, focus.setting))
    if main.asks or cut.start is None or (part.base is not None and (part.base.asks or part.base.future)):
        return dead(edge, "unsupported", "the comparison")
    calendar = focus.setting.snapshot.calendar
    unit = next(iter(_BEFORE.findall(part.relative)), "")
    if part.base is None and unit and not _is_one(cut, TimeGranularity(unit), calendar):
        return dead(edge, "unsupported", "", f"The period is no {unit}. Name the one that it is compared with.")
    found = period_before(whole_of(cut), calendar)
    other = whole_of(part.base.range) if part.base is not None else found.window if found else None
    if other is None or other.end is None or other.end > elapsed_until(other, focus.setting):
        return dead(edge, "unsupported", "", "The period to compare with is not over. Name an earlier one.")
    if cut.whole_end is None:
        if part.base is None:
            return _compared(edge, part, "previous_period")
        return _against(edge, replace(part, relative=""), focus, main, grain=None)
    return piece(
        edge,
        Write(field="comparison", value=Comparison(type="custom", calc=part.calc, range=other)),
        Write(field="narrowed_range", value=cut),
    )


def _over_periods(edge: int, part: Compared, focus: Focus) -> Piece:
    """A comparison of an open period: with the recent periods that it can be about."""
    ways = []
    for main in recent(focus.setting, *(_FULL if part.base is None else _RECENT)):
        if part.base is None:
            change = _one_before(edge, part, focus, main, grain=None)
            change = change if part.type == "previous_period" else _compared(edge, part, part.type)
        else:
            change = _against(edge, part, focus, main, grain=None)
        if change.dead is None and not change.open:
            ways.append((*change.alternatives[0], Write(field="narrowed_range", value=main.range)))
    if not ways:
        return dead(edge, "unsupported", "", "A comparison needs a period. Name the one that is compared.")
    return Piece(edge=edge, slot=Slot.TIME, word="the comparison", alternatives=tuple(ways[:4]), open=True)


_FULL = ("last week", "last month", "last quarter", "last year")
_RECENT = ("this week", "this month", "this quarter", "this year", "last week", "last month", "last quarter")
_UNITS = ("day", "week", "month", "quarter", "year")


def _series(edge: int, part: Compared, *, grain: TimeGranularity | None) -> Piece:
    """Each period of a series against the one before."""
    write = Write(field="comparison", value=Comparison(type=part.type, calc=part.calc))
    if grain is not None:
        return piece(edge, write)
    grains = (TimeGranularity.WEEK, TimeGranularity.MONTH, TimeGranularity.QUARTER)
    ways = tuple((write, Write(field="grain", value=g)) for g in grains)
    return Piece(edge=edge, slot=Slot.BASE, word="the change", alternatives=ways, open=True)


def _running(edge: int, part: Compared, focus: Focus, base: TimeReading) -> Piece:
    """ "up or down from last quarter": this quarter so far against the same part of the last."""
    unit = base.range.expr.removeprefix("last_")
    main = read(f"this {unit}", focus.setting.snapshot.calendar, focus.setting.today) if unit in _UNITS else None
    if main is None or base.asks:
        return dead(edge, "unsupported", f"the comparison with {base.range.expr.replace('_', ' ')}")
    found = _against(edge, part, focus, main, grain=None)
    if found.dead is not None or found.open:
        return dead(edge, "unsupported", "the comparison")
    own = Write(field="narrowed_range", value=main.range)
    return replace(found, alternatives=((*found.alternatives[0], own),))


def _fixed(
    edge: int, part: Compared, focus: Focus, main: TimeReading | None, *, grain: TimeGranularity | None
) -> Piece:
    """ "week over week": the last full period against the one before, or each period of a series."""
    write = Write(field="comparison", value=Comparison(type=part.type, calc=part.calc))
    if part.anchor is None:
        return _over_periods(edge, part, focus) if main is None and grain is None else piece(edge, write)
    unit = part.anchor
    if main is None:
        reading = read(f"last {unit.value}", focus.setting.snapshot.calendar, focus.setting.today)
        if reading is None:
            return dead(edge, "unsupported", f"{unit.value} over {unit.value}")
        text = f"Compared the last full {unit.value} with the one before."
        default = Default(key="anchor", value=f"last_full_{unit.value}", text=text)
        ways = tuple((write, *way) for way in time_writes(reading))
        return Piece(edge=edge, alternatives=ways, slot=Slot.TIME, word=reading.range.expr, defaults=(default,))
    if _is_within(main.range, unit):
        return piece(edge, write)
    return piece(edge, write, *(() if grain is not None else (Write(field="grain", value=unit),)))


def _is_within(window: TimeRange, unit: TimeGranularity) -> bool:
    if window.start is None or window.end is None:
        return False
    length = (window.end - window.start).days
    return length <= {"day": 1, "week": 7, "month": 31, "quarter": 92, "year": 366}.get(unit.value, 0)


# -- with a named period ---------------------------------------------------------------------


def _against(edge: int, part: Compared, focus: Focus, main: TimeReading, *, grain: TimeGranularity | None) -> Piece:
    base = part.base
    if base is not None and (pairs := rival_pairs(main, base)):
        return _either(edge, part, focus, pairs, grain=grain)
    if base is None or main.asks or base.asks or main.range.start is None or main.range.end is None:
        return dead(edge, "unsupported", "the comparison")
    if base.future:
        return dead(edge, "forecast", base.range.expr.replace("_", " "))
    part, base = replace(part, base=in_year_before(main, base)), in_year_before(main, base)
    counted = _counted_back(edge, part, focus, main, grain=grain)
    if counted is not None:
        return counted
    later = base.range.start is not None and base.range.start > main.range.start
    running = base.range.end is not None and base.range.end > elapsed_until(base.range, focus.setting)
    if later or running:
        return _turned(edge, part, focus, main)
    return _beside(edge, part, focus, main, base.range, grain=grain)


def _either(
    edge: int, part: Compared, focus: Focus, pairs: tuple[Pair, ...], *, grain: TimeGranularity | None
) -> Piece:
    ways = []
    for main, base in pairs:
        found = _against(edge, replace(part, base=base), focus, main, grain=grain)
        turned = is_later(base, main)
        if found.dead is None and turned:
            ways.append(found.alternatives[0])
        elif found.dead is None and not found.open:
            ways.append((*found.alternatives[0], Write(field="narrowed_range", value=main.range)))
    if not ways:
        return dead(edge, "unsupported", "the comparison")
    word = pairs[0][0].range.expr.replace("_", " ")
    return Piece(edge=edge, slot=Slot.BASE, word=word, alternatives=tuple(ways), open=True)


def _counted_back(
    edge: int, part: Compared, focus: Focus, main: TimeReading, *, grain: TimeGranularity | None
) -> Piece | None:
    """ "January 2025 vs previous month" counts from January, "June vs last year" is June a year ago; else None."""
    base = part.base
    named = _PREVIOUS.fullmatch(base.range.expr) if base else None
    if base is None or "ratio" in part.calc:
        return _ratio_before(edge, part, focus, main, unit=named.group(1)) if named else None
    if _is_year_before(main.range, base.range, counted=named is not None):
        said = base.range.expr.replace("_", " ")
        text = f"Read “{said}” as the same period a year before."
        told = Default(key=BASE, value="year_ago", text=text)
        return replace(_compared(edge, part, "year_ago"), defaults=(told,))
    if named is not None:
        return _one_before(edge, part, focus, main, grain=grain, unit=named.group(1))
    if base.range.expr.startswith(("previous_", "prior_", "preceding_")) and same_days(main.range, base.range):
        found = period_before(main.range, focus.setting.snapshot.calendar) if grain is not None else None
        return _compared(edge, part, "custom", found.window) if found else _compared(edge, part, "previous_period")
    return None


def _ratio_before(edge: int, part: Compared, focus: Focus, main: TimeReading, *, unit: str) -> Piece:
    """ "ratio of January 2025 to the previous month": the one before January, where that is one month."""
    calendar = focus.setting.snapshot.calendar
    found = period_before(whole_of(main.range), calendar)
    if found is None or not _is_one(main.range, TimeGranularity(unit), calendar):
        return dead(edge, "unsupported", "", f"The period is no {unit}. Name the one that it is compared with.")
    return _ratio_or(edge, part, same_part(main.range, found.window))


def _beside(
    edge: int, part: Compared, focus: Focus, main: TimeReading, other: TimeRange, *, grain: TimeGranularity | None
) -> Piece:
    """The asked period against an earlier one of its kind: the same part of it where the asked one runs."""
    calendar = focus.setting.snapshot.calendar
    asked = cut_at(main.range, elapsed_until(main.range, focus.setting))
    runs = asked.whole_end is not None
    if "ratio" not in part.calc:
        kind = _kind_of_base(main.range, other, calendar, series=grain is not None)
        if kind is not None:
            return _compared(edge, part, kind)
    name = other.expr.replace("_", " ")
    if grain is not None and other.end is not None and asked.start is not None and other.end > asked.start:
        return dead(edge, "unsupported", name, _OVERLAP.format(grain=grain.value))
    if runs and _are_alike(whole_of(asked), whole_of(other)):
        by_dates = grain is not None
        return _ratio_or(edge, part, same_part(asked, whole_of(other), by_dates=by_dates))
    if runs and _length(other) != _length(asked):
        return dead(edge, "unsupported", name, _OTHER_SIZE)
    if other.whole_end is not None or same_days(main.range, other) or _unequal(asked, other):
        return dead(edge, "unsupported", f"the comparison with {name}")
    return _ratio_or(edge, part, other)


def _ratio_or(edge: int, part: Compared, other: TimeRange) -> Piece:
    calc = ("ratio",) if "ratio" in part.calc else part.calc
    return _compared(edge, replace(part, calc=calc), "custom", other)


def _turned(edge: int, part: Compared, focus: Focus, main: TimeReading) -> Piece:
    """ "last month vs this month": the later period against the earlier one, when that is wanted."""
    base = part.base
    if base is None or base.range.start is None or main.range.start is None or base.range.start <= main.range.start:
        return dead(edge, "unsupported", "", "The period to compare with is not over. Name an earlier one.")
    change = _against(edge, replace(part, base=main), focus, base, grain=None)
    if change.dead is not None:
        return change
    own = Write(field="narrowed_range", value=base.range)
    ways = ((*change.alternatives[0], own),)
    return replace(change, alternatives=ways, slot=Slot.BASE, word=base.range.expr.replace("_", " "), open=True)


def _kind_of_base(main: TimeRange, base: TimeRange, calendar: Calendar, *, series: bool) -> str | None:
    """What the other period is to the asked one, or to the whole that this is a part of; None where it is neither.

    A year before a year is the period before; of a series each part stands a year before its own.
    """
    window, other = whole_of(main), whole_of(base)
    asked, meant = (main, base) if main.whole_end and not base.whole_end else (window, other)
    for one, two in ((window, other), (asked, meant)):
        ago, before = year_before(one, calendar), period_before(one, calendar)
        if ago is not None and same_days(ago.window, two):
            shorter = main.whole_end is not None or _length(window) < _YEAR_DAYS
            return "year_ago" if series or shorter else "previous_period"
        if before is not None and same_days(before.window, two) and not series:
            return "previous_period"
    return None


def _is_year_before(main: TimeRange, base: TimeRange, *, counted: bool) -> bool:
    """ "vs last year" beside a period shorter than a year: the calendar year before the period's own."""
    if _length(whole_of(main)) >= _YEAR_DAYS or main.start is None or base.start is None:
        return False
    if counted:
        return base.expr.endswith("_year")
    return base.expr == "last_year" and base.start == date(main.start.year - 1, 1, 1)


def _are_alike(window: TimeRange, other: TimeRange) -> bool:
    """Whether both are as many whole months, or else as many days, the other one over before the asked one begins."""
    if window.start is None or other.end is None or other.end > window.start:
        return False
    months = whole_months(window)
    return months == whole_months(other) if months else _length(window) == _length(other)


def _length(window: TimeRange) -> int:
    return (window.end - window.start).days if window.start and window.end else 0


def _unequal(main: TimeRange, base: TimeRange) -> bool:
    """Whether the windows are of different size, months and quarters counting as equal to their like."""
    mine, other = _length(main), _length(base)
    return not mine or not other or abs(mine - other) > max(3, mine // 28)
