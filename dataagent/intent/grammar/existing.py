"""Whether things have any of what is counted: "customers with no orders", "did any store sell nothing"."""

from __future__ import annotations

from dataclasses import dataclass, replace

from catalog.types import Operator
from dataagent.intent.chart import Build, Rule, rules
from dataagent.intent.parts import (
    Condition,
    Declared,
    Flag,
    Measured,
    Metrics,
    Number,
    Part,
    Ref,
    Things,
    Truth,
    ValueRef,
)
from dataagent.intent.resultparts import (
    Did,
    Present,
)

Parts = tuple[Part, ...]
Limits = tuple[Operator, tuple[Number, ...]]
_NONE, _ONE, _TWO = (Number(value=0),), (Number(value=1),), (Number(value=2),)


# -- what they have ------------------------------------------------------------------------


def having(ref: Ref) -> Parts:
    """ "refunds" behind "with"."""
    return (Present(ref=ref),)


def lacking(ref: Ref) -> Parts:
    """ "refunds" behind "with no"."""
    return (Present(ref=ref, absent=True),)


def with_some(_with: str, ref: Ref) -> Parts:
    """ "with refunds"."""
    return having(ref)


def with_none(_who: str | None, _without: str, ref: Ref) -> Parts:
    """ "with no orders", "who placed no orders"."""
    return lacking(ref)


def got_none(_who: str | None, _verb: str, _no: str, ref: Ref) -> Parts:
    """ "that received no refunds"."""
    return lacking(ref)


def never_got(_who: str | None, _never: str, _verb: str, _any: str | None, ref: Ref) -> Parts:
    """ "who never placed an order"."""
    return lacking(ref)


def some_not_other(_with: str, first: Ref, _but: str, second: Ref) -> Parts:
    """ "with tickets but no orders"."""
    return (*having(first), *lacking(second))


def some_and_other(_with: str, first: Ref, _and: str, second: Ref) -> Parts:
    """ "with orders and tickets"."""
    return (*having(first), *having(second))


def neither(_with: str, first: Ref, _nor: str, second: Ref) -> Parts:
    """ "with neither orders nor refunds"."""
    return (*lacking(first), *lacking(second))


def level_gone(_out: str, ref: Ref) -> Parts:
    """ "out of stock"."""
    return (Present(ref=ref, absent=True, level=True),)


def level_there(_in: str, ref: Ref) -> Parts:
    """ "in stock", "that still have stock"."""
    return (Present(ref=ref, level=True),)


# -- what they did -------------------------------------------------------------------------


def never_did(_who: str | None, _never: str, verb: Ref) -> Parts:
    """ "who never ordered"."""
    return (Did(ref=verb, op=Operator.EQ, numbers=_NONE),)


def did_nothing(_who: str | None, verb: Ref, _nothing: str) -> Parts:
    """ "that sold nothing"."""
    return never_did(None, "", verb)


def often(op: Operator, numbers: tuple[Number, ...]) -> Build:
    """A builder of "at least once", "exactly once", "more than once"."""
    return lambda _word: (op, numbers)


def times(limits: Limits, _times: str) -> Limits:
    """ "more than 3 times"."""
    return limits


def did_often(_who: str | None, verb: Ref, limits: Limits) -> Parts:
    """ "who ordered more than twice"."""
    return (Did(ref=verb, op=limits[0], numbers=limits[1]),)


def did(_who: str | None, _were: str | None, verb: Ref) -> Parts:
    """ "who ordered", "that were sold"."""
    return (Did(ref=verb, op=Operator.GT, numbers=_NONE),)


def did_so_many(verb: Ref, limits: Limits, ref: Ref) -> Parts | None:
    """ "sell more than 100 units": the verb has to be that of the metric."""
    return (Measured(op=limits[0], numbers=limits[1], ref=ref),) if set(verb.targets) & set(ref.targets) else None


def got_so_many(_verb: str, limits: Limits, ref: Ref) -> Parts:
    """ "have more than 100 orders"."""
    return (Measured(op=limits[0], numbers=limits[1], ref=ref),)


