"""Which of two is more: members or periods set side by side with "more … than", "higher in … or …"."""

from __future__ import annotations

from dataagent.intent.chart import Rule, rules
from dataagent.intent.grammar.comparing import sides
from dataagent.intent.parts import Compared, Metrics, Part, Ref, TimeReading, Truth, ValueRef, Versus

Parts = tuple[Part, ...]


def _set(metrics: Metrics, first: ValueRef, second: ValueRef) -> Parts | None:
    pair = sides(first, "", second)
    return (metrics, pair) if pair is not None and len(metrics.refs) == 1 and not metrics.count else None


def had_more(
    _did: str, first: ValueRef, _have: str, _more: str, metrics: Metrics, _than: str, second: ValueRef
) -> Parts | None:
    """ "did France have more orders than Germany"."""
    return _set(metrics, first, second)


def had_more_in(
    _did: str, first: ValueRef, _have: str, _more: str, metrics: Metrics, time: Parts, _than: str, second: ValueRef
) -> Parts | None:
    """ "did France have more orders in May than Germany"."""
    found = _set(metrics, first, second)
    return (*found, *time) if found else None


def higher_in(_is: str, metrics: Metrics, _higher: str, first: ValueRef, _or: str, second: ValueRef) -> Parts | None:
    """ "is aov higher in France or Germany"."""
    return _set(metrics, first, second)


def which_more(
    _which: str,
    _has: str,
    _more: str,
    metrics: Metrics,
    time: Parts | None,
    _comma: str | None,
    first: ValueRef,
    _or: str,
    second: ValueRef,
) -> Parts | None:
    """ "which had more orders last month, France or Germany"."""
    found = _set(metrics, first, second)
    return (*found, *(time or ())) if found else None


def compare_words(_how: str, pair: Versus, noun: Ref | None, metrics: Metrics, _compare: str) -> Parts | None:
    """ "how do online and in-store orders compare"."""
    return (Versus(values=pair.values, noun=noun), metrics) if len(metrics.refs) == 1 else None


def difference_of(_difference: str, pair: Versus, noun: Ref | None, metrics: Metrics) -> Parts | None:
    """ "difference between online and marketplace orders"."""
    return compare_words("", pair, noun, metrics, "")


def several(_compare: str, metrics: Metrics, _prep: str | None, values: tuple[ValueRef, ...]) -> Parts | None:
    """ "compare net revenue of France, Germany and Spain"."""
    return (metrics, Versus(values=values)) if len(values) > 2 and len(metrics.refs) == 1 else None


_ASKED = {"higher": "up", "up": "up", "more": "up", "larger": "up", "bigger": "up", "lower": "down", "down": "down"}


def higher_than(_is: str, metrics: Metrics, higher: str, time: Parts, _than: str, base: TimeReading) -> Parts | None:
    """ "were orders higher this week than last week"."""
    asked = _ASKED.get(higher)
    if asked is None or len(metrics.refs) != 1:
        return None
    return (metrics, *time, Compared(type="", base=base), Truth(kind=f"direction {asked}"))


def how_much_more(
    _how: str, metrics: Metrics, _light: str | None, time: Parts, _than: str, base: TimeReading
) -> Parts | None:
    """ "how much more net revenue did we make in May than in April"."""
    return (metrics, *time, Compared(type="", base=base)) if len(metrics.refs) == 1 else None


RULES: tuple[Rule, ...] = (
    *rules("H", "DIDWORD V HAVEBASE MORE Met THAN V", had_more),
    *rules("H", "DIDWORD V HAVEBASE MORE Met Tm THAN V", had_more_in),
    *rules("H", "WEIGHT Met HIGHERIN V OR V", higher_in),
    *rules("H", "WHICH HAS MORE Met Tm? COMMA? V OR V", which_more),
    *rules("H", "HOWDOES Pair2 D/E? Met COMPAREWORD", compare_words),
    *rules("H", "DIFFERENCE Pair2 D/E? Met", difference_of),
    *rules("H", "COMPARE Met PREP? VL", several),
    *rules("H", "WEIGHT Met HIGHER Tm THAN T", higher_than),
    *rules("H", "HOWMUCHMORE Met LIGHT? Tm THAN T", how_much_more),
)
