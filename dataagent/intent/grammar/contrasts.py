"""Further ways to set members and periods side by side, and to ask for a part of the whole."""

from __future__ import annotations

from dataagent.intent.chart import Rule, rules
from dataagent.intent.grammar.comparing import over, sides
from dataagent.intent.parts import (
    Calculated,
    Condition,
    Metrics,
    Part,
    Ref,
    ValueRef,
    Versus,
)

Parts = tuple[Part, ...]


def narrowed(_prep: str, _det: str | None, pair: Versus, noun: Ref | None) -> Parts:
    """ "in France vs Germany", "of gold versus silver customers"."""
    return (Versus(values=pair.values, noun=noun),)


def compared_in(_compare: str, metrics: Metrics, _prep: str, pair: Versus, noun: Ref | None) -> Parts:
    """ "compare orders in France and Germany"."""
    return (metrics, Versus(values=pair.values, noun=noun))


def difference_in(_lead: str, pair: Versus, noun: Ref | None, _prep: str, metrics: Metrics) -> Parts:
    """ "the difference between gold and silver customers in AOV"."""
    return (metrics, Versus(values=pair.values, noun=noun))


def how_does(_how: str, first: ValueRef, _to: str, second: ValueRef, _prep: str, metrics: Metrics) -> Parts | None:
    """ "how does France compare to Germany in orders"."""
    pair = sides(first, "", second)
    return (metrics, pair) if pair is not None else None


def growth_over(which: str, growth: str, metrics: Metrics) -> Parts | None:
    """ "year over year growth of orders"; a word that says which way asks for more than the change."""
    return (metrics, *over(which)) if growth.startswith("growth") else None


def growing_over(which: str, growth: str) -> Parts | None:
    """ "(orders) year over year growth"."""
    return over(which) if growth.startswith("growth") else None


def share_held(_share: str, metrics: Metrics, _does: str, condition: Condition, _holds: str) -> Parts | None:
    """ "what share of orders does France have"."""
    if len(metrics.refs) != 1 or condition.negated:
        return None
    return (metrics, condition, Calculated(type="share_of_total"))


RULES: tuple[Rule, ...] = (
    *rules("P", "PREP DET? Pair D/E?", narrowed),
    *rules("H", "COMPARE Met PREP/BETWEEN Pair2 D/E?", compared_in),
    *rules("H", "DIFFERENCE Pair2 D/E? PREP Met", difference_in),
    *rules("H", "HOWDOES V COMPARETO V PREP/FORWORD Met", how_does),
    *rules("H", "POP GROWTH Met", growth_over),
    *rules("P", "POP GROWTH", growing_over),
    *rules("H", "SHARE Met DOESWORD CV HOLDS", share_held),
)
