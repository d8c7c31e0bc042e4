"""Conversions on a time spine."""

from __future__ import annotations

from sqlglot import exp

from catalog.compiler.conversion import converted, counted, earlier_columns, later_columns
from catalog.compiler.flow.periods import Flow, within
from catalog.compiler.flow.rows import Rows, own_conditions, typed_conditions
from catalog.compiler.flow.side import Named
from catalog.compiler.flow.spine import on_spine
from catalog.compiler.plan import Leaf, base_grain, held_measure
from catalog.compiler.refs import coarser
from catalog.compiler.sql import named, where
from catalog.compiler.stop import stop
from catalog.compiler.templates import condition_of, fill
from catalog.issues import IssueCode
from catalog.lookup import lookup
from catalog.types import Conversion, TimeGranularity


def conversion_queries(flow: Flow, leaf: Leaf, shown: str, name: str) -> tuple[Named, ...]:
    """The queries of one conversion side; the last, called `name`, has a column per group and `shown`."""
    rule = leaf.followed
    if rule is None:
        raise stop(IssueCode.INVALID_CATALOG, f"{leaf.name} converts nothing.", subject=leaf.name)
    rows = Rows(flow, lookup(flow.snapshot).models[leaf.model], leaf.time_dimension)
    groups = [named(rows.value(g), g.column) for g in flow.query.group_by]
    grain = _shared_grain(flow, rule)
    earlier = earlier_columns(rows.model, rule, rows.own, rows.base_time(grain))
    conditions = [
        *(fill(c, rows.value) for c in leaf.where),
        *own_conditions(rows, leaf),
        *within(flow, rows.base_time()),
    ]
    base = where(rows.select(), conditions).select(*earlier, *groups, copy=False)
    _, measure, _ = held_measure(flow.snapshot, rule.conversion.name)
    aliases = [g.column for g in flow.query.group_by]
    parts = converted(rule, name, aliases, base=base, later=_later(flow, rule, grain))
    wrapped = leaf.on_spine and any(rows.is_own_time(g) for g in flow.query.group_by)
    inner = f"{name}_without_spine" if wrapped else name
    made: tuple[Named, ...] = (*parts, (inner, counted(name, aliases, measure, shown)))
    return (*made, (name, on_spine(flow, rows, leaf, inner, [shown]))) if wrapped else made


def _shared_grain(flow: Flow, rule: Conversion) -> TimeGranularity:
    """The periods in which earlier and later are told apart: those in which both times are kept."""
    sizes = (base_grain(flow.snapshot, rule.base.name), base_grain(flow.snapshot, rule.conversion.name))
    return coarser(*sizes)


def _later(flow: Flow, rule: Conversion, shared: TimeGranularity) -> exp.Select:
    """The later rows under the conversion measure's own conditions."""
    model, measure, time = held_measure(flow.snapshot, rule.conversion.name)
    rows = Rows(flow, model, time)
    grain = str(base_grain(flow.snapshot, measure.name))
    conditions = [
        *(fill(condition_of(text, flow.snapshot, grain), rows.value) for text in rule.conversion.where),
        *typed_conditions(rows, rule.conversion.filters),
    ]
    columns = later_columns(model, rule, rows.own, rows.base_time(shared), measure)
    return where(rows.select(), conditions).select(*columns, copy=False)
