"""Every period between two without a list of them: each query makes eight of one, on any engine."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from catalog.compiler.sql import column, cte_table, join, named, select_from
from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.query import TimeRange
from catalog.types import TimeGranularity

Queries = tuple[tuple[str, exp.Query], ...]
Later = Callable[[exp.Expr, exp.Expr, int], exp.Expr]
"""A period, a number and a width → the period that lies number x width periods later; both expressions are used up."""
PERIOD, LAST = "period", "last_shown"
"""The columns of a list: the period, and the last one that belongs to it."""
_DIGIT = "digit"
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
_BITS = 3
"""A query of the chain makes up to 2 to the power of this of one period."""


def listed(name: str, start: exp.Select, later: Later, bits: int, *, digits: str) -> Queries:
    """The queries whose last one, `name`, holds every period from the one of `start` on, up to its `last_shown`.

    `start` has one row at most; 2 to the power of `bits` periods are enough.  `digits` names the helper query.
    A recursive query would be shorter; not every engine has one, and some end it after few steps.
    """
    done = range(0, bits, _BITS)
    names = [f"{name}_{2**n}" for n in done] + [name]
    queries: list[tuple[str, exp.Query]] = [(digits, _digits(min(bits, _BITS))), (names[0], start)]
    for held, made, at in zip(names, names[1:], done, strict=False):
        queries.append((made, _multiplied(held, digits, later, (2**at, 2 ** min(_BITS, bits - at)))))
    return tuple(queries)


def _digits(bits: int) -> exp.Query:
    first, *rest = (exp.Select(expressions=[named(exp.Literal.number(n), _DIGIT)]) for n in range(2**bits))
    whole: exp.Query = first
    for one_more in rest:
        whole = exp.Union(this=whole, expression=one_more, distinct=False)
    return whole


def _multiplied(held: str, digits: str, later: Later, size: tuple[int, int]) -> exp.Select:
    """The periods held, each so many times, so many periods apart, up to the last that is shown."""
    (width, count), last = size, column(held, LAST)
    moved = later(column(held, PERIOD), column(digits, _DIGIT), width)
    select = select_from(exp.to_identifier(held, quoted=True), [join(cte_table(digits), [])])
    within: list[exp.Expr] = [exp.LTE(this=moved.copy(), expression=last.copy())]
    if count < 2**_BITS and width > 1:
        within.append(exp.LT(this=column(digits, _DIGIT), expression=exp.Literal.number(count)))
    return select.select(named(moved, PERIOD), named(last, LAST), copy=False).where(*within, copy=False)


def doublings(grain: TimeGranularity, window: TimeRange | None, before: int) -> int:
    """How often one period has to double to cover the window, and some before it; or a typed stop."""
    if grain not in _LEAST_SECONDS:
        raise stop(IssueCode.UNSUPPORTED, f"Sums over each {grain} cannot be computed.", subject=str(grain))
    if window is None or window.start is None or window.end is None:
        if grain not in _CENTURIES:
            raise stop(
                IssueCode.UNSUPPORTED, f"Sums over each {grain} need a period with both ends.", subject=str(grain)
            )
        return _CENTURIES[grain] + before.bit_length()
    seconds = (window.end - window.start).days * 86_400
    count = seconds // _LEAST_SECONDS[grain] + 2 + before
    if count > _MAX_PERIODS:
        raise stop(IssueCode.UNSUPPORTED, f"The window has too many {grain}s; name a shorter one.", subject=str(grain))
    return count.bit_length()
