"""Two periods of which one names its year: it is that of the other, too ("in Q1 and Q2 2024")."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from catalog.query import Default
from catalog.windows import years_back
from dataagent.intent.parts import TimeReading

YEAR = "year"
"""The key of the default that says that no year was named."""


def year_guessed(defaults: Iterable[Default]) -> bool:
    """Whether one of the defaults says that no year was named."""
    return any(d.key == YEAR for d in defaults)


def in_one_year(one: TimeReading, other: TimeReading) -> tuple[TimeReading, TimeReading]:
    """Both periods, the one without a year in that of the other, which is told; else as they are."""
    if one.range.start is None or other.range.start is None:
        return one, other
    guessed = [year_guessed(r.defaults) for r in (one, other)]
    if guessed == [True, False]:
        return _moved_to(one, other.range.start.year), other
    if guessed == [False, True]:
        return one, _moved_to(other, one.range.start.year)
    return one, other


def _moved_to(reading: TimeReading, year: int) -> TimeReading:
    start = reading.range.start
    if start is None or start.year == year:
        return reading
    told = Default(key=YEAR, value=str(year), text=f"Both periods are read in {year}.")
    others = tuple(d for d in reading.defaults if d.key != YEAR)
    return replace(reading, range=years_back(reading.range, start.year - year), defaults=(*others, told))
