"""Rows of one moment: what cannot be added up over time is taken from its first or last one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from catalog.compiler.keys import only_column
from catalog.compiler.plan import Leaf
from catalog.compiler.refs import SIZES
from catalog.compiler.scans import Kept, aggregates
from catalog.compiler.sql import column, grouped, named, quoted, select_from, unplaced, where
from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.types import Aggregation, Dimension, Entity, NonAdditive, SemanticModel, TimeGranularity

Queries = tuple[tuple[str, exp.Select], ...]
_MOMENT, _PICKED = "moment", "picked"


def member(model: SemanticModel, leaf: Leaf, name: str) -> str:
    """The column of the time, or of another member, by which the leaf's measure picks its rows; or a typed stop."""
    held: tuple[Dimension | Entity, ...] = (*model.dimensions, *model.entities)
    found = next((p for p in held if p.name == name), None)
    if found is None:
        message = f"The measure {leaf.measure.name} picks by {name}, which {model.name} does not have."
        raise stop(IssueCode.INVALID_CATALOG, message, subject=name)
    return only_column(found)


def is_by_day(model: SemanticModel, name: str) -> bool:
    """Whether the time is kept by days or larger steps."""
    found = next((d.granularity for d in model.dimensions if d.name == name), None) or TimeGranularity.DAY
    return SIZES.index(found) >= SIZES.index(TimeGranularity.DAY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """Which rows count: of those that meet `before`, the ones at the first or last `moment` of each of `keys`.

    The picked rows that meet `after` as well are aggregated.  `source` has the tables and
    their joins, `own` the table alone where the moments need no other.  `few`: there are
    many rows of each moment.
    """

    rule: NonAdditive
    moment: exp.Expr
    keys: tuple[exp.Expr, ...]
    source: exp.Select
    own: exp.Select
    few: bool
    before: tuple[exp.Expr, ...] = ()
    after: tuple[exp.Expr, ...] = ()

    def best(self, value: exp.Expr) -> exp.Expr:
        """The first or last of the values."""
        return (exp.Min if self.rule.pick is Aggregation.MIN else exp.Max)(this=value)


def picked(pick: Pick, name: str, groups: Sequence[exp.Alias], kept: Sequence[Kept]) -> Queries:
    """The queries of a side; the last, called `name`, has a column per group and per leaf."""
    return _by_moments(pick, name, groups, kept) or _by_window(pick, name, groups, kept)


def _by_moments(pick: Pick, name: str, groups: Sequence[exp.Alias], kept: Sequence[Kept]) -> Queries:
    """The moments first, then the rows at one of them: exact where a moment alone tells its key.

    A moment that is the last of its own key is the last for all its rows.  Nothing where a
    key needs more than the moment.
    """
    times, moments = f"{name}_times", f"{name}_moments"
    keys = [_over(k, pick.moment, column(times, _MOMENT)) for k in pick.keys]
    if any(c.table != times for k in keys for c in k.find_all(exp.Column)):
        return ()
    seen = where(_source_of_moments(pick), [unplaced(b).copy() for b in pick.before])
    queries: Queries = ((moments, seen.select(named(pick.best(pick.moment.copy()), _MOMENT), copy=False)),)
    if keys:
        each = seen.copy().select(named(pick.moment.copy(), _MOMENT), append=False, copy=False)
        each = each.distinct(copy=False) if pick.few else each
        last = select_from(exp.to_identifier(times, quoted=True))
        last = last.select(named(pick.best(column(times, _MOMENT)), _MOMENT), copy=False).group_by(*keys, copy=False)
        queries = ((times, each), (moments, last))
    listed = select_from(exp.to_identifier(moments, quoted=True)).select(column(moments, _MOMENT), copy=False)
    at_one = exp.In(this=pick.moment.copy(), query=exp.Subquery(this=listed))
    rows = where(pick.source, [*pick.before, *pick.after, at_one])
    return (*queries, (name, grouped(rows, groups, aggregates(kept, grouped=bool(groups)))))


def _over(key: exp.Expr, moment: exp.Expr, seen: exp.Expr) -> exp.Expr:
    """The key over the moments that were seen."""
    return key.copy().transform(lambda node: seen.copy() if node == moment else node)


def _source_of_moments(pick: Pick) -> exp.Select:
    """The table alone where that is enough: a join that keeps all rows has no part in their moments."""
    return pick.own if _is_alone(pick, (pick.moment, *pick.before)) else pick.source.copy()


def _is_alone(pick: Pick, trees: Sequence[exp.Expr]) -> bool:
    """Whether the trees read nothing but the table itself, which no join cuts."""
    joins = pick.source.args.get("joins") or []
    used = {c.table for tree in trees for c in tree.find_all(exp.Column)}
    return used <= {_alias(pick)} and all(j.side == "LEFT" for j in joins)


def _alias(pick: Pick) -> str:
    return str(pick.own.args["from_"].this.alias_or_name)


def _by_window(pick: Pick, name: str, groups: Sequence[exp.Alias], kept: Sequence[Kept]) -> Queries:
    """Each row beside the moment that counts for its key."""
    best = exp.Window(this=pick.best(pick.moment.copy()), partition_by=[k.copy() for k in pick.keys] or None)
    used = _columns_used(pick, (*(k.column for k in kept), *groups))
    # two spellings of one name would be one column twice on engines that ignore case
    once = len({n.lower() for n in (*used, _PICKED)}) == len(used) + 1
    if once and _is_alone(pick, (pick.moment, *pick.keys, *pick.before)):
        return _before_joins(pick, name, groups, kept, best)
    return _after_joins(pick, name, groups, kept, best)


def _columns_used(pick: Pick, trees: Sequence[exp.Expr]) -> dict[str, exp.Column]:
    """The table's own columns that the joins, the conditions and `trees` read, by name."""
    joins = pick.source.args.get("joins") or []
    every = (pick.moment, *trees, *pick.after, *(j.args["on"] for j in joins))
    return {c.name: c for tree in every for c in tree.find_all(exp.Column) if c.table == _alias(pick)}


def _before_joins(
    pick: Pick, name: str, groups: Sequence[exp.Alias], kept: Sequence[Kept], best: exp.Window
) -> Queries:
    """The rows of the table are picked first, in few columns; only those that are left are joined."""
    rows, table = f"{name}_rows", _alias(pick)
    used = _columns_used(pick, (*(k.column for k in kept), *groups))
    columns = [named(c.copy(), n) for n, c in used.items()]
    inner = where(pick.own, pick.before).select(*columns, named(best, _PICKED), copy=False)
    is_best = exp.EQ(this=pick.moment.copy(), expression=column(table, _PICKED))
    picked_rows = exp.Table(this=quoted(rows), alias=exp.TableAlias(this=quoted(table)))
    outer = where(select_from(picked_rows, pick.source.args.get("joins") or []), [is_best, *pick.after])
    return ((rows, inner), (name, grouped(outer, groups, aggregates(kept, grouped=bool(groups)))))


def _after_joins(pick: Pick, name: str, groups: Sequence[exp.Alias], kept: Sequence[Kept], best: exp.Window) -> Queries:
    """Where the moment, its key or what comes before needs other tables: the joined rows, each beside its moment."""
    rows = f"{name}_rows"
    conditions = [named(e, f"condition_{i}") for i, e in enumerate(pick.after, 1)]
    columns = [named(k.column, k.name) for k in kept]
    inner = where(pick.source, pick.before).select(
        *groups, *columns, *conditions, named(pick.moment, _MOMENT), named(best, _PICKED), copy=False
    )
    is_best = exp.EQ(this=column(rows, _MOMENT), expression=column(rows, _PICKED))
    outer = select_from(exp.to_identifier(rows, quoted=True))
    outer = where(outer, [is_best, *(column(rows, c.alias) for c in conditions)])
    above = [Kept(name=k.name, leaf=k.leaf, column=column(rows, k.name)) for k in kept]
    shown = [named(column(rows, g.alias), g.alias) for g in groups]
    return ((rows, inner), (name, grouped(outer, shown, aggregates(above, grouped=bool(groups)))))
