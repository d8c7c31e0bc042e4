"""What has to be computed: metrics as formulas over leaves, and leaves that share a scan as sides."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from decimal import Decimal

from sqlglot import exp

from catalog.compiler.refs import coarser
from catalog.compiler.stop import stop
from catalog.compiler.templates import Condition, condition_of
from catalog.expressions import BadExpression, formula, formula_names
from catalog.issues import IssueCode
from catalog.lookup import lookup
from catalog.types import (
    Aggregation,
    CatalogSnapshot,
    Conversion,
    ConversionCalculation,
    Filter,
    Measure,
    MeasureUse,
    Metric,
    MetricInput,
    MetricType,
    PeriodAggregation,
    SemanticModel,
    TimeGranularity,
)

MAX_DEPTH = 20
COUNTS = frozenset({Aggregation.COUNT, Aggregation.COUNT_DISTINCT})
SUMS = frozenset({Aggregation.SUM, Aggregation.SUM_BOOLEAN, Aggregation.COUNT})
"""Aggregations whose parts add up to the whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accumulation:
    """How far back a cumulative metric reaches: everything, a width, or since a period began."""

    count: int | None = None
    granularity: TimeGranularity | None = None
    to_date: TimeGranularity | None = None
    period_agg: PeriodAggregation | None = None
    fiscal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """One step back in time: by a number of periods (of a `custom` kind, where named), or to the start of one."""

    count: int = 0
    granularity: TimeGranularity
    custom: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """One measure under its conditions: what a single aggregate computes.

    `filters` are the definition's own, `where` templated ones and those of a question on a
    time spine; `after` are those of them that hold again where a time spine adds rows.
    `shifts` apply from the outermost metric inwards.  `fill` stands for each value that is
    missing before one of several is chosen for a period.  `followed` makes it count the
    conversions of its rows instead.
    """

    name: str
    model: str
    measure: Measure
    time_dimension: str | None
    filters: tuple[Filter, ...] = ()
    where: tuple[Condition, ...] = ()
    after: tuple[Condition, ...] = ()
    accumulation: Accumulation | None = None
    shifts: tuple[Shift, ...] = ()
    on_spine: bool = False
    fill: Decimal | None = None
    followed: Conversion | None = None

    def __hash__(self) -> int:
        """Of what tells most leaves apart; all parts would be walked each time that one is looked up."""
        return hash((self.name, self.model, self.time_dimension, len(self.filters), len(self.shifts)))

    def side(self) -> tuple[object, ...]:
        """Leaves of the same key count the same rows."""
        rule = self.measure.non_additive
        followed = (self.followed, self.measure.name) if self.followed else None
        scan = (self.model, self.time_dimension, self.filters, self.where, self.after, rule, followed)
        return (*scan, self.accumulation, self.shifts, self.on_spine)

    def scan(self) -> tuple[object, ...]:
        """Leaves of the same key count rows of the same table at the same time, each under its own conditions.

        Whatever is picked, moved or added up over time is a scan of its own.
        """
        parts = (self.measure.non_additive, self.followed, self.accumulation, self.shifts, self.on_spine)
        return self.side() if any(parts) else (self.model, self.time_dimension)


@dataclass(frozen=True, slots=True, kw_only=True)
class Single:
    """One leaf's number; nothing is `fill` where given."""

    leaf: Leaf
    fill: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratio:
    """One value over another."""

    numerator: Value
    denominator: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """A formula over named values."""

    tree: exp.Expr = field(compare=False, hash=False)
    text: str
    inputs: tuple[tuple[str, Value], ...]


Value = Single | Ratio | Formula


def leaves_of(value: Value) -> tuple[Leaf, ...]:
    """All leaves of a value, in order."""
    if isinstance(value, Single):
        return (value.leaf,)
    if isinstance(value, Ratio):
        return (*leaves_of(value.numerator), *leaves_of(value.denominator))
    return tuple(leaf for _, inner in value.inputs for leaf in leaves_of(inner))


def on_several_sides(value: Value) -> bool:
    """Whether the leaves of a value are aggregated in more than one scan."""
    first, *rest = (leaf.side() for leaf in leaves_of(value))
    return any(side != first for side in rest)


def metric_named(snapshot: CatalogSnapshot, name: str) -> Metric:
    """The metric, or a typed stop."""
    found = lookup(snapshot).metrics.get(name)
    if found is None:
        raise stop(IssueCode.UNKNOWN_METRIC, f"There is no metric {name}.", subject=name)
    return found


