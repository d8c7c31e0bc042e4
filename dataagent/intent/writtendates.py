"""Dates and ranges written with marks ("Jan-Feb 2017", "10/1 - 11/7", "2024-05", "2018Q4", "w/c 4 Feb").

Each rule is a pattern over the phrase as it was written and a function that says the same in words, which
are then read as any other phrase; what two people would read differently is not read at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

from catalog.periods import month_later
from catalog.query import Default, TimeRange
from catalog.types import Calendar
from dataagent.intent.parts import TimeReading
from dataagent.intent.timewords import MONTH_OF, MONTHS, WEEKDAYS

Read = Callable[[str, Calendar, date], TimeReading | None]
Rule = Callable[[re.Match[str], Calendar, date, Read], TimeReading | None]

_M = rf"(?:{'|'.join(sorted(MONTH_OF, key=len, reverse=True))})"
_Y = r"(?:19|20)\d\d"
_D = r"\d{1,2}(?:st|nd|rd|th)?"
_DASH = r" ?[-~] ?"
_TO = r"(?: ?[-~] ?| to | and )"
_MONTHS_OF_A_YEAR, _WEEK_DAYS = 12, 7
REJECTED = TimeReading(range=TimeRange(start=None, end=None, expr=""), why="rejected")
"""A phrase that must not be read at all."""


def written_reading(text: str, calendar: Calendar, today: date, read: Read) -> TimeReading | None:
    """The reading by the first shape that fits the whole phrase, or None where none does.

    Where a shape fits and says no period, the reading's `why` is "rejected".
    """
    for pattern, rule in _SHAPES:
        match = pattern.fullmatch(text)
        if match:
            return rule(match, calendar, today, read) or REJECTED
    return _dashed(text, calendar, today, read)


_DASHED = re.compile(r"(?:from |between )?(?P<left>.{3,}?) ?[-~] ?(?P<right>.{3,})")


def _dashed(text: str, calendar: Calendar, today: date, read: Read) -> TimeReading | None:
    """ "1/1/2024 - 31/3/2024": from the one to the other, where each is a period of its own; None otherwise."""
    match = _DASHED.fullmatch(text)
    if match is None:
        return None
    ends = [read(match[side], calendar, today) for side in ("left", "right")]
    if any(r is None or r.why or r.relative or r.range.start is None or r.range.end is None for r in ends):
        return None
    return read(f"from {match['left']} to {match['right']}", calendar, today)


def _as(words: Callable[[re.Match[str]], str]) -> Rule:
    """A rule that says the same in words."""

    def rule(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading | None:
        return read(words(match), calendar, today)

    return rule


def _numbered_month(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading | None:
    """ "2024-05", "5/2024": a month.  "2010-12" may as well be three years, and is not read."""
    month, year = int(match["month"]), int(match["year"])
    if not 1 <= month <= _MONTHS_OF_A_YEAR or (match["first"] and month > year % 100):
        return None
    return read(f"{MONTHS[month - 1]} {year}", calendar, today)


def _days_of_a_month(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading | None:
    month, year = match["month"], match["year"] or ""
    return read(f"from {month} {match['a']} to {month} {match['b']} {year}".strip(), calendar, today)


def _from_day_to_day(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading | None:
    first = f"{match['m1']} {match['a']}"
    last = f"{match['m2']} {match['b']} {match['year'] or ''}"
    return read(f"from {first} to {last}".strip(), calendar, today)


def _slashed_days(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading | None:  # noqa: ARG001
    """ "10/1 - 11/7": days without a year, in the workspace's order; the latest such period that has begun."""
    orders = [calendar.date_order] if calendar.date_order else ["MDY", "DMY"]
    windows = [w for w in (_slashed(match, order, today) for order in orders) if w is not None]
    if not windows or any(w.start is None for w in windows):
        return None
    if len({(w.start, w.end) for w in windows}) > 1:
        return TimeReading(range=windows[0], asks=tuple(windows), why="date_order")
    told = f"No year was named: the most recent one, from {windows[0].start:%Y}."
    default = Default(key="year", value=f"{windows[0].start:%Y}", text=told)
    return TimeReading(range=windows[0], defaults=(default,))


