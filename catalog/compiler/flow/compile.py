"""FlowQuery → SQL with MetricFlow's meaning, or every reason why it cannot be computed exactly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from catalog.collector import paused_collector
from catalog.compiler.dialects import DIALECTS, written
from catalog.compiler.flow.conversion import conversion_queries
from catalog.compiler.flow.distinct import completed, values_query
from catalog.compiler.flow.paths import reach
from catalog.compiler.flow.periods import Flow, custom_spine, floor, following
from catalog.compiler.flow.query import FlowQuery
from catalog.compiler.flow.side import Named, joins_of, side_queries
from catalog.compiler.plan import Leaf, Value, base_grain, default_grain, leaves_of, value_of
from catalog.compiler.refs import SIZES, Ref, at_grain, coarser, ref_of
from catalog.compiler.scans import scans
from catalog.compiler.sql import column, cte_table, grouped, join, literal, named, select_from
from catalog.compiler.stop import CannotCompile, stop
from catalog.compiler.templates import Condition, condition_of
from catalog.compiler.values import expression
from catalog.issues import Issue, IssueCode
from catalog.lookup import lookup
from catalog.query import ColumnRole, CompiledQuery, ResultColumn
from catalog.types import CatalogSnapshot, TimeGranularity

_ALL, _VALUES = "all_sides", "all_values"


@paused_collector()
def compile_flow(
    query: FlowQuery, snapshot: CatalogSnapshot, *, dialect: str | None = None
) -> CompiledQuery | tuple[Issue, ...]:
    """SQL for the query in `dialect` (the catalog's own by default), not yet guarded; or typed issues."""
    wanted = dialect or snapshot.dialect
    read: set[str] = set()
    try:
        _check(query, wanted)
        _check_names(query)
        tree, columns = _compile(query, snapshot, read)
        return written(tree, wanted, columns=columns, tables=read)
    except CannotCompile as cannot:
        return cannot.issues


def _check(query: FlowQuery, dialect: str) -> None:
    if dialect not in DIALECTS:
        raise stop(IssueCode.UNSUPPORTED, f"Queries for {dialect} cannot be made.", subject=dialect, choices=DIALECTS)
    if not query.metrics and not query.group_by:
        raise stop(IssueCode.UNSUPPORTED, "Nothing was asked for: name a metric or a dimension.")
    if query.min_max_only and (query.metrics or len(query.group_by) != 1):
        raise stop(IssueCode.UNSUPPORTED, "The smallest and largest value are of one dimension, without metrics.")


def _compile(query: FlowQuery, snapshot: CatalogSnapshot, read: set[str]) -> tuple[exp.Query, tuple[ResultColumn, ...]]:
    grain = str(_default(query, snapshot))
    groups = tuple(at_grain(g, grain) if g.is_metric_time and not (g.grain or g.part) else g for g in query.group_by)
    query = replace(query, group_by=tuple(dict.fromkeys(groups)))
    conditions = tuple(condition_of(text, snapshot, grain) for text in query.where)

    inner = inner_query(snapshot, read)
    flow = Flow(snapshot=snapshot, query=query, window=(None, None), inner=inner, read=read)
    if not query.metrics:
        return _values(_bounded(flow, TimeGranularity.DAY), conditions)
    plan = _plan(flow, conditions)
    return _answer(plan), _columns(plan)


def _check_names(query: FlowQuery) -> None:
    """Two columns of one name could not be told apart."""
    twice = next((g.column for g in query.group_by if g.column in query.metrics), None)
    if twice is not None:
        message = f"{twice} is both a metric and a dimension here; ask for them one after the other."
        raise stop(IssueCode.UNSUPPORTED, message, subject=twice)


def inner_query(snapshot: CatalogSnapshot, read: set[str]) -> Callable[[FlowQuery], exp.Query]:
    """How to compile a query of one metric by one entity inside another: its columns are `key` and the metric's."""

    def inner(asked: FlowQuery) -> exp.Query:
        tree, columns = _compile(asked, snapshot, read)
        wrapped = select_from(exp.Subquery(this=tree, alias=exp.TableAlias(this=exp.to_identifier("asked"))))
        return wrapped.select(
            named(column("asked", columns[0].name), "key"),
            named(column("asked", columns[1].name), asked.metrics[0]),
            copy=False,
        )

    return inner


def _default(query: FlowQuery, snapshot: CatalogSnapshot) -> TimeGranularity:
    """The grain of metric_time where none is named: the largest of the metrics' own."""
    found: TimeGranularity | None = None
    for name in query.metrics:
        grain = default_grain(snapshot, name)
        found = grain if found is None else coarser(found, grain)
    return found or TimeGranularity.DAY


def _bounded(flow: Flow, base: TimeGranularity) -> Flow:
    """The window widened to whole periods: of the smallest metric_time asked for, else of `base`."""
    query = flow.query
    grain = _asked_size(flow) or base
    start = literal(floor(query.start, grain)) if query.start else None
    end = literal(following(floor(query.end, grain), grain)) if query.end else None
    return replace(flow, window=(start, end))


def _asked_size(flow: Flow) -> TimeGranularity | None:
    """The size of the smallest metric_time asked for; a custom one counts where there is no other."""
    asked = [g.grain for g in flow.query.group_by if g.is_metric_time and g.grain]
    plain = [TimeGranularity(g) for g in asked if g in set(TimeGranularity)]
    sizes = plain or [custom_spine(flow.snapshot, g)[0].granularity for g in asked]
    return min(sizes, key=SIZES.index, default=None)


# -- values --------------------------------------------------------------------------------


def _values(flow: Flow, conditions: tuple[Condition, ...]) -> tuple[exp.Query, tuple[ResultColumn, ...]]:
    tree, groups = values_query(flow, conditions)
    if flow.query.min_max_only:
        name = groups[0].column
        held = column(_VALUES, name)
        made = select_from(cte_table(_VALUES)).select(
            named(exp.Min(this=held), f"{name}__min"), named(exp.Max(this=held.copy()), f"{name}__max"), copy=False
        )
        shown = tuple(replace(_group_column(groups[0]), name=f"{name}__{end}") for end in ("min", "max"))
        return _with([(_VALUES, tree)], made), shown
    return _ordered(
        tree, flow, {g.column: exp.column(exp.to_identifier(g.column, quoted=True)) for g in groups}
    ), tuple(_group_column(g) for g in groups)


# -- metrics -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    flow: Flow
    values: dict[str, Value]
    sides: tuple[tuple[str, tuple[tuple[str, Leaf], ...]], ...]

    def leaf_column(self, leaf: Leaf) -> exp.Column:
        """The leaf's column in what the answer selects from."""
        for side, leaves in self.sides:
            for name, held in leaves:
                if held == leaf:
                    return column(self.home(side), name)
        raise AssertionError(leaf.name)

    def shown(self, metric: str) -> str:
        """The metric's column: its name, unless a group inside a condition is called so."""
        return f"{metric}__value" if any(g.column == metric for g in self.flow.query.group_by) else metric

    def home(self, side: str) -> str:
        """Where a side's columns are read by the answer."""
        return _ALL if len(self.sides) > 1 and self.flow.query.group_by else side


def _plan(flow: Flow, conditions: tuple[Condition, ...]) -> _Plan:
    values = {name: value_of(flow.snapshot, name, conditions) for name in dict.fromkeys(flow.query.metrics)}
    leaves = tuple(dict.fromkeys(leaf for v in values.values() for leaf in leaves_of(v)))
    flow = _bounded(_completed(flow, leaves), _window_size(flow, leaves))
    names = {leaf: f"{leaf.measure.name}_{number}" for number, leaf in enumerate(leaves, 1)}
    shared = enumerate(scans(leaves, lambda leaf: joins_of(flow, leaf)), 1)
    sides = tuple((f"{held[0].model}_{i}", tuple((names[leaf], leaf) for leaf in held)) for i, held in shared)
    return _Plan(flow=flow, values=values, sides=sides)


def _window_size(flow: Flow, leaves: Sequence[Leaf]) -> TimeGranularity:
    """What a window without a metric_time is made of: the metrics' periods, or what is finer where it names hours."""
    query, size = flow.query, _default(flow.query, flow.snapshot)
    own = max((base_grain(flow.snapshot, leaf.measure.name) for leaf in leaves), key=SIZES.index)
    in_days = all(moment is None or floor(moment, TimeGranularity.DAY) == moment for moment in (query.start, query.end))
    return own if size is TimeGranularity.DAY and not in_days else size


def _completed(flow: Flow, leaves: Sequence[Leaf]) -> Flow:
    """The groups with whole paths and grains, which all sides must agree on."""
    groups: list[Ref] = []
    for group in flow.query.group_by:
        seen = dict.fromkeys(_seen(flow, leaf, group) for leaf in leaves)
        if len(seen) > 1:
            message = f"{group.column} means different things for the metrics asked for."
            choices = tuple(s.column for s in seen)
            raise stop(IssueCode.AMBIGUOUS_DIMENSION, message, subject=group.column, choices=choices)
        groups.extend(seen)
    return replace(flow, query=replace(flow.query, group_by=tuple(dict.fromkeys(groups))))


def _seen(flow: Flow, leaf: Leaf, group: Ref) -> Ref:
    if group.is_metric_time:
        return group
    return completed(group, reach(flow.snapshot, lookup(flow.snapshot).models[leaf.model], group))


# -- the answer ----------------------------------------------------------------------------


def _answer(plan: _Plan) -> exp.Query:
    ctes: list[Named] = []
    for side, leaves in plan.sides:
        leaf = leaves[0][1]
        if leaf.followed is not None:
            ctes.extend(conversion_queries(plan.flow, leaf, leaves[0][0], side))
        else:
            ctes.extend(side_queries(plan.flow, leaves, side))
    groups = plan.flow.query.group_by
    first, *rest = (side for side, _ in plan.sides)
    if rest and groups:
        ctes.append((_ALL, _joined(plan)))
        made = select_from(cte_table(_ALL))
    else:
        made = select_from(cte_table(first), [join(cte_table(side), []) for side in rest])
    home = plan.home(first)
    keys = {g.column: column(home, g.column) for g in groups}
    metrics = {plan.shown(name): expression(v, plan.leaf_column, joined=False) for name, v in plan.values.items()}
    made = made.select(*(named(v.copy(), n) for n, v in {**keys, **metrics}.items()), copy=False)
    return _with(ctes, _ordered(made, plan.flow, {**keys, **metrics}))


def _joined(plan: _Plan) -> exp.Select:
    """All sides by their groups.  Groups that lack a value meet no other in a join, so they are merged afterwards."""
    groups = plan.flow.query.group_by
    first, *rest = (side for side, _ in plan.sides)
    made = select_from(cte_table(first))
    keys: dict[str, list[exp.Expr]] = {g.column: [column(first, g.column)] for g in groups}
    for side in rest:
        on = [exp.EQ(this=_coalesced(keys[g.column]), expression=column(side, g.column)) for g in groups]
        made.append("joins", join(cte_table(side), on, side="FULL"))
        for g in groups:
            keys[g.column].append(column(side, g.column))
    shown = [named(_coalesced(keys[g.column]), g.column) for g in groups]
    columns = [named(exp.Max(this=column(side, n)), n) for side, leaves in plan.sides for n, _ in leaves]
    return grouped(made, shown, columns)


def _coalesced(values: Sequence[exp.Expr]) -> exp.Expr:
    first, *rest = (v.copy() for v in values)
    return exp.Coalesce(this=first, expressions=rest) if rest else first


def _ordered(select: exp.Select, flow: Flow, shown: dict[str, exp.Expr]) -> exp.Select:
    """The rows in the order asked for; a limit without one takes the first groups."""
    query = flow.query
    orders = [exp.Ordered(this=_shown(o.by, flow, shown), desc=o.descending, nulls_first=False) for o in query.order_by]
    if not orders and query.limit is not None:
        orders = [exp.Ordered(this=v.copy(), desc=False, nulls_first=False) for v in shown.values()]
    made = select.order_by(*orders, copy=False) if orders else select
    return made.limit(query.limit, copy=False) if query.limit is not None else made


def _shown(name: str, flow: Flow, shown: dict[str, exp.Expr]) -> exp.Expr:
    if name in shown:
        return shown[name].copy()
    wanted = ref_of(name, flow.snapshot)
    for group in flow.query.group_by:
        is_same = (group.path, group.name) == (wanted.path, wanted.name)
        if is_same and (wanted.grain or group.grain, wanted.part) == (group.grain, group.part):
            return shown[group.column].copy()
    raise stop(IssueCode.UNKNOWN_DIMENSION, f"{name} is sorted by but not asked for.", subject=name)


def _with(ctes: Sequence[Named], select: exp.Select) -> exp.Select:
    for name, query in ctes:
        select = select.with_(exp.to_identifier(name, quoted=True), as_=query, copy=False)
    return select


def _columns(plan: _Plan) -> tuple[ResultColumn, ...]:
    metrics = lookup(plan.flow.snapshot).metrics
    groups = (_group_column(g) for g in plan.flow.query.group_by)
    shown = (
        ResultColumn(
            name=plan.shown(name),
            label=metrics[name].label or name,
            role=ColumnRole.METRIC,
            format=metrics[name].format,
        )
        for name in plan.values
    )
    return (*groups, *shown)


def _group_column(ref: Ref) -> ResultColumn:
    known = ref.grain in set(TimeGranularity)
    return ResultColumn(
        name=ref.column,
        label=ref.column,
        role=ColumnRole.TIME if ref.grain else ColumnRole.DIMENSION,
        granularity=TimeGranularity(ref.grain) if ref.grain and known else None,
    )
