"""Periods of the workspace's calendar by days, and what has to be said of those of a result."""

from __future__ import annotations

from datetime import date, timedelta

from catalog.query import QuerySpec
from catalog.types import METRIC_TIME, Calendar, TimeGranularity

_MONTHS = {TimeGranularity.MONTH: 1, TimeGranularity.QUARTER: 3, TimeGranularity.YEAR: 12}
WEEK_START = {"monday": 0, "sunday": 1, "saturday": 2}
"""Days by which a week starts before the ISO Monday."""


def first_day(day: date, unit: TimeGranularity, calendar: Calendar, *, fiscal: bool = False) -> date:
    """The first day of the week, month, quarter or year in which a day lies; `fiscal`: of the fiscal one.

    A calendar that has not set its weeks or quarters has those of ISO.
    """
    if unit not in _MONTHS:
        before = WEEK_START.get(calendar.week_start or "", 0)
        return day - timedelta(days=(day.weekday() + before) % 7) if unit is TimeGranularity.WEEK else day
    is_fiscal = fiscal or (unit is TimeGranularity.QUARTER and calendar.quarter_basis == "fiscal")
    first = calendar.fiscal.start_month - 1 if is_fiscal and unit is not TimeGranularity.MONTH else 0
    back = (day.month - 1 - first) % _MONTHS[unit]
    years, month = divmod(day.month - 1 - back, 12)
    return date(day.year + years, month + 1, 1)


def period_notes(spec: QuerySpec, calendar: Calendar) -> tuple[str, ...]:
    """On which day weeks start, and which first and last period the window cuts."""
    grains = dict.fromkeys(g.granularity for g in spec.group_by if g.granularity is not None)
    told: list[str] = []
    if TimeGranularity.WEEK in grains and calendar.week_start:
        told.append(f"Weeks start on {calendar.week_start.capitalize()}; each is named by its first day.")
    on = spec.time_dimension or METRIC_TIME
    bounded = (g.granularity for g in spec.group_by if g.dimension == on and g.granularity is not None)
    for grain in dict.fromkeys(bounded):
        if grain is TimeGranularity.WEEK or grain in _MONTHS:
            told.extend(_cut(spec, grain, calendar))
    return tuple(told)


def _cut(spec: QuerySpec, grain: TimeGranularity, calendar: Calendar) -> list[str]:
    window = spec.time_range
    start, end = (window.start, window.end) if window is not None else (None, None)
    last = end - timedelta(days=1) if end is not None else None
    begins_late = start is not None and first_day(start, grain, calendar) != start
    ends_early = last is not None and end is not None and first_day(end, grain, calendar) != end
    if not begins_late and not ends_early:
        return []
    if start is not None and last is not None and first_day(start, grain, calendar) == first_day(last, grain, calendar):
        return [f"The only {grain} is not whole: it is from {start} to {last}."]
    told = [f"The first {grain} is not whole: it starts on {start}."] if begins_late else []
    return [*told, f"The last {grain} is not whole: it ends on {last}."] if ends_early else told
