"""Where the periods of the workspace's calendar begin: the one place that knows its weeks and fiscal quarters."""

from __future__ import annotations

from datetime import date, timedelta

from catalog.calculations import TimeRange
from catalog.types import Calendar, TimeGranularity

MONTHS_OF = {TimeGranularity.MONTH: 1, TimeGranularity.QUARTER: 3, TimeGranularity.YEAR: 12}
WEEK_START = {"monday": 0, "sunday": 1, "saturday": 2}
"""Days by which a week starts before the ISO Monday."""


def first_day(day: date, unit: TimeGranularity, calendar: Calendar, *, fiscal: bool = False) -> date:
    """The first day of the week, month, quarter or year in which a day lies; `fiscal`: of the fiscal one.

    A calendar that has not set its weeks or quarters has those of ISO.
    """
    if unit not in MONTHS_OF:
        before = WEEK_START.get(calendar.week_start or "", 0)
        return day - timedelta(days=(day.weekday() + before) % 7) if unit is TimeGranularity.WEEK else day
    is_fiscal = fiscal or (unit is TimeGranularity.QUARTER and calendar.quarter_basis == "fiscal")
    first = calendar.fiscal.start_month - 1 if is_fiscal and unit is not TimeGranularity.MONTH else 0
    back = (day.month - 1 - first) % MONTHS_OF[unit]
    years, month = divmod(day.month - 1 - back, 12)
    return date(day.year + years, month + 1, 1)


def month_later(day: date, months: int = 1) -> date:
    """The first day of the month that many months after the one in which the day lies; before it where negative."""
    years, month = divmod(day.month - 1 + months, 12)
    return date(day.year + years, month + 1, 1)


def next_first_day(start: date, unit: TimeGranularity) -> date:
    """The first day of the period after the one that begins on `start`."""
    if unit in MONTHS_OF:
        return month_later(start, MONTHS_OF[unit])
    return start + timedelta(days=7 if unit is TimeGranularity.WEEK else 1)


def elapsed_end(calendar: Calendar, today: date) -> date:
    """The first day that what runs up to now does not hold any more: tomorrow, or today where the calendar says so."""
    return today + timedelta(days=1) if calendar.to_date_includes_today else today


def cut_ends(window: TimeRange, unit: TimeGranularity, calendar: Calendar) -> tuple[bool, bool]:
    """Whether the window begins within a period of that size, and whether it ends within one."""
    start, end = window.start, window.end
    late = start is not None and first_day(start, unit, calendar) != start
    return late, end is not None and first_day(end, unit, calendar) != end
