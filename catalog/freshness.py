"""Whether a day of a table can be relied on, given when it was loaded and what was promised."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum

from catalog.query import TimeRange
from catalog.types import FreshnessContract


class DayState(StrEnum):
    """What is known about one day of a table."""

    COMPLETE = "complete"
    OPEN = "open"
    EXPECTED = "expected"
    LATE = "late"
    NO_ROWS = "no_rows"


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowState:
    """A window's weakest day, and up to which day all is complete (None: not even its first day)."""

    state: DayState
    complete_through: date | None
    first_incomplete: date | None


_WEAKEST_FIRST = (DayState.NO_ROWS, DayState.LATE, DayState.EXPECTED, DayState.OPEN, DayState.COMPLETE)


def day_state(
    day: date,
    contract: FreshnessContract,
    *,
    loaded_at: datetime | None,
    now: datetime,
    newest_row_day: date | None = None,
    zone: tzinfo = UTC,
) -> DayState:
    """The state of one day.  `loaded_at` and `now` are aware; None: never loaded.

    A day is complete once the table was loaded after the day's end.  Where the
    newest row is older than the day although it was loaded, the day is suspect.
    """
    end = day_end(day, zone)
    if loaded_at is not None and loaded_at >= end:
        missing = newest_row_day is not None and newest_row_day < day
        return DayState.NO_ROWS if missing else DayState.COMPLETE
    if now < end:
        return DayState.OPEN
    due = end + timedelta(hours=contract.expected_within_hours)
    return DayState.EXPECTED if now <= due else DayState.LATE


def window_state(
    window: TimeRange,
    contract: FreshnessContract,
    *,
    loaded_at: datetime | None,
    now: datetime,
    newest_row_day: date | None = None,
    zone: tzinfo = UTC,
) -> WindowState:
    """The weakest state of the window's days up to today; a window without an end runs to today."""
    today = now.astimezone(zone).date()
    last = min(today, window.end - timedelta(days=1)) if window.end else today
    complete = complete_through(loaded_at, zone)
    if newest_row_day is not None and complete is not None:
        complete = min(complete, newest_row_day)
    if complete is not None and complete >= last:
        return WindowState(state=DayState.COMPLETE, complete_through=last, first_incomplete=None)
    first = complete + timedelta(days=1) if complete is not None else window.start or last
    first = max(first, window.start) if window.start else first
    days = {
        day_state(d, contract, loaded_at=loaded_at, now=now, newest_row_day=newest_row_day, zone=zone)
        for d in (first, last)
    }
    weakest = next((s for s in _WEAKEST_FIRST if s in days), DayState.COMPLETE)
    within = complete if complete is not None and (window.start is None or complete >= window.start) else None
    return WindowState(state=weakest, complete_through=within, first_incomplete=first)


def complete_through(loaded_at: datetime | None, zone: tzinfo = UTC) -> date | None:
    """The last day that was over when the table was loaded, or None where it never was."""
    return None if loaded_at is None else loaded_at.astimezone(zone).date() - timedelta(days=1)


def day_end(day: date, zone: tzinfo = UTC) -> datetime:
    """The first moment after the day."""
    return datetime.combine(day + timedelta(days=1), time.min, tzinfo=zone)


def freshness_s(loaded_at: datetime, now: datetime) -> int:
    """Whole seconds since the last load (>= 0).  Both times aware."""
    return max(0, int((now - loaded_at).total_seconds()))
