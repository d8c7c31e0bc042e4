"""Windows as people name them in a sentence: "in March 2025", "on 17 Jun 2025", "from 1 Jun 2025 to 18 Jun 2025"."""

from __future__ import annotations

from datetime import date, timedelta

from catalog.labels import MONTHS
from catalog.query import TimeRange
from catalog.restate import day_text
from dataagent.answering.numerals import window_text


def in_period(window: TimeRange | None) -> str:
    """The window with its preposition; "over all time" where it has no ends."""
    if window is None or (window.start is None and window.end is None):
        return "over all time"
    if window.start is None or window.end is None:
        return window_text(window.start, window.end)
    whole = whole_period(window.start, window.end)
    if whole:
        return f"in {whole}"
    last = window.end - timedelta(days=1)
    if last == window.start:
        return f"on {day_text(last)}"
    return f"from {day_text(window.start)} to {day_text(last)}"


def as_of(window: TimeRange) -> str:
    """The last day of the window, as the moment of a running figure: "as of 31 May 2025"."""
    return f"as of {day_text(window.end - timedelta(days=1))}" if window.end else "up to now"


def period_name(window: TimeRange) -> str:
    """The window without a preposition: "March 2025", "1 Jun 2025 to 18 Jun 2025"."""
    whole = whole_period(window.start, window.end) if window.start and window.end else ""
    return whole or window_text(window.start, window.end)


def whole_period(start: date, end: date) -> str:
    """The name of a whole calendar month, quarter or year; "" for any other window."""
    if start.day != 1 or end.day != 1:
        return ""
    months = (end.year - start.year) * 12 + end.month - start.month
    if months == 1:
        return f"{MONTHS[start.month - 1]} {start.year}"
    if months == 3 and start.month % 3 == 1:
        return f"Q{(start.month - 1) // 3 + 1} {start.year}"
    return str(start.year) if months == 12 and start.month == 1 else ""
