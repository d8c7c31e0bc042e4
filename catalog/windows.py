"""The window that a window is compared with: the period before, the same period a year ago, as the calendar has them.

Windows are half-open and hold whole days, as everywhere.  Nothing here knows today: a
period that still runs is cut by whoever reads the question, and a cut window knows where
its whole ends (`TimeRange.whole_end`).
"""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum

from catalog.calculations import TimeRange
from catalog.periods import MONTHS_OF, first_day
from catalog.types import Calendar, TimeGranularity

_WEEK = 7
_WEEKS_OF_YEAR = 52
_YEAR = 12


class Alignment(StrEnum):
    """How the other window was found: WHOLE periods, the same ELAPSED part, the same WEEKDAYS, or equally many DAYS."""

    WHOLE = "whole"
    ELAPSED = "elapsed"
    WEEKDAYS = "weekdays"
    DAYS = "days"


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """The other window and how it was aligned.  `whole` is the whole period behind an elapsed part, else None."""

    window: TimeRange
    alignment: Alignment
    whole: TimeRange | None = None


def whole_of(window: TimeRange) -> TimeRange:
    """The period of which the window is the elapsed part; the window itself where it is whole."""
    return replace(window, end=window.whole_end, whole_end=None) if window.whole_end else window


def cut_at(window: TimeRange, day: date) -> TimeRange:
    """The part before a day, which knows where its whole ends; the window itself where the day is not within it."""
    if window.start is None or window.end is None or not window.start < day < window.end:
        return window
    return replace(window, end=day, whole_end=window.whole_end or window.end)


def period_before(window: TimeRange, calendar: Calendar) -> Earlier | None:
    """The period before, of equal kind; None where the window is open or its end comes before its start.

    Whole months stand against as many whole months before (so a quarter against a quarter,
    a leap February against January), and any other window against equally many days right
    before it.  A cut period stands against the same part of what its whole stands against.
    """
    whole = whole_of(window)
    if whole.start is None or whole.end is None or window.end is None or window.end <= whole.start:
        return None
    months = whole_months(whole)
    start = _months_back(whole.start, months) if months else whole.start - (whole.end - whole.start)
    other = TimeRange(start=start, end=whole.start, expr="previous_period")
    alignment = Alignment.WHOLE if months or _is_whole_weeks(whole, calendar) else Alignment.DAYS
    return _beside(window, other, alignment)


def year_before(window: TimeRange, calendar: Calendar) -> Earlier | None:
    """The same period a year ago; None where the window is open.

    Whole weeks stand against the same weekdays 52 weeks before, everything else against the
    same dates; 29 February stands against 28 February.
    """
    whole = whole_of(window)
    if whole.start is None or whole.end is None or window.end is None or window.end <= whole.start:
        return None
    if is_weeks(window, calendar):
        back = timedelta(weeks=_WEEKS_OF_YEAR)
        other = TimeRange(start=whole.start - back, end=whole.end - back, expr="year_ago")
        part = same_part(window, other)
        return Earlier(window=part, alignment=Alignment.WEEKDAYS, whole=other if part != other else None)
    start = _months_back(whole.start, _YEAR)
    other = TimeRange(start=start, end=_end_back(whole, whole.end, _YEAR), expr="year_ago")
    return _beside(window, other, Alignment.WHOLE if whole_months(whole) else Alignment.DAYS, by_dates=True)


def same_part(window: TimeRange, other: TimeRange, *, by_dates: bool = False) -> TimeRange:
    """As much of another whole period as has gone by of the cut one, or all of it where it is no longer than that.

    Years, and months of the same name, keep their dates (1 January to 15 July); everything else keeps the
    number of days.  `by_dates` keeps the dates in any case, where both begin on the same day of a month.
    """
    whole = whole_of(window)
    if whole == window or window.start is None or window.end is None or other.start is None:
        return other
    months, apart = whole_months(whole), _months_apart(window.start, other.start)
    dated = bool(months) and months == whole_months(other) and (months % _YEAR == 0 or apart % _YEAR == 0)
    if dated or (by_dates and window.start.day == other.start.day):
        return cut_at(other, _end_back(window, window.end, apart))
    return cut_at(other, other.start + (window.end - window.start))


