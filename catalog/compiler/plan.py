"""What has to be computed: metrics as formulas over leaves, and leaves that share a scan as sides."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from sqlglot import exp

from catalog.compiler.stop import stop
from catalog.expressions import BadExpression, formula, formula_names
from catalog.issues import IssueCode
from catalog.lookup import lookup
from catalog.types import (
    Aggregation,
    CatalogSnapshot,
    Filter,
    Measure,
    Metric,
    MetricInput,
    MetricType,
    SemanticModel,
    TimeGranularity,
)

MAX_DEPTH = 20
COUNTS = frozenset({Aggregation.COUNT, Aggregation.COUNT_DISTINCT})
SUMS = frozenset({Aggregation.SUM, Aggregation.SUM_BOOLEAN, Aggregation.COUNT})
"""Aggregations whose parts add up to the whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accumulation:
    """A cumulative metric's reach back from the end of the window: everything, a width, or since a period began."""

    count: int | None = None
    granularity: TimeGranularity | None = None
    to_date: TimeGranularity | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Offset:
    """How far back an input looks."""

    count: int
    granularity: TimeGranularity


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """One measure under its filters: what a single aggregate computes."""

    name: str
    model: str
    measure: Measure
    time_dimension: str | None
    filters: tuple[Filter, ...] = ()
    accumulation: Accumulation | None = None
    offset: Offset | None = None

    def side(self) -> tuple[object, ...]:
        """Leaves with the same key are aggregated in the same scan."""
        return (
            self.model,
            self.time_dimension,
            self.filters,
            self.accumulation,
            self.offset,
            self.measure.non_additive,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Single:
    """A metric that is one leaf."""

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


def value_of(snapshot: CatalogSnapshot, name: str) -> Value:
    """The metric as a formula over leaves."""
    return _value(snapshot, MetricInput(metric=name), (), 0)


def _value(snapshot: CatalogSnapshot, given: MetricInput, outer: tuple[Filter, ...], depth: int) -> Value:
    metric = lookup(snapshot).metrics.get(given.metric)
    if metric is None:
        raise stop(IssueCode.UNKNOWN_METRIC, f"There is no metric {given.metric}.", subject=given.metric)
    if depth > MAX_DEPTH:
        raise stop(IssueCode.INVALID_CATALOG, f"The metric {metric.name} is made of itself.", subject=metric.name)
    _check_plain(metric, given)
    filters = (*outer, *given.filters, *metric.filters)
    value = _by_type(snapshot, metric, filters, depth)
    if given.offset_count:
        return _moved(value, Offset(count=given.offset_count, granularity=_offset_unit(metric, given)), metric)
    return value


def _check_plain(metric: Metric, given: MetricInput) -> None:
    """What only MetricFlow queries can read stops here, so that no condition is left out."""
    templated = (metric.where, metric.measure_use, metric.conversion, given.where, given.offset_custom)
    if any(templated) or given.offset_to_grain is not None:
        message = f"{metric.name} is written as MetricFlow writes it; compile it as a MetricFlow query."
        raise stop(IssueCode.UNSUPPORTED, message, subject=metric.name)


def _by_type(snapshot: CatalogSnapshot, metric: Metric, filters: tuple[Filter, ...], depth: int) -> Value:
    if metric.type in {MetricType.SIMPLE, MetricType.CUMULATIVE}:
        return _single(snapshot, metric, filters)
    if metric.type is MetricType.RATIO:
        if metric.numerator is None or metric.denominator is None:
            raise _incomplete(metric, "a numerator and a denominator")
        return Ratio(
            numerator=_value(snapshot, metric.numerator, filters, depth + 1),
            denominator=_value(snapshot, metric.denominator, filters, depth + 1),
        )
    if metric.type is MetricType.DERIVED:
        return _formula(snapshot, metric, filters, depth)
    raise stop(
        IssueCode.UNSUPPORTED,
        f"{metric.name} counts conversions between two events; that cannot be computed yet.",
        subject=metric.name,
    )


def _single(snapshot: CatalogSnapshot, metric: Metric, filters: tuple[Filter, ...]) -> Single:
    held = lookup(snapshot).measure(metric.measure) if metric.measure else None
    if held is None:
        raise _incomplete(metric, "a measure that exists once")
    model, measure = held
    leaf = Leaf(
        name=metric.name,
        model=model.name,
        measure=measure,
        time_dimension=_time_of(metric, measure, model),
        filters=tuple(dict.fromkeys(filters)),
        accumulation=_accumulation(metric),
    )
    return Single(leaf=leaf, fill=metric.fill_nulls_with)


def _time_of(metric: Metric, measure: Measure, model: SemanticModel) -> str | None:
    """The measure's own time wins: METRIC_TIME means that; the metric's only stands in where it has none."""
    return measure.agg_time_dimension or metric.time_dimension or model.default_time_dimension


def _accumulation(metric: Metric) -> Accumulation | None:
    if metric.type is not MetricType.CUMULATIVE:
        return None
    return Accumulation(count=metric.window_count, granularity=metric.window_granularity, to_date=metric.grain_to_date)


def _formula(snapshot: CatalogSnapshot, metric: Metric, filters: tuple[Filter, ...], depth: int) -> Formula:
    if not metric.expr or not metric.inputs:
        raise _incomplete(metric, "a formula and its inputs")
    try:
        names = formula_names(metric.expr, snapshot.dialect)
        tree = formula(metric.expr, snapshot.dialect)
    except BadExpression as bad:
        raise stop(IssueCode.INVALID_CATALOG, f"{bad}.", subject=metric.name) from bad
    inputs = {i.alias or i.metric: i for i in metric.inputs}
    if not names <= set(inputs):
        missing = ", ".join(sorted(names - set(inputs)))
        raise _incomplete(metric, f"inputs named {missing}")
    values = tuple((a, _value(snapshot, i, filters, depth + 1)) for a, i in inputs.items() if a in names)
    return Formula(tree=tree, text=metric.expr, inputs=values)


def _offset_unit(metric: Metric, given: MetricInput) -> TimeGranularity:
    if given.offset_granularity is None:
        raise _incomplete(metric, "a unit for its offset")
    return given.offset_granularity


def _moved(value: Value, offset: Offset, metric: Metric) -> Value:
    """The value with every leaf looking back."""
    if isinstance(value, Single):
        leaf = value.leaf
        if leaf.offset is not None:
            raise stop(
                IssueCode.UNSUPPORTED,
                f"{metric.name} looks back twice; that cannot be computed yet.",
                subject=metric.name,
            )
        moved = Leaf(
            name=leaf.name,
            model=leaf.model,
            measure=leaf.measure,
            time_dimension=leaf.time_dimension,
            filters=leaf.filters,
            accumulation=leaf.accumulation,
            offset=offset,
        )
        return Single(leaf=moved, fill=value.fill)
    if isinstance(value, Ratio):
        return Ratio(
            numerator=_moved(value.numerator, offset, metric), denominator=_moved(value.denominator, offset, metric)
        )
    inner = tuple((a, _moved(v, offset, metric)) for a, v in value.inputs)
    return Formula(tree=value.tree, text=value.text, inputs=inner)


def _incomplete(metric: Metric, what: str) -> Exception:
    return stop(IssueCode.INVALID_CATALOG, f"The metric {metric.name} lacks {what}.", subject=metric.name)
