"""Every period between two without a list of them: each query makes eight of one, on any engine."""

from __future__ import annotations

from sqlglot import exp

from catalog.compiler.calculations.lining import cross, read_from
from catalog.compiler.calculations.setting import Timeline
from catalog.compiler.calculations.span import FIRST_NEEDED, LAST_SHOWN, PERIOD, SPAN
from catalog.compiler.calculations.steps import holds_days, later_by, one, times
from catalog.compiler.relation import Queries
from catalog.compiler.sql import column, named
from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.query import TimeRange
from catalog.types import TimeGranularity

PERIODS = "periods"
_DIGITS, _DIGIT = "digits", "digit"
_BITS = 3
"""A query of the chain makes up to 2 to the power of this of one period."""
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
    bits = _doublings(timeline.grain, window, before)
    done = range(0, bits, _BITS)
    names = [f"{PERIODS}_{2**n}" for n in done] + [PERIODS]
    first, last = column(SPAN, FIRST_NEEDED), column(SPAN, LAST_SHOWN)
    start = read_from(SPAN).select(named(first, PERIOD), named(last, LAST_SHOWN), copy=False)
    start = start.where(exp.LTE(this=first.copy(), expression=last.copy()), copy=False)
    queries: list[tuple[str, exp.Query]] = [(_DIGITS, _digits(min(bits, _BITS))), (names[0], start)]
    for held, name, at in zip(names, names[1:], done, strict=False):
        queries.append((name, _multiplied(held, timeline, 2**at, 2 ** min(_BITS, bits - at))))
    return tuple(queries)


def _digits(bits: int) -> exp.Query:
    first, *rest = (exp.Select(expressions=[named(exp.Literal.number(n), _DIGIT)]) for n in range(2**bits))
    whole: exp.Query = first
    for one_more in rest:
        whole = exp.Union(this=whole, expression=one_more, distinct=False)
    return whole


def _multiplied(held: str, timeline: Timeline, width: int, count: int) -> exp.Select:
    """The periods held, each `count` times, `width` periods apart, up to the last that is shown."""
    last, step = column(held, LAST_SHOWN), times(one(timeline.grain), width)
    moved = later_by(column(held, PERIOD), column(_DIGITS, _DIGIT), step)
    select = cross(read_from(held).select(named(moved, PERIOD), named(last, LAST_SHOWN), copy=False), _DIGITS)
    within: list[exp.Expr] = [exp.LTE(this=moved.copy(), expression=last.copy())]
    if count < 2**_BITS and width > 1:
        within.append(exp.LT(this=column(_DIGITS, _DIGIT), expression=exp.Literal.number(count)))
    return select.where(*within, copy=False)


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
