"""Metrics that look back: cumulative windows and offsets, only where the shift is exact."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from sqlglot import exp

from catalog.compiler.plan import Accumulation, Leaf
from catalog.compiler.stop import CannotCompile, stop
from catalog.issues import IssueCode
from catalog.periods import first_day
from catalog.query import TimeRange
from catalog.types import Calendar, TimeGranularity

_MONTHS = {TimeGranularity.MONTH: 1, TimeGranularity.QUARTER: 3, TimeGranularity.YEAR: 12}
_DAYS = {TimeGranularity.DAY: 1, TimeGranularity.WEEK: 7}
_FIXED = {
    TimeGranularity.SECOND: (1, "SECOND"),
    TimeGranularity.MINUTE: (1, "MINUTE"),
    TimeGranularity.HOUR: (1, "HOUR"),
    TimeGranularity.DAY: (1, "DAY"),
    TimeGranularity.WEEK: (7, "DAY"),
}


def reach_back(leaf: Leaf, window: TimeRange | None, calendar: Calendar) -> TimeRange:
    """The window whose sum is the cumulative value at the end of the asked window."""
    rule = leaf.accumulation or Accumulation()
    end = window.end if window else None
    if rule.count is None and rule.to_date is None:
        return TimeRange(start=None, end=end, expr="")
    if end is None:
        raise _cannot(leaf, "needs the day up to which it adds up; name a period")
    last = end - timedelta(days=1)
    if rule.to_date is not None:
        return TimeRange(start=_period_start(leaf, last, rule, calendar), end=end, expr="")
    if rule.granularity is None or rule.count is None:
        raise _cannot(leaf, "lacks the unit of its window")
    return TimeRange(start=_back(leaf, end, rule.count, rule.granularity), end=end, expr="")


def moved_range(leaf: Leaf, window: TimeRange | None) -> TimeRange | None:
    """The window as an input with an offset sees it."""
    if window is None:
        return None
    start, end = window.start, window.end
    if any(not s.count or s.custom for s in leaf.shifts):
        raise _cannot(leaf, "looks at the start of a period; ask for it by period")
    for shift in leaf.shifts:
        start = start and _back(leaf, start, shift.count, shift.granularity)
        end = end and _back(leaf, end, shift.count, shift.granularity)
    return replace(window, start=start, end=end)


def moved_bucket(column: exp.Expr, leaf: Leaf, grain: TimeGranularity) -> exp.Expr | None:
    """The column moved forward, so that an earlier row falls into the bucket that looks back at it.

    None where no move is exact: a month before the 31st, or the start of a period.
    """
    fixed = [s for s in leaf.shifts if s.granularity in _FIXED]
    months = sum(s.count * _MONTHS[s.granularity] for s in leaf.shifts if s.granularity in _MONTHS)
    if any(not s.count or s.custom for s in leaf.shifts) or (months and (fixed or grain not in _MONTHS)):
        return None
    if len(fixed) + bool(months) * len(leaf.shifts) < len(leaf.shifts):
        raise _cannot(leaf, f"looks back by {leaf.shifts[0].granularity}s; that cannot be computed")
    if months:
        cut = exp.TimestampTrunc(this=column.copy(), unit=exp.var("MONTH"))
        return exp.Add(this=cut, expression=_interval(months, "MONTH"))
    for shift in fixed:
        width, unit = _FIXED[shift.granularity]
        column = exp.Add(this=column.copy(), expression=_interval(shift.count * width, unit))
    return column


def _interval(count: int, unit: str) -> exp.Interval:
    return exp.Interval(this=exp.Literal.string(str(count)), unit=exp.var(unit))


def _back(leaf: Leaf, day: date, count: int, unit: TimeGranularity) -> date:
    if unit in _DAYS:
        return day - timedelta(days=count * _DAYS[unit])
    if unit not in _MONTHS:
        raise _cannot(leaf, f"looks back by {unit}s, which whole days do not hold")
    if day.day > 28:
        raise _cannot(leaf, f"looks back by {unit}s from the {day.day}th, which not every month has")
    years, month = divmod(day.month - 1 - count * _MONTHS[unit], 12)
    return date(day.year + years, month + 1, day.day)


def _period_start(leaf: Leaf, day: date, rule: Accumulation, calendar: Calendar) -> date:
    unit = rule.to_date
    if unit is TimeGranularity.WEEK:
        if calendar.week_start is None:
            raise _cannot(leaf, "adds up since the start of a week, and the workspace has not set on which day that is")
        return first_day(day, unit, calendar)
    if unit is None or unit not in _MONTHS:
        raise _cannot(leaf, f"adds up since the start of the {unit}, which is too short")
    if unit is TimeGranularity.QUARTER and calendar.quarter_basis is None and not rule.fiscal:
        raise _cannot(leaf, "adds up since the start of a quarter, and the workspace has not set which quarters it has")
    return first_day(day, unit, calendar, fiscal=rule.fiscal)


def _cannot(leaf: Leaf, why: str) -> CannotCompile:
    return stop(IssueCode.UNSUPPORTED, f"{leaf.name} {why}.", subject=leaf.name)
