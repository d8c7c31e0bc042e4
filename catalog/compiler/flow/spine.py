"""A side on the time spine: every period is there, with or without rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from catalog.compiler.flow.periods import SOURCE, SPINE, Flow, spine_at, spine_value, within
from catalog.compiler.flow.rows import Rows
from catalog.compiler.plan import Leaf
from catalog.compiler.refs import Ref, at_grain
from catalog.compiler.sql import as_timestamp, column, cte_table, join, named, select_from, subquery, table, where
from catalog.compiler.templates import Condition, fill
from catalog.types import METRIC_TIME, TimeGranularity


def on_spine(flow: Flow, rows: Rows, leaf: Leaf, inner: str, columns: Sequence[str], *, period: str = "") -> exp.Select:
    """The side called `inner`, with a row for each period of the spine.

    The window, and conditions on the side's own time alone, choose the spine's periods.
    Others on names that were asked for hold again: the join has empty rows, to which they
    were not yet applied.  With `period`, the side has a column of that name for the times
    as they are kept, and meets the spine by it.
    """
    groups = flow.query.group_by
    times = {g.column: g for g in groups if rows.is_own_time(g)}
    own = {period: at_grain(Ref(name=METRIC_TIME), rows.base_grain())} if period else {}
    periods = spine_rows(flow, {**own, **times}, on_time_only(rows, leaf.where), rows.base_grain())
    meets = [exp.EQ(this=column(SPINE, t), expression=column(inner, t)) for t in own or times]
    made = select_from(subquery(periods, SPINE), [join(cte_table(inner), meets)])

    def shown(ref: Ref) -> exp.Expr:
        return column(SPINE if rows.is_own_time(ref) else inner, ref.column)

    asked = {g.column for g in groups}
    chosen = set(on_time_only(rows, leaf.after))
    again = [fill(c, shown) for c in leaf.after if c not in chosen and {r.column for r in c.refs} <= asked]
    keys = [*(named(column(SPINE, p), p) for p in own), *(named(shown(g), g.column) for g in groups)]
    return where(made, again).select(*keys, *(named(column(inner, n), n) for n in columns), copy=False)


def on_time_only(rows: Rows, conditions: Sequence[Condition]) -> tuple[Condition, ...]:
    """The conditions that name nothing but the rows' own time."""
    return tuple(c for c in conditions if c.refs and all(rows.is_own_time(r) for r in c.refs))


def spine_rows(
    flow: Flow, times: Mapping[str, Ref], conditions: Sequence[Condition], base: TimeGranularity
) -> exp.Select:
    """The spine's periods as columns, each once: those that have a row in the window and under the conditions."""

    def whole(ref: Ref) -> Ref:
        return ref if ref.grain or ref.part else at_grain(ref, base)

    spine = spine_at(flow.snapshot, (*times.values(), *(whole(r) for c in conditions for r in c.refs)))
    flow.read.add(spine.table)

    def value(ref: Ref) -> exp.Expr:
        return spine_value(flow.snapshot, spine, whole(ref), SOURCE)

    made = where(select_from(table(spine.table, SOURCE)), [fill(c, value) for c in conditions])
    made = where(made, within(flow, as_timestamp(column(SOURCE, spine.column))))
    return made.select(*(named(value(ref), name) for name, ref in times.items()), copy=False).distinct(copy=False)
