"""What has to be said of the periods of a result."""

from __future__ import annotations

from datetime import timedelta

from catalog.periods import MONTHS_OF, cut_ends, first_day
from catalog.query import QuerySpec
from catalog.timeparts import PART_WORDS
from catalog.types import METRIC_TIME, Calendar, DatePart, TimeGranularity

_RECURRING = frozenset(DatePart) - {
    DatePart.YEAR,
    DatePart.FISCAL_YEAR,
    DatePart.FISCAL_QUARTER,
    DatePart.FISCAL_MONTH,
}


def period_notes(spec: QuerySpec, calendar: Calendar) -> tuple[str, ...]:
    """On which day weeks start, which first and last period the window cuts, and what comes back several times."""
    grains = dict.fromkeys(g.granularity for g in spec.group_by if g.granularity is not None)
    told: list[str] = []
    if TimeGranularity.WEEK in grains and calendar.week_start:
        told.append(f"Weeks start on {calendar.week_start.capitalize()}; each is named by its first day.")
    if (
        TimeGranularity.QUARTER in grains
        and calendar.quarter_basis == "fiscal"
        and calendar.fiscal.start_month % 3 == 1
    ):
        told.append("Quarters are named by the calendar, whichever quarter of the fiscal year they are.")
    on = spec.time_dimension or METRIC_TIME
    bounded = (g.granularity for g in spec.group_by if g.dimension == on and g.granularity is not None)
    for grain in dict.fromkeys(bounded):
        if grain is TimeGranularity.WEEK or grain in MONTHS_OF:
            told.extend(_cut(spec, grain, calendar))
    parts = dict.fromkeys(g.part for g in spec.group_by if g.part in _RECURRING)
    told.extend(f"Each {PART_WORDS[p]} stands for all of them in the period, however many there are." for p in parts)
    return tuple(told)


def _cut(spec: QuerySpec, grain: TimeGranularity, calendar: Calendar) -> list[str]:
    window = spec.time_range
    if window is None:
        return []
    start, end = window.start, window.end
    last = end - timedelta(days=1) if end is not None else None
    begins_late, ends_early = cut_ends(window, grain, calendar)
    if not begins_late and not ends_early:
        return []
    if start is not None and last is not None and first_day(start, grain, calendar) == first_day(last, grain, calendar):
        return [f"The only {grain} is not whole: it is from {start} to {last}."]
    told = [f"The first {grain} is not whole: it starts on {start}."] if begins_late else []
    return [*told, f"The last {grain} is not whole: it ends on {last}."] if ends_early else told
