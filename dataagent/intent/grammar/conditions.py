"""Conditions on members, on yes / no dimensions and on numbers."""

from __future__ import annotations

from dataclasses import replace

from catalog.types import Operator
from dataagent.intent.chart import Build, Rule, rules
from dataagent.intent.parts import Condition, Declared, Flag, Measured, Number, Part, Ref, ValueRef

Parts = tuple[Part, ...]
Values = tuple[ValueRef, ...]
Limits = tuple[Operator, tuple[Number, ...]]


def listed(first: ValueRef, _and: str, rest: Values) -> Values | None:
    """Members of one common dimension."""
    common = {d for d, _ in first.choices}.intersection(*({d for d, _ in v.choices} for v in rest))
    return (first, *rest) if common else None


def alternatives(first: ValueRef, _or: str, rest: Values | Condition) -> Condition | None:
    """Members joined by "or"."""
    later = rest.values if isinstance(rest, Condition) else rest
    values = listed(first, "", later)
    return Condition(values=values, either=True) if values else None


def plain(_det: str | None, values: Values | Condition) -> Condition:
    """Members alone."""
    return values if isinstance(values, Condition) else Condition(values=values)


def with_noun(_det: str | None, values: Values | Condition, noun: Ref) -> Condition:
    """Members and the noun that they describe ("high priority", "enterprise customers")."""
    return replace(plain(None, values), noun=noun)


def noun_first(_det: str | None, noun: Ref, _eq: str | None, values: Values | Condition) -> Condition:
    """The dimension and its members ("brand Georgia Home")."""
    return replace(plain(None, values), noun=noun)


def with_ones(_det: str | None, values: Values, _ones: str) -> Condition:
    """ "cancelled ones"."""
    return Condition(values=values)


def filtered(_prep: str | None, condition: Condition) -> Parts:
    """A condition behind a preposition."""
    return (condition,)


def negated(_not: str, _prep: str | None, condition: Condition) -> Parts | None:
    """A condition turned round; "not A or B" is left open."""
    return None if condition.either else (replace(condition, negated=True),)


def neither(_neither: str, first: ValueRef, _nor: str, second: ValueRef, noun: Ref | None) -> Parts:
    """ "neither A nor B"."""
    return (Condition(values=(first, second), noun=noun, negated=True),)


def by_verb(_were: str | None, verb: str, _prep: str, condition: Condition) -> Parts:
    """ "paid with PayPal": the verb must occur among the dimension's words."""
    return (replace(condition, verb=verb),)


def after_placed(_were: str | None, _placed: str, _prep: str, condition: Condition) -> Parts:
    """ "opened by phone": a verb of coming into being adds nothing to the condition."""
    return (condition,)


def flagged(_prep: str | None, _det: str | None, ref: Ref) -> Parts:
    """A yes / no dimension that holds."""
    return (Flag(ref=ref, value=True),)


def not_flagged(_not: str, _det: str | None, ref: Ref) -> Parts:
    """A yes / no dimension that does not hold."""
    return (Flag(ref=ref, value=False),)


def flagged_noun(_det: str | None, ref: Ref, _noun: Ref) -> Parts:
    """ "discontinued products" as a condition."""
    return (Flag(ref=ref, value=True),)


def declared(_prep: str | None, _det: str | None, word: str, _noun: Ref | None) -> Parts:
    """A declared adjective, perhaps with its noun."""
    return (Declared(word=word),)


def not_declared(_not: str, _det: str | None, word: str, _noun: Ref | None) -> Parts:
    """A declared adjective, denied."""
    return (Declared(word=word, negated=True),)


def more(op: Operator) -> Build:
    """A builder of one-sided limits with the operator."""
    return lambda _word, number: (op, (number,))


def limits_between(_between: str, low: Number, _and: str, high: Number) -> Limits | None:
    """Both ends; the unit of the later one holds for both."""
    unit = high.unit or low.unit
    if {low.unit, high.unit} - {"", unit}:
        return None
    return (Operator.BETWEEN, (replace(low, unit=unit), replace(high, unit=unit)))


def or_more(number: Number, _word: str) -> Limits:
    """ "5 or more"."""
    return (Operator.GE, (number,))


