"""Outer joins on anything but equal values, for engines that refuse them."""

from __future__ import annotations

from sqlglot import exp

from catalog.compiler.dialects.names import sources_of
from catalog.compiler.dialects.nulls import Same
from catalog.compiler.dialects.trees import Step, alias_of, column, columns_from, name, named, own_selects

_EQUAL = (exp.EQ, exp.NullSafeEQ)


def unequal_on_pairs(same: Same) -> Step:
    """`a LEFT JOIN b ON a.t < b.t` as the pairs that meet, joined back to `a` on equal values.

    Each row of `a` keeps its pairs, or stands once without any, as before.
    """

    def step(tree: exp.Expr) -> exp.Expr:
        for select in own_selects(tree):
            for place, join in enumerate(select.args.get("joins") or []):
                if join.side == "LEFT" and not _has_equality(join):
                    _rewrite(select, join, place, same)
        return tree

    return step


def _has_equality(join: exp.Join) -> bool:
    right = alias_of(join.this)
    condition = join.args.get("on")
    parts = condition.flatten() if isinstance(condition, exp.And) else [condition]
    return any(isinstance(p, _EQUAL) and _sides(p.this, right) != _sides(p.expression, right) for p in parts)


def _sides(tree: exp.Expr, right: str) -> set[bool]:
    return {c.table == right for c in tree.find_all(exp.Column)}


def _rewrite(select: exp.Select, join: exp.Join, place: int, same: Same) -> None:
    if place:
        return
    left, right = sources_of(select)[0], join.this
    mine, theirs = alias_of(left), alias_of(right)
    on = join.args["on"]
    keys = list(dict.fromkeys(c.name for c in on.find_all(exp.Column) if c.table == mine))
    shown = list(dict.fromkeys(c.name for c in columns_from(select, {theirs}) if c.find_ancestor(exp.Join) is not join))
    rows = exp.Select(expressions=[named(column(mine, k), k) for k in keys]).from_(left.copy()).distinct(copy=False)
    pairs = exp.Select(expressions=[named(column(mine, k), f"met_{i}") for i, k in enumerate(keys, 1)])
    pairs = pairs.select(*(named(column(theirs, c), c) for c in shown), copy=False)
    pairs = pairs.from_(exp.Subquery(this=rows, alias=exp.TableAlias(this=name(mine))), copy=False)
    pairs.append("joins", exp.Join(this=right.copy(), kind="CROSS"))
    pairs = pairs.where(on.copy(), copy=False)
    join.set("this", exp.Subquery(this=pairs, alias=exp.TableAlias(this=name(theirs))))
    join.set("on", exp.and_(*(same(column(mine, k), column(theirs, f"met_{i}")) for i, k in enumerate(keys, 1))))