def both_limits(first: Parts, _and: str, limits: Limits, ref: Ref) -> Parts:
    """ "with a refund rate over 5% and at least 100 orders"."""
    return (*first, *got_so_many("", limits, ref))


# -- the things ----------------------------------------------------------------------------


def described(values: tuple[ValueRef, ...]) -> Parts:
    """ "enterprise" before its noun."""
    return (Condition(values=values),)


def adjective(word: str) -> Parts:
    """A declared adjective before its noun."""
    return (Declared(word=word),)


def flagged(ref: Ref) -> Parts:
    """A yes / no dimension before its noun."""
    return (Flag(ref=ref, value=True),)


def shown(_which: str | None, _det: str | None, kind: Parts | None, things: Ref, clause: Parts) -> Parts:
    """ "(which) customers with no orders"; where verbs name no figure to show, the things themselves."""
    asked = "entity" if all(isinstance(p, Did) for p in clause) else ""
    return (Things(ref=things, asked=asked), *(kind or ()), *clause)


def listed(_list: str, _det: str | None, kind: Parts | None, things: Ref, clause: Parts) -> Parts:
    """ "list customers with no orders"."""
    return (Things(ref=things, asked="entity"), *(kind or ()), *clause)


def which_did(_which: str, _det: str | None, kind: Parts | None, things: Ref, clause: Parts) -> Parts:
    """ "which customers ordered": the things themselves, as the verb names no figure to show."""
    return listed("", None, kind, things, clause)


def of_kind(_list: str | None, _which: str | None, _det: str | None, kind: Parts, things: Ref, clause: Parts) -> Parts:
    """ "list premium readers with at least 5 loans"."""
    return (Things(ref=things), *kind, *clause)


def counted(_many: str, _different: str | None, kind: Parts | None, things: Ref, clause: Parts) -> Parts:
    """ "how many products were never ordered"."""
    return (Things(ref=things, asked="count"), *(kind or ()), *clause)


def counted_by_us(_many: str, _different: str, kind: Parts | None, things: Ref, _we: str, verb: Ref) -> Parts:
    """ "how many different products did we sell"."""
    return counted("", None, kind, things, did(None, None, verb))


def any_of(_any: str, kind: Parts | None, things: Ref, clause: Parts) -> Parts:
    """ "are there any customers with more than 20 orders"."""
    return (Things(ref=things, asked="exists"), *(kind or ()), *clause)


def every(_every: str, kind: Parts | None, things: Ref, clause: Parts) -> Parts | None:
    """ "do all stores have more than 100 orders": one condition, as several would be denied one by one."""
    return (Things(ref=things, asked="every"), *(kind or ()), *clause) if len(clause) == 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _There:
    """Things under a condition of their own that stands behind them: "customers in France"."""

    things: Ref
    condition: Condition


def there(things: Ref, _prep: str, condition: Condition) -> _There | None:
    """ "stores in Germany", before what they have or lack."""
    return None if condition.noun is not None else _There(things=things, condition=replace(condition, noun=things))


def shown_there(_which: str | None, _det: str | None, found: _There, clause: Parts) -> Parts:
    """ "customers in France without orders": where the things are, and not where the orders went."""
    return (*shown(None, None, None, found.things, clause), found.condition)


def listed_there(_list: str, _det: str | None, found: _There, clause: Parts) -> Parts:
    """ "list customers in France without orders"."""
    return (*listed("", None, None, found.things, clause), found.condition)


def counted_there(_many: str, _different: str | None, found: _There, clause: Parts) -> Parts:
    """ "how many customers in France never ordered"."""
    return (*counted("", None, None, found.things, clause), found.condition)


# -- figures themselves --------------------------------------------------------------------


def some_figure(_any: str, values: tuple[ValueRef, ...] | None, ref: Ref, _placed: str | None) -> Parts:
    """ "any orders (from Japan)", "were there orders"."""
    positive = Measured(op=Operator.GT, numbers=_NONE, ref=ref)
    condition = (Condition(values=values),) if values else ()
    return (Metrics(refs=(ref,), count=True), *condition, positive, Truth(kind="exists"))


