"""Metrics and groupings: what is measured and by what it is broken down."""

from __future__ import annotations

from dataclasses import replace

from catalog.types import TimeGranularity
from dataagent.intent.chart import Rule, rules
from dataagent.intent.parts import Condition, Grain, Groups, Idle, Metrics, Open, Part, Ref, ValueRef
from dataagent.intent.types import BoundTo

Parts = tuple[Part, ...]


def metric(_det: str | None, sum_of: str | None, ref: Ref) -> Metrics:
    """One metric, perhaps as a total."""
    return Metrics(refs=(ref,), total=sum_of is not None and "total" in sum_of.split())


def distinct_metric(_det: str | None, _different: str, ref: Ref) -> Metrics:
    """ "distinct orders": the same where the metric counts each thing once, else not to be had."""
    return Metrics(refs=(ref,), distinct=True)


def latest_metric(_det: str | None, _latest: str, ref: Ref) -> Metrics:
    """ "current stock": the level of the last complete day."""
    return Metrics(refs=(ref,), latest=True)


def latest_now(metrics: Metrics, _light: str | None, _now: str) -> Parts:
    """ "how many active subscriptions do we have right now": the level of the last complete day."""
    return (replace(metrics, latest=True),)


def counted(_det: str | None, _many: str, _the: str | None, different: str | None, ref: Ref) -> Metrics:
    """ "how many X", where X is a count metric or an entity."""
    return Metrics(refs=(ref,), count=True, scalar=True, distinct=different is not None)


def amount(_much: str, _det: str | None, ref: Ref) -> Metrics:
    """ "how much X"."""
    return Metrics(refs=(ref,), scalar=True)


def joined(first: Metrics, _and: str, rest: Metrics) -> Metrics | None:
    """Two lists of metrics in order."""
    if first.count or rest.count:
        return None
    return Metrics(
        refs=(*first.refs, *rest.refs),
        total=first.total or rest.total,
        distinct=first.distinct or rest.distinct,
        latest=first.latest or rest.latest,
    )


def one(part: Part) -> Parts:
    """The fragment alone."""
    return (part,)


def grouped(by: str, items: Parts) -> Parts:
    """The groupings after "by"; those after "per" may also say over what an average is taken."""
    if not by.startswith(_PER):
        return items
    return tuple(replace(p, each=True) if isinstance(p, Groups | Grain) else p for p in items)


_PER = ("per", "for each", "for every")


def group_item(_det: str | None, _each: str | None, ref: Ref) -> Parts:
    """One dimension or entity."""
    return (Groups(refs=(ref,)),)


def grain_item(_det: str | None, _each: str | None, grain: TimeGranularity) -> Parts:
    """One time granularity."""
    return (Grain(grain=grain),)


def grain_of(_det: str | None, ref: Ref, grain: TimeGranularity) -> Parts:
    """ "signup month", "order date by month": the granularity of a named time dimension."""
    return (Grain(grain=grain, dimension=ref),)


def per_group(_per: str, ref: Ref) -> Parts:
    """ "per category" in a ranking: the group within which it ranks."""
    return (Groups(refs=(ref,), per=True),)


def both(first: Parts, _and: str | None, _by: str | None, rest: Parts) -> Parts:
    """Groupings in order."""
    return (*first, *rest)


def end_of_each(_end: str, grain: TimeGranularity) -> Parts:
    """ "at the end of each month": of levels alone."""
    return (Grain(grain=grain, ends=True),)


def adverb(grain: TimeGranularity) -> Parts:
    """ "monthly"."""
    return (Grain(grain=grain),)


def idle(*_words: str | None) -> Parts:
    """Ignorable words in a listed position."""
    return (Idle(),)


def wants_groups(*_words: str | None) -> Parts:
    """ "break down …": a grouping has to follow."""
    return (Open(slot="groups", word="break down"),)


def described(_det: str | None, _many: str, _the: str | None, values: tuple[ValueRef, ...], ref: Ref) -> Parts:
    """ "how many completed orders", "number of urgent tickets"."""
    return (Metrics(refs=(ref,), count=True, scalar=True), Condition(values=values))


def with_light(parts: Parts, _light: str) -> Parts:
    """The noun with a light verb after it ("orders did we get")."""
    return parts


def placed(parts: Parts, _were: str | None, _placed: str) -> Parts | None:
    """Counted things with a verb of coming into being ("claims have been placed")."""
    head = parts[0]
    return parts if isinstance(head, Metrics) and head.refs[0].kind in {BoundTo.METRIC, BoundTo.ENTITY} else None


RULES: tuple[Rule, ...] = (
    *rules("Met", "DET? SUMOF? M", metric),
    *rules("Met", "DET? DIFFERENT M", distinct_metric),
    *rules("Met", "DET? LATEST M", latest_metric),
    *rules("Cnt", "DET? HOWMANY DET? DIFFERENT? M/EC", counted),
    *rules("Cnt", "HOWMUCH DET? M", amount),
    *rules("H", "Met/Cnt LIGHT? RIGHTNOW", latest_now),
    *rules("Mets", "Met", lambda m: m),
    *rules("Mets", "Met AND Mets", joined),
    *rules("Mets", "Cnt", lambda m: m),
    *rules("Noun", "Mets", one),
    *rules("Noun", "DET? HOWMANY DET? VL M/EC", described),
    *rules("H", "Noun", lambda n: n),
    *rules("H", "Noun LIGHT", with_light),
    *rules("H", "Noun WERE? PLACED", placed),
    *rules("GItem", "DET? EACH? D/E", group_item),
    *rules("GItem", "DET? EACH? GW", grain_item),
    *rules("GItem", "DET? D GW", grain_of),
    *rules("GItems", "GItem", lambda g: g),
    *rules("GItems", "GItem AND BY? GItems", both),
    *rules("P", "BY GItems", grouped),
    *rules("P", "PERENT D/E", per_group),
    *rules("P", "GA", adverb),
    *rules("P", "ENDOFEACH GW", end_of_each),
    *rules("L", "BREAK", wants_groups),
    *rules("L", "LEAD", idle),
    *rules("L", "GREET", idle),
    *rules("L", "LEAD LEAD", idle),
    *rules("Z", "TAIL", idle),
    *rules("S", "STOP", idle),
    *rules("S", "COMMA", idle),
)
