"""Averages over periods, and metrics that are an amount of one thing per another."""

from __future__ import annotations

from catalog.types import TimeGranularity
from dataagent.intent.chart import Rule, rules
from dataagent.intent.parts import Calculated, Metrics, Part, Ref

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
    return (metrics, Calculated(type="average_per", arguments=(("grain", grain.value),), grain=grain))


def daily_average(grain: TimeGranularity, _average: str, metrics: Metrics) -> Parts | None:
    """ "daily average of sessions"."""
    return per_period("", grain, metrics)


def on_average(metrics: Metrics, _light: str | None, _per: str, grain: TimeGranularity, _on: str) -> Parts | None:
    """ "orders per day on average", "how many orders do we get per day on average"."""
    return per_period("", grain, Metrics(refs=metrics.refs, total=metrics.total))


def first_on_average(_on: str, _comma: str | None, metrics: Metrics, _per: str, grain: TimeGranularity) -> Parts | None:
    """ "on average, how many orders per day"."""
    return on_average(metrics, None, "", grain, "")


RULES: tuple[Rule, ...] = (
    *rules("H", "AVERAGE M ONAVG?", per_thing),
    *rules("H", "HOWMANY? MPER ONAVG", in_one),
    *rules("H", "AVERAGE GA Met", per_period),
    *rules("H", "GA AVERAGE Met", daily_average),
    *rules("H", "Met/Cnt LIGHT? EVERYPER GW ONAVG", on_average),
    *rules("H", "ONAVG COMMA? Met/Cnt EVERYPER GW", first_on_average),
)
