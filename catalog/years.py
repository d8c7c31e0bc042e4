"""The workspace's own year, and what its periods are called."""

from __future__ import annotations

from catalog.labels import MONTHS
from catalog.types import Calendar, TimeGranularity


def own_year(calendar: Calendar) -> int | None:
    """The first month of the workspace's own year, from 1: of the fiscal one where its periods are fiscal.

    None where that is not set and the two differ.
    """
    if calendar.quarter_basis == "fiscal":
        return calendar.fiscal.start_month
    return 1 if calendar.quarter_basis == "calendar" or calendar.fiscal.start_month == 1 else None


def year_words(unit: TimeGranularity, calendar: Calendar, *, fiscal: bool = False) -> str:
    """How a period of the workspace is called; where its years are not the calendar's, which year is meant."""
    start = calendar.fiscal.start_month
    if unit is not TimeGranularity.YEAR or start == 1:
        return unit.value
    is_fiscal = fiscal or own_year(calendar) == start
    return f"fiscal year (from {MONTHS[start - 1]})" if is_fiscal else "calendar year"
