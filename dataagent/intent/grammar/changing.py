"""Conditions on changes and rankings by them: "stores whose orders fell by 10%", "the biggest drop in net revenue"."""

from __future__ import annotations

from dataclasses import replace

from catalog.types import Operator, TimeGranularity
from dataagent.intent.chart import Build, Rule, rules
from dataagent.intent.grammar.rankings import is_plural, whole
from dataagent.intent.parts import (
    Calculated,
    Grain,
    Groups,
    Metrics,
    Number,
    Open,
    Part,
    Ref,
    Refused,
    Sense,
)
from dataagent.intent.resultparts import (
    Measure,
    Moved,
    MovedRank,
)

Parts = tuple[Part, ...]
Limits = tuple[Operator | None, tuple[Number, ...]]
_CHANGE = Calculated(type="direction", arguments=(("asked", ""),))
_ONLY_SENSE = {Sense.HIGH: "up", Sense.LOW: "down"}


def way(sense: Sense) -> Build:
    """A builder of a verb or a noun of change."""
    return lambda *_words: Moved(sense=sense)


def denied(_not: str, verb: Moved) -> Moved:
    """ "did not fall"."""
    return replace(verb, denied=True)


def by_limits(_by: str | None, limits: tuple[Operator, tuple[Number, ...]]) -> Limits:
    """ "by more than 10%"."""
    return limits


def by_number(by: str | None, number: Number) -> Limits | None:
    """ "by 10%", "10%"; a bare number without a unit may be a year."""
    return (None, (number,)) if by or number.unit else None


def limited(moved: Moved, limits: Limits) -> Moved:
    """ "fell by more than 10%"."""
    return replace(moved, op=limits[0], numbers=limits[1])


def of_limits(moved: Moved, _of: str, limits: Limits) -> Moved:
    """ "a drop of more than 10%"."""
    return limited(moved, limits)


def _one(metrics: Metrics) -> bool:
    return len(metrics.refs) == 1 and not metrics.count and not metrics.total


def _grouped(things: Ref, metrics: Metrics, moved: Moved) -> Parts | None:
    return (metrics, Groups(refs=(things,)), moved, _CHANGE) if _one(metrics) else None


def whose(
    _list: str | None, _which: str | None, _det: str | None, things: Ref, _whose: str, metrics: Metrics, moved: Moved
) -> Parts | None:
    """ "stores whose orders dropped", "customers with net revenue down 10%"."""
    return _grouped(things, metrics, moved)


def moved_in(_which: str, things: Ref, moved: Moved, time: Parts | None, _prep: str, metrics: Metrics) -> Parts | None:
    """ "which categories grew (last month) in orders"."""
    found = _grouped(things, metrics, moved)
    return (*found, *(time or ())) if found else None


def with_moving(
    _list: str | None,
    _which: str | None,
    _det: str | None,
    things: Ref,
    _with: str,
    _a: str | None,
    moved: Moved,
    metrics: Metrics,
) -> Parts | None:
    """ "stores with falling orders"."""
    return _grouped(things, metrics, moved)


def with_noun(
    _list: str | None,
    _which: str | None,
    _det: str | None,
    things: Ref,
    _with: str,
    _a: str | None,
    moved: Moved,
    _in: str,
    metrics: Metrics,
) -> Parts | None:
    """ "products that saw a decline in units sold"."""
    return _grouped(things, metrics, moved)


def counted(*_words: object) -> Parts:
    """ "how many products saw a decline in units sold": no query counts things by their change."""
    return (Refused(code="moved_count"),)


def unmeasured(_which: str, things: Ref, moved: Moved) -> Parts:
    """ "which categories grew": in what is open."""
    return (Groups(refs=(things,)), moved, _CHANGE, Open(slot="metric", word=""))


