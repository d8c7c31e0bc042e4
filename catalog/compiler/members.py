"""A query without metrics: the distinct members of some dimensions."""

from __future__ import annotations

from sqlglot import exp

from catalog.compiler.bindings import Bindings
from catalog.compiler.columns import group_column
from catalog.compiler.dateparts import part_of
from catalog.compiler.dialects import written
from catalog.compiler.filters import condition
from catalog.compiler.joins import Tables
from catalog.compiler.question import Group, Question, bounds, question_of
from catalog.compiler.references import target_of, way_to
from catalog.compiler.stop import CannotCompile, stop
from catalog.compiler.time import bucket, within
from catalog.compiler.zones import local
from catalog.issues import IssueCode
from catalog.lookup import Held, lookup
from catalog.query import CompiledQuery, Direction, QuerySpec
from catalog.types import METRIC_TIME, CatalogSnapshot, Dimension


def members_query(spec: QuerySpec, snapshot: CatalogSnapshot, dialect: str) -> CompiledQuery:
    """The distinct members, read from the table that reaches all dimensions."""
    if spec.comparison or spec.calculations or spec.top:
        raise stop(IssueCode.UNSUPPORTED, "Without a metric there is nothing to compare or calculate.")
    if spec.having:
        raise stop(IssueCode.UNSUPPORTED, "A condition on a metric needs that metric in the question.")
    root = _root(spec, snapshot)
    question = question_of(spec, snapshot, (root,))
    if question.uses_metric_time:
        raise stop(IssueCode.UNSUPPORTED, "Without a metric the question has no time; name a time dimension.")
    tables = Tables(snapshot, lookup(snapshot).models[root])
    bindings = Bindings()
    groups = [_group(question, root, tables, g) for g in question.groups]
    conditions = _conditions(question, root, tables, bindings)
    if tables.crosses_bridge:
        raise stop(IssueCode.UNSUPPORTED, "Members of several tables cannot be listed over a many-to-many path.")
    tree = tables.select().select(*groups, copy=False).distinct(copy=False)
    tree = tree.where(*conditions, copy=False) if conditions else tree
    tree = tree.order_by(*_order(question), copy=False)
    tree = tree.limit(spec.limit + spec.peek, copy=False) if spec.limit else tree
    return written(
        tree,
        dialect,
        parameters=bindings.parameters,
        columns=tuple(group_column(g) for g in question.groups),
        tables=tables.read,
    )


def _root(spec: QuerySpec, snapshot: CatalogSnapshot) -> str:
    """The first model among those of the dimensions whose rows reach all of them."""
    references = [*(g.dimension for g in spec.group_by), *(f.field for f in spec.where)]
    models = dict.fromkeys(target_of(snapshot, (), r).model.name for r in references if r != METRIC_TIME)
    for model in models:
        try:
            for reference in (r for r in references if r != METRIC_TIME):
                target_of(snapshot, (model,), reference)
        except CannotCompile:
            continue
        return model
    names = ", ".join(references)
    raise stop(IssueCode.UNREACHABLE_DIMENSION, f"No table holds {names} together; ask for a metric as well.")


def _column(question: Question, root: str, tables: Tables, *, reference: str, held: Held) -> tuple[exp.Expr, Dimension]:
    reached = way_to(question.snapshot, root, reference, held)
    return tables.column(reached.path, reached.held.dimension.expr), reached.held.dimension


def _group(question: Question, root: str, tables: Tables, group: Group) -> exp.Alias:
    if group.held is None:
        raise stop(IssueCode.UNSUPPORTED, "Without a metric the question has no time.", subject=METRIC_TIME)
    column, dimension = _column(question, root, tables, reference=group.reference, held=group.held)
    if group.part is not None:
        column = part_of(local(column, dimension, question.snapshot.calendar), group.part, question.snapshot.calendar)
    if group.grain is not None:
        calendar = question.snapshot.calendar
        column = bucket(local(column, dimension, calendar, grain=group.grain), dimension, group.grain, calendar)
    return exp.Alias(this=column, alias=exp.to_identifier(group.alias, quoted=True))


def _conditions(question: Question, root: str, tables: Tables, bindings: Bindings) -> list[exp.Expr]:
    made: list[exp.Expr] = []
    spec, calendar = question.spec, question.snapshot.calendar
    if spec.time_range is not None and bounds(spec) and question.range_on is not None:
        reference = spec.time_dimension or ""
        column, dimension = _column(question, root, tables, reference=reference, held=question.range_on)
        made.extend(within(column, spec.time_range, bindings, dimension=dimension, calendar=calendar))
    for given, held in question.where:
        if held is not None:
            column, dimension = _column(question, root, tables, reference=given.field, held=held)
            made.append(condition(given, column, dimension, bindings, calendar=calendar))
    return made


def _order(question: Question) -> list[exp.Ordered]:
    chosen: dict[str, bool] = {}
    for order in question.spec.order_by:
        by = next((g.alias for g in question.groups if order.by in {g.alias, g.reference}), None)
        if by is None:
            raise stop(IssueCode.UNKNOWN_DIMENSION, f"The result has no {order.by} to order by.", subject=order.by)
        chosen.setdefault(by, order.direction is Direction.DESC)
    for group in question.groups:
        chosen.setdefault(group.alias, False)
    return [
        exp.Ordered(this=exp.column(exp.to_identifier(name, quoted=True)), desc=desc, nulls_first=False)
        for name, desc in chosen.items()
    ]
