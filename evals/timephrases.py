"""Public time phrases, and by which of our stated conventions a reading differs from what the corpus expects.

Two forms of file are known, by their names: phrases with a reference date and values
(`recognizers*.json`), and phrases with a start, an end and a grain (`duckling*.json`, which
all were asked at REFERENCE).  The conventions are those of docs/time.md; a reading that none
of them explains is silently wrong.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any

from evals.cases import CaseError

REFERENCE = date(2013, 2, 12)
Window = tuple[date | None, date | None]
_DAY = timedelta(days=1)
_WEEK_DAYS = 7
_YEAR_DAYS = range(358, 373)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_UNIT_MONTHS = {"Month": 1, "Quarter": 3, "Year": 12}


class Verdict(StrEnum):
    """How a reading stands to what the corpus expects; all but WRONG are stated or said to the person."""

    EXACT = "exact"
    UNREAD = "not read"
    ASKED = "asked back"
    FUTURE = "in the future, where questions stop"
    NO_GOLD = "no window in the corpus"
    LAST_INCLUDED = "the last unit that a range names is part of it"
    LATEST = "without a year, the latest that has begun"
    TO_TODAY = "what has begun and has no end goes to today, today included"
    SEVEN_DAYS = "weeks of a period are seven days each from its edge"
    NEAREST_DAY = "a named weekday is the nearest one on that side of today"
    WHOLE_UNIT = "so many units ago is that whole unit"
    WHOLE_PERIODS = "so many past weeks, months or years are whole ones before the running one"
    LAST_DAY = "the end of a period is its last day"
    WRONG = "silently wrong"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimePhrase:
    """A phrase, the day on which it is asked, and the half-open windows that the corpus takes for right."""

    corpus: str
    phrase: str
    today: date
    expected: tuple[Window, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What our reader makes of a phrase: its window, whether it asks back, and whether it lies ahead."""

    window: Window
    asks: bool
    ahead: bool


def phrases_in(folder: Path) -> tuple[TimePhrase, ...]:
    """All phrases of the folder's files, by file and in its order.

    Raises: CaseError that says what is missing or of which file the form is not known.
    """
    files = sorted(folder.glob("*.json"))
    if not files:
        raise CaseError([f"{folder} has no file of time phrases (NAME.json)."])
    found: list[TimePhrase] = []
    for file in files:
        form = next((f for name, f in _FORMS.items() if file.name.startswith(name)), None)
        if form is None:
            raise CaseError([f"{file.name} is no corpus of time phrases that is known ({', '.join(_FORMS)})."])
        try:
            found.extend(form(file.stem, given) for given in json.loads(file.read_text(encoding="utf-8")))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise CaseError([f"{file.name} is not in the form of its corpus: {type(error).__name__}."]) from error
    return tuple(found)


def _recognized(corpus: str, given: dict[str, Any]) -> TimePhrase:
    windows = [_value(v) for v in given["values"]]
    today = date.fromisoformat(given["ref"][:10])
    return TimePhrase(
        corpus=corpus, phrase=given["text"], today=today, expected=tuple(w for w in windows if w is not None)
    )


def _value(given: dict[str, Any]) -> Window | None:
    if given.get("start") or given.get("end"):
        start, end = given.get("start"), given.get("end")
        return _day(start) if start else None, _day(end) if end else None
    try:
        day = _day(given.get("value") or "")
    except ValueError:
        return None
    return day, day + _DAY


def _day(text: str) -> date:
    return date.fromisoformat(text[:10])


def _duckled(corpus: str, given: dict[str, Any]) -> TimePhrase:
    start = date(*given["start"][:3]) if given["start"] else None
    end = date(*given["end"][:3]) if given["end"] else None
    if start and end is None and given["kind"] != "datetimeOpenInterval":
        end = _after(start, given["grain"])
    return TimePhrase(corpus=corpus, phrase=given["phrase"], today=REFERENCE, expected=((start, end),))


def _after(start: date, grain: str) -> date:
    """The end of the one unit that begins there."""
    if grain in _UNIT_MONTHS:
        return _months_on(start, _UNIT_MONTHS[grain])
    return start + timedelta(days=_WEEK_DAYS if grain == "Week" else 1)


