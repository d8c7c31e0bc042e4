"""Divisions and averages that are never cut to whole numbers or to a few decimals."""

from __future__ import annotations

from sqlglot import exp

from catalog.compiler.dialects.trees import cast

_DOUBLE = exp.DataType.build("DOUBLE")


def double_divisions(tree: exp.Expr) -> exp.Expr:
    """Every division is one of floating-point numbers, and NULL where it would divide by 0."""
    for division in list(tree.find_all(exp.Div)):
        over = division.expression
        if not _is_safe(over):
            division.set("expression", exp.Nullif(this=over, expression=exp.Literal.number(0)))
        above = division.this
        division.set("this", above if isinstance(above, exp.Cast) else cast(above, _DOUBLE))
        division.set("typed", False)
        division.set("safe", False)
    return tree


def double_averages(tree: exp.Expr) -> exp.Expr:
    """Every average is one of floating-point numbers: some engines cut it to the decimals of the column."""
    for average in list(tree.find_all(exp.Avg)):
        average.set("this", cast(average.this, _DOUBLE))
    return tree


def _is_safe(over: exp.Expr) -> bool:
    """Whether the denominator is never 0."""
    value = over.this if isinstance(over, exp.Cast | exp.Paren) else over
    is_number = isinstance(value, exp.Literal) and value.is_number
    return isinstance(value, exp.Nullif) or (is_number and float(value.this) != 0)
