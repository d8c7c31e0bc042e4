"""A measure's column → its aggregate."""

from __future__ import annotations

from decimal import Decimal

from sqlglot import exp

from catalog.compiler.sql import cast
from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.types import Aggregation, Measure


def aggregate(measure: Measure, column: exp.Expr) -> exp.Expr:
    """The aggregate of `column` that the measure declares."""
    return _MAKE[measure.agg](measure, column.copy())


def _count(_: Measure, column: exp.Expr) -> exp.Expr:
    return exp.Count(this=exp.Star() if isinstance(column, exp.Literal) else column)


def _count_distinct(_: Measure, column: exp.Expr) -> exp.Expr:
    return exp.Count(this=exp.Distinct(expressions=[column]))


def _sum_boolean(_: Measure, column: exp.Expr) -> exp.Expr:
    one = exp.Case(ifs=[exp.If(this=column, true=exp.Literal.number(1))], default=exp.Literal.number(0))
    return exp.Sum(this=one)


def _percentile(measure: Measure, column: exp.Expr) -> exp.Expr:
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
        expression=exp.Order(expressions=[exp.Ordered(this=column, nulls_first=False)]),
    )


_MAKE = {
    Aggregation.SUM: lambda _, c: exp.Sum(this=c),
    Aggregation.COUNT: _count,
    Aggregation.COUNT_DISTINCT: _count_distinct,
    Aggregation.AVERAGE: lambda _, c: exp.Avg(this=c),
    Aggregation.MIN: lambda _, c: exp.Min(this=c),
    Aggregation.MAX: lambda _, c: exp.Max(this=c),
    Aggregation.MEDIAN: _percentile,
    Aggregation.PERCENTILE: _percentile,
    Aggregation.SUM_BOOLEAN: _sum_boolean,
}
