"""Periods."""

from __future__ import annotations

from dataclasses import replace

from dataagent.intent.chart import Build, Rule, rules
from dataagent.intent.parts import Part, TimeReading, Trend, When

Parts = tuple[Part, ...]
_STRETCH = frozenset({"over", "throughout", "across", "over the course of", "in the course of"})


def when(prep: str | None, reading: TimeReading) -> Parts | None:
    """A period; "over …" needs a stretch of several periods and asks for its course."""
    if prep in _STRETCH:
        spans_many = any(ch.isdigit() for ch in reading.range.expr) and reading.range.expr.startswith(
            ("last_", "past_", "previous_", "trailing_", "rolling_")
        )
        return (When(reading=replace(reading, trend=True)),) if spans_many else None
    if prep == "from" and _is_dated_day(reading):
        return (When(reading=replace(reading, relative=FROM)),)
    if prep in {"as of", "as at"} and not reading.relative:
        return (When(reading=replace(reading, relative=AS_OF)),)
    return (When(reading=reading),)


def of_length(months: int) -> Build:
    """A builder of "in the month of May": the period has to be one of that length."""

    def build(_prep: str, reading: TimeReading) -> Parts | None:
        window = reading.range
        if window.start is None or window.end is None or (window.start.day, window.end.day) != (1, 1):
            return None
        long = (window.end.year - window.start.year) * 12 + window.end.month - window.start.month
        return (When(reading=reading),) if long == months else None

    return build


FROM = "from"
"""What a reading is relative to when "from" stands before one day, which is that day or the days since."""

AS_OF = "as of"
"""What a reading is relative to behind "as of", which of a flow is that period or everything up to its end."""


def _is_dated_day(reading: TimeReading) -> bool:
    window = reading.range
    one = window.start is not None and window.end is not None and (window.end - window.start).days == 1
    return one and not reading.relative and not reading.asks and any(c.isdigit() for c in window.expr)


def both_sides(first: TimeReading, _and: str, second: TimeReading) -> Parts | None:
    """ "after May 1 and before May 9": two open sides make one period."""
    names = (first.range.expr, second.range.expr)
    return (When(reading=first), When(reading=second)) if all(n.startswith(_SIDES) for n in names) else None


_SIDES = ("since_", "after_", "before_", "until_")


def trend(_word: str) -> Parts:
    """ "trend", "over time"."""
    return (Trend(),)


RULES: tuple[Rule, ...] = (
    *rules("P", "TPREP? T", when),
    *rules("P", "MONTHOF T", of_length(1)),
    *rules("P", "YEAROF T", of_length(12)),
    *rules("P", "T AND T", both_sides),
    *rules("P", "TREND", trend),
    *rules("L", "DET? TRENDOF", lambda _det, _word: (Trend(),)),
    *rules("L", "LEAD DET? TRENDOF", lambda _lead, _det, _word: (Trend(),)),
)
