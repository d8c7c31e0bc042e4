"""The years of a follow-up's period where the earlier plan stands in another: "orders in May 2024", then "and 2025"."""

from __future__ import annotations

from dataclasses import replace

from catalog.query import MetricIntent, TimeRange
from catalog.windows import whole_months, years_back
from dataagent.intent.candidate import Dead
from dataagent.intent.earlier import PART_OF_YEAR, own_period
from dataagent.intent.oneyear import year_guessed
from dataagent.intent.parts import Part, When
from dataagent.intent.typefilter.otheryears import can_move, names_year

_YEAR_MONTHS, _YEAR_DAYS = 12, 365


def in_the_same_year(part: Part, base: MetricIntent) -> Part:
    """A month without a year, after a plan about another year, can mean that year too."""
    if not isinstance(part, When) or part.reading.asks or base.time_range is None:
        return part
    window, held = part.reading.range, base.time_range
    guessed = year_guessed(part.reading.defaults)
    if not guessed or window.start is None or window.end is None or held.start is None or held.end is None:
        return part
    back = window.start.year - held.start.year
    if back == 0 or (held.end - held.start).days > 366:
        return part
    try:
        start = window.start.replace(year=held.start.year)
        end = window.end.replace(year=window.end.year - back)
    except ValueError:
        return part
    other = TimeRange(start=start, end=end, expr=f"{start:%Y-%m}")
    return When(reading=replace(part.reading, asks=(window, other), why="year"))


def in_part_of_year(part: Part, base: MetricIntent) -> Part | Dead:
    """A year, after a plan about less than another one, can mean the same part of it: both are read, or Dead told."""
    held = own_period(base)
    if not isinstance(part, When) or part.reading.asks or held is None:
        return part
    window = part.reading.range
    if whole_months(window) != _YEAR_MONTHS or not _shorter(held) or _holds(window, held):
        return part
    if not can_move(held):
        return PART_OF_YEAR if names_year(held) else part
    same = next((w for k in _steps(held, window) if _holds(window, w := years_back(held, k))), None)
    return When(reading=replace(part.reading, asks=(same, window), why="year")) if same else part


def _steps(held: TimeRange, year: TimeRange) -> tuple[int, ...]:
    """How many years back the same dates may lie within the year, which need not begin in January."""
    if held.start is None or year.start is None:
        return ()
    apart = held.start.year - year.start.year
    return (apart, apart - 1)


def _shorter(held: TimeRange) -> bool:
    return held.start is not None and held.end is not None and (held.end - held.start).days < _YEAR_DAYS


def _holds(year: TimeRange, window: TimeRange) -> bool:
    """Whether the window lies within the year."""
    if year.start is None or year.end is None or window.start is None or window.end is None:
        return False
    return year.start <= window.start and window.end <= year.end
