"""Averages, medians and spreads over periods or things, and metrics that are an amount of one thing per another."""

from __future__ import annotations

from catalog.calculations import AVERAGE_PER, HISTOGRAM, MEDIAN_PER
from catalog.types import TimeGranularity
from dataagent.intent.chart import Rule, rules
from dataagent.intent.parts import Calculated, Metrics, Part, Ref
from dataagent.intent.resultparts import Averaged

Parts = tuple[Part, ...]


def per_thing(_average: str | None, ref: Ref, _on: str | None = None) -> Parts | None:
    """ "average number of items per order": what is per something is an average already."""
    return (Metrics(refs=(ref,)),) if " per " in f" {ref.surface} " else None


def in_one(_many: str | None, ref: Ref, _on: str | None) -> Parts:
    """ "how many items are in an order on average"."""
    return (Metrics(refs=(ref,)),)


def per_period(_average: str, grain: TimeGranularity, metrics: Metrics) -> Parts | None:
    """ "average daily sessions"."""
    if len(metrics.refs) != 1 or metrics.total:
        return None
    return (metrics, Calculated(type=AVERAGE_PER, arguments=(("grain", grain.value),), grain=grain))


def daily_average(grain: TimeGranularity, _average: str, metrics: Metrics) -> Parts | None:
    """ "daily average of sessions"."""
    return per_period("", grain, metrics)


def on_average(metrics: Metrics, _light: str | None, _per: str, grain: TimeGranularity, _on: str) -> Parts | None:
    """ "orders per day on average", "how many orders do we get per day on average"."""
    return per_period("", grain, Metrics(refs=metrics.refs, total=metrics.total))


def first_on_average(_on: str, _comma: str | None, metrics: Metrics, _per: str, grain: TimeGranularity) -> Parts | None:
    """ "on average, how many orders per day"."""
    return on_average(metrics, None, "", grain, "")


def average_itself(_average: str, _det: str | None, ref: Ref) -> Parts:
    """ "average first response time": of a figure that is an average itself."""
    return (Metrics(refs=(ref,)), Averaged(ref=ref))


def average_of_each(_average: str, metrics: Metrics, _per: str, things: Ref) -> Parts | None:
    """ "average net revenue per customer"."""
    return _of_each(AVERAGE_PER, metrics, things)


def each_on_average(metrics: Metrics, _light: str | None, _per: str, things: Ref, _on: str) -> Parts | None:
    """ "orders per customer on average", "how many orders do we get per store on average"."""
    return _of_each(AVERAGE_PER, metrics, things)


def first_each_on_average(_on: str, _comma: str | None, metrics: Metrics, _per: str, things: Ref) -> Parts | None:
    """ "on average, how many orders per customer"."""
    return _of_each(AVERAGE_PER, metrics, things)


def median_of_each(_median: str, metrics: Metrics, _per: str, things: Ref) -> Parts | None:
    """ "median number of orders per customer"."""
    return _of_each(MEDIAN_PER, metrics, things)


def spread_of_each(_histogram: str, metrics: Metrics, _per: str, things: Ref) -> Parts | None:
    """ "distribution of orders per customer"."""
    return _of_each(HISTOGRAM, metrics, things)


def spread_by(_histogram: str, things: Ref, _by: str, metrics: Metrics) -> Parts | None:
    """ "distribution of customers by number of orders"."""
    return _of_each(HISTOGRAM, metrics, things)


def _of_each(taken: str, metrics: Metrics, things: Ref) -> Parts | None:
    if len(metrics.refs) != 1 or metrics.total:
        return None
    return (Metrics(refs=metrics.refs), Calculated(type=taken, ref=things))


def spread_of_metric(_histogram: str, ref: Ref) -> Parts | None:
    """ "histogram of items per order": the metric says of what each figure is."""
    _, _, thing = ref.surface.partition(" per ")
    return (Metrics(refs=(ref,)), Calculated(type=HISTOGRAM, arguments=(("per", thing),))) if thing else None


def spread_of_field(_histogram: str, field: Ref) -> Parts:
    """ "histogram of order value"."""
    return (Calculated(type=HISTOGRAM, ref=field),)


RULES: tuple[Rule, ...] = (
    *rules("H", "AVERAGE DET? M", average_itself),
    *rules("H", "AVERAGE Met/Cnt PERENT E/D", average_of_each),
    *rules("H", "Met/Cnt LIGHT? PERENT E/D ONAVG", each_on_average),
    *rules("H", "ONAVG COMMA? Met/Cnt PERENT E/D", first_each_on_average),
    *rules("H", "MEDIAN Met/Cnt PERENT E/D", median_of_each),
    *rules("H", "HISTOGRAM Met/Cnt PERENT E/D", spread_of_each),
    *rules("H", "HISTOGRAM E/D BY Met/Cnt", spread_by),
    *rules("H", "HISTOGRAM M", spread_of_metric),
    *rules("H", "HISTOGRAM D", spread_of_field),
    *rules("H", "AVERAGE M ONAVG?", per_thing),
    *rules("H", "HOWMANY? MPER ONAVG", in_one),
    *rules("H", "AVERAGE GA Met", per_period),
    *rules("H", "GA AVERAGE Met", daily_average),
    *rules("H", "Met/Cnt LIGHT? EVERYPER GW ONAVG", on_average),
    *rules("H", "ONAVG COMMA? Met/Cnt EVERYPER GW", first_on_average),
)
