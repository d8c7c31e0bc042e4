"""Spark and Databricks: exact percentiles by their standard names, times of a session in UTC."""

from __future__ import annotations

from sqlglot import exp

from catalog.compiler.dialects.times import Times
from catalog.compiler.dialects.trees import call, number, plus, text

_PARTS = {"doy": "DAYOFYEAR"}


def exact_percentiles(tree: exp.Expr) -> exp.Expr:
    """`PERCENTILE_CONT` and `PERCENTILE_DISC` as they are, not the approximate function."""
    for within in list(tree.find_all(exp.WithinGroup)):
        kind = {exp.PercentileCont: "PERCENTILE_CONT", exp.PercentileDisc: "PERCENTILE_DISC"}.get(type(within.this))
        if kind is not None:
            ordered = exp.Ordered(this=within.expression.expressions[0].this.copy(), desc=False, nulls_first=True)
            order = exp.Order(expressions=[ordered])
            within.replace(exp.WithinGroup(this=call(kind, within.this.this.copy()), expression=order))
    return tree


def _start_of(moment: exp.Expr, unit: str) -> exp.Expr:
    return call("DATE_TRUNC", text(unit), moment)


def _moved(moment: exp.Expr, count: exp.Expr, unit: str) -> exp.Expr:
    return call("TIMESTAMPADD", exp.var(unit), count, moment)


def _part(moment: exp.Expr, part: str) -> exp.Expr:
    if part == "isodow":
        return plus(call("WEEKDAY", moment), number(1))
    return call(_PARTS.get(part, part.upper()), moment)


TIMES = Times(
    label="Spark",
    moment=exp.DataType.build("TIMESTAMP"),
    day=exp.DataType.build("DATE"),
    start_of=_start_of,
    moved=_moved,
    part=_part,
)