def did_by(_did: str, metrics: Metrics, moved: Moved) -> Parts | None:
    """ "did orders drop by more than 10%"."""
    asked = _ONLY_SENSE.get(moved.sense)
    if not _one(metrics) or asked is None or moved.denied:
        return None
    return (metrics, moved, Calculated(type="direction", arguments=(("asked", asked),)))


def periods(
    _which: str, grain: TimeGranularity, time: Parts | None, _did: str, metrics: Metrics, moved: Moved
) -> Parts:
    """ "in which months of 2024 did orders fall"."""
    return (metrics, Grain(grain=grain), *(time or ()), moved, _CHANGE)


# -- rankings ------------------------------------------------------------------------------


def _rank(sense: Sense, things: Ref | None, number: Number | None) -> MovedRank | None:
    count = whole(number)
    if number is not None and count is None:
        return None
    single = things is not None and number is None and not is_plural(things.surface)
    return MovedRank(sense=sense, things=things, number=count, single=single)


def _ranked(metrics: Metrics, rank: MovedRank | None) -> Parts | None:
    return (metrics, rank, _CHANGE) if rank is not None and _one(metrics) else None


def moved_most(
    _which: str, number: Number | None, things: Ref, moved: Moved, _most: str, _in: str, metrics: Metrics
) -> Parts | None:
    """ "which product fell the most in units sold"."""
    return None if moved.denied or moved.numbers else _ranked(metrics, _rank(moved.sense, things, number))


def most_in(
    _which: str, number: Number | None, things: Ref, verb: Moved, _super: Sense, metrics: Metrics
) -> Parts | None:
    """ "which products lost the most net revenue"."""
    return _ranked(metrics, _rank(verb.sense, things, number)) if _super is Sense.HIGH else None


def its_moved_most(
    _which: str, number: Number | None, things: Ref, verb: Moved, _its: str, metrics: Metrics, _most: str
) -> Parts | None:
    """ "which traffic source improved its conversion rate the most"."""
    return _ranked(metrics, _rank(verb.sense, things, number))


def had_most(
    _which: str, number: Number | None, things: Ref, _has: str, noun: MovedRank, _in: str | None, metrics: Metrics
) -> Parts | None:
    """ "which 5 products had the biggest decline in units sold"."""
    return _ranked(metrics, _on(noun, things, number))


def _on(noun: MovedRank, things: Ref | None, number: Number | None) -> MovedRank | None:
    found = _rank(noun.sense, things, number)
    return replace(noun, things=things, number=found.number, single=found.single) if found else None


def period_most(
    _which: str,
    grain: TimeGranularity,
    time: Parts | None,
    _has: str,
    noun: MovedRank,
    _in: str | None,
    metrics: Metrics,
    over: str | None,
) -> Parts | None:
    """ "which month of 2024 had the biggest increase in orders"."""
    if over is not None and grain.value not in over and not over.endswith(("period", "one")):
        return None
    found = _ranked(metrics, replace(noun, single=True))
    return (*found, Grain(grain=grain), *(time or ())) if found else None


def listed_most(
    _det: str | None, sense: Sense, number: Number | None, things: Ref, _by: str, noun: MovedRank
) -> MovedRank | None:
    """ "top 5 regions by growth": the superlative says from which end."""
    found = _on(noun, things, number)
    if found is None or sense not in (Sense.HIGH, Sense.LOW):
        return None
    if sense is Sense.LOW:
        return replace(found, sense=Sense.LOW) if found.both_ways else None
    return found


def listed_in(ranked: MovedRank, _in: str | None, metrics: Metrics) -> Parts | None:
    """ "top 5 regions by growth in orders"."""
    return _ranked(metrics, ranked)


def listed_of(
    _det: str | None, sense: Sense, number: Number | None, things: Ref, _by: str, metrics: Metrics, noun: MovedRank
) -> Parts | None:
    """ "top 5 regions by orders growth"."""
    return _ranked(metrics, listed_most(None, sense, number, things, "", noun))