def no_figure(_did: str, _no: str, values: tuple[ValueRef, ...] | None, ref: Ref) -> Parts:
    """ "did we have no refunds"."""
    nothing = Measured(op=Operator.EQ, numbers=_NONE, ref=ref)
    condition = (Condition(values=values),) if values else ()
    return (Metrics(refs=(ref,), count=True), *condition, nothing, Truth())


RULES: tuple[Rule, ...] = (
    *rules("ExNoun", "WITHSOME M", with_some),
    *rules("Ex", "WHOM? WITHNONE M", with_none),
    *rules("Ex", "WHOM? LIGHTVERB NOWORD M", got_none),
    *rules("Ex", "WHOM? NEVER LIGHTVERB ANYWORD? M", never_got),
    *rules("Ex", "WITHSOME M BUTNO M", some_not_other),
    *rules("Ex", "WITHSOME M AND M", some_and_other),
    *rules("Ex", "WITHNEITHER M NOR M", neither),
    *rules("Ex", "OUTOFWORD M", level_gone),
    *rules("Ex", "STILLHAVE M", level_there),
    *rules("ExIn", "INSTOCK M", level_there),
    *rules("Ex", "ExNoun/ExIn", lambda e: e),
    *rules("Ex", "WHOM? NEVER EV", never_did),
    *rules("Ex", "WHOM? EV NOTHING", did_nothing),
    *rules("Often", "ATLEASTONCE", often(Operator.GE, _ONE)),
    *rules("Often", "EXACTLYONCE", often(Operator.EQ, _ONE)),
    *rules("Often", "OVERONCE", often(Operator.GT, _ONE)),
    *rules("Often", "OVERTWICE", often(Operator.GT, _TWO)),
    *rules("Often", "ATLEASTTWICE", often(Operator.GE, _TWO)),
    *rules("Often", "Lim TIMES", times),
    *rules("Ex", "WHOM? EV Often", did_often),
    *rules("ExDid", "WHOM? WERE? EV", did),
    *rules("ExSo", "EV Lim M", did_so_many),
    *rules("ExSo", "LIGHTVERB Lim M", got_so_many),
    *rules("ExMore", "Hav/Held AND Lim M", both_limits),
    *rules("Kind", "VL", described),
    *rules("Kind", "ADJ", adjective),
    *rules("Kind", "FLAG", flagged),
    *rules("H", "WHICH? DET? Kind? E/D Ex/ExMore", shown),
    *rules("H", "LISTOF? WHICH? DET? Kind E/D Hav/Held", of_kind),
    *rules("H", "LISTOF DET? Kind? E/D Ex", listed),
    *rules("H", "LISTOF DET? Kind? E/D ExDid", listed),
    *rules("H", "WHICH DET? Kind? E ExDid", which_did),
    *rules("H", "HOWMANY DIFFERENT? Kind? E/D Ex", counted),
    *rules("H", "HOWMANY DIFFERENT Kind? E ExDid", counted),
    *rules("H", "HOWMANY DIFFERENT Kind? E SELFDID EV", counted_by_us),
    *rules("There", "E PREP CV", there),
    *rules("H", "WHICH? DET? There Ex", shown_there),
    *rules("H", "LISTOF DET? There Ex/ExDid", listed_there),
    *rules("H", "HOWMANY DIFFERENT? There Ex", counted_there),
    *rules("H", "ANYOF Kind? E Ex/Hav/Held/ExMore", any_of),
    *rules("H", "DIDANYOF Kind? E Ex/ExSo", any_of),
    *rules("H", "DOALL Kind? E ExSo/ExNoun", every),
    *rules("H", "ANYFIGURE VL? M PLACEDWORD?", some_figure),
    *rules("H", "DIDWEHAVE NOWORD VL? M", no_figure),
)
