"""Further ways to set members and periods side by side, and to ask for a part of the whole."""

from __future__ import annotations

from dataagent.intent.chart import Rule, rules
from dataagent.intent.grammar.comparing import over, sides
from dataagent.intent.parts import (
    Calculated,
    Compared,
    Condition,
    Metrics,
    Open,
    Part,
    Ref,
    TimeReading,
    ValueRef,
    Versus,
    When,
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


def changed(_how: str, metrics: Metrics, _changed: str) -> Parts:
    """ "how much did orders grow": against which period is open, unless it is named."""
    return (metrics, Open(slot="base", word="change"))


def changed_from(
    _how: str, metrics: Metrics, _changed: str, _from: str, base: TimeReading, _to: str, main: TimeReading
) -> Parts:
    """ "how much did orders change from April to May"."""
    return (metrics, When(reading=main), Compared(type="", base=base))


def growth_over(which: str, _growth: str, metrics: Metrics) -> Parts:
    """ "year over year growth of orders"."""
    return (metrics, *over(which))


def growing_over(which: str, _growth: str) -> Parts:
    """ "(orders) year over year growth"."""
    return over(which)


def share_held(_share: str, metrics: Metrics, _does: str, condition: Condition, _holds: str) -> Parts | None:
    """ "what share of orders does France have"."""
    if len(metrics.refs) != 1 or condition.negated:
        return None
    return (metrics, condition, Calculated(type="share_of_total"))


def as_share(_words: str) -> Parts:
    """ "(orders by region) as a share of the total"."""
    return (Calculated(type="share_of_total"),)


RULES: tuple[Rule, ...] = (
    *rules("P", "PREP DET? Pair D/E?", narrowed),
    *rules("H", "COMPARE Met PREP/BETWEEN Pair2 D/E?", compared_in),
    *rules("H", "DIFFERENCE Pair2 D/E? PREP Met", difference_in),
    *rules("H", "HOWDOES V COMPARETO V PREP/FORWORD Met", how_does),
    *rules("H", "HOWMUCHDID Met CHANGED", changed),
    *rules("H", "HOWMUCHDID Met CHANGED FROMWORD T TO T", changed_from),
    *rules("H", "POP GROWTH Met", growth_over),
    *rules("P", "POP GROWTH", growing_over),
    *rules("H", "SHARE Met DOESWORD CV HOLDS", share_held),
    *rules("P", "ASSHARE", as_share),
)