def things_with(
    _det: str | None,
    sense: Sense | None,
    number: Number | None,
    things: Ref,
    _with: str,
    noun: MovedRank,
    _in: str | None,
    metrics: Metrics,
) -> Parts | None:
    """ "top 3 stores with the largest increase in orders"."""
    return _ranked(metrics, _on(noun, things, number)) if sense in (None, Sense.HIGH) else None


def alone(_det: str | None, noun: MovedRank, _in: str | None, metrics: Metrics) -> Parts | None:
    """ "biggest drop in net revenue (by country)"."""
    return _ranked(metrics, noun)


def where_most(_where: str, metrics: Metrics, moved: Moved, _most: str) -> Parts | None:
    """ "where did refunds increase the most (by reason)"."""
    return _ranked(metrics, MovedRank(sense=moved.sense))


def fastest(
    _det: str | None, number: Number | None, rank: MovedRank, number2: Number | None, things: Ref
) -> MovedRank | None:
    """ "fastest growing brands"."""
    if number is not None and number2 is not None:
        return None
    return _on(rank, things, number or number2)


def fastest_by(rank: MovedRank, _by: str, metrics: Metrics) -> Parts | None:
    """ "fastest growing brands by gross revenue"."""
    return _ranked(metrics, rank)


def fastest_open(rank: MovedRank) -> Parts:
    """ "fastest growing brands": in what is open."""
    return (rank, _CHANGE, Open(slot="metric", word="growing"))


def growing_fastest(_which: str, things: Ref, moved: Moved, _fast: str) -> Parts:
    """ "which region is growing fastest": in what is open."""
    single = not is_plural(things.surface)
    rank = MovedRank(sense=moved.sense, measure=Measure.PERCENT, things=things, single=single)
    return (rank, _CHANGE, Open(slot="metric", word="growing"))


def most(_super: Sense, percent: str | None, noun: Moved) -> MovedRank | None:
    """ "the biggest (percentage) drop"."""
    if _super is not Sense.HIGH:
        return None
    made = MovedRank(sense=noun.sense)
    return replace(made, measure=Measure.PERCENT, stated=True) if percent else made


def plain_noun(percent: str | None, noun: Moved) -> MovedRank:
    """ "percentage decrease" behind "by"."""
    made = MovedRank(sense=noun.sense)
    return replace(made, measure=Measure.PERCENT, stated=True) if percent else made


def grown(percent: str | None, word: str, in_percent: str | None) -> MovedRank:
    """ "growth": in its amount or in percent is open, "growth rate" is in percent."""
    stated = percent is not None or in_percent is not None or "rate" in word
    return MovedRank(sense=Sense.HIGH, measure=Measure.PERCENT if stated else Measure.EITHER, stated=stated)


def most_growth(_super: Sense, percent: str | None, word: str) -> MovedRank | None:
    """ "the highest growth"."""
    return grown(percent, word, None) if _super is Sense.HIGH else None


def change(percent: str | None, _word: str) -> MovedRank:
    """ "change", "percentage change": from the highest to the lowest, both ways."""
    measure = Measure.PERCENT if percent else Measure.AMOUNT
    return MovedRank(sense=Sense.HIGH, measure=measure, stated=percent is not None, both_ways=True)


def speed(sense: Sense) -> Build:
    """A builder of "fastest growing"."""
    return lambda _word: MovedRank(sense=sense, measure=Measure.PERCENT)


