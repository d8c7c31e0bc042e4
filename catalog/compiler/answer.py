"""The last step of a statement: conditions on the result, its first rows per group, its order and its limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from catalog.calculations import Direction, TieRule, Top
from catalog.compiler.bindings import Bindings
from catalog.compiler.filters import compare, condition
from catalog.compiler.question import Group
from catalog.compiler.relation import Queries
from catalog.compiler.sql import column, named
from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.query import QuerySpec
from catalog.types import Filter, Operator

_ANSWER, _COUNTED, _PLACED, _PLACE, _OF = "answer", "counted", "placed", "place", "of_rows"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Rows with every value that anything asks for; `shown` are those that a person sees, in order."""

    queries: Queries
    rows: exp.Select
    groups: tuple[Group, ...]
    values: tuple[str, ...]
    shown: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the answer."""
        return (*(g.alias for g in self.groups if g.shown), *self.shown)

    @property
    def all_columns(self) -> tuple[str, ...]:
        """The columns of the answer and those that only serve it."""
        return (*(g.alias for g in self.groups), *self.values)


def answer_query(spec: QuerySpec, made: Rows, bindings: Bindings) -> exp.Select:
    """One statement: the rows that meet the conditions, the first of each group, in order, up to the limit."""
    queries, select, table = list(made.queries), made.rows, _ANSWER
    hides = len(made.all_columns) > len(made.columns)
    # only a column of a query can be part of an order
    hides |= any(g.begins > 1 for g in made.groups)
    if spec.having or spec.kept or hides or spec.top is not None:
        queries.append((_ANSWER, select))
        select = _conditioned(spec, made, bindings)
    if spec.top is not None:
        table = _PLACED
        queries.append((_PLACED, select))
        select = _first(spec.top, made)
    if made.groups or spec.limit:
        select = select.order_by(*_order(spec, made, table), copy=False)
    if spec.limit:
        select = select.limit(spec.limit + spec.peek, copy=False)
    return _with_queries(select, queries)


def count_query(spec: QuerySpec, made: Rows, bindings: Bindings, name: str) -> exp.Select:
    """How many rows meet the spec's conditions, as one column."""
    rows = _conditioned(spec, made, bindings)
    counted = exp.Select(expressions=[named(exp.Count(this=exp.Star()), name)])
    select = counted.from_(exp.Table(this=exp.to_identifier(_COUNTED, quoted=True)))
    return _with_queries(select, [*made.queries, (_ANSWER, made.rows), (_COUNTED, rows)])


def _with_queries(select: exp.Select, queries: Sequence[tuple[str, exp.Query]]) -> exp.Select:
    """The select with its named queries in front."""
    for name, query in queries:
        alias = exp.TableAlias(this=exp.to_identifier(name, quoted=True))
        select = select.with_(alias, as_=query, copy=False)
    return select


# -- conditions ----------------------------------------------------------------------------


def _conditioned(spec: QuerySpec, made: Rows, bindings: Bindings) -> exp.Select:
    """The answer's rows that meet the conditions, without the columns that only served them."""
    names = made.columns if spec.top is None and made.columns else made.all_columns
    outer = exp.Select(expressions=[column(_ANSWER, n) for n in names])
    outer = outer.from_(exp.to_identifier(_ANSWER, quoted=True))
    if spec.top is not None:
        outer = outer.select(named(_place(spec.top, made), _PLACE), copy=False)
        if spec.top.percent is not None:
            outer = outer.select(named(_of_rows(spec.top, made), _OF), copy=False)
    for having in spec.having:
        _check_condition(having.metric, having.op, len(having.values))
        _check_known(made, having.metric, "have a condition on")
        value = column(_ANSWER, having.metric)
        outer = outer.where(compare(having.op, value, having.values, bindings.bind), copy=False)
    for kept in spec.kept:
        outer = outer.where(_member(kept, made, bindings), copy=False)
    return outer


def _member(kept: Filter, made: Rows, bindings: Bindings) -> exp.Expr:
    """A condition on a grouping of the result."""
    group = next((g for g in made.groups if kept.field in {g.alias, g.reference}), None)
    if group is None or group.held is None:
        message = f"The result has no {kept.field} whose members could be picked."
        raise stop(IssueCode.UNKNOWN_DIMENSION, message, subject=kept.field)
    return condition(kept, column(_ANSWER, group.alias), group.held.dimension, bindings)


def _check_condition(metric: str, op: Operator, count: int) -> None:
    wanted = {Operator.BETWEEN: 2, Operator.IS_NULL: 0, Operator.IS_NOT_NULL: 0}.get(op, 1)
    if (op in {Operator.IN, Operator.NOT_IN} and count) or count == wanted:
        return
    raise stop(IssueCode.WRONG_TYPE, f'"{op.value}" does not take {count} values.', subject=metric)


