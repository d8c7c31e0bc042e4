"""Window functions as far as engines differ in them."""

from __future__ import annotations

from sqlglot import exp

from catalog.compiler.dialects.trees import is_null, number

_ENDS = (exp.FirstValue, exp.LastValue)


def ordered_row_numbers(tree: exp.Expr) -> exp.Expr:
    """Rows that are numbered in any order are numbered by a constant: an order is required."""
    for window in tree.find_all(exp.Window):
        if isinstance(window.this, exp.RowNumber) and window.args.get("order") is None:
            window.set("order", exp.Order(expressions=[exp.Ordered(this=exp.null())]))
    return tree


def whole_frames(tree: exp.Expr) -> exp.Expr:
    """First and last values over the whole partition need no frame where that is what they are over anyway."""
    for window in tree.find_all(exp.Window):
        if isinstance(window.this, _ENDS):
            window.set("spec", None)
    return tree


def missing_values_first(tree: exp.Expr) -> exp.Expr:
    """`ORDER BY … NULLS LAST` within windows in two keys, for an engine that has no NULLS LAST."""
    for window in tree.find_all(exp.Window):
        order = window.args.get("order")
        if order is not None:
            order.set("expressions", [key for held in order.expressions for key in _keys(held)])
    return tree


def _keys(ordered: exp.Ordered) -> list[exp.Ordered]:
    value, descending = ordered.this, bool(ordered.args.get("desc"))
    plain = exp.Ordered(this=value, desc=descending, nulls_first=not descending)
    if descending or ordered.args.get("nulls_first"):
        return [plain]
    missing = exp.Case(ifs=[exp.If(this=is_null(value.copy()), true=number(1))], default=number(0))
    return [exp.Ordered(this=missing, desc=False, nulls_first=True), plain]
