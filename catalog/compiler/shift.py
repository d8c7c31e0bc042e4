"""Metrics that look back: cumulative windows and offsets, only where the shift is exact."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from sqlglot import exp

from catalog.compiler.plan import Accumulation, Leaf
from catalog.compiler.stop import CannotCompile, stop
from catalog.issues import IssueCode
from catalog.query import TimeRange
from catalog.types import Calendar, TimeGranularity

_MONTHS = {TimeGranularity.MONTH: 1, TimeGranularity.QUARTER: 3, TimeGranularity.YEAR: 12}
_DAYS = {TimeGranularity.DAY: 1, TimeGranularity.WEEK: 7}


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
        check_calendar(leaf, rule.to_date, calendar)
        return TimeRange(start=_period_start(leaf, last, rule.to_date), end=end, expr="")
    if rule.granularity is None or rule.count is None:
        raise _cannot(leaf, "lacks the unit of its window")
    return TimeRange(start=_back(leaf, end, rule.count, rule.granularity), end=end, expr="")


def check_calendar(leaf: Leaf, unit: TimeGranularity, calendar: Calendar) -> None:
    """Only weeks from Monday and calendar quarters have a start here."""
    own_week = unit is TimeGranularity.WEEK and calendar.week_start != "monday"
    own_quarter = unit is TimeGranularity.QUARTER and calendar.quarter_basis != "calendar"
    if own_week or own_quarter:
        raise _cannot(leaf, f"adds up since the start of a {unit}; this workspace's {unit}s are not supported there")


def moved_range(leaf: Leaf, window: TimeRange | None) -> TimeRange | None:
    """The window as an input with an offset sees it."""
    if window is None:
        return None
    start, end = window.start, window.end
    for shift in leaf.shifts:
        start = start and _back(leaf, start, shift.count, shift.granularity)
        end = end and _back(leaf, end, shift.count, shift.granularity)
    return replace(window, start=start, end=end)


def moved_bucket(column: exp.Expr, leaf: Leaf, grain: TimeGranularity) -> exp.Expr:
    """The column moved forward, so that an earlier row falls into the bucket that looks back at it."""
    days = sum(s.count * _DAYS[s.granularity] for s in leaf.shifts if s.granularity in _DAYS)
    months = sum(s.count * _MONTHS[s.granularity] for s in leaf.shifts if s.granularity in _MONTHS)
    other = next((s.granularity for s in leaf.shifts if s.granularity not in {*_DAYS, *_MONTHS}), None)
    if other or (months and (days or grain not in _MONTHS)):
        unit = other or next(s.granularity for s in leaf.shifts if s.granularity in _MONTHS)
        raise _cannot(leaf, f"looks back by {unit}s, which have no exact {grain}")
    if days:
        return exp.Add(this=column.copy(), expression=_interval(days, "DAY"))
    if not months:
        return column
    month = exp.TimestampTrunc(this=column.copy(), unit=exp.var("MONTH"))
    return exp.Add(this=month, expression=_interval(months, "MONTH"))


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


def _period_start(leaf: Leaf, day: date, unit: TimeGranularity) -> date:
    if unit is TimeGranularity.WEEK:
        return day - timedelta(days=day.weekday())
    if unit not in _MONTHS:
        raise _cannot(leaf, f"adds up since the start of the {unit}, which is too short")
    width = _MONTHS[unit]
    return date(day.year, (day.month - 1) // width * width + 1, 1)


def _cannot(leaf: Leaf, why: str) -> CannotCompile:
    return stop(IssueCode.UNSUPPORTED, f"{leaf.name} {why}.", subject=leaf.name)
