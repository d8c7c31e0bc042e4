"""Every thing of an entity with its figures, those without any rows as well: a list of them, or how many there are."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlglot import exp

from catalog.compiler.answer import Rows, answer_query, count_query
from catalog.compiler.bindings import Bindings
from catalog.compiler.columns import group_column
from catalog.compiler.dialects.write import written
from catalog.compiler.filters import compare, condition
from catalog.compiler.joins import Tables
from catalog.compiler.metrics import relation_of
from catalog.compiler.plan import leaves_of, value_of
from catalog.compiler.question import Group, bounds, question_of
from catalog.compiler.references import target_of, way_to
from catalog.compiler.relation import Missing, Queries, Relation
from catalog.compiler.sql import column, named
from catalog.compiler.stop import CannotCompile, stop
from catalog.compiler.zones import local
from catalog.issues import IssueCode
from catalog.labels import with_capital
from catalog.query import ColumnRole, CompiledQuery, GroupBy, QuerySpec, ResultColumn, Things, ThingsSet
from catalog.reach import model_of_entity
from catalog.surfaces import plural
from catalog.types import METRIC_TIME, CatalogSnapshot, Filter, SemanticModel

_ALL, _FIGURES = "all_things", "figures"


def things_query(spec: QuerySpec, things: Things, snapshot: CatalogSnapshot, dialect: str) -> CompiledQuery:
    """The things that meet the spec's conditions; a sum or a count is 0 for a thing without rows."""
    if spec.comparison or spec.calculations:
        message = f"A list of each {things.entity} shows no comparison; ask for the figures by {things.entity} instead."
        raise stop(IssueCode.UNSUPPORTED, message, subject=things.entity)
    bindings = Bindings()
    wanted = tuple(dict.fromkeys((*spec.metrics, *(h.metric for h in spec.having))))
    figures = relation_of(_figures(spec, things, wanted), snapshot, bindings, prefix="things_") if wanted else None
    sets = tuple(_set_of(f"set_{i}", one, spec, snapshot, bindings) for i, one in enumerate(things.sets))
    members = _Members(spec, things, snapshot, bindings)
    listed = members.query(wanted, sets)
    beside = ((_FIGURES, figures.rows),) if figures else ()
    made = Rows(
        queries=(*_queries(sets), *(figures.queries if figures else ()), *beside, (_ALL, listed)),
        rows=_beside(figures, members, things),
        groups=members.groups,
        values=wanted,
        shown=spec.metrics,
    )
    tree = count_query(spec, made, bindings, things.entity) if things.counted else answer_query(spec, made, bindings)
    measured = figures.metrics if figures else ()
    shown = [replace(m.column, additive=False) for m in measured if m.name in spec.metrics]
    columns = (_counted(things),) if things.counted else (*(group_column(g) for g in members.groups if g.shown), *shown)
    relations = (*((figures,) if figures else ()), *(s.relation for s in sets))
    notes = (n for r in relations for n in r.notes)
    told = _notes(figures, things) if figures else ()
    return written(
        tree,
        dialect,
        parameters=bindings.parameters,
        columns=columns,
        tables=frozenset(members.tables.read).union(*(r.tables for r in relations)),
        notes=tuple(dict.fromkeys((*notes, *told, *_came_later(spec, things)))),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Set:
    """The keys of the things in one set, as a named query."""

    name: str
    relation: Relation
    keys: exp.Select
    absent: bool


def _set_of(name: str, one: ThingsSet, spec: QuerySpec, snapshot: CatalogSnapshot, bindings: Bindings) -> _Set:
    things = spec.things
    if things is None:
        raise ValueError("A set is one of things.")
    asked = replace(spec, where=one.filters, time_range=one.time_range, time_dimension=None)
    relation = relation_of(_figures(asked, things, (one.metric,)), snapshot, bindings, prefix=f"{name}_")
    key = column(name, relation.groups[0].alias)
    met = compare(one.op, column(name, one.metric), one.values, bindings.bind)
    known = exp.Not(this=exp.Is(this=key.copy(), expression=exp.Null()))
    keys = exp.Select(expressions=[key]).from_(exp.to_identifier(name, quoted=True)).where(met, known, copy=False)
    return _Set(name=name, relation=relation, keys=keys, absent=one.absent)


def _queries(sets: tuple[_Set, ...]) -> Queries:
    return tuple(q for s in sets for q in (*s.relation.queries, (s.name, s.relation.rows)))


def _figures(spec: QuerySpec, things: Things, wanted: tuple[str, ...]) -> QuerySpec:
    """The metrics by thing, without what is asked of the result."""
    return replace(
        spec,
        metrics=wanted,
        group_by=(GroupBy(dimension=things.key),),
        having=(),
        order_by=(),
        limit=None,
        identify_by=(),
        things=None,
    )


class _Members:
    """The things themselves, from their own table."""

    def __init__(self, spec: QuerySpec, things: Things, snapshot: CatalogSnapshot, bindings: Bindings) -> None:
        model = model_of_entity(snapshot, things.entity)
        if model is None:
            raise stop(IssueCode.UNKNOWN_DIMENSION, f"There is no entity {things.entity}.", subject=things.entity)
        self.spec, self.things, self.snapshot, self.bindings = spec, things, snapshot, bindings
        self.model: SemanticModel = model
        self.tables = Tables(snapshot, model)
        named_once = tuple(dict.fromkeys((things.key, *(g.dimension for g in spec.group_by))))
        if METRIC_TIME in named_once or any(g.granularity for g in spec.group_by):
            message = f"Each {things.entity} is listed once, so not by period."
            raise stop(IssueCode.UNSUPPORTED, message, subject=things.entity)
        asked = QuerySpec(metrics=(), group_by=tuple(GroupBy(dimension=d) for d in named_once))
        shown = {g.dimension for g in spec.group_by}
        found = question_of(asked, snapshot, (model.name,)).groups
        self.groups: tuple[Group, ...] = tuple(replace(g, shown=g.reference in shown) for g in found)

    def query(self, metrics: tuple[str, ...], sets: tuple[_Set, ...] = ()) -> exp.Select:
        """One row per thing that the conditions on the thing itself leave, and that is in every set."""
        columns = [named(self._shown(g), g.alias) for g in self.groups]
        conditions = [made for f in self._conditions(metrics) if (made := self._condition(f)) is not None]
        if self.tables.crosses_bridge:
            message = f"What belongs to each {self.things.entity} may be several; it cannot be listed once."
            raise stop(IssueCode.FAN_OUT, message, subject=self.things.entity)
        select = self.tables.select().select(*columns, copy=False).distinct(copy=False)
        for one in sets:
            inside = exp.In(this=self._column(self.things.key), query=exp.Subquery(this=one.keys))
            conditions.append(exp.Not(this=inside) if one.absent else inside)
        if self.things.member:
            conditions.append(exp.Not(this=exp.Is(this=self._column(self.things.key), expression=exp.Null())))
        return select.where(*conditions, copy=False) if conditions else select

    def _conditions(self, metrics: tuple[str, ...]) -> tuple[Filter, ...]:
        """What the question asks of the thing, and what every part of the metrics leaves out by definition."""
        leaves = [leaf for m in metrics for leaf in leaves_of(value_of(self.snapshot, m))]
        shared = [f for f in leaves[0].filters if all(f in leaf.filters for leaf in leaves)] if leaves else []
        return tuple(dict.fromkeys((*self.spec.where, *shared)))

    def _condition(self, given: Filter) -> exp.Expr | None:
        """The condition where the thing itself has the dimension; one on its figures alone is not made twice."""
        if given.field == METRIC_TIME:
            return None
        try:
            held = target_of(self.snapshot, (self.model.name,), given.field)
        except CannotCompile:
            return None
        calendar = self.snapshot.calendar
        return condition(given, self._column(given.field), held.dimension, self.bindings, calendar=calendar)

    def _shown(self, group: Group) -> exp.Expr:
        held = self._column(group.reference)
        return local(held, group.held.dimension, self.snapshot.calendar) if group.held else held

    def _column(self, reference: str) -> exp.Expr:
        held = target_of(self.snapshot, (self.model.name,), reference)
        reached = way_to(self.snapshot, self.model.name, reference, held)
        return self.tables.column(reached.path, reached.held.dimension.expr)


def _beside(relation: Relation | None, members: _Members, things: Things) -> exp.Select:
    """Every thing with its figures beside it."""
    key = next(g.alias for g in members.groups if g.reference == things.key)
    shown: list[exp.Expr] = [named(column(_ALL, g.alias), g.alias) for g in members.groups]
    for metric in relation.metrics if relation else ():
        value: exp.Expr = column(_FIGURES, metric.name)
        if metric.missing is not Missing.UNKNOWN:
            value = exp.Coalesce(this=value, expressions=[exp.Literal.number(0)])
        shown.append(named(value, metric.name))
    select = exp.Select(expressions=shown).from_(exp.to_identifier(_ALL, quoted=True))
    if relation is None:
        return select
    same = exp.EQ(this=column(_ALL, key), expression=column(_FIGURES, relation.groups[0].alias))
    figures = exp.Table(this=exp.to_identifier(_FIGURES, quoted=True))
    select.append("joins", exp.Join(this=figures, side="LEFT", on=same))
    return select


def _counted(things: Things) -> ResultColumn:
    words = things.entity.replace("_", " ")
    return ResultColumn(name=things.entity, label=with_capital(plural(words) or words), role=ColumnRole.METRIC)


def _called(things: Things) -> str:
    return (things.key.split("__")[-1] if things.member else things.entity).replace("_", " ")


def _came_later(spec: QuerySpec, things: Things) -> tuple[str, ...]:
    words = _called(things)
    return (f"Each {words} that is there now is looked at, whenever it came.",) if bounds(spec) else ()


def _notes(relation: Relation, things: Things) -> tuple[str, ...]:
    words = _called(things)
    zero = [m.column.label.lower() for m in relation.metrics if m.missing is not Missing.UNKNOWN]
    unknown = [m.column.label.lower() for m in relation.metrics if m.missing is Missing.UNKNOWN]
    told = [f"A {words} without any {' or '.join(zero)} counts as 0."] if zero else []
    told += [f"A {words} without {' or '.join(unknown)} meets no condition on it."] if unknown else []
    return (*told, *(n for m in relation.metrics for n in m.notes))
