"""A condition over fields of other datasets → filters, which join many to one before anything is counted."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal

from sqlglot import exp

from catalog.importers.given import BadPart
from catalog.types import Filter, Operator, Scalar

_COMPARISONS: dict[type[exp.Expr], Operator] = {
    exp.EQ: Operator.EQ,
    exp.NEQ: Operator.NE,
    exp.GT: Operator.GT,
    exp.GTE: Operator.GE,
    exp.LT: Operator.LT,
    exp.LTE: Operator.LE,
}
_NEGATED = {Operator.IN: Operator.NOT_IN, Operator.IS_NULL: Operator.IS_NOT_NULL}


def conditions_of(tree: exp.Expr, dataset_of: Callable[[exp.Column], str]) -> tuple[Filter, ...]:
    """The filters that a condition joins by AND; a reason why not, where it says anything else."""
    tree = _bare(tree)
    if isinstance(tree, exp.And):
        return (*conditions_of(tree.this, dataset_of), *conditions_of(tree.expression, dataset_of))
    return (_filter(tree, dataset_of),)


def _bare(tree: exp.Expr) -> exp.Expr:
    while isinstance(tree, exp.Paren):
        tree = tree.this
    return tree


def _filter(tree: exp.Expr, dataset_of: Callable[[exp.Column], str]) -> Filter:
    if isinstance(tree, exp.Not):
        inner = _filter(_bare(tree.this), dataset_of)
        if inner.op in _NEGATED:
            return Filter(field=inner.field, op=_NEGATED[inner.op], values=inner.values)
        raise _odd(tree)
    column = _bare(tree.this) if isinstance(tree.args.get("this"), exp.Expr) else None
    if not isinstance(column, exp.Column):
        raise _odd(tree)
    op, values = _operator(tree)
    return Filter(field=f"{dataset_of(column)}.{column.name}", op=op, values=values)


def _operator(tree: exp.Expr) -> tuple[Operator, tuple[Scalar, ...]]:
    if type(tree) in _COMPARISONS:
        return _COMPARISONS[type(tree)], (_literal(tree.expression),)
    if isinstance(tree, exp.In) and tree.expressions:
        return Operator.IN, tuple(_literal(e) for e in tree.expressions)
    if isinstance(tree, exp.Between):
        return Operator.BETWEEN, (_literal(tree.args["low"]), _literal(tree.args["high"]))
    if isinstance(tree, exp.Is) and isinstance(tree.expression, exp.Null):
        return Operator.IS_NULL, ()
    raise _odd(tree)


def _literal(tree: exp.Expr) -> Scalar:
    if isinstance(tree, exp.Boolean):
        return bool(tree.this)
    if isinstance(tree, exp.Cast) and tree.to.is_type("date") and tree.this.is_string:
        return date.fromisoformat(tree.this.name)
    if isinstance(tree, exp.Neg) and isinstance(tree.this, exp.Literal) and not tree.this.is_string:
        return _number(f"-{tree.this.name}")
    if isinstance(tree, exp.Literal):
        return tree.name if tree.is_string else _number(tree.name)
    raise _odd(tree)


def _number(text: str) -> int | Decimal:
    return int(text) if text.lstrip("-").isdigit() else Decimal(text)


def _odd(tree: exp.Expr) -> BadPart:
    return BadPart(f"the condition {tree.sql()} on another dataset is no plain comparison of a field with a value")
