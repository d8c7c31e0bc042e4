"""A cumulative metric by period: its value at the end of each period, also where the period itself has no rows."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from catalog.compiler.bindings import Bindings
from catalog.compiler.plan import Accumulation, Leaf
from catalog.compiler.shift import check_calendar
from catalog.compiler.stop import stop
from catalog.compiler.time import bucket
from catalog.issues import IssueCode
from catalog.query import TimeRange
from catalog.types import Calendar, Dimension, DimensionType, TimeGranularity

_DAY, _END = "day", "period_end"
_WIDTH = {
    TimeGranularity.DAY: ("1", "DAY"),
    TimeGranularity.WEEK: ("7", "DAY"),
    TimeGranularity.MONTH: ("1", "MONTH"),
    TimeGranularity.QUARTER: ("3", "MONTH"),
    TimeGranularity.YEAR: ("1", "YEAR"),
}
_WINDOW_DAYS = {TimeGranularity.DAY: 1, TimeGranularity.WEEK: 7}
_PLAIN_DAY = Dimension(name=_DAY, type=DimensionType.TIME, expr=_DAY, granularity=TimeGranularity.DAY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Periods:
    """Which periods are asked for: their column, size and the window that they lie in."""

    alias: str
    grain: TimeGranularity
    window: TimeRange | None
    calendar: Calendar


def day_of(column: exp.Expr) -> exp.Expr:
    """The day in which a time lies."""
    cut = exp.TimestampTrunc(this=column.copy(), unit=exp.var("DAY"))
    return exp.Cast(this=cut, to=exp.DataType.build("DATE"))


def days_query(table: exp.Select, column: exp.Expr) -> exp.Select:
    """Every day on which the table has rows, whatever else is asked."""
    present = exp.Not(this=exp.Is(this=column.copy(), expression=exp.null()))
    return table.select(_as(day_of(column), _DAY), copy=False).distinct(copy=False).where(present, copy=False)


def periods_query(days: str, asked: Periods, bindings: Bindings) -> exp.Select:
    """Each period of the window with the moment up to which it adds up: its end, or that of the data or the window."""
    day = _column(days, _DAY)
    start = bucket(day, _PLAIN_DAY, asked.grain, asked.calendar)
    amount, unit = _WIDTH[asked.grain]
    ends = [exp.Add(this=start.copy(), expression=_interval(amount, unit)), _after_the_last(days)]
    conditions: list[exp.Expr] = []
    if asked.window is not None and asked.window.start is not None:
        conditions.append(exp.GTE(this=day.copy(), expression=bindings.bind(asked.window.start)))
    if asked.window is not None and asked.window.end is not None:
        conditions.append(exp.LT(this=day.copy(), expression=bindings.bind(asked.window.end)))
        ends.append(exp.Cast(this=bindings.bind(asked.window.end), to=exp.DataType.build("DATE")))
    first = exp.Cast(
        this=exp.Least(this=ends[0], expressions=ends[1:], ignore_nulls=True), to=exp.DataType.build("DATE")
    )
    found = exp.Select().from_(exp.to_identifier(days, quoted=True))
    found = found.select(_as(start, asked.alias), _as(first, _END), copy=False).distinct(copy=False)
    return found.where(*conditions, copy=False) if conditions else found


def _after_the_last(days: str) -> exp.Expr:
    latest = exp.Select(expressions=[exp.Max(this=_column(days, _DAY))]).from_(exp.to_identifier(days, quoted=True))
    return exp.Add(this=exp.Subquery(this=latest), expression=_interval("1", "DAY"))


def reach(leaf: Leaf, rows: str, periods: str, calendar: Calendar) -> exp.Expr:
    """Which days count towards a period."""
    rule = leaf.accumulation or Accumulation()
    day, end = _column(rows, _DAY), _column(periods, _END)
    tests: list[exp.Expr] = [exp.LT(this=day, expression=end)]
    if rule.count is not None:
        if rule.granularity not in _WINDOW_DAYS:
            raise _cannot(leaf, "has a window of months; by period that is not exact")
        width = _interval(str(rule.count * _WINDOW_DAYS[rule.granularity]), "DAY")
        tests.append(exp.GTE(this=day.copy(), expression=exp.Sub(this=end.copy(), expression=width)))
    if rule.to_date is not None:
        check_calendar(leaf, rule.to_date, calendar)
        last = exp.Sub(this=end.copy(), expression=_interval("1", "DAY"))
        since = exp.TimestampTrunc(this=exp.Paren(this=last), unit=exp.var(rule.to_date.value.upper()))
        tests.append(exp.GTE(this=day.copy(), expression=since))
    return exp.and_(*tests)


def check_grain(leaf: Leaf, grain: TimeGranularity) -> None:
    """Only whole days and larger have an end of their own here."""
    if grain not in _WIDTH:
        raise _cannot(leaf, f"cannot be added up by {grain}")


def _cannot(leaf: Leaf, why: str) -> Exception:
    return stop(IssueCode.UNSUPPORTED, f"{leaf.name} {why}.", subject=leaf.name)


def _interval(amount: str, unit: str) -> exp.Interval:
    return exp.Interval(this=exp.Literal.string(amount), unit=exp.var(unit))


def _column(table: str, name: str) -> exp.Column:
    return exp.Column(this=exp.to_identifier(name, quoted=True), table=exp.to_identifier(table, quoted=True))


def _as(value: exp.Expr, name: str) -> exp.Alias:
    return exp.Alias(this=value, alias=exp.to_identifier(name, quoted=True))
