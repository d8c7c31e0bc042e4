"""A funnel: a row for each step, with how many reach it, their part of the first step and of the one before."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from catalog.compiler.answer import Rows, answer_query
from catalog.compiler.bindings import Bindings
from catalog.compiler.calculations.numbers import minus, quotient
from catalog.compiler.columns import group_column
from catalog.compiler.dialects.write import written
from catalog.compiler.metrics import relation_of
from catalog.compiler.question import Group
from catalog.compiler.relation import Relation
from catalog.compiler.sql import column, cte_table, named, select_from
from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.query import ColumnRole, CompiledQuery, FunnelStep, QuerySpec, ResultColumn
from catalog.types import CatalogSnapshot, MetricFormat

_REACHED, _PLACE, STEP = "reached", "place", "step"
COUNT, OF_FIRST, OF_BEFORE, LOST = "reached", "of_first_step", "of_step_before", "lost_since_step_before"
"""The columns of a step."""


def funnel_query(
    spec: QuerySpec, steps: tuple[FunnelStep, ...], snapshot: CatalogSnapshot, dialect: str
) -> CompiledQuery:
    """The steps in their order, within the spec's groupings; each is counted by its own metric."""
    if spec.comparison or spec.calculations or spec.having or spec.top or spec.limit:
        message = "A funnel is told without a comparison, a condition or a ranking beside it. Ask for one of the two."
        raise stop(IssueCode.UNSUPPORTED, message, subject=spec.metrics[0])
    bindings = Bindings()
    relation = relation_of(replace(spec, funnel=()), snapshot, bindings)
    place = Group(alias=_PLACE, reference=_PLACE, held=None, grain=None, shown=False)
    step = Group(alias=STEP, reference=STEP, held=None, grain=None)
    values = (COUNT, OF_FIRST, OF_BEFORE, LOST)
    made = Rows(
        queries=(*relation.queries, (_REACHED, relation.rows)),
        rows=select_from(exp.Subquery(this=_steps(steps, relation, bindings), alias=_alias())).select(
            *(named(column("steps", n), n) for n in (*_aliases(relation), _PLACE, STEP, *values)), copy=False
        ),
        groups=(*relation.groups, place, step),
        values=values,
        shown=values,
    )
    tree = answer_query(replace(spec, metrics=values, order_by=()), made, bindings)
    return written(
        tree,
        dialect,
        parameters=bindings.parameters,
        columns=(*(group_column(g) for g in relation.groups if g.shown), *_columns()),
        tables=relation.tables,
        notes=(*relation.notes, *(n for m in relation.metrics for n in m.notes), _EACH_ALONE),
    )


_EACH_ALONE = "Each step is counted by itself: what reaches a step need not have gone through the one before it."


def _alias() -> exp.TableAlias:
    return exp.TableAlias(this=exp.to_identifier("steps", quoted=True))


def _aliases(relation: Relation) -> tuple[str, ...]:
    return tuple(g.alias for g in relation.groups)


def _steps(steps: tuple[FunnelStep, ...], relation: Relation, bindings: Bindings) -> exp.Query:
    """One select for each step, put under each other."""
    selects = [_step(place, steps, relation, bindings) for place in range(len(steps))]
    made: exp.Query = selects[0]
    for select in selects[1:]:
        made = exp.Union(this=made, expression=select, distinct=False)
    return made


def _step(place: int, steps: tuple[FunnelStep, ...], relation: Relation, bindings: Bindings) -> exp.Select:
    own, first = (_count(steps[p].metric) for p in (place, 0))
    before = _count(steps[place - 1].metric) if place else None
    words = exp.Cast(this=bindings.bind(steps[place].words), to=exp.DataType.build("VARCHAR"))
    nothing = exp.Cast(this=exp.null(), to=exp.DataType.build("DOUBLE"))
    return select_from(cte_table(_REACHED)).select(
        *(named(column(_REACHED, alias), alias) for alias in _aliases(relation)),
        named(exp.Literal.number(place), _PLACE),
        named(words, STEP),
        named(own, COUNT),
        named(quotient(own.copy(), first), OF_FIRST),
        named(quotient(own.copy(), before) if before is not None else nothing, OF_BEFORE),
        named(minus(before, own) if before is not None else nothing.copy(), LOST),
        copy=False,
    )


def _count(metric: str) -> exp.Expr:
    """A step that nothing reaches is reached by none."""
    return exp.Coalesce(this=column(_REACHED, metric), expressions=[exp.Literal.number(0)])


def _columns() -> tuple[ResultColumn, ...]:
    def share(name: str, label: str) -> ResultColumn:
        return ResultColumn(name=name, label=label, role=ColumnRole.METRIC, format=MetricFormat.PERCENT, of=COUNT)

    return (
        ResultColumn(name=STEP, label="Step", role=ColumnRole.DIMENSION),
        ResultColumn(name=COUNT, label="Reached", role=ColumnRole.METRIC),
        share(OF_FIRST, "Share of the first step"),
        share(OF_BEFORE, "Share of the step before"),
        ResultColumn(name=LOST, label="Lost since the step before", role=ColumnRole.METRIC, of=COUNT),
    )
