"""Time buckets of a result: when one ends, and whether it still runs."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from catalog.types import TimeGranularity

_DAYS = {TimeGranularity.DAY: 1, TimeGranularity.WEEK: 7}
_MONTHS = {TimeGranularity.MONTH: 1, TimeGranularity.QUARTER: 3, TimeGranularity.YEAR: 12}


def bucket_end(start: date, granularity: TimeGranularity | None) -> date | None:
    """The first day after the bucket that begins at `start`; None for buckets smaller than a day."""
    day = start.date() if isinstance(start, datetime) else start
    if granularity in _DAYS:
        return day + timedelta(days=_DAYS[granularity])
    if granularity in _MONTHS:
        years, month = divmod(day.month - 1 + _MONTHS[granularity], 12)
        return date(day.year + years, month + 1, 1)
    return None


def still_runs(start: date, granularity: TimeGranularity | None, today: date) -> bool:
    """Whether the bucket holds today or days after it."""
    end = bucket_end(start, granularity)
    return end is not None and end > today
