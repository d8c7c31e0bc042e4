"""Exact percentiles where an engine has none that can be grouped: the values are numbered, and the right ones taken.

With n values and the share a / b, the interpolated percentile lies at (n - 1) · a / b places
after the first value, the discrete one is the first value at or after the place n · a / b.
Places are compared as whole numbers, so that no rounding moves them.
"""

from __future__ import annotations

from fractions import Fraction

from sqlglot import exp

from catalog.compiler.dialects.trees import (
    cast,
    column,
    is_null,
    minus,
    name,
    named,
    number,
    own_selects,
    times,
)

_ROWS = "numbered_rows"
_DOUBLE = exp.DataType.build("DOUBLE")


def share_of(percentile: exp.Expr) -> tuple[int, int]:
    """The share as numerator and denominator."""
    share = Fraction(percentile.this.this)
    return share.numerator, share.denominator


def by_places(tree: exp.Expr) -> exp.Expr:
    """Every select with percentiles, over rows that are numbered by their values."""
    for select in own_selects(tree):
        if any(_percentiles(e) for e in select.expressions):
            _rewrite(select)
    return tree


def _percentiles(tree: exp.Expr) -> list[exp.WithinGroup]:
    kinds = (exp.PercentileCont, exp.PercentileDisc)
    return [w for w in tree.find_all(exp.WithinGroup) if isinstance(w.this, kinds)]


def _rewrite(select: exp.Select) -> None:
    """The groups come first in a select and are named by their place, here as in the compiler."""
    group = select.args.get("group")
    count = len(group.expressions) if group is not None else 0
    keys = [e.this.copy() for e in select.expressions[:count]]
    inner = exp.Select(expressions=[named(k, f"key_{i}") for i, k in enumerate(keys, 1)])
    for part in ("from_", "joins", "where"):
        inner.set(part, select.args.get(part))
        select.set(part, None)
    for i, key in enumerate(select.expressions[:count], 1):
        key.set("this", column(_ROWS, f"key_{i}"))
    for value in select.expressions[count:]:
        _move(value, inner, keys)
    rows = exp.Subquery(this=inner, alias=exp.TableAlias(this=name(_ROWS)))
    select.set("from_", exp.From(this=rows))


def _move(value: exp.Expr, inner: exp.Select, keys: list[exp.Expr]) -> None:
    """What is aggregated becomes a column of the rows; a percentile brings its places with it."""
    for within in _percentiles(value):
        within.replace(_picked(within, inner, keys))
    for aggregate in list(value.find_all(exp.AggFunc)):
        for held in list(aggregate.find_all(exp.Column)):
            if held.table != _ROWS:
                held.replace(_column(held, inner))


def _column(held: exp.Expr, inner: exp.Select) -> exp.Column:
    alias = f"value_{len(inner.expressions) + 1}"
    inner.append("expressions", named(held.copy(), alias))
    return column(_ROWS, alias)


def _picked(within: exp.WithinGroup, inner: exp.Select, keys: list[exp.Expr]) -> exp.Expr:
    held = within.expression.expressions[0].this
    partition = [k.copy() for k in keys]
    order = exp.Order(expressions=[exp.Ordered(this=held.copy(), desc=False, nulls_first=False)])
    numbered = exp.Window(this=exp.RowNumber(), partition_by=partition or None, order=order)
    present = exp.Window(this=exp.Count(this=held.copy()), partition_by=[k.copy() for k in partition] or None)
    value, place, filled = (_column(v, inner) for v in (held, numbered, present))
    above, below = share_of(within.this)
    if isinstance(within.this, exp.PercentileDisc):
        return _discrete(value, place, filled, above=above, below=below)
    return _interpolated(value, place, filled, above=above, below=below)


def _discrete(value: exp.Expr, place: exp.Expr, filled: exp.Expr, *, above: int, below: int) -> exp.Expr:
    wanted = times(filled, number(above))
    reached = exp.GTE(this=times(place, number(below)), expression=wanted)
    not_before = exp.LT(this=times(minus(place.copy(), number(1)), number(below)), expression=wanted.copy())
    first = exp.EQ(this=place.copy(), expression=number(1))
    return _only(value, exp.and_(reached, exp.or_(not_before, first)))


def _interpolated(value: exp.Expr, place: exp.Expr, filled: exp.Expr, *, above: int, below: int) -> exp.Expr:
    wanted = times(minus(filled, number(1)), number(above))

    def scaled(back: int) -> exp.Expr:
        return times(minus(place.copy(), number(back)), number(below))

    lower = exp.and_(exp.LTE(this=scaled(1), expression=wanted), exp.GT(this=scaled(0), expression=wanted.copy()))
    upper = exp.and_(
        exp.GTE(this=scaled(1), expression=wanted.copy()), exp.LT(this=scaled(2), expression=wanted.copy())
    )
    low = _only(cast(value.copy(), _DOUBLE), lower)
    high = _only(cast(value.copy(), _DOUBLE), upper)
    rest = _only(minus(wanted.copy(), scaled(1)), exp.and_(lower.copy(), exp.not_(is_null(value.copy()))))
    step = exp.Div(this=cast(rest, _DOUBLE), expression=number(below), typed=False, safe=False)
    return exp.Add(
        this=low, expression=times(exp.Paren(this=exp.Sub(this=high, expression=low.copy())), exp.Paren(this=step))
    )


def _only(value: exp.Expr, condition: exp.Expr) -> exp.Expr:
    """The value of the one row of a group that meets the condition."""
    return exp.Max(this=exp.Case(ifs=[exp.If(this=condition, true=value)]))
