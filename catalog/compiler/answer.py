"""The last step of a statement: conditions on the result, its first rows per group, its order and its limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from catalog.compiler.bindings import Bindings
from catalog.compiler.filters import compare, condition
from catalog.compiler.question import Group
from catalog.compiler.relation import Queries
from catalog.compiler.sql import column, named
from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.query import Direction, QuerySpec
from catalog.types import Filter, Operator

_ANSWER, _COUNTED = "answer", "counted"


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


def answer_query(spec: QuerySpec, made: Rows, bindings: Bindings) -> exp.Select:
    """One statement: the rows that meet the spec's conditions, in its order, up to its limit."""
    queries, select = list(made.queries), made.rows
    hides = any(not g.shown for g in made.groups) or len(made.values) > len(made.shown)
    if spec.having or spec.kept or hides:
        queries.append((_ANSWER, select))
        select = _conditioned(spec, made, bindings)
    if made.groups or spec.limit:
        select = select.order_by(*_order(spec, made), copy=False)
    if spec.limit:
        select = select.limit(spec.limit, copy=False)
    return with_queries(select, queries)


def count_query(spec: QuerySpec, made: Rows, bindings: Bindings, name: str) -> exp.Select:
    """How many rows meet the spec's conditions, as one column."""
    rows = _conditioned(spec, made, bindings)
    counted = exp.Select(expressions=[named(exp.Count(this=exp.Star()), name)])
    select = counted.from_(exp.Table(this=exp.to_identifier(_COUNTED, quoted=True)))
    return with_queries(select, [*made.queries, (_ANSWER, made.rows), (_COUNTED, rows)])


def with_queries(select: exp.Select, queries: Sequence[tuple[str, exp.Query]]) -> exp.Select:
    """The select with its named queries in front."""
    for name, query in queries:
        select = select.with_(exp.to_identifier(name, quoted=True), as_=query, copy=False)
    return select


def _conditioned(spec: QuerySpec, made: Rows, bindings: Bindings) -> exp.Select:
    """The answer's rows that meet the conditions, without the columns that only served them."""
    outer = exp.Select(expressions=[column(_ANSWER, n) for n in made.columns])
    outer = outer.from_(exp.to_identifier(_ANSWER, quoted=True))
    for having in spec.having:
        _check_condition(having.metric, having.op, len(having.values))
        value = column(_ANSWER, having.metric)
        outer = outer.where(compare(having.op, value, having.values, bindings), copy=False)
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


def _order(spec: QuerySpec, made: Rows) -> list[exp.Ordered]:
    """What was asked, then every group, so that the order never depends on chance."""
    chosen: dict[str, bool] = {}
    for order in spec.order_by:
        by = next((g.alias for g in made.groups if order.by in {g.alias, g.reference}), order.by)
        if by not in made.values and by not in {g.alias for g in made.groups}:
            raise stop(IssueCode.UNKNOWN_DIMENSION, f"The result has no {by} to order by.", subject=by)
        chosen.setdefault(by, order.direction is Direction.DESC)
    for group in made.groups:
        chosen.setdefault(group.alias, False)
    return [_ordered(made, name, descending=desc) for name, desc in chosen.items()]


def _ordered(made: Rows, name: str, *, descending: bool) -> exp.Ordered:
    bare = exp.column(exp.to_identifier(name, quoted=True))
    value = bare if name in made.columns else column(_ANSWER, name)
    return exp.Ordered(this=value, desc=descending, nulls_first=False)
