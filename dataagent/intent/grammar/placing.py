"""The place of one member in a ranking: "where does Toys rank by units sold"."""

from __future__ import annotations

from dataagent.intent.chart import Rule, rules
from dataagent.intent.parts import Metrics, Part, Ref, ValueRef
from dataagent.intent.resultparts import PlaceOf

Parts = tuple[Part, ...]


def among(
    _where: str,
    value: ValueRef,
    _rank: str | None,
    _among: str,
    _det: str | None,
    noun: Ref,
    _by: str,
    metrics: Metrics,
) -> Parts | None:
    """ "where does Toys rank among categories by units sold"."""
    return (metrics, PlaceOf(value=value, noun=noun)) if len(metrics.refs) == 1 and not metrics.count else None


def alone(_where: str, value: ValueRef, _rank: str, _by: str, metrics: Metrics) -> Parts | None:
    """ "where does Toys rank by units sold"."""
    return (metrics, PlaceOf(value=value)) if len(metrics.refs) == 1 and not metrics.count else None


def rank_of(_what: str, value: ValueRef, _by: str, metrics: Metrics) -> Parts | None:
    """ "what is the rank of Toys by units sold"."""
    return alone("", value, "", "", metrics)


RULES: tuple[Rule, ...] = (
    *rules("H", "WHEREDOES V RANKVERB? AMONG DET? D/E ORDERBY Met", among),
    *rules("H", "WHEREDOES V RANKVERB ORDERBY Met", alone),
    *rules("H", "RANKOF V ORDERBY Met", rank_of),
)
