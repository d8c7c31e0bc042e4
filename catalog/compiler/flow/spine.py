"""A side on the time spine: every period is there, with or without rows."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from catalog.compiler.flow.periods import SOURCE, SPINE, Flow, spine_at, spine_value, within
from catalog.compiler.flow.rows import Rows
from catalog.compiler.plan import Leaf
from catalog.compiler.refs import Ref
from catalog.compiler.sql import as_timestamp, column, cte_table, join, named, select_from, subquery, table, where
from catalog.compiler.templates import fill


def on_spine(flow: Flow, rows: Rows, leaf: Leaf, inner: str, columns: Sequence[str]) -> exp.Select:
    """The side called `inner`, with a row for each period of the spine.

    The window, and conditions on names that were asked for, hold again: the spine has
    periods, and the join has empty rows, to which they were not yet applied.
    """
    groups = flow.query.group_by
    times = tuple(g for g in groups if rows.is_own_time(g))
    periods = _periods(flow, times)
    meets = [exp.EQ(this=column(SPINE, t.column), expression=column(inner, t.column)) for t in times]
    made = select_from(subquery(periods, SPINE), [join(cte_table(inner), meets)])

    def shown(ref: Ref) -> exp.Expr:
        return column(SPINE if rows.is_own_time(ref) else inner, ref.column)

    asked = {g.column for g in groups}
    again = [fill(c, shown) for c in leaf.after if {r.column for r in c.refs} <= asked]
    keys = [named(shown(g), g.column) for g in groups]
    return where(made, again).select(*keys, *(named(column(inner, n), n) for n in columns), copy=False)


def _periods(flow: Flow, times: Sequence[Ref]) -> exp.Select:
    spine = spine_at(flow.snapshot, times)
    flow.read.add(spine.table)
    made = select_from(table(spine.table, SOURCE))
    made = where(made, within(flow, as_timestamp(column(SOURCE, spine.column))))
    shown = [named(spine_value(flow.snapshot, spine, t, SOURCE), t.column) for t in times]
    return made.select(*shown, copy=False).distinct(copy=False)
