"""A measure's column → its aggregate."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from sqlglot import exp

from catalog.compiler.sql import cast
from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.types import Aggregation, Measure

Make = Callable[[Measure, exp.Expr, exp.Expr | None], exp.Expr]
"""Makes the aggregate of a column over the rows that meet a condition, if there is one."""


def aggregate(measure: Measure, column: exp.Expr, *, when: exp.Expr | None = None) -> exp.Expr:
    """The aggregate of `column` that the measure declares, over the rows that meet `when`.

    The condition stands inside, as a CASE: what it keeps away is never computed, and every engine has it.
    """
    return _MAKE[measure.agg](measure, column.copy(), when)


def _only(value: exp.Expr, when: exp.Expr | None) -> exp.Expr:
    return exp.Case(ifs=[exp.If(this=when.copy(), true=value)]) if when is not None else value


def _plain(kind: type[exp.AggFunc]) -> Make:
    return lambda _, column, when: kind(this=_only(column, when))


def _count(_: Measure, column: exp.Expr, when: exp.Expr | None) -> exp.Expr:
    if not isinstance(column, exp.Literal):
        return exp.Count(this=_only(column, when))
    return exp.Count(this=exp.Star() if when is None else _only(exp.Literal.number(1), when))


def _count_distinct(_: Measure, column: exp.Expr, when: exp.Expr | None) -> exp.Expr:
    return exp.Count(this=exp.Distinct(expressions=[_only(column, when)]))


def _sum_boolean(_: Measure, column: exp.Expr, when: exp.Expr | None) -> exp.Expr:
    one = exp.Case(ifs=[exp.If(this=column, true=exp.Literal.number(1))], default=exp.Literal.number(0))
    return exp.Sum(this=_only(one, when))


def _percentile(measure: Measure, column: exp.Expr, when: exp.Expr | None) -> exp.Expr:
    share = Decimal("0.5") if measure.agg is Aggregation.MEDIAN else measure.percentile
    if share is None or not 0 <= share <= 1:
        raise stop(
            IssueCode.INVALID_CATALOG,
            f"The measure {measure.name} needs a percentile from 0 to 1.",
            subject=measure.name,
        )
    kind = exp.PercentileDisc if measure.discrete_percentile else exp.PercentileCont
    if not measure.discrete_percentile:
        # between two decimals an engine would round to their own places
        column = cast(column, exp.DType.DOUBLE)
    return exp.WithinGroup(
        this=kind(this=exp.Literal.number(str(share))),
        expression=exp.Order(expressions=[exp.Ordered(this=_only(column, when), nulls_first=False)]),
    )


_MAKE: dict[Aggregation, Make] = {
    Aggregation.SUM: _plain(exp.Sum),
    Aggregation.COUNT: _count,
    Aggregation.COUNT_DISTINCT: _count_distinct,
    Aggregation.AVERAGE: _plain(exp.Avg),
    Aggregation.MIN: _plain(exp.Min),
    Aggregation.MAX: _plain(exp.Max),
    Aggregation.MEDIAN: _percentile,
    Aggregation.PERCENTILE: _percentile,
    Aggregation.SUM_BOOLEAN: _sum_boolean,
}
