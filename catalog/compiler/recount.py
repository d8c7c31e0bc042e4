"""Values of a period that are counted anew from the rows of several periods: what does not add up along a timeline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from catalog.compiler.measures import aggregate
from catalog.compiler.plan import SUMS, Leaf
from catalog.compiler.scans import Kept
from catalog.compiler.sql import column, cte_table, grouped, join, named, select_from
from catalog.types import Aggregation

PERIOD, SINCE = "period", "since"
_ONE_IS_ENOUGH = frozenset({Aggregation.COUNT_DISTINCT, Aggregation.MIN, Aggregation.MAX})
"""Aggregations that a second row of the same value does not change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """Which periods count towards each period of the group `alias`: those up to it, as the query `table` lists them.

    `table` has the column `period`, and `since`, the first period that counts, where it `begins` anywhere.
    """

    alias: str
    table: str
    begins: bool


def can_recount(leaf: Leaf) -> bool:
    """Whether the leaf's value is made of the rows of its own period alone, so that more periods are only more rows."""
    plain = leaf.accumulation is None and not leaf.shifts and leaf.followed is None
    return plain and leaf.measure.non_additive is None


def recounted(
    reach: Reach,
    name: str,
    select: exp.Select,
    *,
    groups: Sequence[exp.Alias],
    kept: Sequence[Kept],
    keys: Sequence[exp.Alias] = (),
) -> tuple[tuple[str, exp.Select], ...]:
    """The rows by their own period, and `name`: each period with the aggregates of all rows that count towards it.

    `select` has the rows without columns, under the conditions of all that is `kept`.  With
    `keys` a row counts once for each group, however often it is there.
    """
    rows = f"{name}_rows"
    inner, above = _rows(rows, select, groups, kept=kept, keys=keys)
    period, own = column(reach.table, PERIOD), column(rows, reach.alias)
    meets: list[exp.Expr] = [exp.LTE(this=own, expression=period)]
    if reach.begins:
        meets.append(exp.GTE(this=own.copy(), expression=column(reach.table, SINCE)))
    joined = select_from(cte_table(rows), [join(cte_table(reach.table), meets, side="INNER")])
    shown = [named(period.copy() if g.alias == reach.alias else column(rows, g.alias), g.alias) for g in groups]
    return (rows, inner), (name, grouped(joined, shown, above))


def once_per_group(
    name: str, select: exp.Select, *, groups: Sequence[exp.Alias], kept: Sequence[Kept], keys: Sequence[exp.Alias]
) -> tuple[tuple[str, exp.Select], ...]:
    """Each row of `keys` once per group, and `name`: the aggregates over those rows."""
    rows = f"{name}_rows"
    inner, above = _rows(rows, select, groups, kept=kept, keys=keys)
    shown = [named(column(rows, g.alias), g.alias) for g in groups]
    return (rows, inner), (name, grouped(select_from(cte_table(rows)), shown, above))


def _rows(
    rows: str, select: exp.Select, groups: Sequence[exp.Alias], *, kept: Sequence[Kept], keys: Sequence[exp.Alias]
) -> tuple[exp.Select, list[exp.Alias]]:
    """As few rows as the aggregates allow, and the aggregates over them."""
    kinds = {k.leaf.measure.agg for k in kept}
    if not keys and kinds <= SUMS:
        sums = [named(aggregate(k.leaf.measure, k.column, when=k.when), k.name) for k in kept]
        return grouped(select, groups, sums), [named(exp.Sum(this=column(rows, k.name)), k.name) for k in kept]
    inner = select.select(*keys, *groups, *(named(k.column.copy(), k.name) for k in kept), copy=False)
    above = [named(aggregate(k.leaf.measure, _held(rows, k.name, k.leaf)), k.name) for k in kept]
    return inner.distinct(copy=False) if keys or kinds <= _ONE_IS_ENOUGH else inner, above


def _held(rows: str, name: str, leaf: Leaf) -> exp.Expr:
    """What the leaf aggregates of rows that were selected first: their column, or each row where it counts rows."""
    counts_rows = leaf.measure.agg is Aggregation.COUNT and leaf.measure.expr.strip().isdigit()
    return exp.Literal.number(1) if counts_rows else column(rows, name)
