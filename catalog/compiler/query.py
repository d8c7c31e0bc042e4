"""QuerySpec → CompiledQuery, or every reason why it cannot be computed exactly."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count

from sqlglot import exp

from catalog.compiler.bindings import Bindings
from catalog.compiler.columns import group_column, metric_column
from catalog.compiler.filters import NEGATIONS, compare
from catalog.compiler.members import members_query
from catalog.compiler.plan import Leaf, Value, leaves_of, value_of
from catalog.compiler.question import Question, question_of
from catalog.compiler.side import Side, build_side
from catalog.compiler.stop import CannotCompile, stop
from catalog.compiler.values import divides, expression, fills_missing
from catalog.issues import Issue, IssueCode
from catalog.labels import metric_label, with_capital
from catalog.query import CompiledQuery, Direction, QuerySpec, ResultColumn
from catalog.types import METRIC_TIME, CatalogSnapshot, Operator

DIALECTS = ("duckdb", "postgres")
_GROUPS, _ANSWER = "all_groups", "answer"


def compile_query(
    spec: QuerySpec, snapshot: CatalogSnapshot, *, dialect: str | None = None
) -> CompiledQuery | tuple[Issue, ...]:
    """SQL for the spec in `dialect` (the catalog's own by default), not yet guarded; or typed issues."""
    try:
        return _compile(spec, snapshot, dialect or snapshot.dialect)
    except CannotCompile as cannot:
        return cannot.issues


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """Everything that the outer query is made of."""

    question: Question
    values: dict[str, Value]
    names: dict[Leaf, str]
    sides: tuple[tuple[tuple[Leaf, ...], Side], ...]

    def column(self, leaf: Leaf) -> exp.Column:
        """The leaf's column in its side."""
        side = next(s for leaves, s in self.sides if leaf in leaves)
        return _column(side.name, self.names[leaf])


def _compile(spec: QuerySpec, snapshot: CatalogSnapshot, dialect: str) -> CompiledQuery:
    _check(spec, dialect)
    if snapshot.time_spines:
        message = "This catalog follows MetricFlow's rules for time; compile it as a MetricFlow query."
        raise stop(IssueCode.UNSUPPORTED, message, subject=snapshot.name)
    if not spec.metrics:
        return members_query(spec, snapshot, dialect)
    bindings = Bindings()
    plan = _plan(spec, snapshot, bindings)
    tree = _outer(plan, bindings)
    ctes = [cte for _, side in plan.sides for cte in side.ctes]
    for name, select in reversed(ctes):
        _put_first(tree, name, select)
    return CompiledQuery(
        sql=tree.sql(dialect=dialect, pretty=True, comments=False),
        dialect=dialect,
        parameters=bindings.parameters,
        columns=_columns(plan),
        tables=tuple(sorted({t for _, side in plan.sides for t in side.tables})),
        notes=_notes(plan),
    )


def _check(spec: QuerySpec, dialect: str) -> None:
    if dialect not in DIALECTS:
        raise stop(IssueCode.UNSUPPORTED, f"Queries for {dialect} cannot be made.", subject=dialect, choices=DIALECTS)
    if not spec.metrics and not spec.group_by:
        raise stop(IssueCode.UNSUPPORTED, "Nothing was asked for: name a metric or a dimension.")
    if spec.comparison or spec.calculations or spec.top:
        raise stop(IssueCode.UNSUPPORTED, "Comparisons and calculations over a result cannot be computed yet.")
    if spec.limit is not None and spec.limit < 1:
        raise stop(IssueCode.WRONG_TYPE, "The number of rows must be at least 1.", subject="limit")
    if spec.limit is not None and spec.metrics and not spec.order_by:
        raise stop(IssueCode.UNSUPPORTED, "The first rows need an order; say by which metric.", subject="limit")


# -- plan ----------------------------------------------------------------------------------


def _plan(spec: QuerySpec, snapshot: CatalogSnapshot, bindings: Bindings) -> _Plan:
    values = {name: value_of(snapshot, name) for name in _metrics(spec)}
    leaves = list(dict.fromkeys(leaf for v in values.values() for leaf in leaves_of(v)))
    question = question_of(spec, snapshot, tuple(dict.fromkeys(leaf.model for leaf in leaves)))
    sided: dict[tuple[object, ...], list[Leaf]] = {}
    for leaf in leaves:
        sided.setdefault(leaf.side(), []).append(leaf)
    names = _leaf_names(leaves)
    taken: set[str] = set()
    sides = []
    for held in sided.values():
        name = _free(f"{held[0].model}_totals", taken)
        named = tuple(replace(x, name=names[x]) for x in held)
        sides.append((tuple(held), build_side(question, named, name, bindings)))
    return _Plan(question=question, values=values, names=names, sides=tuple(sides))


def _metrics(spec: QuerySpec) -> tuple[str, ...]:
    """The metrics shown, then those that only order or condition the result."""
    groups = {g.dimension for g in spec.group_by} | {METRIC_TIME}
    ordering = (o.by for o in spec.order_by if o.by not in groups and not _is_alias(o.by, spec))
    return tuple(dict.fromkeys((*spec.metrics, *(h.metric for h in spec.having), *ordering)))


def _is_alias(name: str, spec: QuerySpec) -> bool:
    return any(name == f"{g.dimension}__{g.granularity}" for g in spec.group_by)


def _leaf_names(leaves: list[Leaf]) -> dict[Leaf, str]:
    taken: set[str] = set()
    return {leaf: _free(leaf.name, taken) for leaf in leaves}


def _free(name: str, taken: set[str]) -> str:
    tried = (f"{name}_{i}" for i in count(2))
    found = name if name not in taken else next(n for n in tried if n not in taken)
    taken.add(found)
    return found


# -- outer query ---------------------------------------------------------------------------


def _outer(plan: _Plan, bindings: Bindings) -> exp.Select:
    spec = plan.question.spec
    joined = len(plan.sides) > 1
    select = _joined(plan)
    home = _GROUPS if joined and plan.question.groups else plan.sides[0][1].name
    groups = [_as(_column(home, g.alias), g.alias) for g in plan.question.groups]
    metrics = [_as(expression(v, plan.column, joined=joined), n) for n, v in plan.values.items()]
    select = select.select(*groups, *metrics, copy=False)
    hides = any(not g.shown for g in plan.question.groups)
    if spec.having or hides or len(plan.values) > len(spec.metrics):
        select = _conditioned(plan, select, bindings)
    select = select.order_by(*_order(plan), copy=False) if groups or spec.limit else select
    return select.limit(spec.limit, copy=False) if spec.limit else select


def _joined(plan: _Plan) -> exp.Select:
    first, *rest = (side for _, side in plan.sides)
    if not rest:
        return exp.Select().from_(_identifier(first.name))
    aliases = [g.alias for g in plan.question.groups]
    if not aliases:
        select = exp.Select().from_(_identifier(first.name))
        for side in rest:
            select.append("joins", exp.Join(this=_table(side.name), kind="CROSS"))
        return select
    select = exp.Select().from_(_identifier(_GROUPS))
    for side in (first, *rest):
        same = [exp.NullSafeEQ(this=_column(_GROUPS, a), expression=_column(side.name, a)) for a in aliases]
        select.append("joins", exp.Join(this=_table(side.name), side="LEFT", on=exp.and_(*same)))
    _put_first(select, _GROUPS, _spine(plan))
    return select


def _spine(plan: _Plan) -> exp.Query:
    """Every group of any side, once; UNION treats missing values as equal.

    A side that looks back would add periods after the last one that there is.
    """
    aliases = [g.alias for g in plan.question.groups]
    time = next((g.alias for g in plan.question.groups if g.held is None), None)
    base = next((side.name for leaves, side in plan.sides if leaves[0].offset is None), None)
    whole: exp.Query | None = None
    for leaves, side in plan.sides:
        query = exp.Select(expressions=[_column(side.name, a) for a in aliases]).from_(_identifier(side.name))
        if leaves[0].offset is not None and time and base:
            latest = exp.Select(expressions=[exp.Max(this=_column(base, time))]).from_(_identifier(base))
            within = exp.LTE(this=_column(side.name, time), expression=exp.Subquery(this=latest))
            query = query.where(within, copy=False)
        whole = query if whole is None else exp.Union(this=whole, expression=query, distinct=True)
    return whole or exp.Select()


def _conditioned(plan: _Plan, inner: exp.Select, bindings: Bindings) -> exp.Select:
    """The answer's rows that meet the conditions, without the columns that only served them."""
    spec = plan.question.spec
    shown = [*(g.alias for g in plan.question.groups if g.shown), *spec.metrics]
    outer = exp.Select(expressions=[_column(_ANSWER, n) for n in shown])
    outer = outer.from_(_identifier(_ANSWER))
    for having in spec.having:
        _check_condition(having.metric, having.op, len(having.values))
        column = _column(_ANSWER, having.metric)
        outer = outer.where(compare(having.op, column, having.values, bindings), copy=False)
    held = inner.args.pop("with_", None) or inner.args.pop("with", None)
    if held is not None:
        outer.set("with_" if "with_" in exp.Select.arg_types else "with", held)
    return outer.with_(_identifier(_ANSWER), as_=inner, copy=False)


def _check_condition(metric: str, op: Operator, count: int) -> None:
    wanted = {Operator.BETWEEN: 2, Operator.IS_NULL: 0, Operator.IS_NOT_NULL: 0}.get(op, 1)
    if (op in {Operator.IN, Operator.NOT_IN} and count) or count == wanted:
        return
    raise stop(IssueCode.WRONG_TYPE, f'"{op.value}" does not take {count} values.', subject=metric)


def _order(plan: _Plan) -> list[exp.Ordered]:
    """What was asked, then every group, so that the order never depends on chance."""
    spec, groups = plan.question.spec, plan.question.groups
    chosen: dict[str, bool] = {}
    for order in spec.order_by:
        by = next((g.alias for g in groups if order.by in {g.alias, g.reference}), order.by)
        if by not in plan.values and by not in {g.alias for g in groups}:
            raise stop(IssueCode.UNKNOWN_DIMENSION, f"The result has no {by} to order by.", subject=by)
        chosen.setdefault(by, order.direction is Direction.DESC)
    for group in groups:
        chosen.setdefault(group.alias, False)
    return [_ordered(plan, name, descending=desc) for name, desc in chosen.items()]


def _ordered(plan: _Plan, name: str, *, descending: bool) -> exp.Ordered:
    shown = {*plan.question.spec.metrics, *(g.alias for g in plan.question.groups if g.shown)}
    bare = exp.column(exp.to_identifier(name, quoted=True))
    return exp.Ordered(this=bare if name in shown else _column(_ANSWER, name), desc=descending, nulls_first=False)


# -- what a person is told -----------------------------------------------------------------


def _columns(plan: _Plan) -> tuple[ResultColumn, ...]:
    question = plan.question
    spec = question.spec
    shared = {leaf for leaves, side in plan.sides if side.overlapping for leaf in leaves}
    metrics = tuple(
        metric_column(question.snapshot, n, plan.values[n], by_time=question.grouped_by_time, shared=shared)
        for n in spec.metrics
    )
    if spec.having or spec.limit:
        metrics = tuple(replace(m, additive=False) for m in metrics)
    return (*(group_column(g) for g in question.groups if g.shown), *metrics)


def _notes(plan: _Plan) -> tuple[str, ...]:
    spec = plan.question.spec
    notes = [n for _, side in plan.sides for n in side.notes]
    notes.extend(f"Each {g.reference} is a row of its own." for g in plan.question.groups if not g.shown)
    bounded = spec.time_range is not None and (spec.time_range.start or spec.time_range.end)
    for name in spec.metrics:
        times = sorted({leaf.time_dimension or "" for leaf in leaves_of(plan.values[name])})
        if len(times) > 1 and bounded and spec.time_dimension is None:
            dates = " and ".join(t.replace("_", " ") for t in times if t)
            notes.append(f"The parts of {_called(plan, name).lower()} are each counted by their own date: {dates}.")
        if divides(plan.values[name]):
            notes.append(f"{_called(plan, name)} is empty where it would divide by 0.")
        if plan.question.groups and len(plan.sides) > 1 and fills_missing(plan.values[name]):
            notes.append(f"{_called(plan, name)} takes a part without rows in a group as 0.")
    for given in spec.where:
        if given.op in NEGATIONS and given.op is not Operator.IS_NULL and None not in given.values:
            notes.append(f"Rows without a value for {given.field.replace('_', ' ')} are left out.")
    if spec.limit and plan.question.groups:
        notes.append("Rows that tie are put in the order of their groups; the last place may be shared.")
    return tuple(dict.fromkeys(notes))


def _called(plan: _Plan, name: str) -> str:
    """A metric's label with a capital."""
    metric = next(m for m in plan.question.snapshot.metrics if m.name == name)
    return with_capital(metric_label(metric))


# -- small trees ---------------------------------------------------------------------------


def _put_first(select: exp.Select, name: str, query: exp.Query) -> None:
    key = "with_" if "with_" in exp.Select.arg_types else "with"
    cte = exp.CTE(this=query, alias=exp.TableAlias(this=exp.to_identifier(name, quoted=True)))
    held = select.args.get(key)
    before = list(held.expressions) if held is not None else []
    select.set(key, exp.With(expressions=[cte, *before]))


def _identifier(name: str) -> exp.Identifier:
    return exp.to_identifier(name, quoted=True)


def _column(table: str, name: str) -> exp.Column:
    return exp.Column(this=exp.to_identifier(name, quoted=True), table=exp.to_identifier(table, quoted=True))


def _table(name: str) -> exp.Table:
    return exp.Table(this=exp.to_identifier(name, quoted=True))


def _as(value: exp.Expr, name: str) -> exp.Alias:
    return exp.Alias(this=value, alias=exp.to_identifier(name, quoted=True))
