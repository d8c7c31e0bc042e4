"""Buckets, windows and shifts of time, as the workspace's calendar has them."""

from __future__ import annotations

from datetime import date

from sqlglot import exp

from catalog.compiler.bindings import Binder
from catalog.compiler.sql import cast, truncated
from catalog.compiler.stop import stop
from catalog.compiler.zones import bound, local
from catalog.issues import IssueCode
from catalog.periods import WEEK_START
from catalog.query import TimeRange
from catalog.types import Calendar, Dimension, TimeGranularity

_SIZES = tuple(TimeGranularity)


def own_grain(dimension: Dimension) -> TimeGranularity:
    """The finest bucket that a time dimension has."""
    return dimension.granularity or TimeGranularity.DAY


def kept_time(column: exp.Expr, dimension: Dimension, calendar: Calendar) -> exp.Expr:
    """The time on the workspace's clock, to the step in which it is kept, as a timestamp."""
    return truncated(local(column, dimension, calendar), own_grain(dimension))


def bucket(column: exp.Expr, dimension: Dimension, grain: TimeGranularity, calendar: Calendar) -> exp.Expr:
    """The start of the bucket in which `column` lies; a date for days and larger."""
    if _SIZES.index(grain) < _SIZES.index(own_grain(dimension)):
        raise stop(
            IssueCode.GRAIN_TOO_FINE,
            f"{dimension.name} is kept by {own_grain(dimension)}; it has no {grain}.",
            subject=dimension.name,
            choices=tuple(str(g) for g in _SIZES[_SIZES.index(own_grain(dimension)) :]),
        )
    return period_start(column, grain, calendar)


def period_start(column: exp.Expr, grain: TimeGranularity, calendar: Calendar, *, fiscal: bool = False) -> exp.Expr:
    """The start of the period in which a time lies; `fiscal`: of the fiscal quarter or year."""
    if fiscal and grain in {TimeGranularity.QUARTER, TimeGranularity.YEAR}:
        return _date(_by_months(column, grain, calendar.fiscal.start_month - 1))
    if grain is TimeGranularity.WEEK:
        return _date(_week(column, calendar))
    if grain is TimeGranularity.QUARTER:
        return _date(_quarter(column, calendar))
    start = _trunc(column, grain)
    return _date(start) if _SIZES.index(grain) >= _SIZES.index(TimeGranularity.DAY) else start


def _week(column: exp.Expr, calendar: Calendar) -> exp.Expr:
    if calendar.week_start is None or calendar.week_start not in WEEK_START:
        raise stop(IssueCode.UNSUPPORTED, "The workspace has not set on which day a week starts.", subject="week_start")
    days = WEEK_START[calendar.week_start]
    if not days:
        return _trunc(column, TimeGranularity.WEEK)
    return _shift(_trunc(_shift(column, days, "DAY"), TimeGranularity.WEEK), -days, "DAY")


def _quarter(column: exp.Expr, calendar: Calendar) -> exp.Expr:
    if calendar.quarter_basis is None:
        raise stop(
            IssueCode.UNSUPPORTED,
            "The workspace has not set whether quarters follow the calendar or the fiscal year.",
            subject="quarter_basis",
        )
    months = calendar.fiscal.start_month - 1 if calendar.quarter_basis == "fiscal" else 0
    return _by_months(column, TimeGranularity.QUARTER, months)


def _by_months(column: exp.Expr, grain: TimeGranularity, months: int) -> exp.Expr:
    """The start of the period where quarters and years start `months` after those of the calendar."""
    months %= 3 if grain is TimeGranularity.QUARTER else 12
    if not months:
        return _trunc(column, grain)
    # months are cut off first: a month less from the 31st would land in the wrong month
    moved = _shift(_trunc(column, TimeGranularity.MONTH), -months, "MONTH")
    return _shift(_trunc(moved, grain), months, "MONTH")


def within(
    column: exp.Expr,
    window: TimeRange,
    bindings: Binder,
    *,
    dimension: Dimension | None = None,
    calendar: Calendar | None = None,
) -> list[exp.Expr]:
    """The conditions of a half-open window: from its start on, before its end.

    With `dimension` and `calendar` the column is as it is stored; without, it shows the workspace's wall clock.
    """

    def bind(day: date) -> exp.Expr:
        return bound(day, dimension, calendar, bindings) if dimension and calendar else bindings.bind(day)

    found: list[exp.Expr] = []
    if window.start is not None:
        found.append(exp.GTE(this=column.copy(), expression=bind(window.start)))
    if window.end is not None:
        found.append(exp.LT(this=column.copy(), expression=bind(window.end)))
    return found


def _trunc(column: exp.Expr, grain: TimeGranularity) -> exp.Expr:
    return exp.TimestampTrunc(this=column.copy(), unit=exp.var(grain.value.upper()))


def _date(value: exp.Expr) -> exp.Expr:
    return cast(value, exp.DType.DATE)


def _shift(value: exp.Expr, count: int, unit: str) -> exp.Expr:
    amount = exp.Interval(this=exp.Literal.string(str(abs(count))), unit=exp.var(unit))
    kind = exp.Add if count >= 0 else exp.Sub
    return kind(this=value.copy() if isinstance(value, exp.Column) else value, expression=amount)
