"""Metrics that one question defines: a ratio of two of the catalog's metrics, a statistic of a column."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from catalog.calculations import CONVERSION, HISTOGRAM
from catalog.issues import Issue, unsupported
from catalog.labels import dimension_label, metric_label, within_sentence
from catalog.lookup import lookup, with_own
from catalog.query import AdHocMetric, MetricIntent, QuerySpec, Transform
from catalog.surfaces import singular
from catalog.types import (
    Aggregation,
    CatalogSnapshot,
    Measure,
    Metric,
    MetricFormat,
    MetricInput,
    MetricType,
    Polarity,
)

RATIO, FIELD = "ratio", "field"
STATISTICS = {
    "max": (Aggregation.MAX, "Largest"),
    "min": (Aggregation.MIN, "Smallest"),
    "avg": (Aggregation.AVERAGE, "Average"),
    "percentile": (Aggregation.PERCENTILE, "percentile"),
    HISTOGRAM: (Aggregation.MAX, ""),
}
"""Transforms that are statistics of a column of rows, with their words.  A histogram is laid out over the column
of each row by its key, so that any of its aggregates is the value itself."""
_HUNDRED = Decimal(100)


def with_ad_hoc(ad_hoc: tuple[AdHocMetric, ...], snapshot: CatalogSnapshot) -> CatalogSnapshot:
    """The catalog in which the metrics of one question's own are found too; the snapshot itself without any."""
    if not ad_hoc:
        return snapshot
    measures = tuple((a.model, a.measure) for a in ad_hoc if a.measure is not None)
    return with_own(snapshot, tuple(a.metric for a in ad_hoc), measures)


def ad_hoc_metrics(intent: MetricIntent, snapshot: CatalogSnapshot) -> tuple[AdHocMetric, ...] | Issue:
    """The metrics that the intent itself defines, in order, or why one cannot be made."""
    found: list[AdHocMetric] = []
    for transform in intent.transforms:
        made = _made(transform, intent, snapshot)
        if isinstance(made, Issue):
            return made
        if made is not None:
            found.append(made)
    return tuple(found)


def with_own_metrics(spec: QuerySpec, own: tuple[AdHocMetric, ...], intent: MetricIntent) -> QuerySpec:
    """The spec that shows the intent's own metrics before those that they are made of; of a cohort, behind them."""
    named = tuple(a.metric.name for a in own)
    cohort = tuple(cohort_metric(t) for t in intent.transforms if t.type == CONVERSION)
    metrics = (*spec.metrics, *cohort, *named) if cohort else (*named, *spec.metrics)
    return replace(spec, ad_hoc=own, metrics=metrics)


def _made(transform: Transform, intent: MetricIntent, snapshot: CatalogSnapshot) -> AdHocMetric | Issue | None:
    if transform.type == RATIO:
        return _percent(_ratio(intent.metrics, snapshot), transform, snapshot)
    if transform.type == CONVERSION:
        return _converted(transform, intent, snapshot)
    by_column = transform.type in STATISTICS and FIELD in dict(transform.arguments)
    return _statistic(transform, snapshot) if by_column else None


def _percent(made: AdHocMetric | Issue, transform: Transform, snapshot: CatalogSnapshot) -> AdHocMetric | Issue:
    """The ratio in percent, where that was asked for: "net revenue as a percentage of gross revenue"."""
    if isinstance(made, Issue) or dict(transform.arguments).get("as") != "percent":
        return made
    above, below = (lookup(snapshot).metrics[i.metric] for i in inputs_of_ratio(made.metric))
    if (above.format, above.unit) != (below.format, below.unit):
        return unsupported("Only figures of one unit are a percentage of each other.", RATIO)
    label = f"{metric_label(above)}, share of {within_sentence(metric_label(below))}"
    name = f"{above.name}_of_{below.name}"
    return AdHocMetric(metric=replace(made.metric, name=name, label=label, format=MetricFormat.PERCENT, unit=""))


def inputs_of_ratio(metric: Metric) -> tuple[MetricInput, ...]:
    """The numerator and the denominator of a ratio."""
    return tuple(i for i in (metric.numerator, metric.denominator) if i is not None)


def _converted(transform: Transform, intent: MetricIntent, snapshot: CatalogSnapshot) -> AdHocMetric | Issue:
    """Those of a cohort that did something, as a part of all of it."""
    made = _ratio((*intent.metrics, cohort_metric(transform)), snapshot)
    if isinstance(made, Issue):
        return made
    share = replace(made.metric, name=f"{made.metric.name}_share", format=MetricFormat.PERCENT, unit="")
    return AdHocMetric(metric=share)


def cohort_metric(transform: Transform) -> str:
    """The metric that counts the whole of a cohort."""
    return str(dict(transform.arguments).get("from", ""))


def _ratio(metrics: tuple[str, ...], snapshot: CatalogSnapshot) -> AdHocMetric | Issue:
    """The first metric over the second: an amount per one of what the second counts."""
    known = lookup(snapshot).metrics
    parts = [known[name] for name in metrics if name in known]
    if len(parts) != 2:
        return unsupported("A ratio needs two metrics, the one over the other.", RATIO)
    above, below = parts
    under = metric_label(below).lower()
    counts = below.format is MetricFormat.NUMBER
    return AdHocMetric(
        metric=Metric(
            name=f"{above.name}_per_{below.name}",
            type=MetricType.RATIO,
            label=f"{metric_label(above)} per {(singular(under) or under) if counts else under}",
            numerator=MetricInput(metric=above.name),
            denominator=MetricInput(metric=below.name),
            format=above.format if counts else MetricFormat.NUMBER,
            unit=above.unit if counts else "",
            polarity=above.polarity,
        )
    )


def _statistic(transform: Transform, snapshot: CatalogSnapshot) -> AdHocMetric | Issue:
    """A statistic over every row of the one table that has the column."""
    given = dict(transform.arguments)
    held = lookup(snapshot).held_by(str(given[FIELD]))
    if held is None:
        return unsupported("There is no such column to take this of.", str(given[FIELD]))
    taken, words = STATISTICS[transform.type]
    share = Decimal(str(given.get("p", 0)))
    suffix = f"p{share.normalize():f}".replace(".", "_") if taken is Aggregation.PERCENTILE else transform.type
    name = f"{held.model.name}_{held.dimension.name}_{suffix}"
    label = dimension_label(held.dimension)
    return AdHocMetric(
        model=held.model.name,
        measure=Measure(
            name=name,
            agg=taken,
            expr=held.dimension.expr,
            agg_time_dimension=held.model.default_time_dimension,
            percentile=share / _HUNDRED if taken is Aggregation.PERCENTILE else None,
        ),
        metric=Metric(
            name=name,
            type=MetricType.SIMPLE,
            label=_label(transform, label, words),
            measure=name,
            format=held.dimension.format,
            unit=held.dimension.unit,
            polarity=Polarity.NEUTRAL,
        ),
    )


def _label(transform: Transform, label: str, words: str) -> str:
    share = dict(transform.arguments).get("p")
    if share is not None:
        return _percentile_words(Decimal(str(share)), label)
    return f"{words} {label.lower()}" if words else label


def _percentile_words(share: Decimal, label: str) -> str:
    """ "Median order value", "90th percentile of order value"."""
    if share == _HUNDRED / 2:
        return f"Median {label.lower()}"
    last = "th" if share % 100 in (11, 12, 13) else _ENDINGS.get(int(share) % 10, "th")
    return f"{share.normalize():f}{last} percentile of {label.lower()}"


_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