def _months_on(day: date, months: int) -> date:
    count = day.year * 12 + day.month - 1 + months
    return date(count // 12, count % 12 + 1, min(day.day, 28))


_FORMS: dict[str, Callable[[str, dict[str, Any]], TimePhrase]] = {"recognizers": _recognized, "duckling": _duckled}


def verdict(case: TimePhrase, read: Read | None) -> Verdict:
    """How the reading of a whole phrase stands to the corpus: the first convention that explains a difference."""
    if read is None:
        return Verdict.UNREAD
    if read.asks:
        return Verdict.ASKED
    if not case.expected:
        return Verdict.NO_GOLD
    if read.window in case.expected:
        return Verdict.EXACT
    if read.ahead:
        return Verdict.FUTURE
    for expected in case.expected:
        for name, explains in _CONVENTIONS.items():
            if explains(case, expected, read.window):
                return name
    return Verdict.WRONG


_NAMED_YEAR = re.compile(r"\b(?:17|18|19|20)\d\d\b")
_RANGE_WORD = re.compile(r"\b(?:to|through|thru|until|till|til|and)\b|[-~]")


def _last_included(case: TimePhrase, expected: Window, got: Window) -> bool:
    end, found = expected[1], got[1]
    if end is None or found is None or not _RANGE_WORD.search(case.phrase):
        return False
    if expected[0] != got[0] and not _is_a_year_before(case, expected[0], got[0]):
        return False
    shifted = found if expected[0] == got[0] else _months_on(found, 12)
    ends = {end + _DAY, *(_months_on(end, m) for m in _UNIT_MONTHS.values())}
    return shifted in ends or (expected[0] != got[0] and shifted == end)


def _is_a_year_before(case: TimePhrase, expected: date | None, got: date | None) -> bool:
    """Whether the corpus takes a coming day, where no year is named, and ours is that of the year before."""
    if expected is None or got is None or _NAMED_YEAR.search(case.phrase):
        return False
    return expected > case.today >= got and (expected - got).days in _YEAR_DAYS


def _latest(case: TimePhrase, expected: Window, got: Window) -> bool:
    (start, end), (first, last) = expected, got
    if not _is_a_year_before(case, start, first):
        return False
    if end is None:
        return last is not None and last > case.today
    return last is not None and (end - last).days in _YEAR_DAYS


def _to_today(case: TimePhrase, expected: Window, got: Window) -> bool:
    """An open end is today's; a window "to date", "to today" or "to now" holds today."""
    if got[1] == case.today + _DAY and expected[1] in {None, case.today}:
        return expected[0] == got[0]
    yesterday = case.phrase.endswith("yesterday") and got[1] == case.today and expected[1] == case.today - _DAY
    tomorrow = case.phrase.endswith("tomorrow") and expected[1] == case.today + _DAY and got[1] == expected[1] + _DAY
    return (yesterday or tomorrow) and expected[0] == got[0]


def _seven_days(case: TimePhrase, expected: Window, got: Window) -> bool:
    named = re.search(r"\b(?:first|second|third|fourth|last) (?:\w+ )?weeks? (?:of|in) ", case.phrase)
    (start, end), (first, last) = expected, got
    if not named or start is None or end is None or first is None or last is None:
        return False
    return (end - start) == (last - first) and abs((start - first).days) < _WEEK_DAYS


def _whole_periods(case: TimePhrase, expected: Window, got: Window) -> bool:
    """The corpus lets weeks, months or years roll to today; ours are whole ones before the running one."""
    named = re.search(r"\b(?:last|past|previous)\b.*?\b(?P<unit>week|month|quarter|year)s\b", case.phrase)
    (start, end), (first, last) = expected, got
    if not named or start is None or end is None or first is None or last is None:
        return False
    longest = {"week": 7, "month": 31, "quarter": 92, "year": 366}[named["unit"]]
    return 0 <= (end - last).days < longest and 0 <= (start - first).days < longest


def _nearest_day(case: TimePhrase, expected: Window, got: Window) -> bool:
    named = re.fullmatch(rf"(?:next|last|this|previous|past) {_WEEKDAY}", case.phrase)
    if not named or expected[0] is None or got[0] is None or got[1] != got[0] + _DAY:
        return False
    return abs((expected[0] - got[0]).days) == _WEEK_DAYS and abs((got[0] - case.today).days) <= _WEEK_DAYS


def _whole_unit(case: TimePhrase, expected: Window, got: Window) -> bool:
    start, (first, last) = expected[0], got
    return (
        case.phrase.endswith(" ago")
        and start is not None
        and first is not None
        and last is not None
        and first <= start < last
    )


def _last_day(case: TimePhrase, expected: Window, got: Window) -> bool:
    named = re.match(r"(?:the )?end of ", case.phrase)
    return bool(named) and got[1] is not None and got == (got[1] - _DAY, expected[1])


_CONVENTIONS: dict[Verdict, Callable[[TimePhrase, Window, Window], bool]] = {
    Verdict.LATEST: _latest,
    Verdict.LAST_INCLUDED: _last_included,
    Verdict.TO_TODAY: _to_today,
    Verdict.SEVEN_DAYS: _seven_days,
    Verdict.WHOLE_PERIODS: _whole_periods,
    Verdict.NEAREST_DAY: _nearest_day,
    Verdict.WHOLE_UNIT: _whole_unit,
    Verdict.LAST_DAY: _last_day,
}
