"""The year of one of two compared periods where the other one alone names it."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from catalog.calculations import TimeRange
from catalog.windows import whole_months, years_back
from dataagent.intent.oneyear import year_guessed
from dataagent.intent.parts import TimeReading
from dataagent.intent.timewords import MONTH_OF

Pair = tuple[TimeReading, TimeReading]


def rival_pairs(main: TimeReading, base: TimeReading) -> tuple[Pair, ...]:
    """The ways to read both periods: by each value of an unset setting, or in one year and in two."""
    if main.asks and base.asks and main.why == base.why and len(main.asks) == len(base.asks):
        pairs = zip(main.asks, base.asks, strict=True)
        return tuple((replace(main, range=m, asks=()), replace(base, range=b, asks=())) for m, b in pairs)
    start, other = main.range.start, base.range.start
    if main.asks or base.asks or start is None or other is None:
        return ()
    if year_guessed(base.defaults) and not year_guessed(main.defaults) and _YEAR_NAMED.search(main.range.expr):
        return _around(main, base, start, other)
    if not year_guessed(main.defaults) or year_guessed(base.defaults) or start.year <= other.year:
        return ()
    if not _YEAR_NAMED.search(base.range.expr):
        return ()
    sure = replace(main, defaults=())
    if not can_move(main.range):
        return ((sure, base),) if "week" in main.range.expr else ()
    same_year = years_back(main.range, start.year - other.year)
    if same_year.start is None or same_year.start == other:
        return ()
    return ((replace(sure, range=same_year), base), (sure, base))


def _around(main: TimeReading, base: TimeReading, start: date, other: date) -> tuple[Pair, ...]:
    """ "Q1 2024 vs Q2": the next one or the one before, where the next is not further away; else no choice."""
    if not can_move(base.range):
        return ()
    latest = years_back(base.range, other.year - start.year)
    if latest.start is None or latest.start == start:
        return ()
    after = latest if latest.start > start else years_back(latest, -1)
    before = years_back(after, 1)
    if after.start is None or before.start is None or after.start > other:
        return ()
    if after.start - start > start - before.start:
        return ()
    sure = replace(base, defaults=())
    return ((main, replace(sure, range=after)), (main, replace(sure, range=before)))


_YEAR_NAMED = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


_MONTH = "|".join(sorted(MONTH_OF, key=len, reverse=True))
_DATE = re.compile(rf"(?:{_MONTH})_\d{{1,2}}(?:st|nd|rd|th)?|\d{{1,2}}(?:st|nd|rd|th)?_(?:of_)?(?:{_MONTH})")


def can_move(window: TimeRange) -> bool:
    """Whether the same dates of another year have the same name: months and dates do, weeks and holidays do not."""
    return whole_months(window) > 0 or _DATE.fullmatch(window.expr) is not None


def names_year(window: TimeRange) -> bool:
    """Whether the words of the period name its year."""
    return _YEAR_NAMED.search(window.expr) is not None


def is_later(one: TimeReading, other: TimeReading) -> bool:
    """Whether the one period begins after the other."""
    return one.range.start is not None and other.range.start is not None and one.range.start > other.range.start


def in_year_before(main: TimeReading, base: TimeReading) -> TimeReading:
    """ "May 2024 vs April": the latest April before it, where the year is named of the asked period alone."""
    start, other = main.range.start, base.range.start
    if base.asks or not year_guessed(base.defaults) or year_guessed(main.defaults):
        return base
    if not _YEAR_NAMED.search(main.range.expr):
        return base
    if start is None or other is None or other <= start or not whole_months(base.range):
        return base
    back = other.year - start.year
    found = years_back(base.range, back)
    return replace(base, range=found if found.start and found.start < start else years_back(base.range, back + 1))
