"""Figures that reach a limit, periods under conditions, and what was done most."""

from __future__ import annotations

from dataclasses import replace

from catalog.types import Operator, TimeGranularity
from dataagent.intent.chart import Rule, rules
from dataagent.intent.grammar.comparing import over
from dataagent.intent.grammar.rankings import is_plural, whole
from dataagent.intent.parts import (
    Condition,
    Grain,
    Measured,
    Metrics,
    Number,
    Part,
    Ranked,
    Ref,
    Refused,
    Sense,
    Things,
    Truth,
    ValueRef,
)

Parts = tuple[Part, ...]
Limits = tuple[Operator, tuple[Number, ...]]


def periods_having(
    _list: str | None, _which: str | None, grain: TimeGranularity, time: Parts | None, condition: Parts
) -> Parts | None:
    """ "months in 2024 with net revenue above 500k"."""
    measured = condition[0]
    if not isinstance(measured, Measured) or measured.ref is None:
        return None
    return (Metrics(refs=(measured.ref,)), Grain(grain=grain), *(time or ()), measured)


def limits_in(_with: str, limits: Limits, _in: str, ref: Ref) -> Parts:
    """ "with over 1 million in gross revenue"."""
    return (Measured(op=limits[0], numbers=limits[1], ref=ref),)


def short_having(_det: str | None, things: Ref, ref: Ref, limits: Limits) -> Parts:
    """ "categories aov > 100"."""
    return (Things(ref=things), Measured(op=limits[0], numbers=limits[1], ref=ref))


def done_most(
    _which: str, number: Number | None, things: Ref, _were: str | None, verb: Ref, _most: str
) -> Parts | None:
    """ "which 5 products were ordered most"."""
    count = whole(number)
    if number is not None and count is None:
        return None
    single = number is None and not is_plural(things.surface)
    return (
        Metrics(refs=(verb,)),
        Ranked(sense=Sense.HIGH, number=count, things=things, by=verb, single=single),
    )


def most_done(
    _list: str | None, _det: str | None, number: Number | None, most: str, verb: Ref, things: Ref
) -> Parts | None:
    """ "10 most ordered products", "the least sold product"."""
    found = done_most("", number, things, None, verb, "")
    return _turned(found) if found and most in _FEWEST else found


def did_most(_which: str, number: Number | None, things: Ref, verb: Ref, most: str) -> Parts | None:
    """ "which store sold the most", "which stores sold the least"."""
    found = done_most("", number, things, None, verb, "")
    return _turned(found) if found and most in _FEWEST else found


def _turned(parts: Parts) -> Parts:
    return tuple(replace(p, sense=Sense.LOW) if isinstance(p, Ranked) else p for p in parts)


_FEWEST = frozenset({"least", "the least", "the fewest", "fewest"})


def often_most(_which: str, number: Number | None, things: Ref, verb: Ref, _most: str) -> Parts | None:
    """ "which customers ordered most often": "most" alone may speak of what was ordered."""
    return done_most("", number, things, None, verb, "")


def figure_did(metrics: Metrics, _were: str | None, verb: Ref) -> Parts | None:
    """ "how many units were sold": the verb has to be that of the metric."""
    known = {t for ref in metrics.refs for t in ref.targets}
    return (metrics,) if len(metrics.refs) == 1 and known & set(verb.targets) else None


def came_from(_came: str, condition: Condition) -> Parts | None:
    """ "came from Spain"."""
    return None if condition.negated else (condition,)


def reached(_have: str, number: Number, ref: Ref) -> Parts:
    """ "have we reached 1000 orders"."""
    return (Metrics(refs=(ref,)), Measured(op=Operator.GE, numbers=(number,), ref=ref), Truth())


def had_so_many(_did: str, limits: Limits, values: tuple[ValueRef, ...] | None, ref: Ref) -> Parts:
    """ "did we have more than 500 orders"."""
    described = (Condition(values=values),) if values else ()
    return (Metrics(refs=(ref,)), *described, Measured(op=limits[0], numbers=limits[1], ref=ref), Truth())


def did_so_many(_did: str, verb: Ref, limits: Limits, ref: Ref) -> Parts | None:
    """ "did we sell more than 500 units"."""
    return had_so_many("", limits, None, ref) if set(verb.targets) & set(ref.targets) else None


def median_of(*_words: object) -> Parts:
    """ "median number of orders": no metric is that."""
    return (Refused(code="median"),)


def members(_which: str, ref: Ref, _have: str) -> Parts:
    """ "what brands do we have"."""
    return (Things(ref=ref, asked="values"),)


def over_each(which: str, _change: str, _in: str, metrics: Metrics) -> Parts | None:
    """ "month over month change in net revenue"."""
    return (metrics, *over(which)) if len(metrics.refs) == 1 else None


def of_those(_of: str, noun: Ref, verb: str, _prep: str, condition: Condition) -> Parts | None:
    """ "from customers acquired via paid search"."""
    if condition.noun is not None or condition.negated:
        return None
    return (Condition(values=condition.values, either=condition.either, noun=noun, verb=verb),)


def converted(_share: str, ref: Ref) -> Parts:
    """ "what fraction of trials became paid"."""
    return (Metrics(refs=(ref,)),)


RULES: tuple[Rule, ...] = (
    *rules("H", "LISTOF? WHICH? GW Tm? Hav", periods_having),
    *rules("Hav", "WITH Lim INWORD M", limits_in),
    *rules("H", "DET? E/D M Lim", short_having),
    *rules("H", "WHICH N? E WERE EV MOSTADV/MOSTOFTEN", done_most),
    *rules("H", "WHICH N? E EV MOSTOFTEN", often_most),
    *rules("H", "LISTOF? DET? N? MOSTDONE EV E", most_done),
    *rules("H", "WHICH N? E EV MOSTDONE", did_most),
    *rules("H", "Mets WERE? EV", figure_did),
    *rules("P", "CAMEFROM CV", came_from),
    *rules("H", "HAVEREACHED N M", reached),
    *rules("H", "DIDWEHAVE Lim VL? M", had_so_many),
    *rules("H", "SELFDID EV Lim M", did_so_many),
    *rules("H", "MEDIAN Met/Cnt", median_of),
    *rules("H", "WHICH D HAVEWE", members),
    *rules("H", "POP CHANGENOUN INWORD Met", over_each),
    *rules("P", "OFTHINGS E VERB PREP CV", of_those),
    *rules("H", "SHARE MCONV", converted),
)