def _slashed(match: re.Match[str], order: str, today: date) -> TimeRange | None:
    """The window in that order, the latest that has begun; None where there are no such days.

    It has no start where its ends stand the wrong way round: then nothing is to be read.
    """
    months, days = ("a1", "b1"), ("a2", "b2")
    if order == "DMY":
        months, days = days, months
    elif order != "MDY":
        return None
    for year in (today.year, today.year - 1):
        try:
            start, last = (date(year, int(match[m]), int(match[d])) for m, d in zip(months, days, strict=True))
        except ValueError:
            return None
        if last < start:
            return TimeRange(start=None, end=None, expr=match[0])
        if start <= today:
            end = last + timedelta(days=1)
            return TimeRange(start=start, end=end, expr=f"{start.isoformat()}_to_{last.isoformat()}")
    return None


def _week_from(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading | None:
    """ "the week starting 12 May": the seven days from then on."""
    inner = read(match["day"], calendar, today)
    if inner is None or inner.asks or inner.why or inner.range.start is None or inner.range.end is None:
        return None
    start = inner.range.start
    if inner.range.end - start != timedelta(days=1):
        return None
    window = TimeRange(start=start, end=start + timedelta(days=_WEEK_DAYS), expr=f"week_from_{start.isoformat()}")
    return replace(inner, range=window)


def _placed_weekday(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading | None:
    """ "the last Monday of March 2024": the one day."""
    inner = read(match["rest"], calendar, today)
    if inner is None or inner.asks or inner.why or inner.range.start is None or inner.range.end is None:
        return None
    days = [d for d in _days(inner.range.start, inner.range.end) if WEEKDAYS[d.weekday()] == match["weekday"]]
    place = _PLACES[match["place"]]
    is_month = inner.range.start.day == 1 and inner.range.end == month_later(inner.range.start)
    if not is_month or not -len(days) <= place < len(days):
        return None
    day = days[place]
    name = f"{match['place']}_{match['weekday']}_of_{inner.range.expr}"
    return replace(inner, range=TimeRange(start=day, end=day + timedelta(days=1), expr=name), future=day > today)


def _weekday_and_date(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading | None:
    """ "Monday, 18 Feb": the day, where it is one."""
    inner = read(match["rest"], calendar, today)
    if inner is None or inner.asks or inner.why or inner.range.start is None or inner.range.end is None:
        return None
    one = inner.range.end - inner.range.start == timedelta(days=1)
    return inner if one and WEEKDAYS[inner.range.start.weekday()] == match["weekday"] else None


def _to_now(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading | None:
    return read(f"since {match['rest']}", calendar, today)


def _decade(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading | None:  # noqa: ARG001
    first = int(match["year"])
    window = TimeRange(start=date(first, 1, 1), end=date(first + 10, 1, 1), expr=f"{first}s")
    return TimeReading(range=window, future=first > today.year)


def _before_last(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading | None:
    """ "the month before last": the one before the last whole one."""
    unit = match["unit"]
    return read(f"last {unit}", calendar, _within_last(unit, today, read, calendar) or today) if unit else None


def _within_last(unit: str, today: date, read: Read, calendar: Calendar) -> date | None:
    last = read(f"last {unit}", calendar, today)
    return last.range.start if last is not None and not last.asks else None


def _days(start: date, end: date) -> list[date]:
    return [start + timedelta(days=i) for i in range((end - start).days)]


_PLACES = {
    "first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3, "fifth": 4, "5th": 4,
    "last": -1,
}  # fmt: skip
_SHAPES: tuple[tuple[re.Pattern[str], Rule], ...] = (
    (re.compile(rf"(?P<month>{_M})[-/](?P<year>{_Y})"), _as(lambda m: f"{m['month']} {m['year']}")),
    (re.compile(rf"(?P<first>)(?P<year>{_Y})[-/](?P<month>{_M})"), _as(lambda m: f"{m['month']} {m['year']}")),
    (re.compile(rf"(?P<first>(?P<year>{_Y})-)(?P<month>\d\d?)"), _numbered_month),
    (re.compile(r"(?P<first>)(?P<month>\d\d?)[-/](?P<year>(?:19|20)\d\d)"), _numbered_month),
    (re.compile(r"(?P<first>)(?P<year>(?:19|20)\d\d)/(?P<month>\d\d?)"), _numbered_month),
    (re.compile(rf"(?P<day>\d{{1,2}})[-/](?P<month>{_M})[-/](?P<year>{_Y})"),
     _as(lambda m: f"{m['day']} {m['month']} {m['year']}")),
    (re.compile(rf"(?P<year>{_Y})[-/](?P<month>{_M})[-/](?P<day>\d{{1,2}})"),
     _as(lambda m: f"{m['day']} {m['month']} {m['year']}")),
    (re.compile(rf"(?:from |between )?(?P<a>{_Y}){_DASH}(?P<b>{_Y})"), _as(lambda m: f"from {m['a']} to {m['b']}")),
    (re.compile(rf"(?P<year>{_Y}) ?[-/]? ?q(?P<q>[1-4])"), _as(lambda m: f"q{m['q']} {m['year']}")),
    (re.compile(rf"q(?P<q>[1-4])[-/](?P<year>{_Y})"), _as(lambda m: f"q{m['q']} {m['year']}")),
    (re.compile(rf"(?:from )?q(?P<a>[1-4]){_DASH}q(?P<b>[1-4])(?: (?:of )?(?P<year>{_Y}))?"),
     _as(lambda m: f"from q{m['a']} {m['year'] or ''}".strip() + f" to q{m['b']} {m['year'] or ''}".rstrip())),
    (re.compile(rf"(?:from )?(?P<a>{_M}(?: {_Y})?){_DASH}(?P<b>{_M}(?: {_Y})?)"),
     _as(lambda m: f"from {m['a']} to {m['b']}")),
    (re.compile(rf"(?:from |between )?(?P<month>{_M}) (?P<a>{_D}){_TO}(?P<b>{_D})(?: ?,? (?P<year>{_Y}))?"),
     _days_of_a_month),
    (re.compile(rf"(?:from |between )?(?:the )?(?P<a>{_D}){_TO}(?:the )?(?P<b>{_D}) (?:of )?(?P<month>{_M})"
                rf"(?: ?,? (?P<year>{_Y}))?"), _days_of_a_month),
    (re.compile(rf"(?:from |between )?(?P<m1>{_M}) (?P<a>{_D}){_DASH}(?P<m2>{_M}) (?P<b>{_D})"
                rf"(?: ?,? (?P<year>{_Y}))?"), _from_day_to_day),
    (re.compile(rf"(?:from |between )?(?P<a>{_D}) (?P<m1>{_M}){_DASH}(?P<b>{_D}) (?P<m2>{_M})"
                rf"(?: ?,? (?P<year>{_Y}))?"), _from_day_to_day),
    (re.compile(r"(?:from |between )?(?P<a1>\d{1,2})/(?P<a2>\d{1,2})(?: ?[-~] ?| to | until | through | and )"
                r"(?P<b1>\d{1,2})/(?P<b2>\d{1,2})"), _slashed_days),
    (re.compile(r"(?:the )?(?:w/c|week (?:commencing|starting|beginning|that start(?:s|ed))(?: on)?) (?P<day>.+)"),
     _week_from),
    (re.compile(rf"(?:the )?(?P<place>{'|'.join(_PLACES)}) (?P<weekday>{'|'.join(WEEKDAYS)}) (?:of|in) (?P<rest>.+)"),
     _placed_weekday),
    (re.compile(rf"(?P<weekday>{'|'.join(WEEKDAYS)}) ?,? (?P<rest>(?=.*\d).+)"), _weekday_and_date),
    (re.compile(r"(?:from|since|between) (?P<rest>.+?) (?:to|until|and) (?:date|now|(?:the )?current date)"),
     _to_now),
    (re.compile(rf"(?P<year>{_Y}) (?:or|and) (?:later|after|since)|year greater than (?P<before>{_Y})"),
     _as(lambda m: f"since {m['year']}" if m["year"] else f"after {m['before']}")),
    (re.compile(rf"later than (?P<rest>{_Y})"), _as(lambda m: f"after {m['rest']}")),
    (re.compile(r"(?P<count>\d{1,3}) (?P<lead>past|last|previous) (?P<unit>days|weeks|months|quarters|years)"),
     _as(lambda m: f"{m['lead']} {m['count']} {m['unit']}")),
    (re.compile(r"(?:the )?(?P<year>(?:19|20)\d0)s"), _decade),
    (re.compile(r"(?:the )?(?P<unit>week|month|quarter|year) before last"), _before_last),
    (re.compile(r"(?:the )?(?P<place>first|second|third|fourth|last|1st|2nd|3rd|4th) quarter (?:of|in) (?:the|this)"
                r" (?P<kind>fiscal )?year"),
     _as(lambda m: f"q{_PLACES[m['place']] % 4 + 1} this {m['kind'] or ''}year")),
)  # fmt: skip
