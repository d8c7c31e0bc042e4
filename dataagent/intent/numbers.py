"""Numbers and their units in a question."""

from __future__ import annotations

import re
from decimal import Decimal, localcontext

from dataagent.intent.normalise import Token
from dataagent.intent.parts import Number
from dataagent.intent.timewords import NUMBER_WORDS

_NUMBER = re.compile(r"(\d[\d,]*(?:\.\d+)?)(k|mm|mn|m|bn|b)?", re.IGNORECASE)
_ORDINAL = re.compile(r"(\d{1,2})(?:st|nd|rd|th)")
_FACTOR = {"": 1, "k": 1_000, "m": 1_000_000, "mm": 1_000_000, "mn": 1_000_000, "b": 10**9, "bn": 10**9}
_SCALE_WORDS = {"thousand": 1_000, "million": 1_000_000, "billion": 10**9}
_CURRENCY_SIGNS = frozenset("$")
_CURRENCY_WORDS = frozenset({"dollar", "dollars", "usd"})
_PERCENT = frozenset({"%", "percent", "pct"})
_POINTS = frozenset({"pp", "ppt", "ppts", "points"})
_POINT_WORDS = frozenset({"point", "points"})
_TIME_UNITS = {"hours": "hours", "hour": "hours", "days": "days", "day": "days"}


def plain_number(word: str) -> Decimal | None:
    """The value of one word written in digits or as a small number word, or None."""
    if word in NUMBER_WORDS:
        return Decimal(NUMBER_WORDS[word])
    match = _NUMBER.fullmatch(word)
    if match is None or not re.fullmatch(r"\d+|\d{1,3}(,\d{3})+", match[1].split(".")[0]):
        return None
    return times(Decimal(match[1].replace(",", "")), _FACTOR[(match[2] or "").lower()])


def ordinal_number(word: str) -> int | None:
    """The place that a word in digits names ("3rd" is 3), or None: a place is never a count."""
    ordinal = _ORDINAL.fullmatch(word)
    return int(ordinal[1]) if ordinal else None


def times(value: Decimal, factor: int | Decimal) -> Decimal:
    """The exact product; the default precision would drop digits of a long number."""
    with localcontext() as context:
        context.prec = len(value.as_tuple().digits) + len(Decimal(factor).as_tuple().digits) + 1
        return value * factor


def tidy(value: Decimal) -> int | Decimal:
    """A whole number as int, anything else as it is."""
    return int(value) if value == value.to_integral_value() else value


def number_spans(tokens: tuple[Token, ...]) -> tuple[tuple[int, int, Number], ...]:
    """Every (start, end, number) of the tokens, with the unit when one is written."""
    found: list[tuple[int, int, Number]] = []
    for position, token in enumerate(tokens):
        value = None if token.quoted or token.gap == "-" else plain_number(token.norm)
        if value is None:
            continue
        end, value = _scaled(tokens, position + 1, value)
        start = position
        unit = ""
        if position and tokens[position - 1].norm in _CURRENCY_SIGNS:
            start, unit = position - 1, "currency"
        following = tokens[end].norm if end < len(tokens) else ""
        if unit == "":
            found.append((start, end, Number(value=tidy(value))))
        if following in _CURRENCY_WORDS:
            end, unit = end + 1, "currency"
        elif _in_points(tokens, end) and unit == "":
            end, unit = end + _in_points(tokens, end), "points"
        elif following in _PERCENT and unit == "":
            end, unit = end + 1, "percent"
        elif following in _TIME_UNITS and unit == "":
            end, unit = end + 1, _TIME_UNITS[following]
        if unit:
            found.append((start, end, Number(value=tidy(value), unit=unit)))
    return tuple(found)


def _in_points(tokens: tuple[Token, ...], at: int) -> int:
    """How many tokens name percentage points there: "pp", "percentage points", or none."""
    words = [t.norm for t in tokens[at : at + 2]]
    if len(words) == 2 and words[0] in _PERCENT | {"percentage"} and words[1] in _POINT_WORDS:
        return 2
    return 1 if words[:1] and words[0] in _POINTS else 0


def _scaled(tokens: tuple[Token, ...], end: int, value: Decimal) -> tuple[int, Decimal]:
    if end < len(tokens) and tokens[end].norm in _SCALE_WORDS:
        return end + 1, times(value, _SCALE_WORDS[tokens[end].norm])
    return end, value
