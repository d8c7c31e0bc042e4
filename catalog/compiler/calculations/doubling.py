"""Every period between two without a list of them: each query doubles how many there are, on any engine."""

from __future__ import annotations

from itertools import pairwise

from sqlglot import exp

from catalog.compiler.calculations.lining import cross, read_from
from catalog.compiler.calculations.setting import Timeline
from catalog.compiler.calculations.span import FIRST_NEEDED, LAST_SHOWN, PERIOD, SPAN
from catalog.compiler.calculations.steps import holds_days, later, one, times
from catalog.compiler.relation import Queries
from catalog.compiler.sql import column, named
from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.query import TimeRange
from catalog.types import TimeGranularity

PERIODS = "periods"
_TWICE, _AGAIN = "twice", "again"
_CENTURIES = {
    TimeGranularity.DAY: 17,
    TimeGranularity.WEEK: 14,
    TimeGranularity.MONTH: 12,
    TimeGranularity.QUARTER: 11,
    TimeGranularity.YEAR: 9,
}
"""How often one period has to double to cover more than 300 years."""
_LEAST_SECONDS = {
    TimeGranularity.SECOND: 1,
    TimeGranularity.MINUTE: 60,
    TimeGranularity.HOUR: 3600,
    TimeGranularity.DAY: 86_400,
    TimeGranularity.WEEK: 7 * 86_400,
    TimeGranularity.MONTH: 28 * 86_400,
    TimeGranularity.QUARTER: 90 * 86_400,
    TimeGranularity.YEAR: 365 * 86_400,
}
_MAX_PERIODS = 1_000_000


def periods_queries(timeline: Timeline, window: TimeRange | None, before: int) -> Queries:
    """The queries whose last one, `periods`, holds every period that is needed.

    A recursive query would be shorter; not every engine has one, and some end it after few steps.
    """
    doublings = _doublings(timeline.grain, window, before)
    names = [f"{PERIODS}_{2**n}" for n in range(doublings)] + [PERIODS]
    first, last = column(SPAN, FIRST_NEEDED), column(SPAN, LAST_SHOWN)
    start = read_from(SPAN).select(named(first, PERIOD), named(last, LAST_SHOWN), copy=False)
    start = start.where(exp.LTE(this=first.copy(), expression=last.copy()), copy=False)
    queries: list[tuple[str, exp.Query]] = [(_TWICE, _twice()), (names[0], start)]
    for number, (held, name) in enumerate(pairwise(names)):
        queries.append((name, _doubled(held, timeline, 2**number)))
    return tuple(queries)


def _twice() -> exp.Query:
    once, again = (exp.Select(expressions=[named(exp.Literal.number(n), _AGAIN)]) for n in (0, 1))
    return exp.Union(this=once, expression=again, distinct=False)


def _doubled(held: str, timeline: Timeline, width: int) -> exp.Select:
    """The periods held, and each again so many periods later, up to the last that is shown."""
    period, last = column(held, PERIOD), column(held, LAST_SHOWN)
    moved = later(period, times(one(timeline.grain), width))
    again = exp.EQ(this=column(_TWICE, _AGAIN), expression=exp.Literal.number(1))
    either = exp.Case(ifs=[exp.If(this=again, true=moved)], default=period)
    select = cross(read_from(held).select(named(either, PERIOD), named(last, LAST_SHOWN), copy=False), _TWICE)
    first = exp.EQ(this=column(_TWICE, _AGAIN), expression=exp.Literal.number(0))
    return select.where(exp.or_(first, exp.LTE(this=moved.copy(), expression=last.copy())), copy=False)


def _doublings(grain: TimeGranularity, window: TimeRange | None, before: int) -> int:
    if grain not in _LEAST_SECONDS:
        raise stop(IssueCode.UNSUPPORTED, f"Sums over each {grain} cannot be computed.", subject=str(grain))
    if window is None or window.start is None or window.end is None:
        if not holds_days(grain):
            raise stop(
                IssueCode.UNSUPPORTED, f"Sums over each {grain} need a period with both ends.", subject=str(grain)
            )
        return _CENTURIES[grain] + before.bit_length()
    seconds = (window.end - window.start).days * 86_400
    count = seconds // _LEAST_SECONDS[grain] + 2 + before
    if count > _MAX_PERIODS:
        raise stop(IssueCode.UNSUPPORTED, f"The window has too many {grain}s; name a shorter one.", subject=str(grain))
    return count.bit_length()
