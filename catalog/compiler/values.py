"""A metric's value over the columns of its sides: division, missing groups and additivity."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from sqlglot import exp

from catalog.compiler.plan import COUNTS, SUMS, Formula, Leaf, Ratio, Single, Value, leaves_of, on_several_sides
from catalog.compiler.sql import cast
from catalog.expressions import linear

ColumnOf = Callable[[Leaf], exp.Expr]


def expression(value: Value, column_of: ColumnOf, *, joined: bool) -> exp.Expr:
    """The value as SQL.  `joined`: its leaves come from several sides, so that a group may lack some and is filled.

    A count without rows is 0.  Within a formula a sum without rows is 0 as well,
    provided that another part of the same formula has rows; a value of which
    nothing is there stays empty.
    """
    if isinstance(value, Single):
        return _single(value, column_of, joined=joined)
    fills = joined and on_several_sides(value)
    inner = _inner(value, column_of, joined=joined, fills=fills)
    sums = [leaf for leaf in leaves_of(value) if _fills(leaf)]
    if not fills or not sums:
        return inner
    present = [
        exp.Not(this=exp.Is(this=column_of(leaf), expression=exp.null())) for leaf in dict.fromkeys(leaves_of(value))
    ]
    return exp.Case(ifs=[exp.If(this=exp.or_(*present), true=inner)])


def fills_missing(value: Value) -> bool:
    """Whether a missing sum counts as 0 within the value."""
    return not isinstance(value, Single) and on_several_sides(value) and any(_fills(leaf) for leaf in leaves_of(value))


def fills_of(value: Value) -> tuple[Decimal | None, ...]:
    """What stands in for each leaf where it has nothing, None where nothing does."""
    if isinstance(value, Single):
        return (value.fill,)
    if isinstance(value, Ratio):
        return (*fills_of(value.numerator), *fills_of(value.denominator))
    return tuple(fill for _, inner in value.inputs for fill in fills_of(inner))


def divides(value: Value) -> bool:
    """Whether the value may be empty because it would divide by 0."""
    if isinstance(value, Single):
        return False
    if isinstance(value, Ratio):
        return True
    own = any(not isinstance(d.expression, exp.Literal) for d in value.tree.find_all(exp.Div))
    return own or any(divides(v) for _, v in value.inputs)


def additive(value: Value, *, by_time: bool, overlapping: Callable[[Leaf], bool]) -> bool:
    """Whether the rows of a result add up to the whole."""
    if isinstance(value, Ratio):
        return False
    if isinstance(value, Formula):
        inner = all(additive(v, by_time=by_time, overlapping=overlapping) for _, v in value.inputs)
        return inner and linear(value.tree)
    leaf = value.leaf
    snapshots = leaf.measure.non_additive is not None or leaf.accumulation is not None
    return leaf.measure.agg in SUMS and not (snapshots and by_time) and not overlapping(leaf)


def _fills(leaf: Leaf) -> bool:
    return leaf.measure.agg in SUMS | COUNTS and not leaf.shifts


def _single(value: Single, column_of: ColumnOf, *, joined: bool) -> exp.Expr:
    column = column_of(value.leaf)
    if value.fill is not None:
        return _or(column, exp.Literal.number(str(value.fill)))
    is_count = value.leaf.measure.agg in COUNTS and not value.leaf.shifts
    return _or(column, exp.Literal.number(0)) if joined and is_count else column


def _inner(value: Value, column_of: ColumnOf, *, joined: bool, fills: bool) -> exp.Expr:
    if isinstance(value, Single):
        found = _single(value, column_of, joined=joined)
        return _or(found, exp.Literal.number(0)) if fills and _fills(value.leaf) else found
    if isinstance(value, Ratio):
        return _divide(
            _inner(value.numerator, column_of, joined=joined, fills=fills),
            _inner(value.denominator, column_of, joined=joined, fills=fills),
        )
    made = {alias: _inner(v, column_of, joined=joined, fills=fills) for alias, v in value.inputs}
    return _filled(value.tree, made)


def _filled(tree: exp.Expr, made: dict[str, exp.Expr]) -> exp.Expr:
    def put(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Column):
            part = made[node.name].copy()
            return part if isinstance(part, exp.Column | exp.Func | exp.Paren) else exp.Paren(this=part)
        return node

    def safe(node: exp.Expr) -> exp.Expr:
        return _divide(node.this, node.expression) if isinstance(node, exp.Div) else node

    # divisions first: those of the inputs are safe already
    return tree.copy().transform(safe).transform(put)


def _divide(numerator: exp.Expr, denominator: exp.Expr) -> exp.Expr:
    """Never an integer division, and empty where the denominator is 0."""
    over = denominator
    is_safe = isinstance(over, exp.Nullif) or (isinstance(over, exp.Literal) and over.this != "0")
    if not is_safe:
        over = exp.Nullif(this=over, expression=exp.Literal.number(0))
    above = cast(numerator, exp.DType.DOUBLE)
    return exp.Div(this=above, expression=over, typed=False, safe=False)


def _or(value: exp.Expr, other: exp.Expr) -> exp.Expr:
    if isinstance(value, exp.Coalesce):
        return value
    return exp.Coalesce(this=value, expressions=[other])
