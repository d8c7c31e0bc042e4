"""Divisions and differences as calculations use them: never by 0, and free of the dust of binary fractions."""

from __future__ import annotations

from sqlglot import exp

from catalog.compiler.sql import cast

_PLACES = 12
_EXACT = exp.DataType.build(f"DECIMAL(38, {_PLACES})")


def quotient(above: exp.Expr, below: exp.Expr) -> exp.Expr:
    """The fraction to 12 decimal places; empty where the divisor is 0."""
    real = cast(above, exp.DType.DOUBLE)
    divisor = exp.Nullif(this=below, expression=exp.Literal.number(0))
    return rounded(exp.Div(this=real, expression=divisor, typed=False, safe=False))


def rounded(value: exp.Expr) -> exp.Expr:
    """The number that has at most 12 decimal places: -0.1 and not -0.09999999999999998.

    A number that is not below 10^15 comes from a divisor that is 0 but for the dust of
    binary fractions; it is empty, and no engine ends the query over it.
    """
    sane = exp.LT(this=exp.Abs(this=value.copy()), expression=exp.Literal.number("1000000000000000"))
    exact = exp.Cast(this=value, to=_EXACT.copy())
    return when(sane, cast(exact, exp.DType.DOUBLE))


def minus(value: exp.Expr, other: exp.Expr) -> exp.Expr:
    """The difference, exact where both are."""
    return exp.Paren(this=exp.Sub(this=value.copy(), expression=other.copy()))


def when(condition: exp.Expr, value: exp.Expr) -> exp.Expr:
    """The value where the condition holds, else nothing."""
    return exp.Case(ifs=[exp.If(this=condition, true=value)])


def is_null(value: exp.Expr) -> exp.Expr:
    """Whether there is no value."""
    return exp.Is(this=value.copy(), expression=exp.null())


def is_not_null(value: exp.Expr) -> exp.Expr:
    """Whether there is a value."""
    return exp.Not(this=is_null(value))
