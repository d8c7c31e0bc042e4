"""A running value that stands for a longer period by its mean over the period's days, those without rows included."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from catalog.compiler.bindings import Bindings
from catalog.compiler.listing import LAST, PERIOD, doublings, listed
from catalog.compiler.plan import COUNTS, SUMS, Leaf
from catalog.compiler.running import Spans, before, meets, spans_query
from catalog.compiler.sql import cast, column, cte_table, grouped, join, named, select_from
from catalog.compiler.time import period_start, within
from catalog.types import PeriodAggregation, TimeGranularity

Queries = tuple[tuple[str, exp.Query], ...]
_DAY, _DAYS = "day", "days"


def averages(spans: Spans) -> bool:
    """Whether a period shows the mean of its days."""
    rule = spans.leaf.accumulation
    return rule is not None and rule.period_agg is PeriodAggregation.AVERAGE and spans.grain is not spans.base


def averaged(
    name: str,
    spans: Spans,
    moments: str,
    *,
    rows: str,
    groups: Sequence[str],
    leaves: Sequence[tuple[Leaf, exp.Expr]],
    bindings: Bindings,
) -> Queries:
    """The queries whose last one, `name`, has each period that has rows with the mean over its days.

    `moments` lists the days that have rows, `rows` has the rows by day; each of `leaves` is aggregated by its alias.
    A day on which nothing counts is 0 for a sum or a count, so that the means of groups add up, and left out else.
    """
    all_days, daily, lengths = (f"{name}_{part}" for part in ("all_days", "by_day", "lengths"))
    by_day = replace(spans, alias=_DAY, grain=TimeGranularity.DAY)
    held = f"{name}_periods"
    return (
        *listed(f"{name}_days_from", _first(moments, spans, bindings), _days_later, _bits(spans),
                digits=f"{name}_digits"),
        (all_days, _renamed(f"{name}_days_from")),
        (held, spans_query(all_days, by_day, bindings)),
        (daily, _daily(by_day, rows, held, groups=groups, values=[a for _, a in leaves])),
        (lengths, _lengths(spans, moments, all_days, bindings)),
        (name, _means(spans, daily, lengths, groups=groups, leaves=leaves)),
    )  # fmt: skip


def _days_later(day: exp.Expr, count: exp.Expr, width: int) -> exp.Expr:
    days = exp.Mul(this=count, expression=exp.Literal.number(width)) if width > 1 else count
    one = exp.Interval(this=exp.Literal.string("1"), unit=exp.var("DAY"))
    return cast(exp.Add(this=day, expression=exp.Mul(this=days, expression=one)), exp.DType.DATE)


def _bits(spans: Spans) -> int:
    return doublings(TimeGranularity.DAY, spans.window, 0)


def _first(moments: str, spans: Spans, bindings: Bindings) -> exp.Select:
    """The first day of the data and the window, and the last of both."""
    day = column(moments, _DAY)
    first: exp.Expr = exp.Min(this=day)
    last: exp.Expr = exp.Max(this=day.copy())
    window = spans.window
    if window is not None and window.start is not None:
        start = cast(bindings.bind(window.start), exp.DType.DATE)
        first = exp.Greatest(this=first, expressions=[start], ignore_nulls=True)
    if window is not None and window.end is not None:
        end = cast(before(cast(bindings.bind(window.end), exp.DType.DATE), 1, spans.base), exp.DType.DATE)
        last = exp.Least(this=last, expressions=[end], ignore_nulls=True)
    ends = select_from(cte_table(moments)).select(named(first, PERIOD), named(last, LAST), copy=False)
    return ends.having(exp.LTE(this=first.copy(), expression=last.copy()), copy=False)


def _renamed(listed_days: str) -> exp.Select:
    return select_from(cte_table(listed_days)).select(named(column(listed_days, PERIOD), _DAY), copy=False)


def _daily(spans: Spans, rows: str, held: str, *, groups: Sequence[str], values: Sequence[exp.Expr]) -> exp.Select:
    """Each day with the value of what counts towards it."""
    joined = select_from(cte_table(held), [join(cte_table(rows), [meets(spans, rows, held)], side="INNER")])
    return grouped(joined, [named(column(held, _DAY), _DAY), *(named(column(rows, g), g) for g in groups)], values)


def _lengths(spans: Spans, moments: str, all_days: str, bindings: Bindings) -> exp.Select:
    """Each period that has rows with the number of its days."""
    start = period_start(column(all_days, _DAY), spans.grain, spans.calendar)
    present = select_from(cte_table(moments)).select(
        period_start(column(moments, _DAY), spans.grain, spans.calendar), copy=False
    )
    if spans.window is not None:
        inside = within(column(moments, _DAY), spans.window, bindings)
        present = present.where(*inside, copy=False) if inside else present
    has_rows = exp.In(this=start.copy(), query=exp.Subquery(this=present))
    counted = select_from(cte_table(all_days)).where(has_rows, copy=False)
    return grouped(counted, [named(start, spans.alias)], [named(exp.Count(this=exp.Star()), _DAYS)])


def _means(
    spans: Spans, daily: str, lengths: str, *, groups: Sequence[str], leaves: Sequence[tuple[Leaf, exp.Expr]]
) -> exp.Select:
    start, period = period_start(column(daily, _DAY), spans.grain, spans.calendar), column(lengths, spans.alias)
    side = "INNER" if groups else "LEFT"
    made = select_from(cte_table(lengths), [join(cte_table(daily), [exp.EQ(this=start, expression=period)], side=side)])
    keys = [named(period.copy(), spans.alias), *(named(column(daily, g), g) for g in groups)]
    return grouped(made, keys, [named(_mean(leaf, daily, lengths, a.alias), a.alias) for leaf, a in leaves])


def _mean(leaf: Leaf, daily: str, lengths: str, name: str) -> exp.Expr:
    value = cast(column(daily, name), exp.DType.DOUBLE)
    if leaf.measure.agg not in SUMS | COUNTS:
        return exp.Avg(this=value)
    days = exp.Max(this=column(lengths, _DAYS))
    return exp.Div(this=exp.Sum(this=value), expression=days, typed=False, safe=False)