def held_measure(snapshot: CatalogSnapshot, name: str) -> tuple[SemanticModel, Measure, str | None]:
    """The measure with its model and the name of its own time dimension, if any; or a typed stop."""
    held = lookup(snapshot).measure(name)
    if held is None:
        raise stop(IssueCode.INVALID_CATALOG, f"There is not exactly one measure {name}.", subject=name)
    model, measure = held
    return model, measure, measure.agg_time_dimension or model.default_time_dimension


def default_grain(snapshot: CatalogSnapshot, name: str) -> TimeGranularity:
    """The grain of metric_time where a query names none: the metric's, else its measures' largest, at least a day."""
    metric = metric_named(snapshot, name)
    return metric.default_granularity or _largest(snapshot, metric, 0)


def _largest(snapshot: CatalogSnapshot, metric: Metric, depth: int) -> TimeGranularity:
    found = TimeGranularity.DAY
    for measure in _measures(metric):
        found = coarser(found, base_grain(snapshot, measure))
    for given in _inputs(metric) if depth < MAX_DEPTH else ():
        found = coarser(found, _largest(snapshot, metric_named(snapshot, given.metric), depth + 1))
    return found


def base_grain(snapshot: CatalogSnapshot, measure: str) -> TimeGranularity:
    """The grain in which the measure's own time is kept; a day where it has none."""
    model, _, time = held_measure(snapshot, measure)
    found = next((d.granularity for d in model.dimensions if d.name == time), None)
    return found or TimeGranularity.DAY


def _measures(metric: Metric) -> tuple[str, ...]:
    if metric.conversion is not None:
        return (metric.conversion.base.name, metric.conversion.conversion.name)
    return (metric.measure,) if metric.measure else ()


def _inputs(metric: Metric) -> tuple[MetricInput, ...]:
    return tuple(i for i in (metric.numerator, metric.denominator, *metric.inputs) if i is not None)


# -- metrics to values ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outer:
    """What the metrics around this one ask of it."""

    filters: tuple[Filter, ...] = ()
    where: tuple[Condition, ...] = ()
    after: tuple[Condition, ...] = ()
    shifts: tuple[Shift, ...] = ()
    depth: int = 0


def value_of(snapshot: CatalogSnapshot, name: str, where: tuple[Condition, ...] = ()) -> Value:
    """The metric as a formula over leaves, under conditions of the query."""
    return _value(snapshot, MetricInput(metric=name), _Outer(where=where))


def _value(snapshot: CatalogSnapshot, given: MetricInput, outer: _Outer) -> Value:
    metric = metric_named(snapshot, given.metric)
    if outer.depth > MAX_DEPTH:
        raise stop(IssueCode.INVALID_CATALOG, f"The metric {metric.name} is made of itself.", subject=metric.name)
    own = _conditions(snapshot, metric, (*given.where, *metric.where))
    # a plain metric's own conditions define its rows; those around it also choose among the periods of a spine
    around = _conditions(snapshot, metric, given.where) if metric.type is MetricType.SIMPLE else own
    shifts = (*outer.shifts, *_shifts(metric, given))
    if shifts and any(r.is_metric_time for c in own for r in c.refs):
        message = f"{metric.name} looks back in time under a condition on its own time; that is ambiguous."
        raise stop(IssueCode.UNSUPPORTED, message, subject=metric.name)
    inner = _Outer(
        filters=(*outer.filters, *given.filters, *metric.filters),
        where=tuple(dict.fromkeys((*outer.where, *own))),
        after=tuple(dict.fromkeys((*outer.where, *around))),
        shifts=shifts,
        depth=outer.depth + 1,
    )
    return _by_type(snapshot, metric, inner)


def _conditions(snapshot: CatalogSnapshot, metric: Metric, texts: tuple[str, ...]) -> tuple[Condition, ...]:
    if not texts:
        return ()
    grain = str(default_grain(snapshot, metric.name))
    return tuple(condition_of(text, snapshot, grain) for text in texts)


def _shifts(metric: Metric, given: MetricInput) -> tuple[Shift, ...]:
    if given.offset_custom:
        return (Shift(count=given.offset_count, granularity=TimeGranularity.DAY, custom=given.offset_custom),)
    found: list[Shift] = []
    if given.offset_count:
        if given.offset_granularity is None:
            raise _incomplete(metric, "a unit for its offset")
        found.append(Shift(count=given.offset_count, granularity=given.offset_granularity))
    if given.offset_to_grain is not None:
        found.append(Shift(granularity=given.offset_to_grain))
    return tuple(found)


