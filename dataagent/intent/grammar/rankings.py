"""Rankings, superlatives and lists of things."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from catalog.query import TimeRange
from catalog.surfaces import singular
from catalog.types import TimeGranularity
from dataagent.intent.chart import Build, Rule, rules
from dataagent.intent.parts import (
    Condition,
    Grain,
    Groups,
    Measured,
    Metrics,
    Number,
    Part,
    RankBy,
    Ranked,
    Ref,
    Refused,
    Sense,
    Things,
    TimeReading,
    ValueRef,
    When,
)

Parts = tuple[Part, ...]


def whole(number: Number | None) -> int | None:
    """The number as a count, or None when it is none."""
    if number is None or number.unit or not isinstance(number.value, int | Decimal):
        return None
    value = Decimal(number.value)
    return int(value) if value == value.to_integral_value() and 0 < value <= 10_000 else None


def nth(_det: str | None, _place: object, _sense: Sense, _more: object = None) -> Parts:
    """ "2nd highest category": one place of a ranking, which no plan can express."""
    return (Refused(code="place"),)


def nth_of(*_words: object) -> Parts:
    """ "which store had the second highest refund rate"."""
    return (Refused(code="place"),)


def sensed(sense: Sense) -> Build:
    """A builder that yields the sense."""
    return lambda *_words: sense


def is_plural(words: str) -> bool:
    """Whether the last word speaks of several things."""
    return singular(words.rsplit(maxsplit=1)[-1]) is not None


def top(_det: str | None, sense: Sense, number: Number | None, things: Ref) -> Parts | None:
    """ "top 5 products"; without a number one thing or, in the plural, the default number of them."""
    count = whole(number)
    if number is not None and (count is None or number.unit):
        return None
    single = number is None and not is_plural(things.surface)
    return (Ranked(sense=sense, number=count, things=things, single=single),)


def number_top(_det: str | None, number: Number, sense: Sense, things: Ref) -> Parts | None:
    """ "the 3 best selling products"."""
    return top(None, sense, number, things)


def top_share(_det: str | None, sense: Sense, number: Number, _of: str, things: Ref) -> Parts | None:
    """ "top 20% of products"."""
    if number.unit != "percent" or not isinstance(number.value, int):
        return None
    return (Ranked(sense=sense, percent=number.value, things=things),)


def rank_by(_by: str, _det: str | None, ref: Ref, order: Sense | None) -> Parts:
    """ "by units sold ascending"."""
    return (RankBy(ref=ref, sense=order),)


def top_having(
    _det: str | None, sense: Sense, number: Number | None, things: Ref, _with: str, claimed: Sense, ref: Ref
) -> Parts | None:
    """ "top 5 brands with the most orders": the superlatives have to say the same."""
    ranked = top(None, sense, number, things)
    if ranked is None or sense is not claimed:
        return None
    first = ranked[0]
    return (Metrics(refs=(ref,)), replace(first, by=ref)) if isinstance(first, Ranked) else None


def which_has(
    _which: str, number: Number | None, things: Ref, _has: str | None, sense: Sense, ref: Ref
) -> Parts | None:
    """ "which store has the lowest refund rate"."""
    count = whole(number)
    if number is not None and count is None:
        return None
    ranked = Ranked(sense=sense, number=count, things=things, by=ref, single=number is None)
    return (Metrics(refs=(ref,)), ranked)


def which_verb(_which: str, number: Number | None, things: Ref, verb: str, sense: Sense, ref: Ref) -> Parts | None:
    """ "which five countries shipped the most orders": the verb must belong to the thing or the metric."""
    found = which_has(_which, number, things, None, sense, ref)
    if found is None:
        return None
    ranked = Ranked(sense=sense, number=whole(number), things=things, by=ref, single=number is None, ask=f"verb {verb}")
    return (found[0], ranked)


def best_period(_det: str | None, sense: Sense, grain: TimeGranularity, _for: str, ref: Ref) -> Parts:
    """ "best month for gross revenue"."""
    return (Metrics(refs=(ref,)), Grain(grain=grain), Ranked(sense=sense, by=ref, single=True))


def which_period(_which: str, grain: TimeGranularity, _has: str | None, sense: Sense, ref: Ref) -> Parts:
    """ "which month had the highest net revenue"."""
    return best_period(None, sense, grain, "", ref)


def when_most(_when: str, _did: str, sense: Sense, ref: Ref) -> Parts:
    """ "when did we get the most orders": by day, as no granularity is named."""
    return (Metrics(refs=(ref,)), Ranked(sense=sense, by=ref, single=True, ask="day"))


def who_is(_who: str, be: str, sense: Sense, number: Number | None, things: Ref) -> Parts | None:
    """ "who is our biggest customer", "who are the top 5 customers": by something still to come."""
    return top(be, sense, number, things)


def most_used(_det: str | None, sense: Sense, _used: str, things: Ref) -> Parts:
    """ "least used payment method": by how many rows carry it."""
    return (Ranked(sense=sense, things=things, single=True, ask="count"),)


def used_most(_which: str, things: Ref, _were: str, _used: str, sense: Sense) -> Parts:
    """ "which payment method was used most"."""
    return most_used(None, sense, "", things)


def with_most(_list: str | None, _det: str | None, things: Ref, _with: str, sense: Sense, ref: Ref) -> Parts | None:
    """ "customers with the highest net revenue": the one, or in the plural the default number of them."""
    return top_having(None, sense, None, things, "", sense, ref)


def distinct_all(_list: str | None, _what: str, ref: Ref) -> Parts | None:
    """ "what are the order statuses": the members, which are asked for in the plural."""
    return distinct_values("", None, ref) if is_plural(ref.surface) else None


def things_having(_list: str | None, _which: str | None, _det: str | None, things: Ref, condition: Parts) -> Parts:
    """ "customers with at least 5 orders"."""
    return (Things(ref=things), *condition)


def listed(_list: str, _det: str | None, values: tuple[ValueRef, ...] | None, things: Ref) -> Parts:
    """ "show all urgent tickets": the things themselves and not their number."""
    condition = (Condition(values=values),) if values else ()
    return (Things(ref=things, asked="list"), *condition)


def listed_with(_list: str, _det: str | None, values: tuple[ValueRef, ...], noun: Ref, things: Ref) -> Parts:
    """ "list all high priority tickets"."""
    return (Things(ref=things, asked="list"), Condition(values=values, noun=noun))


def popular(_which: str, things: Ref, _be: str, _det: str | None, sense: Sense, _used: str) -> Parts:
    """ "which payment method is the most popular"."""
    return most_used(None, sense, "", things)


def distinct_values(_list: str, _possible: str | None, ref: Ref) -> Parts:
    """ "what are the possible refund reasons": the members themselves."""
    return (Things(ref=ref, asked="values"),)


def selling_badly(_det: str | None, things: Ref, _selling: str, word: str) -> Parts:
    """ "products selling badly": by what is open."""
    low = word in {"badly", "poorly", "bad"}
    return (Ranked(sense=Sense.BAD if low else Sense.GOOD, things=things, word=word),)


def best_of_each(_each: str, group: Ref, sense: Sense, things: Ref) -> Parts:
    """ "every store's best product"."""
    return (Groups(refs=(group,), per=True), Ranked(sense=sense, number=1, things=things))


def which_selling(_which: str, things: Ref, _verb: str, limits: tuple[object, ...], ref: Ref) -> Parts:
    """ "which brands sold between 1k and 5k units"."""
    return (Things(ref=things), Measured(op=limits[0], numbers=limits[1], ref=ref))  # type: ignore[arg-type]


def list_by(_list: str | None, _det: str | None, things: Ref, _by: str, ref: Ref, order: Sense) -> Parts:
    """ "list sales channels by orders ascending"."""
    return (Things(ref=things), RankBy(ref=ref, sense=order))


def ordered(sense: Sense) -> Parts:
    """ "worst to best": the order of the metric that is shown."""
    return (Ranked(sense=sense, ask="order"),)


RULES: tuple[Rule, ...] = (
    *rules("Sense", "TOP", sensed(Sense.HIGH)),
    *rules("Sense", "BOTTOM", sensed(Sense.LOW)),
    *rules("Sense", "LISTOF DET? TOP", sensed(Sense.HIGH)),
    *rules("Sense", "LISTOF DET? BOTTOM", sensed(Sense.LOW)),
    *rules("Sense", "BEST", sensed(Sense.GOOD)),
    *rules("Sense", "WORST", sensed(Sense.BAD)),
    *rules("Super", "DET? MOST", sensed(Sense.HIGH)),
    *rules("Super", "DET? FEWEST", sensed(Sense.LOW)),
    *rules("Super", "DET? BEST", sensed(Sense.GOOD)),
    *rules("Super", "DET? WORST", sensed(Sense.BAD)),
    *rules("Ord", "ASC", sensed(Sense.LOW)),
    *rules("Ord", "DESC", sensed(Sense.HIGH)),
    *rules("Ord", "WORSTFIRST", sensed(Sense.BAD)),
    *rules("Ord", "BESTFIRST", sensed(Sense.GOOD)),
    *rules("H", "DET? Sense N? E/D", top),
    *rules("H", "DET? N Sense E/D", number_top),
    *rules("H", "DET? Sense N? E/D WITH Super M", top_having),
    *rules("H", "DET? Sense N PREP E/D", top_share),
    *rules("P", "ORDERBY DET? M Ord?", rank_by),
    *rules("H", "WHICH N? E/D HAS? Super M", which_has),
    *rules("H", "WHICH N? E/D VERB Super M", which_verb),
    *rules("H", "DET? Sense GW FORWORD M", best_period),
    *rules("H", "WHICH GW HAS? Super M", which_period),
    *rules("H", "WHEN LIGHT Super M", when_most),
    *rules("H", "WHICH ISOUR Sense N? E/D", who_is),
    *rules("H", "DET? Super USED E/D", most_used),
    *rules("H", "WHICH E/D WERE USED Super", used_most),
    *rules("H", "LISTOF? DET? E/D WITH Super M", with_most),
    *rules("H", "WHICHEVER GW LIGHT Super M", which_period),
    *rules("H", "LISTOF? WHATARE D", distinct_all),
    *rules("H", "LISTOF? WHICH? DET? E/D Hav", things_having),
    *rules("H", "LISTOF DET? VL? E", listed),
    *rules("H", "LISTOF DET? VL D E", listed_with),
    *rules("H", "WHICH E/D BE DET? Super USED", popular),
    *rules("H", "LISTOF POSSIBLE? D", distinct_values),
    *rules("H", "WHATARE POSSIBLE D", distinct_values),
    *rules("H", "DET? E/D SELLING VAGUE", selling_badly),
    *rules("H", "EACH E Sense E/D", best_of_each),
    *rules("H", "WHICH D/E VERB Lim M", which_selling),
    *rules("H", "LISTOF? DET? E/D ORDERBY M Ord", list_by),
    *rules("P", "DET? NTH/NTHWORD Sense", nth),
    *rules("H", "DET? NTH/NTHWORD Sense E/D", nth),
    *rules("H", "DET? NTH/NTHWORD Sense GW", nth),
    *rules("H", "WHICH E/D HAS? DET? NTH/NTHWORD Sense M", nth_of),
    *rules("H", "WHICH GW HAS? DET? NTH/NTHWORD Sense M", nth_of),
    *rules("P", "Ord", ordered),
    *rules(
        "P", "EVER", lambda _word: (When(reading=TimeReading(range=TimeRange(start=None, end=None, expr="all_time"))),)
    ),
)
