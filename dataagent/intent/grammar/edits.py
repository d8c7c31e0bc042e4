"""Follow-ups: what may be said about the plan of the turn before.  Category "X" stands only in edits."""

from __future__ import annotations

from catalog.types import TimeGranularity
from dataagent.intent.chart import Build, Rule, rules
from dataagent.intent.grammar.nouns import grouped
from dataagent.intent.grammar.rankings import whole
from dataagent.intent.parts import (
    Compared,
    Condition,
    Edit,
    Flag,
    Grain,
    Idle,
    Metrics,
    Number,
    Part,
    Ranked,
    Ref,
    Sense,
    TimeReading,
    When,
)

Parts = tuple[Part, ...]


def of_metrics(op: str) -> Build:
    """A builder of an edit of the metrics."""

    def build(_word: str, metrics: Metrics, _tail: str | None) -> Parts:
        return (Edit(op=op, refs=metrics.refs),)

    return build


def instead(metrics: Metrics, _instead: str) -> Parts:
    """ "orders instead"."""
    return (Edit(op="set_metric", refs=metrics.refs),)


def what_about(_about: str, _det: str | None, metrics: Metrics, _tail: str | None) -> Parts:
    """ "what about orders": in place of the earlier metric or beside it."""
    return (Edit(op="either_metric", refs=metrics.refs),)


def bare_metrics(metrics: Metrics) -> Parts | None:
    """ "orders": as a question of its own, or in place of the earlier metric."""
    return None if metrics.total else (Edit(op="bare_metric", refs=metrics.refs),)


def bare_light(metrics: Metrics, _light: str) -> Parts | None:
    """ "how many orders did we get"."""
    return bare_metrics(metrics)


def plain(op: str) -> Build:
    """A builder of an edit without an object."""
    return lambda *_words: (Edit(op=op),)


def drop(_remove: str, _det: str | None, ref: Ref) -> Parts:
    """ "remove category"."""
    return (Edit(op="drop", refs=(ref,)),)


def drop_filter(_remove: str, _filter: str, ref: Ref | None) -> Parts:
    """ "remove the filter on country", "remove the filters"."""
    return (Edit(op="drop_filter", refs=(ref,) if ref else ()),)


def swap(_swap: str, _det: str | None, old: Ref, _with: str, _det2: str | None, new: Ref) -> Parts:
    """ "swap category for brand"."""
    return (Edit(op="swap", refs=(old, new)),)


def back_to(_all: str, ref: Ref) -> Parts:
    """ "back to all countries"."""
    return (Edit(op="drop_filter", refs=(ref,)),)


def drilled(_drill: str, condition: Part, groups: Parts) -> Parts:
    """ "drill into Apparel by subcategory"."""
    return (condition, *groups, Edit(op="drill"))


def just(_just: str, condition: Condition) -> Parts:
    """ "only Toys"."""
    return (condition,)


def only(condition: Condition, _only: str) -> Parts:
    """ "Germany only"."""
    return (condition,)


def just_flag(_just: str, ref: Ref) -> Parts:
    """ "only test accounts"."""
    return (Flag(ref=ref, value=True),)


def just_when(_just: str, reading: TimeReading) -> Parts:
    """ "only 2024"."""
    return (When(reading=reading),)


def top(sense: Sense, number: Number, _only: str | None) -> Parts | None:
    """ "top 3 only"."""
    count = whole(number)
    return (Ranked(sense=sense, number=count),) if count else None


def percent(_as: str, comparison: Parts) -> Parts:
    """ "as % vs the quarter before"."""
    compared = comparison[0]
    if not isinstance(compared, Compared):
        return comparison
    return (Compared(type=compared.type, calc=("pct",), base=compared.base, relative=compared.relative),)


def by_only(by: str, items: Parts, word: str) -> Parts:
    """ "by brand instead", "by brand as well"."""
    return (*grouped(by, items), Edit(op="add_group" if word in {"as well", "too"} else "set_group"))


def also_by(_also: str, by: str, items: Parts) -> Parts:
    """ "also by brand"."""
    return (*grouped(by, items), Edit(op="add_group"))


def how_many_did(_many: str, _those: str, verb: Ref) -> Parts:
    """ "how many of those ordered"."""
    return (Edit(op="cohort", refs=(verb,)),)


def those_did(those: str, _comma: str | None, many: str, verb: Ref) -> Parts:
    """ "of those, how many ordered"."""
    return how_many_did(many, those, verb)


def grain_only(grain: TimeGranularity, _word: str) -> Parts:
    """ "monthly instead"."""
    return (Grain(grain=grain),)


RULES: tuple[Rule, ...] = (
    *rules("X", "ADD Mets INSTEAD?", of_metrics("add_metric")),
    *rules("X", "SWITCH Mets INSTEAD?", of_metrics("set_metric")),
    *rules("X", "Mets INSTEAD", instead),
    *rules("X", "WHATABOUT DET? Mets INSTEAD?", what_about),
    *rules("X", "Mets", bare_metrics),
    *rules("X", "Mets LIGHT", bare_light),
    *rules("X", "REMOVE BREAKDOWN", plain("drop_groups")),
    *rules("X", "REMOVE DET? D/E", drop),
    *rules("X", "REMOVE FILTERWORD D?", drop_filter),
    *rules("X", "SWAP DET? D/E SWAPWITH DET? D/E", swap),
    *rules("X", "BACKTO D/E", back_to),
    *rules("X", "DRILL CV Grp", drilled),
    *rules("Grp", "BY GItems", lambda _by, items: items),
    *rules("X", "Sense N INSTEAD?", top),
    *rules("X", "ASPCT Cmp", percent),
    *rules("X", "BY GItems INSTEAD", by_only),
    *rules("X", "ADD BY GItems", also_by),
    *rules("X", "GA INSTEAD", grain_only),
    *rules("X", "JUST CV", just),
    *rules("X", "JUST FLAG", just_flag),
    *rules("X", "JUST T", just_when),
    *rules("X", "CV ONLY", only),
    *rules("X", "MEANSIT", plain("define:definition")),
    *rules("X", "OWNSIT", plain("define:owner")),
    *rules("X", "FRESHIT", plain("define:freshness")),
    *rules("X", "FROMIT", plain("define:lineage")),
    *rules("X", "HOWMANY OFTHOSE EV", how_many_did),
    *rules("X", "OFTHOSE COMMA? HOWMANY EV", those_did),
    *rules("X", "RESET", plain("reset")),
    *rules("X", "EXPLAINLAST", plain("explain")),
    *rules("X", "WHYLAST", plain("why")),
    *rules("XL", "EDITLEAD", lambda _word: (Idle(),)),
    *rules("XZ", "INSTEAD", lambda _word: (Idle(),)),
    *rules("XS", "AND/PLUS", lambda _word: (Idle(),)),
)
