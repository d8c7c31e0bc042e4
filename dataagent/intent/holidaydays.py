"""Dates of public holidays and shopping days by name."""

from __future__ import annotations

from datetime import date, timedelta
from functools import lru_cache

import holidays

_SHOPPING = {"black friday": 1, "cyber monday": 4}
_OFFICIAL = {
    "thanksgiving": "thanksgiving",
    "thanksgiving day": "thanksgiving",
    "christmas": "christmas day",
    "christmas day": "christmas day",
    "xmas": "christmas day",
    "new year's day": "new year's day",
    "new year day": "new year's day",
    "new years day": "new year's day",
    "independence day": "independence day",
    "labor day": "labor day",
    "memorial day": "memorial day",
    "mlk day": "martin luther king",
    "martin luther king day": "martin luther king",
    "presidents day": "washington's birthday",
    "president day": "washington's birthday",
    "juneteenth": "juneteenth",
    "columbus day": "columbus day",
    "veterans day": "veterans day",
    "mother day": "mother's day",
    "mothers day": "mother's day",
    "father day": "father's day",
    "fathers day": "father's day",
    "good friday": "good friday",
    "st patrick day": "saint patrick's day",
    "saint patrick day": "saint patrick's day",
}
_EASTER = frozenset({"easter", "easter sunday"})
_FIXED = {
    "christmas eve": (12, 24),
    "boxing day": (12, 26),
    "halloween": (10, 31),
    "valentine day": (2, 14),
    "new year eve": (12, 31),
}

HOLIDAY_NAMES = frozenset({*_SHOPPING, *_OFFICIAL, *_FIXED, *_EASTER})
_KNOWS_EASTER = "US"
"""Easter is on the same day everywhere; this country's list names it."""
_CATEGORIES = (("public", "unofficial"), ("public",))


@lru_cache(maxsize=256)
def _official(year: int, country: str) -> tuple[tuple[str, date], ...]:
    for kinds in _CATEGORIES:
        try:
            days = holidays.country_holidays(country, years=year, categories=kinds, observed=False)
        except NotImplementedError:
            return ()
        except ValueError:
            continue
        named = ((day, part) for day, names in sorted(days.items()) for part in names.split("; "))
        return tuple((name.casefold(), day) for day, name in named)
    return ()


@lru_cache(maxsize=1024)
def holiday_day(name: str, year: int, country: str) -> date | None:
    """The day of the named holiday in that year and country, or None when it is not known there."""
    if name in _FIXED:
        month, day = _FIXED[name]
        return date(year, month, day)
    if name in _SHOPPING:
        thanks = _fourth_thursday(year)
        return thanks + timedelta(days=_SHOPPING[name])
    if name in _EASTER:
        country, name = _KNOWS_EASTER, "easter sunday"
    wanted = _OFFICIAL.get(name, name)
    return next((day for official, day in _official(year, country) if official.startswith(wanted)), None)


def _fourth_thursday(year: int) -> date:
    first = date(year, 11, 1)
    return first + timedelta(days=(3 - first.weekday()) % 7 + 21)
