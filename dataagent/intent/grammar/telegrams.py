"""Short and loose wordings of rankings, members and periods."""

from __future__ import annotations

from catalog.types import TimeGranularity
from dataagent.intent.chart import Rule, rules
from dataagent.intent.grammar.rankings import top, whole
from dataagent.intent.parts import (
    Condition,
    Declared,
    Flag,
    Grain,
    Metrics,
    Number,
    Part,
    Ranked,
    Ref,
    Sense,
    Things,
    TimeReading,
    ValueRef,
)
from dataagent.intent.resultparts import Missing, Periods

Parts = tuple[Part, ...]


def top_measured(_det: str | None, sense: Sense, number: Number, things: Ref, ref: Ref) -> Parts | None:
    """ "top 3 brands gross revenue"."""
    ranked = top(None, sense, number, things)
    return (Metrics(refs=(ref,)), *ranked) if ranked else None


def top_periods(
    _det: str | None, sense: Sense, number: Number, grain: TimeGranularity, _for: str, ref: Ref
) -> Parts | None:
    """ "best 3 months for orders"."""
    count = whole(number)
    if count is None:
        return None
    return (Metrics(refs=(ref,)), Grain(grain=grain), Ranked(sense=sense, number=count, by=ref))


def number_periods(
    _det: str | None, number: Number, sense: Sense, grain: TimeGranularity, _for: str, ref: Ref
) -> Parts | None:
    """ "the 3 best months for orders"."""
    return top_periods(None, sense, number, grain, "", ref)


def when_highest(_when: str, ref: Ref, sense: Sense) -> Parts:
    """ "when was net revenue highest": by day, as no granularity is named."""
    return (Metrics(refs=(ref,)), Ranked(sense=sense, by=ref, single=True, ask="day"))


def period_more(_which: str, grain: TimeGranularity, _is: str | None, _made: str, more: str, ref: Ref) -> Parts:
    """ "which month is it that we made less orders": without "than" a comparative is a superlative."""
    sense = Sense.HIGH if more == "more" else Sense.LOW
    return (Metrics(refs=(ref,)), Grain(grain=grain), Ranked(sense=sense, by=ref, single=True))


def not_by_verb(_not: str, verb: str, _prep: str, condition: Condition) -> Parts | None:
    """ "that were not shipped to France"."""
    if condition.either or condition.negated:
        return None
    return (Condition(values=condition.values, noun=condition.noun, verb=verb, negated=True),)


def campaign(_prep: str | None, value: ValueRef, _word: str) -> Parts:
    """ "from email campaigns": the word says no more than the channel."""
    return (Condition(values=(value,)),)


def without_value(without: str, a: str | None, ref: Ref) -> Parts | None:
    """ "without a promo code", "not from a campaign"; "excluding region" may take a grouping away as well."""
    return (Missing(ref=ref),) if a or without == "without" else None


def with_none(_none: str, _a: str | None, ref: Ref) -> Parts:
    """ "with no promo code"."""
    return (Missing(ref=ref),)


def with_value(_with: str, ref: Ref) -> Parts:
    """ "with a promo code"."""
    return (Missing(ref=ref, present=True),)


def spread(_how: str, metrics: Metrics, _spread: str) -> Parts:
    """ "how are orders distributed (across channels)"."""
    return (metrics,)


def periods(_prep: str | None, first: TimeReading, _and: str, _prep2: str | None, second: TimeReading) -> Parts:
    """ "in May and June"."""
    return (Periods(readings=(first, second)),)


def years(_prep: str | None, first: TimeReading, second: TimeReading) -> Parts | None:
    """ "2023 2024"."""
    written = all(r.range.expr.isdigit() and len(r.range.expr) == 4 for r in (first, second))
    return (Periods(readings=(first, second)),) if written else None


def which_are(_which: str, things: Ref, _are: str, kind: Parts) -> Parts:
    """ "which products are discontinued"."""
    return (Things(ref=things, asked="list"), *kind)


def how_many_are(_many: str, _different: str | None, things: Ref, _are: str, kind: Parts) -> Parts:
    """ "how many products are discontinued"."""
    return (Things(ref=things, asked="all"), *kind)


def how_many(_many: str, _different: str | None, kind: Parts | None, things: Ref, _have: str | None) -> Parts:
    """ "how many stores do we have"."""
    return (Things(ref=things, asked="all"), *(kind or ()))


def all_of(_all: str, metrics: Metrics) -> Parts:
    """ "all orders": a figure is one of all anyway."""
    return (metrics,)


def are_value(values: tuple[ValueRef, ...]) -> Parts:
    """ "enterprise" behind "are"."""
    return (Condition(values=values),)


def are_flagged(ref: Ref) -> Parts:
    """A yes / no dimension behind "are"."""
    return (Flag(ref=ref, value=True),)


def are_declared(word: str) -> Parts:
    """A declared adjective behind "are"."""
    return (Declared(word=word),)


RULES: tuple[Rule, ...] = (
    *rules("H", "DET? Sense N E/D M", top_measured),
    *rules("H", "DET? Sense N GW FORWORD M", top_periods),
    *rules("H", "DET? N Sense GW FORWORD M", number_periods),
    *rules("H", "WHENWAS M Super", when_highest),
    *rules("H", "WHICHGRAIN GW ISTHAT? WEMADE MORELESS M", period_more),
    *rules("P", "NOT VERB PREP CV", not_by_verb),
    *rules("P", "PREP? V CAMPAIGN", campaign),
    *rules("P", "NOT AWORD? D", without_value),
    *rules("P", "WITHNONE AWORD? D", with_none),
    *rules("P", "WITHA D", with_value),
    *rules("H", "HOWIS Met SPREADWORD", spread),
    *rules("P", "TPREP? T AND TPREP? T", periods),
    *rules("P", "TPREP? T T", years),
    *rules("H", "ALLOF Met", all_of),
    *rules("Are", "VL", are_value),
    *rules("Are", "FLAG", are_flagged),
    *rules("Are", "ADJ", are_declared),
    *rules("H", "WHICH E AREWORD Are", which_are),
    *rules("H", "HOWMANY DIFFERENT? E AREWORD Are", how_many_are),
    *rules("H", "HOWMANY DIFFERENT? Kind? E/D HAVEWE?", how_many),
)
