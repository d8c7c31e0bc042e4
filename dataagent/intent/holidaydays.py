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
    "new year's day": "new year's day",
    "new year day": "new year's day",
    "new years day": "new year's day",
    "independence day": "independence day",
    "labor day": "labor day",
    "memorial day": "memorial day",
}
_FIXED = {
    "christmas eve": (12, 24),
    "boxing day": (12, 26),
    "halloween": (10, 31),
    "valentine day": (2, 14),
    "new year eve": (12, 31),
}

HOLIDAY_NAMES = frozenset({*_SHOPPING, *_OFFICIAL, *_FIXED})


@lru_cache(maxsize=256)
def _official(year: int, country: str) -> tuple[tuple[str, date], ...]:
    try:
        days = holidays.country_holidays(country, years=year)
    except NotImplementedError:
        return ()
    return tuple((name.casefold(), day) for day, name in sorted(days.items()))


@lru_cache(maxsize=1024)
def holiday_day(name: str, year: int, country: str) -> date | None:
    """The day of the named holiday in that year and country, or None when it is not known there."""
    if name in _FIXED:
        month, day = _FIXED[name]
        return date(year, month, day)
    if name in _SHOPPING:
        thanks = _fourth_thursday(year)
        return thanks + timedelta(days=_SHOPPING[name])
    wanted = _OFFICIAL.get(name, name)
    return next((day for official, day in _official(year, country) if official.startswith(wanted)), None)


def _fourth_thursday(year: int) -> date:
    first = date(year, 11, 1)
    return first + timedelta(days=(3 - first.weekday()) % 7 + 21)
