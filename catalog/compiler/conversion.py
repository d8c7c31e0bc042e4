"""Conversions: each later row counts once, for the last earlier row of the same entity."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from catalog.compiler.keys import only_column
from catalog.compiler.measures import aggregate
from catalog.compiler.sql import before, column, cte_table, grouped, join, named, select_from, where
from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.types import Conversion, Dimension, Entity, Measure, SemanticModel

_ENTITY, _TIME, _ID, _VALUE, _PLACE = "entity_key", "happened_at", "row_id", "converted", "place"

Own = Callable[[str], exp.Expr]
"""An expression of the catalog over the rows' own columns."""


def earlier_columns(model: SemanticModel, rule: Conversion, own: Own, time: exp.Expr) -> list[exp.Expr]:
    """What an earlier row is matched by."""
    constant = [named(own(_member(model, b)), _constant(i)) for i, (b, _) in enumerate(rule.constant_properties)]
    return [named(own(_member(model, rule.entity)), _ENTITY), named(time, _TIME), *constant]


def later_columns(model: SemanticModel, rule: Conversion, own: Own, time: exp.Expr, measure: Measure) -> list[exp.Expr]:
    """What a later row is matched by, what it counts, and a number of its own."""
    constant = [named(own(_member(model, c)), _constant(i)) for i, (_, c) in enumerate(rule.constant_properties)]
    key, happened = named(own(_member(model, rule.entity)), _ENTITY), named(time, _TIME)
    number = named(exp.Window(this=exp.RowNumber()), _ID)
    return [key, happened, *constant, named(own(measure.expr), _VALUE), number]


def converted(
    rule: Conversion, name: str, groups: Sequence[str], *, base: exp.Select, later: exp.Select
) -> tuple[tuple[str, exp.Select], ...]:
    """The named queries of a conversion before its last: the earlier rows, the later rows and their pairs."""
    bases, conversions = f"{name}_base", f"{name}_later"
    pairs = _pairs(rule, groups, bases, conversions)
    return ((bases, base), (conversions, later), (f"{name}_pairs", pairs))


def counted(name: str, groups: Sequence[str], measure: Measure, shown: str) -> exp.Select:
    """The later rows of each group, counted as the measure says."""
    pairs = f"{name}_pairs"
    first = exp.EQ(this=column(pairs, _PLACE), expression=exp.Literal.number(1))
    keys = [named(column(pairs, g), g) for g in groups]
    made = where(select_from(cte_table(pairs)), [first])
    return grouped(made, keys, [named(aggregate(measure, column(pairs, _VALUE)), shown)])


def _pairs(rule: Conversion, groups: Sequence[str], bases: str, conversions: str) -> exp.Select:
    """Each later row with every earlier row that it may follow, the last one first."""
    count = len(rule.constant_properties)
    same: list[exp.Expr] = [
        exp.EQ(this=column(bases, n), expression=column(conversions, n))
        for n in (_ENTITY, *(_constant(i) for i in range(count)))
    ]
    earlier, later = column(bases, _TIME), column(conversions, _TIME)
    same.append(exp.LTE(this=earlier, expression=later))
    if rule.window_count is not None and rule.window_granularity is not None:
        since = before(column(conversions, _TIME), rule.window_count, rule.window_granularity)
        same.append(exp.GT(this=earlier.copy(), expression=since))
    columns = [column(bases, g) for g in groups]
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


def _member(model: SemanticModel, name: str) -> str:
    held: tuple[Dimension | Entity, ...] = (*model.entities, *model.dimensions)
    found = next((only_column(p) for p in held if p.name == name), None)
    if found is None:
        raise stop(IssueCode.INVALID_CATALOG, f"{model.name} has no {name} to follow.", subject=name)
    return found


def _constant(index: int) -> str:
    return f"constant_{index}"
