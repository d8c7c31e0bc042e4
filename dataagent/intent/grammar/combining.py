"""Things that did two things, or one and not the other: "customers who ordered Toys but not Beauty"."""

from __future__ import annotations

from dataclasses import replace

from dataagent.intent.chart import Rule, rules
from dataagent.intent.oneyear import in_one_year
from dataagent.intent.parts import Condition, Part, Ref, Things, TimeReading, ValueRef
from dataagent.intent.resultparts import Side, TwoSides

Parts = tuple[Part, ...]


def of_members(_prep: str | None, condition: Condition) -> Side | None:
    """ "Toys", "from Germany"."""
    return None if condition.negated else Side(condition=condition)


def of_one(_prep: str | None, _det: str | None, value: ValueRef) -> Side:
    """One member."""
    return Side(condition=Condition(values=(value,)))


def in_period(_prep: str | None, reading: TimeReading) -> Side:
    """ "in April"."""
    return Side(reading=reading)


def _same_kind(first: Side, second: Side) -> bool:
    return (first.condition is None) is (second.condition is None)


def but_not(_who: str | None, verb: Ref, first: Side, _but: str, _again: Ref | None, second: Side) -> Parts | None:
    """ "who ordered Toys but not Beauty"."""
    first, second = _in_one_year(first, second)
    return (TwoSides(ref=verb, first=first, second=second, absent=True),) if _same_kind(first, second) else None


def _in_one_year(first: Side, second: Side) -> tuple[Side, Side]:
    """ "in Q1 but not in Q2 2024": a year that only one of both names is that of the other, too."""
    if first.reading is None or second.reading is None:
        return first, second
    one, other = in_one_year(first.reading, second.reading)
    return replace(first, reading=one), replace(second, reading=other)


def had_but_not(_with: str, ref: Ref, first: Side, _but: str, second: Side) -> Parts | None:
    """ "with orders in April but not in May"."""
    return but_not(None, ref, first, "", None, second)


def both(_who: str | None, verb: Ref, _both: str, first: Side, _and: str, second: Side) -> Parts | None:
    """ "who ordered both Toys and Beauty"."""
    first, second = _in_one_year(first, second)
    return (TwoSides(ref=verb, first=first, second=second),) if _same_kind(first, second) else None


def only(_who: str | None, _only: str, verb: Ref, first: Side) -> Parts | None:
    """ "who only ordered Toys"."""
    return None if first.condition is None else (TwoSides(ref=verb, first=first, second=first, absent=True, only=True),)


def only_after(_who: str | None, verb: Ref, _only: str, first: Side) -> Parts | None:
    """ "who ordered only Toys"."""
    return only(None, "", verb, first)


def within(clause: Parts, _prep: str | None, reading: TimeReading) -> Parts | None:
    """ "… in 2024": the period of both."""
    sides = clause[0]
    if not isinstance(sides, TwoSides) or sides.first.reading is not None or sides.second.reading is not None:
        return None
    first, second = replace(sides.first, reading=reading), replace(sides.second, reading=reading)
    return (replace(sides, first=first, second=second),)


def listed(
    _list: str | None, _which: str | None, _det: str | None, kind: Parts | None, things: Ref, clause: Parts
) -> Parts:
    """ "(list) customers who ordered Toys but not Beauty"."""
    return (Things(ref=things, asked="entity"), *(kind or ()), *clause)


def counted(_many: str, _different: str | None, kind: Parts | None, things: Ref, clause: Parts) -> Parts:
    """ "how many customers ordered in April and in May"."""
    return (Things(ref=things, asked="count"), *(kind or ()), *clause)


RULES: tuple[Rule, ...] = (
    *rules("SetM", "PREP? CV", of_members),
    *rules("SetV", "PREP? DET? V", of_one),
    *rules("SetT", "TPREP? T", in_period),
    *rules("Two", "WHOM? EV SetM BUTNOT2 EV? SetM", but_not),
    *rules("Two", "WHOM? EV SetT BUTNOT2 EV? SetT", but_not),
    *rules("Two", "WITHSOME M SetT BUTNOT2 SetT", had_but_not),
    *rules("Two", "WHOM? EV BOTHWORD/FROMBOTH SetV AND SetV", both),
    *rules("Two", "WHOM? EV BOTHWORD SetT AND SetT", both),
    *rules("Two", "WHOM? ONLYDID EV SetM", only),
    *rules("Two", "WHOM? EV ONLYDID SetM", only_after),
    *rules("TwoIn", "Two", lambda t: t),
    *rules("TwoIn", "Two TPREP? T", within),
    *rules("H", "LISTOF? WHICH? DET? Kind? E TwoIn", listed),
    *rules("H", "HOWMANY DIFFERENT? Kind? E TwoIn", counted),
)
