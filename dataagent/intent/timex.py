"""Time expressions → half-open windows in the workspace's calendar.

`date-wrangler` reads the phrase; this module decides what is accepted: a reading
counts only when it spans the whole phrase, a setting that is unset turns into a
question, and a guessed year is disclosed.  Own rules stand in timerules.py.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta
from functools import lru_cache

import date_wrangler
from date_wrangler.config import DateOrder, FiscalCalendar, WranglerConfig, YearLabel
from date_wrangler.types import Anchor, Basis

from catalog.periods import elapsed_end
from catalog.query import Default, TimeRange
from catalog.types import Calendar
from dataagent.intent.normalise import Token
from dataagent.intent.parts import TimeReading
from dataagent.intent.timerules import own_reading
from dataagent.intent.timewords import WEEKDAYS, may_be_time, may_open, spelled
from dataagent.intent.writtendates import written_reading

MAX_WORDS = 11
_EARLIEST_YEAR, _LATEST_YEAR = 1990, 2099
_SUBDAY = re.compile(r"\b(hours?|minutes?|seconds|am|pm|noon|midnight)\b")
_ROLLING = re.compile(r"(last|past|previous|prior|trailing|rolling) \d+ days?")
_RANGE = re.compile(
    r"(?:from )?(?P<left>(?!between ).+?) (?:to|through|until) (?P<right>.+)"
    r"|(?:between|from) (?P<after>.+?) (?:and|to|through|until) (?P<before>.+)"
)
_HYPHEN = re.compile(r"(?<=\w)-(?=[a-z])|(?<=[a-z])-(?=\w)")
_ONE_UNIT = re.compile(r"(?:.+ (?:of|in) )?(?:the )?(?:last|previous|prior|this|next) (?:week|month|quarter|year)")
"""One named unit is that of the calendar, also where several of them roll ("last 3 months")."""
_AHEAD = re.compile(r"(?:the )?(?:next|upcoming|coming)\b")
REVERSED = "reversed"
"""Why a reading has no window: its ends stand the wrong way round."""
_BARE_NUMBER = re.compile(r"[\d,.]+(st|nd|rd|th)?")


def time_spans(tokens: tuple[Token, ...], calendar: Calendar, today: date) -> tuple[tuple[int, int, TimeReading], ...]:
    """Every (start, end, reading) of the tokens that is a complete time expression.

    Within an expression that lies in the future none is found: "since 1 April 2026" is not "since 1 April", and 2026.
    """
    words = tuple("" if t.quoted else t.norm for t in tokens)
    found = []
    for start, first in enumerate(words):
        if not may_open(first):
            continue
        for end in range(start + 1, min(len(words), start + MAX_WORDS) + 1):
            if not may_be_time(words[end - 1]):
                break
            reading = read(_text(tokens, words, start, end), calendar, today)
            if reading is not None:
                found.append((start, end, reading))
    future = [(s, e) for s, e, reading in found if reading.future and not reading.asks]
    return tuple(f for f in found if not any(s <= f[0] and f[1] <= e and (s, e) != f[:2] for s, e in future))


def _text(tokens: tuple[Token, ...], words: tuple[str, ...], start: int, end: int) -> str:
    """The phrase with its words spelled out; marks between words stay where they were written."""
    written = spelled(words[start])
    for token, word in zip(tokens[start + 1 : end], words[start + 1 : end], strict=True):
        written += token.gap + spelled(word)
    return written


@lru_cache(maxsize=4096)
def read(text: str, calendar: Calendar, today: date) -> TimeReading | None:
    """The reading of one phrase as a whole, or None."""
    if not calendar.rolling_full_periods and _ONE_UNIT.fullmatch(text):
        return read(text, replace(calendar, rolling_full_periods=True), today)
    text = re.sub(r"(?<=[a-z0-9]),", " ,", text)
    own = written_reading(text, calendar, today, read)
    text = _HYPHEN.sub(" ", text)
    own = own or own_reading(text, calendar, today, read)
    if own is not None:
        return own if own.why != "rejected" else None
    reading = _wrangled(text, calendar, today)
    if _is_reversed(text, reading, calendar, today):
        return TimeReading(range=TimeRange(start=None, end=None, expr=text), why=REVERSED)
    if reading is None:
        return None
    return _with_rivals(text, reading, calendar, today)


def _is_reversed(text: str, reading: TimeReading | None, calendar: Calendar, today: date) -> bool:
    """Whether a range names its later end first ("between June and May"); such a range never wraps into a year."""
    ends = _RANGE.fullmatch(text)
    if ends is None:
        return False
    left, right = ends["left"] or ends["after"], ends["right"] or ends["before"]
    year = re.search(r"\b(?:19|20)\d\d$", right)
    if year and not re.search(r"\b(?:19|20)\d\d\b", left):
        left = f"{left} {year.group()}"
    first, last = read(left, calendar, today), read(right, calendar, today)
    if first is None or last is None or first.range.start is None or last.range.start is None:
        return False
    wraps = reading is None or _crosses_year(reading.range)
    return wraps and first.range.start > last.range.start


def _crosses_year(window: TimeRange) -> bool:
    if window.start is None or window.end is None:
        return True
    return (window.end - timedelta(days=1)).year > window.start.year


def _config(calendar: Calendar) -> WranglerConfig:
    order = DateOrder(calendar.date_order) if calendar.date_order else DateOrder.DMY
    fiscal = FiscalCalendar(calendar.fiscal.start_month, YearLabel(calendar.fiscal.label_by))
    week = WEEKDAYS.index(calendar.week_start) if calendar.week_start else 0
    return WranglerConfig(
        fiscal=fiscal,
        bare_period_basis=Basis.FISCAL if calendar.quarter_basis == "fiscal" else Basis.CALENDAR,
        anchor=Anchor.ANCHORED if calendar.rolling_full_periods else Anchor.ROLLING,
        date_order=order,
        week_starts_on=week,
    )


@lru_cache(maxsize=4096)
def _match(text: str, calendar: Calendar, today: date) -> tuple[date | None, date | None, float] | None:
    """(start, end, confidence) when one match spans the whole text and nothing was diagnosed."""
    diagnostics: list[date_wrangler.Diagnostic] = []
    config = (
        replace(_config(calendar), year_basis=Basis.CALENDAR) if re.fullmatch(r"\d{4}", text) else _config(calendar)
    )
    try:
        matches = date_wrangler.parse(text, today=today, config=config, diagnostics=diagnostics)
    except (ValueError, OverflowError):
        return None
    if len(matches) != 1 or diagnostics or matches[0].span != (0, len(text)):
        return None
    return matches[0].start, matches[0].end, matches[0].confidence


def _wrangled(text: str, calendar: Calendar, today: date) -> TimeReading | None:
    if _SUBDAY.search(text) or (_BARE_NUMBER.fullmatch(text) and not _is_year(text) and not _is_slashed(text)):
        return None
    match = _match(text, calendar, today)
    if match is None:
        return None
    start, end, confidence = match
    if confidence < 1.0 and any(day in text for day in WEEKDAYS):
        return None
    defaults: tuple[Default, ...] = ()
    if confidence < 0.75:
        if start is not None and start > today:
            match = _match(text, calendar, date(today.year - 1, 12, 31))
            if match is None:
                return None
            start, end, _ = match
        year = (start or end or today).year
        defaults = (Default(key="year", value=str(year), text=f"Read “{text}” as the most recent one ({year})."),)
    start, end = _open_end(_rolling(text, (start, end), calendar), calendar, today)
    return reading_of(text, start, end, today, defaults=defaults)


def _is_year(text: str) -> bool:
    return text.isdigit() and _EARLIEST_YEAR <= int(text) <= _LATEST_YEAR


def _is_slashed(text: str) -> bool:
    return re.fullmatch(r"\d{1,4}[/.]\d{1,2}[/.]\d{1,4}", text) is not None


def _rolling(text: str, window: tuple[date | None, date | None], calendar: Calendar) -> tuple[date | None, date | None]:
    start, end = window
    if _ROLLING.fullmatch(text) and not calendar.rolling_excludes_today and start and end:
        return start + timedelta(days=1), end + timedelta(days=1)
    return start, end


def _open_end(
    window: tuple[date | None, date | None], calendar: Calendar, today: date
) -> tuple[date | None, date | None]:
    """A window that began and has no end reaches to today."""
    start, end = window
    last = elapsed_end(calendar, today)
    return (start, last) if end is None and start is not None and start <= today else (start, end)


def reading_of(
    text: str, start: date | None, end: date | None, today: date, *, defaults: tuple[Default, ...] = ()
) -> TimeReading:
    """A reading with its name; marked as future when it begins after today."""
    ahead = _AHEAD.match(text) is not None
    future = ahead or (start is not None and start > today) or (start is None and end is None)
    name = text.replace(" ", "_")
    return TimeReading(range=TimeRange(start=start, end=end, expr=name), defaults=defaults, future=future)


def _with_rivals(text: str, reading: TimeReading, calendar: Calendar, today: date) -> TimeReading:
    """The reading, or a question where an unset setting would change the window."""
    rivals: list[tuple[str, TimeRange]] = []
    for why, other in _unset(text, calendar):
        match = _wrangled(text, other, today)
        if match is not None and match.range not in [r for _, r in rivals]:
            rivals.append((why, match.range))
    if len({(r.start, r.end) for _, r in rivals}) < 2:
        return reading
    return replace(reading, asks=tuple(r for _, r in rivals), why=rivals[0][0])


def _unset(text: str, calendar: Calendar) -> list[tuple[str, Calendar]]:
    """The calendars that a missing setting leaves possible for this text."""
    if calendar.date_order is None and _numeric_date(text):
        return [("date_order", replace(calendar, date_order=order)) for order in ("MDY", "DMY")]
    named = re.search(r"\b(fiscal|fy|calendar|cy)", text) is not None
    if calendar.quarter_basis is None and not named and re.search(r"\b(q[1-4]|quarters?|h[12]|half)\b|qtd", text):
        return [("quarter_basis", replace(calendar, quarter_basis=basis)) for basis in ("calendar", "fiscal")]
    if (
        calendar.week_start is None
        and re.search(r"\bweeks?\b|\bwtd\b|weekend", text)
        and not re.search(r"week \d", text)
    ):
        return [("week_start", replace(calendar, week_start=day)) for day in ("monday", "sunday")]
    return []


def _numeric_date(text: str) -> bool:
    return re.search(r"\b\d{1,2}[/.]\d{1,2}[/.]\d{2,4}\b", text) is not None