def step_between(window: TimeRange, other: TimeRange, grain: TimeGranularity) -> tuple[int, TimeGranularity] | None:
    """How far back each period of a series has its counterpart in the other window, as (count, unit).

    None where the periods of that size do not meet: weeks of two quarters, windows of unequal length.
    """
    later, earlier = whole_of(window), whole_of(other)
    if later.start is None or later.end is None or earlier.start is None or earlier.end is None:
        return None
    days = (later.start - earlier.start).days
    months = whole_months(later)
    if days > 0 and months and months == whole_months(earlier):
        return _step_of_months(_months_apart(later.start, earlier.start), grain)
    if days <= 0 or later.end - later.start != earlier.end - earlier.start or grain in MONTHS_OF:
        return None
    if grain is TimeGranularity.WEEK:
        return None if days % _WEEK else (days // _WEEK, grain)
    return days, TimeGranularity.DAY


def _step_of_months(apart: int, grain: TimeGranularity) -> tuple[int, TimeGranularity] | None:
    years = apart // _YEAR if apart % _YEAR == 0 else 0
    if grain is TimeGranularity.WEEK:
        return (years * _WEEKS_OF_YEAR, grain) if years else None
    if apart % MONTHS_OF.get(grain, 1):
        return None
    return (years, TimeGranularity.YEAR) if years else (apart, TimeGranularity.MONTH)


def moved_along(window: TimeRange, other: TimeRange, asked: TimeRange) -> TimeRange | None:
    """What stands to the asked whole window as the other stands to the window; None where that is not exact."""
    if window.start is None or window.end is None or other.start is None or other.end is None:
        return None
    if asked.start is None or asked.end is None:
        return None
    months, apart = whole_months(window), _months_apart(window.start, other.start)
    if months and months == whole_months(other) and whole_months(asked):
        if apart % _YEAR and whole_months(asked) != months:
            return None
        start, end = _months_back(asked.start, apart), _months_back(asked.end, apart)
        return TimeRange(start=start, end=end, expr="moved_along")
    days = window.start - other.start
    if months or asked.end - asked.start != window.end - window.start or window.end - other.end != days:
        return None
    return TimeRange(start=asked.start - days, end=asked.end - days, expr="moved_along")


def years_back(window: TimeRange, years: int) -> TimeRange:
    """The same dates some years before; an open window stays as it is."""
    if window.start is None or window.end is None:
        return window
    months = years * _YEAR
    end = _end_back(window, window.end, months)
    return replace(window, start=_months_back(window.start, months), end=end, whole_end=None)


def whole_months(window: TimeRange) -> int:
    """How many whole calendar months the window is, or 0."""
    start, end = window.start, window.end
    if start is None or end is None or start.day != 1 or end.day != 1:
        return 0
    return _months_apart(end, start)


def is_weeks(window: TimeRange, calendar: Calendar) -> bool:
    """Whether the window is calendar weeks, or the elapsed part of one."""
    whole = whole_of(window)
    one = whole.start is not None and whole.end == whole.start + timedelta(days=_WEEK)
    return (whole != window and one and _begins_week(whole, calendar)) or _is_whole_weeks(whole, calendar)


def _beside(window: TimeRange, other: TimeRange, alignment: Alignment, *, by_dates: bool = False) -> Earlier:
    part = same_part(window, other, by_dates=by_dates)
    if part == other:
        return Earlier(window=other, alignment=alignment)
    return Earlier(window=part, alignment=Alignment.ELAPSED, whole=other)


def _is_whole_weeks(window: TimeRange, calendar: Calendar) -> bool:
    """Whether the window was asked for as calendar weeks: seven days that begin on a Monday by chance are none."""
    if window.start is None or window.end is None or "week" not in window.expr.lower():
        return False
    return (window.end - window.start).days % _WEEK == 0 and _begins_week(window, calendar)


def _begins_week(window: TimeRange, calendar: Calendar) -> bool:
    return window.start is not None and first_day(window.start, TimeGranularity.WEEK, calendar) == window.start


def _months_apart(later: date, earlier: date) -> int:
    return (later.year - earlier.year) * _YEAR + later.month - earlier.month


def _end_back(window: TimeRange, end: date, months: int) -> date:
    """The end some months before: whole months end with their month, anything else the day after its last date."""
    if window.start is not None and window.start.day == 1 and end.day == 1:
        return _months_back(end, months)
    return _months_back(end - timedelta(days=1), months) + timedelta(days=1)


def _months_back(day: date, months: int) -> date:
    """The same date some months before, or the last day of that month where it is shorter."""
    years, month = divmod(day.month - 1 - months, _YEAR)
    year = day.year + years
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