RULES: tuple[Rule, ...] = (
    *rules("Mv", "ROSE", way(Sense.HIGH)),
    *rules("Mv", "FELL", way(Sense.LOW)),
    *rules("Mv", "BETTERED", way(Sense.GOOD)),
    *rules("Mv", "WORSENED", way(Sense.BAD)),
    *rules("MvPlain", "RISE", way(Sense.HIGH)),
    *rules("MvPlain", "SINK", way(Sense.LOW)),
    *rules("MvAny", "Mv/MvPlain", lambda m: m),
    *rules("MvNot", "DIDNOT MvPlain/Mv", denied),
    *rules("MvNoun", "UPNOUN", way(Sense.HIGH)),
    *rules("MvNoun", "DOWNNOUN", way(Sense.LOW)),
    *rules("MvAdj", "RISING", way(Sense.HIGH)),
    *rules("MvAdj", "FALLING", way(Sense.LOW)),
    *rules("MvTaking", "LOST", way(Sense.LOW)),
    *rules("MvTaking", "GAINED", way(Sense.HIGH)),
    *rules("MvBy", "BYONLY? Lim", by_limits),
    *rules("MvBy", "BYONLY? N", by_number),
    *rules("MvCond", "Mv/MvNot", lambda m: m),
    *rules("MvCond", "Mv/MvNot MvBy", limited),
    *rules("MvDid", "MvPlain MvBy", limited),
    *rules("MvOf", "MvNoun", lambda m: m),
    *rules("MvOf", "MvNoun OFWORD MvBy", of_limits),
    *rules("H", "LISTOF? WHICH? DET? E/D WHOSE Met MvCond", whose),
    *rules("H", "WHICH E/D MvCond Tm? INWORD Met", moved_in),
    *rules("H", "LISTOF? WHICH? DET? E/D WITHWORD/SAW AWORD? MvAdj Met", with_moving),
    *rules("H", "LISTOF? WHICH? DET? E/D SAW AWORD? MvOf INWORD Met", with_noun),
    *rules("H", "HOWMANY E/D SAW AWORD? MvOf INWORD Met", counted),
    *rules("H", "HOWMANY E/D WITHWORD MvAdj Met", counted),
    *rules("H", "HOWMANY E/D MvCond INWORD Met", counted),
    *rules("H", "WHICH E/D MvCond", unmeasured),
    *rules("H", "DIDWORD Met MvDid", did_by),
    *rules("H", "INWHICH GW Tm? DIDWORD Met MvPlain", periods),
    *rules("MvPeak", "Super PERCENTWORD? MvNoun", most),
    *rules("MvPeak", "Super PERCENTWORD? GROWTHNOUN", most_growth),
    *rules("MvBased", "PERCENTWORD? MvNoun", plain_noun),
    *rules("MvBased", "PERCENTWORD? GROWTHNOUN INPERCENT?", grown),
    *rules("MvBased", "PERCENTWORD? CHANGENOUN", change),
    *rules("H", "WHICH N? E/D Mv MOSTADV INWORD Met", moved_most),
    *rules("H", "WHICH N? E/D MvTaking Super Met", most_in),
    *rules("H", "WHICH N? E/D Mv ITS Met MOSTADV", its_moved_most),
    *rules("H", "WHICH N? E/D SAW MvPeak INWORD? Met", had_most),
    *rules("H", "WHICH GW Tm? SAW MvPeak INWORD? Met OVERPREVIOUS?", period_most),
    *rules("MvTop", "DET? Sense N? E/D BYWORD MvBased", listed_most),
    *rules("H", "MvTop INWORD Met", listed_in),
    *rules("H", "DET? Sense N? E/D BYWORD Met MvBased", listed_of),
    *rules("H", "DET? Sense? N? E/D WITHWORD MvPeak INWORD? Met", things_with),
    *rules("H", "DET? MvPeak INWORD? Met", alone),
    *rules("H", "WHEREDID Met MvAny MOSTADV", where_most),
    *rules("MvFast", "FASTUP", speed(Sense.HIGH)),
    *rules("MvFast", "FASTDOWN", speed(Sense.LOW)),
    *rules("MvFastest", "DET? N? MvFast N? E/D", fastest),
    *rules("H", "MvFastest BYWORD/INWORD Met", fastest_by),
    *rules("H", "MvFastest", fastest_open),
    *rules("H", "WHICH E/D Mv FASTADV", growing_fastest),
)