def _check_known(made: Rows, name: str, what: str) -> None:
    if name not in made.values:
        raise stop(IssueCode.UNKNOWN_METRIC, f"The result has no {name} to {what}.", subject=name, choices=made.values)


# -- first rows of each group --------------------------------------------------------------


def _place(top: Top, made: Rows) -> exp.Expr:
    """The place within the group: shared by equal values where all of them are kept."""
    _check_known(made, top.by, "take the first rows by")
    if top.count < 1 and not (top.percent is not None and 0 < top.percent <= 100):
        raise stop(IssueCode.WRONG_TYPE, "The number of rows must be at least 1.", subject="top")
    within = [_group_named(made, name) for name in top.within]
    keys = [exp.Ordered(this=column(_ANSWER, top.by), desc=top.direction is Direction.DESC, nulls_first=False)]
    if top.ties is TieRule.FIRST:
        keys.extend(exp.Ordered(this=column(_ANSWER, g.alias), nulls_first=False) for g in made.groups)
    return exp.Window(
        this=exp.Rank() if top.ties is TieRule.ALL else exp.RowNumber(),
        partition_by=[column(_ANSWER, g.alias) for g in within] or None,
        order=exp.Order(expressions=keys),
    )


def _first(top: Top, made: Rows) -> exp.Select:
    """The rows of the first places; a row without a value has none."""
    select = exp.Select(expressions=[column(_PLACED, n) for n in made.columns])
    place = _within(top)
    valued = exp.Not(this=exp.Is(this=column(_PLACED, top.by), expression=exp.null()))
    return select.from_(exp.to_identifier(_PLACED, quoted=True)).where(place, valued, copy=False)


def _of_rows(top: Top, made: Rows) -> exp.Expr:
    """How many rows of the group have a value."""
    within = [_group_named(made, name) for name in top.within]
    return exp.Window(
        this=exp.Count(this=column(_ANSWER, top.by)),
        partition_by=[column(_ANSWER, g.alias) for g in within] or None,
    )


def _within(top: Top) -> exp.Expr:
    """Whether a place is among the first: (place - 1) * 100 < rows * percent keeps a part of a row as one more."""
    place = column(_PLACED, _PLACE)
    if top.percent is None:
        return exp.LTE(this=place, expression=exp.Literal.number(top.count))
    before = exp.paren(exp.Sub(this=place, expression=exp.Literal.number(1)), copy=False)
    return exp.LT(
        this=exp.Mul(this=before, expression=exp.Literal.number(100)),
        expression=exp.Mul(this=column(_PLACED, _OF), expression=exp.Literal.number(f"{top.percent.normalize():f}")),
    )


def _group_named(made: Rows, name: str) -> Group:
    found = [g for g in made.groups if name in {g.alias, g.reference}]
    if len(found) != 1:
        message = f"The first rows of each {name} need {name} as one of the groups of the result."
        choices = tuple(g.alias for g in made.groups)
        raise stop(IssueCode.UNSUPPORTED, message, subject=name, choices=choices)
    return found[0]


# -- order ---------------------------------------------------------------------------------


def _order(spec: QuerySpec, made: Rows, table: str) -> list[exp.Ordered]:
    """What was asked, else the places of a top, then every group, so that the order never depends on chance."""
    chosen: dict[str, bool] = {}
    for order in spec.order_by:
        by = next((g.alias for g in made.groups if order.by in {g.alias, g.reference}), order.by)
        if by not in made.all_columns:
            raise stop(IssueCode.UNKNOWN_DIMENSION, f"The result has no {by} to order by.", subject=by)
        chosen.setdefault(by, order.direction is Direction.DESC)
    if spec.top is not None and not spec.order_by:
        chosen.update({_group_named(made, name).alias: False for name in spec.top.within})
        chosen.setdefault(spec.top.by, spec.top.direction is Direction.DESC)
    for group in made.groups:
        chosen.setdefault(group.alias, False)
    return [_ordered(made, name, table, descending=desc) for name, desc in chosen.items()]


def _ordered(made: Rows, name: str, table: str, *, descending: bool) -> exp.Ordered:
    begins = next((g.begins for g in made.groups if g.alias == name), 1)
    if begins > 1:
        since = exp.paren(exp.Add(this=column(table, name), expression=exp.Literal.number(7 - begins)), copy=False)
        placed = exp.Mod(this=since, expression=exp.Literal.number(7))
        return exp.Ordered(this=placed, desc=descending, nulls_first=False)
    bare = exp.column(exp.to_identifier(name, quoted=True))
    value = bare if name in made.columns else column(table, name)
    return exp.Ordered(this=value, desc=descending, nulls_first=False)