def or_less(number: Number, _word: str) -> Limits:
    """ "5 or fewer"."""
    return (Operator.LE, (number,))


def of_things(_from: str, _det: str | None, noun: Ref, _prep: str, condition: Condition) -> Parts | None:
    """ "from customers in France": a condition on what the things themselves have."""
    return None if condition.noun is not None else (replace(condition, noun=noun),)


def having(_with: str, limits: Limits, ref: Ref) -> Parts:
    """ "with at least 5 orders"."""
    return (Measured(op=limits[0], numbers=limits[1], ref=ref),)


def having_named(_with: str | None, _det: str | None, ref: Ref, _be: str | None, limits: Limits) -> Parts:
    """ "with conversion rate under 2%"."""
    return (Measured(op=limits[0], numbers=limits[1], ref=ref),)


def keyed(_with: str, _det: str | None, ref: Ref, _be: str | None, number: Number) -> Parts | None:
    """ "for listing 42": the thing with that key."""
    is_key = isinstance(number.value, int) and not number.unit
    return (Measured(op=Operator.EQ, numbers=(number,), ref=ref, of_key=True),) if is_key else None


def bare_limit(limits: Limits) -> Parts:
    """ "over $500": about whatever stands before it."""
    return (Measured(op=limits[0], numbers=limits[1]),)


def with_limit(_with: str, limits: Limits) -> Parts:
    """ "with more than 200k": about the metric."""
    return (Measured(op=limits[0], numbers=limits[1]),)


def rows_limit(_prep: str, _det: str | None, ref: Ref, limits: Limits) -> Parts:
    """ "from orders between 50 and 100 dollars": about each row of the entity."""
    return (Measured(op=limits[0], numbers=limits[1], ref=ref, of_row=True),)


RULES: tuple[Rule, ...] = (
    *rules("VL", "V", lambda v: (v,)),
    *rules("VL", "V AND VL", listed),
    *rules("VO", "V OR VL", alternatives),
    *rules("VO", "V COMMA VO", alternatives),
    *rules("CV", "DET? VL/VO", plain),
    *rules("CV", "DET? VL/VO D/E", with_noun),
    *rules("CV", "DET? D EQ? VL/VO", noun_first),
    *rules("CV", "DET? VL ONES", with_ones),
    *rules("P", "PREP? CV", filtered),
    *rules("P", "NOT PREP? CV", negated),
    *rules("P", "NEITHER V NOR V D?", neither),
    *rules("P", "WERE? VERB PREP CV", by_verb),
    *rules("P", "WERE? PLACED PREP CV", after_placed),
    *rules("P", "PREP? DET? FLAG", flagged),
    *rules("P", "DET? FLAG E", flagged_noun),
    *rules("P", "NOT DET? FLAG", not_flagged),
    *rules("P", "PREP? DET? ADJ E?", declared),
    *rules("P", "NOT DET? ADJ E?", not_declared),
    *rules("Lim", "GT N", more(Operator.GT)),
    *rules("Lim", "GE N", more(Operator.GE)),
    *rules("Lim", "LT N", more(Operator.LT)),
    *rules("Lim", "LE N", more(Operator.LE)),
    *rules("Lim", "EXACTLY N", more(Operator.EQ)),
    *rules("Lim", "BETWEEN N AND N", limits_between),
    *rules("Lim", "N ORMORE", or_more),
    *rules("Lim", "N ORLESS", or_less),
    *rules("Hav", "WITH Lim M", having),
    *rules("Hav", "WITH/WHERE DET? M BE? Lim", having_named),
    *rules("P", "Hav", lambda h: h),
    *rules("P", "Lim", bare_limit),
    *rules("P", "WORTH Lim", with_limit),
    *rules("P", "WITH Lim", with_limit),
    *rules("P", "PREP DET? E Lim", rows_limit),
    *rules("P", "OFTHINGS DET? E PREP CV", of_things),
    *rules("P", "WITH/WHERE DET? D BE? Lim", having_named),
    *rules("P", "PREP/WITH/WHERE DET? D BE? N", keyed),
)