def _by_type(snapshot: CatalogSnapshot, metric: Metric, outer: _Outer) -> Value:
    if metric.type in {MetricType.SIMPLE, MetricType.CUMULATIVE}:
        use = metric.measure_use or MeasureUse(name=metric.measure or "", fill_nulls_with=metric.fill_nulls_with)
        leaf = _leaf(snapshot, metric, use, outer)
        fill = use.fill_nulls_with if metric.type is MetricType.CUMULATIVE else None
        return Single(leaf=replace(leaf, accumulation=_accumulation(metric), fill=fill), fill=use.fill_nulls_with)
    if metric.type is MetricType.CONVERSION:
        return _conversion(snapshot, metric, outer)
    if metric.type is MetricType.RATIO:
        if metric.numerator is None or metric.denominator is None:
            raise _incomplete(metric, "a numerator and a denominator")
        return Ratio(
            numerator=_value(snapshot, metric.numerator, outer), denominator=_value(snapshot, metric.denominator, outer)
        )
    return _formula(snapshot, metric, outer)


def _leaf(snapshot: CatalogSnapshot, metric: Metric, use: MeasureUse, outer: _Outer) -> Leaf:
    """The measure as the metric uses it; the metric's time stands in only where the measure has none."""
    if not use.name:
        raise _incomplete(metric, "a measure that exists once")
    model, measure, _ = held_measure(snapshot, use.name)
    own = _conditions(snapshot, metric, use.where)
    return Leaf(
        name=metric.name,
        model=model.name,
        measure=measure,
        time_dimension=measure.agg_time_dimension or metric.time_dimension or model.default_time_dimension,
        filters=tuple(dict.fromkeys((*outer.filters, *use.filters))),
        where=tuple(dict.fromkeys((*outer.where, *own))),
        after=outer.after if use.join_to_timespine else (),
        shifts=outer.shifts,
        on_spine=use.join_to_timespine,
    )


def _accumulation(metric: Metric) -> Accumulation | None:
    if metric.type is not MetricType.CUMULATIVE:
        return None
    if (metric.window_count is None) != (metric.window_granularity is None):
        raise _incomplete(metric, "the number or the unit of its window")
    return Accumulation(
        count=metric.window_count,
        granularity=metric.window_granularity,
        to_date=metric.grain_to_date,
        period_agg=metric.period_agg,
        fiscal=metric.fiscal_to_date,
    )


def _conversion(snapshot: CatalogSnapshot, metric: Metric, outer: _Outer) -> Value:
    rule = metric.conversion
    if rule is None:
        raise _incomplete(metric, "what is converted into what")
    if outer.shifts:
        raise stop(
            IssueCode.UNSUPPORTED, f"{metric.name} counts conversions; it cannot look back.", subject=metric.name
        )
    base = _leaf(snapshot, metric, rule.base, outer)
    joins = rule.conversion.join_to_timespine
    followed = replace(base, followed=rule, on_spine=joins, after=outer.after if joins else ())
    count = Single(leaf=followed, fill=rule.conversion.fill_nulls_with)
    if rule.calculation is ConversionCalculation.COUNT:
        # the base's groups are kept where nothing was converted
        kept = Single(leaf=base, fill=rule.base.fill_nulls_with)
        return Formula(
            tree=exp.column("conversions"), text=metric.name, inputs=(("conversions", count), ("base", kept))
        )
    return Ratio(numerator=count, denominator=Single(leaf=base, fill=rule.base.fill_nulls_with))


def _formula(snapshot: CatalogSnapshot, metric: Metric, outer: _Outer) -> Formula:
    if not metric.expr or not metric.inputs:
        raise _incomplete(metric, "a formula and its inputs")
    try:
        names, tree = formula_names(metric.expr, snapshot.dialect), formula(metric.expr, snapshot.dialect)
    except BadExpression as bad:
        raise stop(IssueCode.INVALID_CATALOG, f"{bad}.", subject=metric.name) from bad
    inputs = {i.alias or i.metric: i for i in metric.inputs}
    if not names <= set(inputs):
        raise _incomplete(metric, f"inputs named {', '.join(sorted(names - set(inputs)))}")
    values = tuple((alias, _value(snapshot, given, outer)) for alias, given in inputs.items())
    return Formula(tree=tree, text=metric.expr, inputs=values)


def _incomplete(metric: Metric, what: str) -> Exception:
    return stop(IssueCode.INVALID_CATALOG, f"The metric {metric.name} lacks {what}.", subject=metric.name)
