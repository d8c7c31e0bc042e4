"""A metric's calculation in plain words."""

from __future__ import annotations

import re
from decimal import Decimal

from catalog.access import AccessScope
from catalog.labels import metric_label
from catalog.lookup import lookup
from catalog.types import (
    Aggregation,
    CatalogSnapshot,
    ConversionCalculation,
    Filter,
    Measure,
    Metric,
    MetricInput,
    MetricType,
    Scalar,
)
from catalog.visible import expression_visible, metric_visible, visible_dimensions

_AGGREGATES = {
    Aggregation.SUM: "the sum of {}",
    Aggregation.COUNT: "the number of rows with {}",
    Aggregation.COUNT_DISTINCT: "the number of different values of {}",
    Aggregation.AVERAGE: "the average of {}",
    Aggregation.MIN: "the smallest {}",
    Aggregation.MAX: "the largest {}",
    Aggregation.MEDIAN: "the median of {}",
    Aggregation.SUM_BOOLEAN: "the number of rows where {}",
}


def calculation_words(snapshot: CatalogSnapshot, scope: AccessScope, name: str) -> tuple[str, ...]:
    """Sentences, the calculation first, then what it leaves out; parts that the scope may not see are left out."""
    metric = lookup(snapshot).metrics[name]
    first = _calculation(snapshot, scope, metric)
    filters = (_only_where(snapshot, scope, f) for f in metric.filters)
    written = (*metric.where, *(metric.measure_use.where if metric.measure_use else ()))
    templates = (f"Only where {_template(text)}." for text in written)
    return tuple(s for s in (f"{first[0].upper()}{first[1:]}." if first else "", *filters, *templates) if s)


def _calculation(snapshot: CatalogSnapshot, scope: AccessScope, metric: Metric) -> str:
    if metric.type is MetricType.RATIO and metric.numerator and metric.denominator:
        parts = [_input(snapshot, scope, part) for part in (metric.numerator, metric.denominator)]
        return f"{parts[0]}, divided by {parts[1]}" if all(parts) else ""
    if metric.type is MetricType.DERIVED:
        return _derived(snapshot, scope, metric)
    if metric.type is MetricType.CONVERSION:
        return _conversion(metric)
    measured = _measured(snapshot, scope, metric.measure_use.name if metric.measure_use else metric.measure or "")
    return f"{measured}{_window(metric)}" if measured else ""


def _measured(snapshot: CatalogSnapshot, scope: AccessScope, name: str) -> str:
    held = lookup(snapshot).measure(name)
    if held is None or not expression_visible(snapshot, scope, held[0], held[1].expr):
        return ""
    return f"{aggregate_words(held[1])} in {held[0].table}{_moment(held[1])}"


def aggregate_words(measure: Measure) -> str:
    """What the measure does with its column."""
    if measure.agg in {Aggregation.COUNT, Aggregation.SUM} and measure.expr.strip() == "1":
        return "the number of rows"
    if measure.agg is Aggregation.PERCENTILE:
        share = (Decimal(100) * (measure.percentile or 0)).normalize()
        return f"the value of {measure.expr} that {share:f}% of rows do not exceed"
    return _AGGREGATES[measure.agg].format(measure.expr)


def _moment(measure: Measure) -> str:
    rule = measure.non_additive
    if rule is None:
        return ""
    which = "first" if rule.pick is Aggregation.MIN else "last"
    each = f", for each {' and '.join(rule.window_groupings)}" if rule.window_groupings else ""
    return f", at the {which} {rule.dimension.replace('_', ' ')} of each period{each} only"


def _window(metric: Metric) -> str:
    if metric.type is not MetricType.CUMULATIVE:
        return ""
    if metric.window_count and metric.window_granularity:
        return f", over the last {_some(metric.window_count, metric.window_granularity)}"
    return f", since the {metric.grain_to_date} began" if metric.grain_to_date else ", since the beginning"


def _derived(snapshot: CatalogSnapshot, scope: AccessScope, metric: Metric) -> str:
    parts = [_input(snapshot, scope, part) for part in metric.inputs]
    if not metric.expr or not all(parts):
        return ""
    named = tuple(zip(metric.inputs, parts, strict=True))
    plain = {_alias(part): words for part, words in named if _is_plain(part)}
    formula = re.sub(r"\b[A-Za-z_]\w*\b", lambda found: plain.get(found[0], found[0]), metric.expr)
    told = "; ".join(f"{_alias(part)} is {words}" for part, words in named if not _is_plain(part))
    return f"{formula}, where {told}" if told else formula


def _alias(part: MetricInput) -> str:
    return part.alias or part.metric


def _is_plain(part: MetricInput) -> bool:
    return not (part.filters or part.where or _back(part))


def _input(snapshot: CatalogSnapshot, scope: AccessScope, part: MetricInput) -> str:
    if not metric_visible(snapshot, scope, part.metric):
        return ""
    label = metric_label(lookup(snapshot).metrics[part.metric])
    conditions = [_only_where(snapshot, scope, f).rstrip(".").lower() for f in part.filters]
    conditions += [f"only where {_template(text)}" for text in part.where]
    return " ".join((label[:1].lower() + label[1:], *_back(part), *(c for c in conditions if c)))


def _back(part: MetricInput) -> tuple[str, ...]:
    if part.offset_count and part.offset_granularity:
        return (f"{_some(part.offset_count, part.offset_granularity)} earlier",)
    if part.offset_custom:
        return (f"{_some(part.offset_count, part.offset_custom)} earlier",)
    return (f"when the {part.offset_to_grain} began",) if part.offset_to_grain else ()


def _conversion(metric: Metric) -> str:
    rule = metric.conversion
    if rule is None:
        return ""
    counts = rule.calculation is ConversionCalculation.COUNT
    within = f" within {_some(rule.window_count, rule.window_granularity)}" if rule.window_count else ""
    what = "the number of" if counts else "the part of"
    later, base = (n.replace("_", " ") for n in (rule.conversion.name, rule.base.name))
    return f"{what} {base} that {later} of the same {rule.entity.replace('_', ' ')} follow{within}"


def _some(count: int | None, unit: object) -> str:
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"


def _only_where(snapshot: CatalogSnapshot, scope: AccessScope, given: Filter) -> str:
    bare = given.field.split("__")[-1]
    known = lookup(snapshot)
    if (bare in known.dimensions or bare in known.entities) and not visible_dimensions(snapshot, scope, bare):
        return ""
    return f"Only where {condition_words(given)}."


def condition_words(given: Filter) -> str:
    """The condition as text: `region in EMEA, APAC`."""
    joined = (" and " if given.op.value == "between" else ", ").join(_literal(v) for v in given.values)
    return f"{given.field.replace('_', ' ')} {given.op.value} {joined}".strip()


def _literal(value: Scalar) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "no value" if value is None else str(value)


def _template(text: str) -> str:
    """A MetricFlow condition without its brackets."""
    return " ".join(text.replace("{{", "").replace("}}", "").split())
