"""Conversions: each later row counts once, for the last earlier row of the same entity."""

from __future__ import annotations

from sqlglot import exp

from catalog.compiler.flow.periods import Flow, within
from catalog.compiler.flow.rows import Rows, own_conditions
from catalog.compiler.flow.side import Named
from catalog.compiler.flow.spine import on_spine
from catalog.compiler.keys import only_column
from catalog.compiler.measures import aggregate
from catalog.compiler.plan import Leaf, held_measure
from catalog.compiler.sql import before, column, cte_table, grouped, join, named, select_from, where
from catalog.compiler.stop import stop
from catalog.compiler.templates import fill
from catalog.issues import IssueCode
from catalog.lookup import lookup
from catalog.types import Conversion, Dimension, Entity

_ENTITY, _TIME, _ID, _VALUE, _PLACE = "entity_key", "happened_at", "row_id", "converted", "place"


def conversion_queries(flow: Flow, leaf: Leaf, shown: str, name: str) -> tuple[Named, ...]:
    """The queries of one conversion side; the last, called `name`, has a column per group and `shown`."""
    rule = leaf.followed
    if rule is None:
        raise stop(IssueCode.INVALID_CATALOG, f"{leaf.name} converts nothing.", subject=leaf.name)
    model, measure, time = held_measure(flow.snapshot, rule.conversion.name)
    rows = Rows(flow, lookup(flow.snapshot).models[leaf.model], leaf.time_dimension)
    later = Rows(flow, model, time)
    bases, conversions, pairs = f"{name}_base", f"{name}_later", f"{name}_pairs"
    wrapped = leaf.on_spine and any(rows.is_own_time(g) for g in flow.query.group_by)
    inner = f"{name}_without_spine" if wrapped else name
    keys = [named(column(pairs, g.column), g.column) for g in flow.query.group_by]
    first = exp.EQ(this=column(pairs, _PLACE), expression=exp.Literal.number(1))
    counted = [named(aggregate(measure, column(pairs, _VALUE)), shown)]
    made: tuple[Named, ...] = (
        (bases, _base(flow, rows, leaf, rule)),
        (conversions, _later(later, rule, later.own(measure.expr))),
        (pairs, _pairs(flow, rule, bases, conversions)),
        (inner, grouped(where(select_from(cte_table(pairs)), [first]), keys, counted)),
    )
    return (*made, (name, on_spine(flow, rows, leaf, inner, [shown]))) if wrapped else made


def _base(flow: Flow, rows: Rows, leaf: Leaf, rule: Conversion) -> exp.Select:
    """The earlier rows with what is asked of them."""
    groups = [named(rows.value(g), g.column) for g in flow.query.group_by]
    constant = [named(_member(rows, b), _constant(i)) for i, (b, _) in enumerate(rule.constant_properties)]
    conditions = [
        *(fill(c, rows.value) for c in leaf.where),
        *own_conditions(rows, leaf),
        *within(flow, rows.base_time()),
    ]
    key, time = named(_member(rows, rule.entity), _ENTITY), named(rows.base_time(), _TIME)
    return where(rows.select(), conditions).select(key, time, *constant, *groups, copy=False)


def _later(rows: Rows, rule: Conversion, value: exp.Expr) -> exp.Select:
    """The later rows, each with a number of its own."""
    own = tuple(c for c in rule.conversion.where)
    if own:
        message = f"The conversion measure {rule.conversion.name} has conditions; that cannot be computed yet."
        raise stop(IssueCode.UNSUPPORTED, message, subject=rule.conversion.name)
    constant = [named(_member(rows, c), _constant(i)) for i, (_, c) in enumerate(rule.constant_properties)]
    number = named(exp.Window(this=exp.RowNumber()), _ID)
    key, time = named(_member(rows, rule.entity), _ENTITY), named(rows.base_time(), _TIME)
    return rows.select().select(key, time, *constant, named(value, _VALUE), number, copy=False)


def _pairs(flow: Flow, rule: Conversion, bases: str, conversions: str) -> exp.Select:
    """Each later row with every earlier row that it may follow, the last one first."""
    count = len(rule.constant_properties)
    same = [
        exp.EQ(this=column(bases, n), expression=column(conversions, n))
        for n in (_ENTITY, *(_constant(i) for i in range(count)))
    ]
    earlier, later = column(bases, _TIME), column(conversions, _TIME)
    same.append(exp.LTE(this=earlier, expression=later))  # type: ignore[arg-type]
    if rule.window_count is not None and rule.window_granularity is not None:
        since = before(later, rule.window_count, rule.window_granularity)
        same.append(exp.GT(this=earlier.copy(), expression=since))  # type: ignore[arg-type]
    columns = [column(bases, g.column) for g in flow.query.group_by]
    place = exp.Window(
        this=exp.RowNumber(),
        partition_by=[column(conversions, _ID)],
        order=exp.Order(
            expressions=[
                exp.Ordered(this=earlier.copy(), desc=True, nulls_first=False),
                *(exp.Ordered(this=c.copy(), nulls_first=False) for c in columns),
            ]
        ),
    )
    value = named(column(conversions, _VALUE), _VALUE)
    made = select_from(cte_table(bases), [join(cte_table(conversions), same, side="INNER")])
    return made.select(*(named(c, c.name) for c in columns), value, named(place, _PLACE), copy=False)


def _member(rows: Rows, name: str) -> exp.Expr:
    model = rows.model
    held: tuple[Dimension | Entity, ...] = (*model.entities, *model.dimensions)
    found = next((only_column(p) for p in held if p.name == name), None)
    if found is None:
        raise stop(IssueCode.INVALID_CATALOG, f"{model.name} has no {name} to follow.", subject=name)
    return rows.own(found)


def _constant(index: int) -> str:
    return f"constant_{index}"
