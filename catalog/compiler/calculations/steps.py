"""One step back in time: how far, for which size of period, and what has no counterpart there."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date, timedelta

from sqlglot import exp

from catalog.compiler.sql import cast
from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.query import TimeRange
from catalog.types import TimeGranularity

MONTHS = {TimeGranularity.MONTH: 1, TimeGranularity.QUARTER: 3, TimeGranularity.YEAR: 12}
DAYS = {TimeGranularity.DAY: 1, TimeGranularity.WEEK: 7}
_WITHIN_A_DAY = (TimeGranularity.HOUR, TimeGranularity.MINUTE, TimeGranularity.SECOND)
_SIZES = tuple(TimeGranularity)
_WEEKS_OF_A_YEAR = 52


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """`amount` units (MONTH, DAY, HOUR, MINUTE or SECOND) between two periods of `grain`.

    `may_lack`: not every day has a counterpart, as the 31st a month earlier.
    """

    amount: int
    unit: str
    grain: TimeGranularity
    may_lack: bool = False
    notes: tuple[str, ...] = ()


def step_of(count: int, granularity: TimeGranularity, grain: TimeGranularity) -> Step:
    """The step by `count` x `granularity` between periods of `grain`, only where it meets whole periods."""
    if count < 1:
        raise stop(IssueCode.WRONG_TYPE, "The number of periods to look back must be at least 1.", subject="back_count")
    if granularity in MONTHS:
        return _months(count * MONTHS[granularity], granularity, grain)
    if granularity in DAYS:
        return _days(count * DAYS[granularity], granularity, grain)
    if granularity not in _WITHIN_A_DAY or _SIZES.index(grain) > _SIZES.index(granularity):
        raise _no_whole(granularity, grain)
    return Step(amount=count, unit=granularity.value.upper(), grain=grain)


def one(grain: TimeGranularity) -> Step:
    """The step from one period to the next."""
    return step_of(1, grain, grain)


def times(step: Step, count: int) -> Step:
    """The step so many times over."""
    return replace(step, amount=step.amount * count)


def _months(months: int, granularity: TimeGranularity, grain: TimeGranularity) -> Step:
    if grain in MONTHS:
        if months % MONTHS[grain]:
            raise _no_whole(granularity, grain)
        return Step(amount=months, unit="MONTH", grain=grain)
    if grain is TimeGranularity.WEEK:
        if granularity is not TimeGranularity.YEAR:
            raise _no_whole(granularity, grain)
        weeks = months // 12 * _WEEKS_OF_A_YEAR
        return Step(amount=weeks * 7, unit="DAY", grain=grain, notes=(_weeks_note(weeks),))
    note = f"Days that the earlier {granularity} does not have, such as the 31st or 29 February, have no earlier value."
    return Step(amount=months, unit="MONTH", grain=grain, may_lack=True, notes=(note,))


def _days(days: int, granularity: TimeGranularity, grain: TimeGranularity) -> Step:
    if grain in MONTHS or (grain is TimeGranularity.WEEK and days % 7):
        raise _no_whole(granularity, grain)
    weeks = days // 7 if grain is TimeGranularity.WEEK else 0
    years = bool(weeks) and weeks % _WEEKS_OF_A_YEAR == 0
    return Step(amount=days, unit="DAY", grain=grain, notes=(_weeks_note(weeks),) if years else ())


def _weeks_note(weeks: int) -> str:
    return f"A week is compared with the one {weeks} weeks ({weeks * 7} days) earlier, so that weekdays meet."


def _no_whole(granularity: TimeGranularity, grain: TimeGranularity) -> Exception:
    message = f"A {granularity} earlier is no whole {grain}; look back by {grain}s, or group by {granularity}."
    return stop(IssueCode.UNSUPPORTED, message, subject=str(granularity))


# -- windows of days -----------------------------------------------------------------------


def moved_window(window: TimeRange | None, step: Step) -> TimeRange | None:
    """The window one step earlier; a day that the earlier month does not have becomes the next month's first."""
    if window is None:
        return None
    if step.unit not in {"MONTH", "DAY"}:
        return replace(window, start=window.start and window.start - timedelta(days=1 + step.amount // 24))
    return replace(window, start=_moved(window.start, step), end=_moved(window.end, step))


def widened_window(window: TimeRange | None, step: Step, count: int) -> TimeRange | None:
    """The window with at least `count` whole periods before it."""
    if window is None or window.start is None:
        return window
    moved = moved_window(window, times(step, count + 1))
    return replace(window, start=moved.start if moved else None)


def _moved(day: date | None, step: Step) -> date | None:
    if day is None:
        return None
    try:
        return day - timedelta(days=step.amount) if step.unit == "DAY" else _months_before(day, step.amount)
    except (ValueError, OverflowError) as far:
        raise stop(IssueCode.UNSUPPORTED, "That looks back further than dates go.", subject="back_count") from far


def _months_before(day: date, months: int) -> date:
    whole = day.year * 12 + day.month - 1 - months
    first = date(whole // 12, whole % 12 + 1, 1)
    length = monthrange(first.year, first.month)[1]
    return first + timedelta(days=min(day.day - 1, length))


# -- expressions ---------------------------------------------------------------------------


def later(value: exp.Expr, step: Step) -> exp.Expr:
    """The start of the period one step after `value`'s."""
    return _typed(exp.Add(this=value.copy(), expression=_interval(step)), step)


def later_by(value: exp.Expr, count: exp.Expr, step: Step) -> exp.Expr:
    """The start of the period so many steps after `value`'s; both are used up."""
    units = exp.Mul(this=count, expression=exp.Literal.number(step.amount)) if step.amount > 1 else count
    moved = exp.Mul(this=units, expression=_interval(replace(step, amount=1)))
    return _typed(exp.Add(this=value, expression=moved), step)


def earlier(value: exp.Expr, step: Step) -> exp.Expr:
    """The start of the period one step before `value`'s."""
    return _typed(exp.Sub(this=value.copy(), expression=_interval(step)), step)


def same_day(one_moment: exp.Expr, other: exp.Expr) -> exp.Expr:
    """Whether both lie on the same day of their months."""
    days = [exp.Extract(this=exp.var("DAY"), expression=v.copy()) for v in (one_moment, other)]
    return exp.EQ(this=days[0], expression=days[1])


def typed(value: exp.Expr, grain: TimeGranularity) -> exp.Expr:
    """A date for days and larger, else a timestamp."""
    return cast(value, exp.DType.DATE if holds_days(grain) else exp.DType.TIMESTAMP)


def holds_days(grain: TimeGranularity) -> bool:
    """Whether a period of the grain is one or more whole days."""
    return _SIZES.index(grain) >= _SIZES.index(TimeGranularity.DAY)


def _typed(value: exp.Expr, step: Step) -> exp.Expr:
    return typed(value, step.grain)


def _interval(step: Step) -> exp.Interval:
    return exp.Interval(this=exp.Literal.string(str(step.amount)), unit=exp.var(step.unit))
