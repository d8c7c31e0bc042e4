"""Rules for conversions, running metrics and tables that change over time."""

from __future__ import annotations

from collections.abc import Iterator

from catalog.issues import Issue, IssueCode
from catalog.lookup import lookup
from catalog.types import (
    METRIC_TIME,
    CatalogSnapshot,
    Conversion,
    DimensionType,
    MeasureUse,
    Metric,
    MetricType,
    SemanticModel,
    SourceLocation,
    TimeGranularity,
    Validity,
)

_FISCAL = {TimeGranularity.QUARTER, TimeGranularity.YEAR}


def conversions(snapshot: CatalogSnapshot) -> Iterator[Issue]:
    """A conversion's measures, its entity and its constant properties must be there, on both sides."""
    for metric in snapshot.metrics:
        rule = metric.conversion
        if rule is not None:
            yield from _conversion(metric, rule, snapshot)
        elif metric.type is MetricType.CONVERSION:
            yield _broken(f"{metric.name} needs a conversion: its base, its conversion and its entity.", metric)


def _conversion(metric: Metric, rule: Conversion, snapshot: CatalogSnapshot) -> Iterator[Issue]:
    if (rule.window_count is None) != (rule.window_granularity is None):
        yield _broken(f"The window of {metric.name} needs a number and a unit.", metric)
    if any(len(pair) != 2 for pair in rule.constant_properties):
        yield _broken(f"A constant property of {metric.name} is a pair: one name for each side.", metric)
        return
    yield from _followed(metric, rule.base, (rule.entity, *(b for b, _ in rule.constant_properties)), snapshot)
    yield from _followed(metric, rule.conversion, (rule.entity, *(c for _, c in rule.constant_properties)), snapshot)


def _followed(metric: Metric, use: MeasureUse, names: tuple[str, ...], snapshot: CatalogSnapshot) -> Iterator[Issue]:
    held = lookup(snapshot).measure(use.name)
    if held is None:
        yield _broken(f"{metric.name}: there is not exactly one measure {use.name}.", metric)
        return
    model, measure = held
    if not (measure.agg_time_dimension or model.default_time_dimension):
        yield _broken(f"{metric.name}: {use.name} has no time, so nothing can come before or after it.", metric)
    parts = {e.name for e in model.entities} | {d.name for d in model.dimensions}
    for name in names:
        if name not in parts:
            yield _broken(f"{metric.name}: {model.name} has no {name} to follow.", metric)
    for given in use.filters:
        if given.field != METRIC_TIME and given.field.split("__")[-1] not in lookup(snapshot).dimensions:
            yield _broken(f"There is no dimension {given.field}.", metric)


def cumulatives(snapshot: CatalogSnapshot) -> Iterator[Issue]:
    """A window has a number and a unit; only quarters and years can be fiscal."""
    for metric in snapshot.metrics:
        if (metric.window_count is None) != (metric.window_granularity is None):
            yield _broken(f"The window of {metric.name} needs a number and a unit.", metric)
        if metric.window_count is not None and metric.window_count < 1:
            yield _broken(f"The window of {metric.name} must be at least 1.", metric)
        if metric.fiscal_to_date and metric.grain_to_date not in _FISCAL:
            yield _broken(f"{metric.name} can be fiscal only since the start of a quarter or a year.", metric)


def validities(snapshot: CatalogSnapshot) -> Iterator[Issue]:
    """A table that changes over time has one start and one end, and both are times."""
    for model in snapshot.models:
        marked = [d for d in model.dimensions if d.validity is not None]
        if marked and sorted(str(d.validity) for d in marked) != sorted(Validity):
            yield _broken_model(f"{model.name} needs one start and one end of its validity.", model)
        for dimension in marked:
            if dimension.type is not DimensionType.TIME:
                yield _broken_model(f"{dimension.name} marks a validity and is not a time.", model)


def _broken(message: str, metric: Metric) -> Issue:
    return _issue(message, metric.name, metric.source)


def _broken_model(message: str, model: SemanticModel) -> Issue:
    return _issue(message, model.name, model.source)


def _issue(message: str, subject: str, source: SourceLocation | None) -> Issue:
    return Issue(code=IssueCode.INVALID_CATALOG, message=message, subject=subject, source=source)
