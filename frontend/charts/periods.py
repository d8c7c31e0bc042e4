"""The order of categories: as given, or in time with missing periods put in as gaps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from catalog.query import ColumnRole, ResultColumn
from catalog.types import Scalar, TimeGranularity

MAX_PERIODS = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How far data reach: complete up to a moment (exclusive, None: unknown), without the late days."""

    complete_until: date | None = None
    late_days: tuple[date, ...] = ()


UNKNOWN = Reach()
"""Nothing is known about how far the data reach."""


def provisional(keys: Sequence[Scalar], column: ResultColumn, reach: Reach) -> frozenset[int]:
    """Positions of the periods that are not complete: they end after the data do, or hold a late day."""
    later = _LATER.get(column.granularity) if column.granularity else None
    if column.role is not ColumnRole.TIME or later is None:
        return frozenset()
    found = set()
    for position, key in enumerate(keys):
        start = _day(key)
        if start is not None and _is_open(start, later(start), reach):
            found.add(position)
    return frozenset(found)


def _is_open(start: date, end: date, reach: Reach) -> bool:
    late = any(start <= day < end for day in reach.late_days)
    return late or (reach.complete_until is not None and end > reach.complete_until)


def ordered(keys: Sequence[Scalar], column: ResultColumn) -> tuple[Scalar, ...]:
    """Distinct keys: as given for categories; for time oldest first, each missing period in its place."""
    distinct = tuple(dict.fromkeys(keys))
    if column.role is not ColumnRole.TIME:
        return distinct
    times: tuple[Scalar, ...] = tuple(sorted((key for key in distinct if key is not None), key=str))
    later = _LATER.get(column.granularity) if column.granularity else None
    if later is None or any(_day(key) is None for key in times):
        return times
    filled: list[Scalar] = []
    for key in times:
        if filled:
            filled.extend(_between(_day(filled[-1]), _day(key), later))
        filled.append(key)
    return tuple(filled) if len(filled) <= MAX_PERIODS else times


def _day(key: Scalar) -> date | None:
    """The calendar day of a key; None when it is not a date."""
    if isinstance(key, datetime):
        return key.date()
    if isinstance(key, date):
        return key
    try:
        return datetime.fromisoformat(str(key)).date()
    except ValueError:
        return None


def _between(last: date | None, until: date | None, later: Callable[[date], date]) -> list[Scalar]:
    missing: list[Scalar] = []
    if last is None or until is None:
        return missing
    day = later(last)
    while day < until and len(missing) < MAX_PERIODS:
        missing.append(day)
        day = later(day)
    return missing


def _days(days: int) -> Callable[[date], date]:
    return lambda day: day + timedelta(days=days)


def _months(months: int) -> Callable[[date], date]:
    def later(day: date) -> date:
        month = day.month - 1 + months
        return day.replace(year=day.year + month // 12, month=month % 12 + 1, day=1)

    return later


_LATER: dict[TimeGranularity, Callable[[date], date]] = {
    TimeGranularity.DAY: _days(1),
    TimeGranularity.WEEK: _days(7),
    TimeGranularity.MONTH: _months(1),
    TimeGranularity.QUARTER: _months(3),
    TimeGranularity.YEAR: _months(12),
}
