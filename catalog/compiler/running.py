"""Values that belong to a period but are made from other days: running values, and looks back that no bucket holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from catalog.compiler.bindings import Bindings
from catalog.compiler.measures import aggregate
from catalog.compiler.plan import SUMS, Accumulation, Leaf
from catalog.compiler.scans import Kept, aggregates
from catalog.compiler.sql import cast, column, grouped, named
from catalog.compiler.stop import stop
from catalog.compiler.time import period_start
from catalog.issues import IssueCode
from catalog.query import TimeRange
from catalog.types import Calendar, PeriodAggregation, TimeGranularity

_DAY, _SINCE, _UNTIL = "day", "since", "until"
_SIZES = tuple(TimeGranularity)
_BY_MONTHS = {TimeGranularity.MONTH, TimeGranularity.QUARTER, TimeGranularity.YEAR}
_WIDTH = {
    TimeGranularity.WEEK: (7, TimeGranularity.DAY),
    TimeGranularity.QUARTER: (3, TimeGranularity.MONTH),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Spans:
    """Which periods are asked for, and what the leaf adds up or looks back at in each of them.

    `base` is the smallest step in which days are told apart: a day, or less where less is asked for.
    """

    alias: str
    grain: TimeGranularity
    leaf: Leaf
    window: TimeRange | None
    calendar: Calendar

    @property
    def base(self) -> TimeGranularity:
        """A day, or the period itself where it is shorter."""
        return min(self.grain, TimeGranularity.DAY, key=_SIZES.index)


def moment(value: exp.Expr, base: TimeGranularity) -> exp.Expr:
    """The day, or the shorter step, in which a time lies."""
    cut = exp.TimestampTrunc(this=value.copy(), unit=exp.var(base.value.upper()))
    return cast(cut, exp.DType.DATE) if base is TimeGranularity.DAY else cut


def moments_query(table: exp.Select, time: exp.Expr, spans: Spans) -> exp.Query:
    """Every moment at which the table has rows, whatever else is asked; and those that look back at one."""
    present = exp.Not(this=exp.Is(this=time.copy(), expression=exp.null()))
    found = table.select(named(moment(time, spans.base), _DAY), copy=False).distinct(copy=False)
    held = found.where(present, copy=False)
    counted = tuple(s for s in spans.leaf.shifts if s.count)
    if not counted:
        return held
    later: exp.Expr = moment(time, spans.base)
    for shift in counted:
        later = after(later, shift.count, shift.granularity)
    if spans.base is TimeGranularity.DAY:
        later = cast(later, exp.DType.DATE)
    seen = held.copy().select(named(later, _DAY), append=False, copy=False)
    return exp.Union(this=held, expression=seen, distinct=True)


def spans_query(moments: str, spans: Spans, bindings: Bindings) -> exp.Select:
    """Each period of the window once, with the moments that count towards it: from `since` on, before `until`."""
    day = column(moments, _DAY)
    start = period_start(day, spans.grain, spans.calendar)
    since, until = _reach(spans, moments, start, bindings)
    found = exp.Select().from_(exp.to_identifier(moments, quoted=True))
    columns = [named(start, spans.alias), named(_as(until, spans), _UNTIL)]
    if since is not None:
        columns.append(named(_as(since, spans), _SINCE))
    conditions: list[exp.Expr] = []
    if spans.window is not None and spans.window.start is not None:
        conditions.append(exp.GTE(this=day.copy(), expression=bindings.bind(spans.window.start)))
    if spans.window is not None and spans.window.end is not None:
        conditions.append(exp.LT(this=day.copy(), expression=bindings.bind(spans.window.end)))
    found = found.select(*columns, copy=False).distinct(copy=False)
    return found.where(*conditions, copy=False) if conditions else found


def meets(spans: Spans, rows: str, periods: str) -> exp.Expr:
    """Which rows count towards a period."""
    day = column(rows, _DAY)
    tests: list[exp.Expr] = [exp.LT(this=day, expression=column(periods, _UNTIL))]
    if _is_bounded(spans.leaf):
        tests.append(exp.GTE(this=day.copy(), expression=column(periods, _SINCE)))
    return exp.and_(*tests)


def daily(
    rows: str, select: exp.Select, groups: Sequence[exp.Alias], kept: Sequence[Kept]
) -> tuple[exp.Select, list[exp.Expr]]:
    """The rows by day as `rows`, and the aggregates over them: parts that add up are added up by day first."""
    if all(k.leaf.measure.agg in SUMS for k in kept):
        made = grouped(select, groups, aggregates(kept, grouped=True))
        return made, [named(exp.Sum(this=column(rows, k.name)), k.name) for k in kept]
    made = select.select(*groups, *(named(k.column, k.name) for k in kept), copy=False)
    return made, [named(aggregate(k.leaf.measure, column(rows, k.name)), k.name) for k in kept]


def check_spans(spans: Spans) -> None:
    """What no span can hold."""
    leaf, rule = spans.leaf, spans.leaf.accumulation
    if any(s.custom for s in leaf.shifts):
        raise _cannot(leaf, "looks back by a period of a time spine, which this catalog does not have")
    months = next((s.granularity for s in leaf.shifts if s.count and s.granularity in _BY_MONTHS), None)
    if months is not None and spans.grain is not spans.base and spans.grain not in _BY_MONTHS:
        raise _cannot(leaf, f"looks back by {months}s, which have no exact {spans.grain}")
    if leaf.measure.non_additive is not None:
        raise _cannot(leaf, "is a balance; it cannot be added up or looked at from other days")
    if rule is not None and rule.granularity is not None and _is_finer(rule.granularity, spans.base):
        raise _cannot(leaf, f"adds up over {rule.granularity}s; ask for it by {rule.granularity}")


def _is_finer(some: TimeGranularity, other: TimeGranularity) -> bool:
    return _SIZES.index(some) < _SIZES.index(other)


def _is_bounded(leaf: Leaf) -> bool:
    rule = leaf.accumulation
    return rule is None or rule.count is not None or rule.to_date is not None


def _reach(spans: Spans, moments: str, start: exp.Expr, bindings: Bindings) -> tuple[exp.Expr | None, exp.Expr]:
    """The first moment that counts (None: all before) and the one after the last."""
    shifts = spans.leaf.shifts
    is_fresh = bool(shifts) and (spans.grain is spans.base or any(not s.count for s in shifts))
    since, until = start, start if is_fresh else _end(spans, moments, start, bindings)
    for shift in shifts:
        if not shift.count:
            since = period_start(since, shift.granularity, spans.calendar)
        else:
            since = before(since, shift.count, shift.granularity)
            until = before(until, shift.count, shift.granularity)
    if is_fresh:
        until = after(since, 1, spans.base)
    rule = spans.leaf.accumulation
    if rule is None:
        return since, until
    return _since(rule, until, spans), until


def _since(rule: Accumulation, until: exp.Expr, spans: Spans) -> exp.Expr | None:
    if rule.count is not None and rule.granularity is not None:
        return before(until, rule.count, rule.granularity)
    if rule.to_date is None:
        return None
    last = before(until, 1, spans.base)
    return period_start(last, rule.to_date, spans.calendar, fiscal=rule.fiscal)


def _end(spans: Spans, moments: str, start: exp.Expr, bindings: Bindings) -> exp.Expr:
    """The end of a period: its own, that of the data, or that of the window, whichever is first."""
    rule = spans.leaf.accumulation
    is_first = rule is not None and rule.period_agg is PeriodAggregation.FIRST
    ends: list[exp.Expr] = [after(start, 1, spans.base if is_first else spans.grain)]
    if rule is not None:
        latest = exp.Select(expressions=[exp.Max(this=column(moments, _DAY))])
        latest = latest.from_(exp.to_identifier(moments, quoted=True))
        ends.append(after(exp.Subquery(this=latest), 1, spans.base))
    if spans.window is not None and spans.window.end is not None:
        ends.append(cast(bindings.bind(spans.window.end), exp.DType.DATE))
    if len(ends) == 1:
        return ends[0]
    return exp.Least(this=ends[0], expressions=ends[1:], ignore_nulls=True)


def _as(value: exp.Expr, spans: Spans) -> exp.Expr:
    return cast(value.copy(), exp.DType.DATE if spans.base is TimeGranularity.DAY else exp.DType.TIMESTAMP)


def after(value: exp.Expr, count: int, unit: TimeGranularity) -> exp.Expr:
    """The time `count` periods later."""
    return exp.Add(this=_operand(value), expression=_interval(count, unit))


def before(value: exp.Expr, count: int, unit: TimeGranularity) -> exp.Expr:
    """The time `count` periods earlier."""
    return exp.Sub(this=_operand(value), expression=_interval(count, unit))


def _operand(value: exp.Expr) -> exp.Expr:
    return exp.paren(value, copy=True) if isinstance(value, exp.Binary) else value.copy()


def _interval(count: int, unit: TimeGranularity) -> exp.Interval:
    width, step = _WIDTH.get(unit, (1, unit))
    return exp.Interval(this=exp.Literal.string(str(count * width)), unit=exp.var(step.value.upper()))


def _cannot(leaf: Leaf, why: str) -> Exception:
    return stop(IssueCode.UNSUPPORTED, f"{leaf.name} {why}.", subject=leaf.name)
