"""Which words can be part of a time expression, and their spelled-out forms."""

from __future__ import annotations

import re

from dataagent.intent.lexicon import word_set

MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
MONTH_OF = {name: number for number, name in enumerate(MONTHS, 1)} | {
    name[:3]: number for number, name in enumerate(MONTHS, 1) if name != "may"
} | {"sept": 9}  # fmt: skip
SHORT_MONTHS = frozenset({"mar", "jan", "feb", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"})
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
UNITS = frozenset({"day", "week", "month", "quarter", "year"})
SPELLED = {
    "wk": "week", "wks": "weeks", "mo": "month", "mos": "months", "mth": "month", "mths": "months", "yr": "year",
    "yrs": "years", "qtr": "quarter", "qtrs": "quarters", "thru": "through", "prev": "previous", "current": "this",
    "till": "until", "til": "until", "tdy": "today",
}  # fmt: skip
_COUNTS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
NUMBER_WORDS = {word: number for number, word in enumerate(_COUNTS)} | {
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90, "hundred": 100,
}  # fmt: skip
FULL = frozenset({"full", "complete", "completed", "whole", "entire"})
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
TO_DATE = {"mtd": "month", "ytd": "year", "qtd": "quarter", "wtd": "week"}

_OPENERS = word_set("_TIMEOPEN")
_INNER = word_set("_TIMEINNER")
_OTHER = frozenset(
    {*MONTHS, *MONTH_OF, *WEEKDAYS, *SPELLED, *NUMBER_WORDS, *SEASONS, *UNITS, "weekend", "days", "weeks"}
)
TIME_WORDS = _OPENERS | _INNER | _OTHER | {"months", "quarters", "years"}
_NEVER_FIRST = frozenset(
    {"of", "to", "and", "in", "so", "far", "ago", "now", "half", "period", "same", "including", "date"}
)
_MARKS = frozenset({",", "-", "~", "/", ".", "c"})
_SHAPE = re.compile(
    r"\d[\d,]*(st|nd|rd|th)?|fy ?'?\d{2,4}|q[1-4]|h[12]|[lt]?\d{1,3}[dwmqy]|\d{4}-\d{1,2}-\d{1,2}|[\d/.]+|w\d{1,2}|,"
    r"|(19|20)\d\dq[1-4]|(19|20)\d0s|[-~]|[wc]"
)


def may_be_time(word: str) -> bool:
    """Whether the word can stand inside a time expression at all."""
    return word in TIME_WORDS or _SHAPE.fullmatch(word) is not None


def may_open(word: str) -> bool:
    """Whether a time expression can begin with the word."""
    return may_be_time(word) and word not in _NEVER_FIRST and word not in _MARKS


def spelled(word: str) -> str:
    """The word written out ("wks" → "weeks")."""
    return SPELLED.get(word, word)
