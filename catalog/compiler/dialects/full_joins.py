"""Full joins where there are none: the left rows with what they meet, then the right rows that meet nothing."""

from __future__ import annotations

from sqlglot import exp

from catalog.compiler.dialects.names import sources_of
from catalog.compiler.dialects.trees import alias_of, column, columns_from, is_null, name, named, number, own_selects

_MARK = "is_met"
Held = dict[tuple[str, str], str]
"""Source and column → the column's name in a merged source."""


def as_unions(tree: exp.Expr) -> exp.Expr:
    """Every full join as a union."""
    for select in own_selects(tree):
        joins = select.args.get("joins") or []
        last = max((i for i, j in enumerate(joins) if j.side == "FULL"), default=-1)
        if last >= 0:
            _rewrite(select, joins, last)
    return tree


def _rewrite(select: exp.Select, joins: list[exp.Join], last: int) -> None:
    """The sources up to the last full join become one, under a name of its own."""
    sources = sources_of(select)[: last + 2]
    aliases = {alias_of(s) for s in sources}
    used = dict.fromkeys((c.table, c.name) for c in columns_from(select, aliases))
    merged = "merged_1"
    held: Held = {key: f"{key[0]}__{key[1]}" for key in used}
    whole, seen = sources[0], {alias_of(sources[0])}
    is_merged = False
    for number_, join in enumerate(joins[: last + 1], 1):
        merged = f"merged_{number_}"
        before = f"merged_{number_ - 1}" if is_merged else ""
        query = _joined(whole, join, before, {k: v for k, v in held.items() if k[0] in seen}, held)
        whole = exp.Subquery(this=query, alias=exp.TableAlias(this=name(merged)))
        seen.add(alias_of(join.this))
        is_merged = True
    for used_column in columns_from(select, aliases):
        used_column.replace(column(merged, held[used_column.table, used_column.name]))
    select.set("from_", exp.From(this=whole))
    select.set("joins", joins[last + 1 :])


def _joined(left: exp.Expr, join: exp.Join, before: str, of_left: Held, held: Held) -> exp.Query:
    """The rows of both, with the columns that are used."""
    right = alias_of(join.this)
    of_right = {k: v for k, v in held.items() if k[0] == right}
    on = join.args.get("on")
    condition = _renamed(on, before, of_left) if on is not None else None
    mine = [named(column(before, v) if before else column(*k), v) for k, v in of_left.items()]
    theirs = [named(column(*k), v) for k, v in of_right.items()]
    kept = exp.Select(expressions=[*mine, *theirs]).from_(left.copy())
    side = "LEFT" if join.side == "FULL" else join.side
    kept.append("joins", exp.Join(this=join.this.copy(), side=side or None, kind=join.kind or None, on=condition))
    if join.side != "FULL" or condition is None:
        return kept
    return exp.Union(this=kept, expression=_lonely(left, join, condition, of_left, theirs), distinct=False)


def _lonely(left: exp.Expr, join: exp.Join, condition: exp.Expr, of_left: Held, theirs: list[exp.Alias]) -> exp.Select:
    """The rows of the right that meet nothing: those beside which the left lacks its mark."""
    mine = alias_of(left)
    wanted = dict.fromkeys(c.name for c in condition.find_all(exp.Column) if c.table == mine)
    marked = exp.Select(expressions=[*(named(column(mine, c), c) for c in wanted), named(number(1), _MARK)])
    source = exp.Subquery(this=marked.from_(left.copy()), alias=exp.TableAlias(this=name(mine)))
    made = exp.Select(expressions=[*(named(exp.null(), v) for v in of_left.values()), *(t.copy() for t in theirs)])
    made = made.from_(join.this.copy())
    made.append("joins", exp.Join(this=source, side="LEFT", on=condition.copy()))
    return made.where(is_null(column(mine, _MARK)), copy=False)


def _renamed(condition: exp.Expr, before: str, of_left: Held) -> exp.Expr:
    if not before:
        return condition.copy()

    def put(node: exp.Expr) -> exp.Expr:
        key = (node.table, node.name) if isinstance(node, exp.Column) else None
        return column(before, of_left[key]) if key in of_left else node

    return condition.copy().transform(put)
