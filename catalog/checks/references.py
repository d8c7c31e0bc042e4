"""Rules whose breach makes a catalog unusable: every name must exist and every formula must be one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from catalog.checks.kinds import conversions, cumulatives, validities
from catalog.expressions import BadExpression, columns_of, formula_names
from catalog.issues import Issue, IssueCode
from catalog.lookup import lookup
from catalog.reach import inputs_of
from catalog.types import (
    METRIC_TIME,
    Aggregation,
    CatalogSnapshot,
    Dimension,
    DimensionType,
    Filter,
    Measure,
    Metric,
    MetricInput,
    MetricType,
    SemanticModel,
    SourceLocation,
)

Rule = Callable[[CatalogSnapshot], Iterator[Issue]]


def _broken(message: str, subject: str, source: SourceLocation | None) -> Issue:
    return Issue(code=IssueCode.INVALID_CATALOG, message=message, subject=subject, source=source)


def _expressions(snapshot: CatalogSnapshot) -> Iterator[Issue]:
    for model in snapshot.models:
        parts = (
            *((e.name, column, model.source) for e in model.entities for column in e.columns()),
            *((d.name, d.expr, d.source) for d in model.dimensions),
            *((m.name, m.expr, m.source) for m in model.measures),
        )
        for name, expr, source in parts:
            try:
                columns_of(expr, snapshot.dialect)
            except BadExpression as bad:
                yield _broken(f"{name}: {bad}.", name, source)


def _names(snapshot: CatalogSnapshot) -> Iterator[Issue]:
    for model in snapshot.models:
        parts: tuple[Dimension | Measure, ...] = (*model.dimensions, *model.measures)
        for part in parts:
            if "__" in part.name or part.name == METRIC_TIME:
                message = f'The name "{part.name}" is reserved: {METRIC_TIME} and two underscores have a meaning.'
                yield _broken(message, part.name, part.source)
        if not all(model.table.split(".")):
            yield _broken(f'"{model.table}" is not the name of a table.', model.name, model.source)


def _measures(snapshot: CatalogSnapshot) -> Iterator[Issue]:
    for model in snapshot.models:
        times = {d.name for d in model.dimensions if d.type is DimensionType.TIME}
        default = model.default_time_dimension
        if default is not None and default not in times:
            message = f"{model.name} has no time dimension {default}."
            yield _broken(message, model.name, model.source)
        for measure in model.measures:
            yield from _measure(measure, model, times)


def _measure(measure: Measure, model: SemanticModel, times: set[str]) -> Iterator[Issue]:
    time = measure.agg_time_dimension
    if time is not None and time not in times:
        yield _broken(f"{model.name} has no time dimension {time}.", measure.name, measure.source)
    if measure.agg is Aggregation.PERCENTILE and not (measure.percentile is not None and 0 <= measure.percentile <= 1):
        yield _broken(f"{measure.name} needs a percentile from 0 to 1.", measure.name, measure.source)
    rule = measure.non_additive
    if rule is None:
        return
    known = {d.name for d in model.dimensions} | {e.name for e in model.entities}
    for name in (rule.dimension, *rule.window_groupings):
        if name not in known:
            yield _broken(f"{model.name} has no {name} to pick by.", measure.name, measure.source)
    if rule.pick not in {Aggregation.MIN, Aggregation.MAX}:
        yield _broken(f"{measure.name} can pick min or max only.", measure.name, measure.source)


def _metrics(snapshot: CatalogSnapshot) -> Iterator[Issue]:
    for metric in snapshot.metrics:
        if metric.name == METRIC_TIME or "__" in metric.name:
            yield _broken(f'The name "{metric.name}" is reserved.', metric.name, metric.source)
        yield from _shape(metric, snapshot)
        yield from _steps(metric, snapshot)
        for given in _inputs(metric):
            if given.metric not in lookup(snapshot).metrics:
                yield _broken(f"There is no metric {given.metric}.", metric.name, metric.source)
        for condition in (*metric.filters, *(f for i in _inputs(metric) for f in i.filters)):
            yield from _filter(condition, metric.name, metric.source, snapshot)


def _inputs(metric: Metric) -> tuple[MetricInput, ...]:
    return tuple(i for i in (metric.numerator, metric.denominator, *metric.inputs) if i is not None)


def _shape(metric: Metric, snapshot: CatalogSnapshot) -> Iterator[Issue]:
    if metric.type in {MetricType.SIMPLE, MetricType.CUMULATIVE}:
        held = lookup(snapshot).measures.get(metric.measure or "", ())
        if len(held) != 1:
            what = "several measures are called" if held else "there is no measure"
            message = (
                f"{metric.name}: {what} {metric.measure}." if metric.measure else f"{metric.name} names no measure."
            )
            yield _broken(message, metric.name, metric.source)
    if metric.type is MetricType.RATIO and not (metric.numerator and metric.denominator):
        yield _broken(f"{metric.name} needs a numerator and a denominator.", metric.name, metric.source)
    if metric.type is MetricType.DERIVED:
        yield from _formula(metric, snapshot)
    if metric.window_count is not None and metric.grain_to_date is not None:
        message = f"{metric.name} has a window and a grain to date; keep one."
        yield _broken(message, metric.name, metric.source)


def _steps(metric: Metric, snapshot: CatalogSnapshot) -> Iterator[Issue]:
    """Each step of a funnel has a metric that counts it, or none has."""
    if metric.step_metrics and len(metric.step_metrics) != len(metric.steps):
        message = f"{metric.name} has {len(metric.steps)} steps and {len(metric.step_metrics)} metrics that count them."
        yield _broken(message, metric.name, metric.source)
    for name in metric.step_metrics:
        if name not in lookup(snapshot).metrics:
            yield _broken(f"There is no metric {name} to count a step of {metric.name}.", metric.name, metric.source)


def _formula(metric: Metric, snapshot: CatalogSnapshot) -> Iterator[Issue]:
    if not metric.expr or not metric.inputs:
        yield _broken(f"{metric.name} needs expr and inputs.", metric.name, metric.source)
        return
    try:
        names = formula_names(metric.expr, snapshot.dialect)
    except BadExpression as bad:
        yield _broken(f"{metric.name}: {bad}.", metric.name, metric.source)
        return
    given = {i.alias or i.metric for i in metric.inputs}
    for name in sorted(names - given):
        yield _broken(f"{metric.name} uses {name}, which is none of its inputs.", metric.name, metric.source)


def _filter(given: Filter, subject: str, source: SourceLocation | None, snapshot: CatalogSnapshot) -> Iterator[Issue]:
    known = lookup(snapshot).dimensions
    if given.field != METRIC_TIME and given.field.split("__")[-1] not in known:
        yield _broken(f"There is no dimension {given.field}.", subject, source)


def _keys(snapshot: CatalogSnapshot) -> Iterator[Issue]:
    widths: dict[str, tuple[int, str]] = {}
    for model in snapshot.models:
        for entity in model.entities:
            width = len(entity.columns())
            first, where = widths.setdefault(entity.name, (width, model.name))
            if first != width:
                message = f"The key {entity.name} has {width} columns in {model.name} but {first} in {where}."
                yield _broken(message, entity.name, model.source)


def _cycles(snapshot: CatalogSnapshot) -> Iterator[Issue]:
    metrics = lookup(snapshot).metrics
    done: set[str] = set()
    for start in snapshot.metrics:
        ring = _ring(start.name, metrics, (), done)
        if ring:
            yield _broken(f"Metrics are made of each other: {' → '.join(ring)}.", start.name, start.source)


def _ring(name: str, metrics: dict[str, Metric], way: tuple[str, ...], done: set[str]) -> tuple[str, ...]:
    if name in way:
        return (*way[way.index(name) :], name)
    if name in done or name not in metrics or len(way) > 100:
        return ()
    found = next((r for i in inputs_of(metrics[name]) if (r := _ring(i, metrics, (*way, name), done))), ())
    done.add(name)
    return found


def _bridges(snapshot: CatalogSnapshot) -> Iterator[Issue]:
    models = lookup(snapshot).models
    for bridge in snapshot.bridges:
        model = models.get(bridge.model)
        if model is None:
            yield _broken(f"The bridge names {bridge.model}, which is no semantic model.", bridge.model, None)
            continue
        held = {e.name for e in model.entities}
        for entity in (bridge.from_entity, bridge.to_entity):
            if entity not in held:
                yield _broken(f"{model.name} has no entity {entity} to bridge.", bridge.model, model.source)


def _words(snapshot: CatalogSnapshot) -> Iterator[Issue]:
    parts = lookup(snapshot)
    for entity in snapshot.entities:
        for name in (entity.key_dimension, entity.label_dimension, entity.time_dimension):
            if name is not None and parts.held_by(name) is None:
                yield _broken(f"The entity {entity.name} names {name}, which is no dimension.", entity.name, None)
    for term in snapshot.ambiguous_terms:
        for name in term.candidates:
            if name not in parts.metrics and parts.held_by(name) is None:
                yield _broken(f'"{term.term}" could mean {name}, which does not exist.', term.term, None)
    yield from _term_defaults(snapshot)
    for adjective in snapshot.adjectives:
        yield from _filter(adjective.filter, adjective.word, None, snapshot)


def _term_defaults(snapshot: CatalogSnapshot) -> Iterator[Issue]:
    parts = lookup(snapshot)
    taken: set[tuple[str, str]] = set()
    for default in snapshot.term_defaults:
        term = default.term
        if bool(default.metric) == bool(default.dimension) or bool(default.dimension) != bool(default.entity):
            yield _broken(f'"{term}" must stand for a metric, or for a dimension of an entity.', term, None)
        elif default.metric and default.metric not in parts.metrics:
            yield _broken(f'"{term}" stands for {default.metric}, which is no metric.', term, None)
        elif default.dimension and parts.held_by(default.dimension) is None:
            yield _broken(f'"{term}" stands for {default.dimension}, which is no dimension.', term, None)
        if (term, default.entity) in taken:
            yield _broken(f'"{term}" is given two defaults.', term, None)
        taken.add((term, default.entity))


def _calendar(snapshot: CatalogSnapshot) -> Iterator[Issue]:
    try:
        ZoneInfo(snapshot.calendar.timezone)
    except (ValueError, OSError, ZoneInfoNotFoundError):
        yield _broken(f"There is no time zone {snapshot.calendar.timezone}.", "calendar", None)
    if not 1 <= snapshot.calendar.fiscal.start_month <= 12:
        yield _broken("The fiscal year must start in a month from 1 to 12.", "calendar", None)


def _something(snapshot: CatalogSnapshot) -> Iterator[Issue]:
    """An empty catalog is a wrong file: published, it would take everything that can be asked away."""
    if not snapshot.models and not snapshot.metrics:
        yield _broken("The catalog holds no semantic models and no metrics, so nothing could be asked.", "", None)


RULES: tuple[Rule, ...] = (
    _something,
    _names,
    _expressions,
    _keys,
    _measures,
    validities,
    _metrics,
    conversions,
    cumulatives,
    _cycles,
    _bridges,
    _words,
    _calendar,
)
"""In the order in which a person would mend them."""
