"""The window that a window is compared with: the period before, the same period a year ago, as the calendar has them.

Windows are half-open and hold whole days, as everywhere.  Nothing here knows today: a
period that still runs is cut at today by whoever reads the question, and its name says so.
"""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from catalog.calculations import TimeRange
from catalog.types import Calendar, TimeGranularity

MONTHS_OF = {TimeGranularity.MONTH: 1, TimeGranularity.QUARTER: 3, TimeGranularity.YEAR: 12}
_WEEK = 7
_WEEKS_OF_YEAR = 52
START_OF_WEEK = {"monday": 0, "saturday": 5, "sunday": 6}
_SHORT = {
    "wtd": TimeGranularity.WEEK,
    "mtd": TimeGranularity.MONTH,
    "qtd": TimeGranularity.QUARTER,
    "ytd": TimeGranularity.YEAR,
}
_UNITS = {unit.value: unit for unit in _SHORT.values()}


class Alignment(StrEnum):
    """How the other window was found: WHOLE periods, the same ELAPSED days, the same WEEKDAYS, or equally many DAYS."""

    WHOLE = "whole"
    ELAPSED = "elapsed"
    WEEKDAYS = "weekdays"
    DAYS = "days"


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """The other window and how it was aligned.  `whole` is the whole period behind elapsed days, else None."""

    window: TimeRange
    alignment: Alignment
    whole: TimeRange | None = None


def period_before(window: TimeRange, calendar: Calendar) -> Earlier | None:
    """The period before, of equal kind; None where the window is open or its end comes before its start.

    Whole months stand against as many whole months before (so a quarter against a quarter,
    a leap February against January), a running period against the same elapsed days of the
    one before, and any other window against equally many days right before it.
    """
    if window.start is None or window.end is None or window.end <= window.start:
        return None
    unit = running_unit(window)
    if unit is not None:
        return _elapsed(window.start, window.end, unit)
    months = _whole_months(window.start, window.end)
    if months:
        return Earlier(
            window=_named("previous_period", _months_back(window.start, months), window.start),
            alignment=Alignment.WHOLE,
        )
    days = window.end - window.start
    whole = _is_whole_weeks(window, calendar)
    return Earlier(
        window=_named("previous_period", window.start - days, window.start),
        alignment=Alignment.WHOLE if whole else Alignment.DAYS,
    )


def year_before(window: TimeRange, calendar: Calendar) -> Earlier | None:
    """The same period a year ago; None where the window is open.

    Whole weeks stand against the same weekdays 52 weeks before, everything else against the
    same dates; 29 February stands against 28 February.
    """
    if window.start is None or window.end is None or window.end <= window.start:
        return None
    if running_unit(window) is TimeGranularity.WEEK or _is_whole_weeks(window, calendar):
        back = timedelta(weeks=_WEEKS_OF_YEAR)
        return Earlier(window=_named("year_ago", window.start - back, window.end - back), alignment=Alignment.WEEKDAYS)
    if _whole_months(window.start, window.end):
        found = _named("year_ago", _months_back(window.start, 12), _months_back(window.end, 12))
        return Earlier(window=found, alignment=Alignment.WHOLE)
    last = _months_back(window.end - timedelta(days=1), 12)
    found = _named("year_ago", _months_back(window.start, 12), last + timedelta(days=1))
    elapsed = running_unit(window) is not None
    return Earlier(window=found, alignment=Alignment.ELAPSED if elapsed else Alignment.DAYS)


def running_unit(window: TimeRange) -> TimeGranularity | None:
    """The unit of a period that is cut before its end ("mtd", "this_quarter_to_date"), or None."""
    name = window.expr
    if name in _SHORT:
        return _SHORT[name]
    for ending in ("_to_date", "_through_yesterday"):
        if name.startswith("this_") and name.endswith(ending):
            return _UNITS.get(name.removeprefix("this_").removesuffix(ending))
    return None


def _elapsed(start: date, end: date, unit: TimeGranularity) -> Earlier:
    """The same elapsed days of the period before, which ends where this one begins."""
    before = _months_back(start, MONTHS_OF[unit]) if unit in MONTHS_OF else start - timedelta(days=_WEEK)
    whole = _named(f"previous_{unit.value}", before, start)
    days = end - start
    filled = _whole_months(start, end) >= MONTHS_OF[unit] if unit in MONTHS_OF else days.days >= _WEEK
    cut = min(before + days, start)
    if filled or cut == start:
        return Earlier(window=whole, alignment=Alignment.WHOLE)
    return Earlier(
        window=_named(f"previous_{unit.value}_same_days", before, cut), alignment=Alignment.ELAPSED, whole=whole
    )


def _whole_months(start: date, end: date) -> int:
    """How many whole calendar months the window is, or 0."""
    if start.day != 1 or end.day != 1:
        return 0
    return (end.year - start.year) * 12 + end.month - start.month


def _is_whole_weeks(window: TimeRange, calendar: Calendar) -> bool:
    """Whether the window was asked for as calendar weeks: seven days that begin on a Monday by chance are none."""
    if window.start is None or window.end is None or "week" not in window.expr.lower():
        return False
    first = START_OF_WEEK.get(calendar.week_start or "monday", 0)
    return (window.end - window.start).days % _WEEK == 0 and window.start.weekday() == first


def _months_back(day: date, months: int) -> date:
    """The same date some months before, or the last day of that month where it is shorter."""
    years, month = divmod(day.month - 1 - months, 12)
    year = day.year + years
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _named(expr: str, start: date, end: date) -> TimeRange:
    return TimeRange(start=start, end=end, expr=expr)
