"""Time expressions that date-wrangler lacks or reads otherwise than we do.

Each rule is a pattern over the spelled-out phrase and a function to a reading.
A reading whose `why` is "rejected" says that the phrase must not be read at all.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta

from catalog.periods import elapsed_end, month_later
from catalog.query import Default, TimeRange
from catalog.types import Calendar
from catalog.windows import cut_at, same_part, whole_months, whole_of
from dataagent.intent.holidaydays import HOLIDAY_NAMES, holiday_day
from dataagent.intent.parts import TimeReading
from dataagent.intent.timewords import MONTH_OF, NUMBER_WORDS, SEASONS, SHORT_MONTHS, TO_DATE
from dataagent.intent.vagueparts import RULES as EDGE_RULES
from dataagent.intent.writtendates import REJECTED, Read, Rule

_UNIT_LETTER = {"d": "days", "w": "weeks", "m": "months", "q": "quarters", "y": "years"}
_HOLIDAY = "|".join(sorted(HOLIDAY_NAMES, key=len, reverse=True))


def own_reading(text: str, calendar: Calendar, today: date, read: Read) -> TimeReading | None:
    """The reading by the first own rule that fits the whole phrase, or None."""
    for pattern, rule in _RULES:
        match = pattern.fullmatch(text)
        if match:
            return rule(match, calendar, today, read)
    return None


def _named(expr: str, start: date | None, end: date | None, today: date) -> TimeReading:
    return TimeReading(range=TimeRange(start=start, end=end, expr=expr), future=start is not None and start > today)


def _rejected(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading:  # noqa: ARG001
    return REJECTED


def _again(text: str, calendar: Calendar, today: date, read: Read) -> TimeReading:
    return read(text, calendar, today) or REJECTED


def _spelled_count(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading:
    count = NUMBER_WORDS[match["word"]]
    return _again(f"{match['lead']} {count} {match['unit']}", calendar, today, read)


def _short(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading:
    return _again(f"last {match['count']} {_UNIT_LETTER[match['unit']]}", calendar, today, read)


def _full(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading:
    text = " ".join(f"{match['lead']} {match['count'] or ''} {match['unit']}".split())
    if match["lead"] in {"this", "next"}:
        return REJECTED
    return _again(text, replace(calendar, rolling_full_periods=True), today, read)


def _article(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading:
    return _again(match["rest"], calendar, today, read)


def _recent(expr: str, key: str, windows: list[tuple[date, date]], today: date) -> TimeReading:
    """The latest of the windows that has begun, disclosed."""
    start, end = max(w for w in windows if w[0] <= today)
    default = Default(
        key="year", value="most recent", text=f"No year was named: {key} is the most recent one, {start:%Y}."
    )
    return replace(_named(expr, start, end, today), defaults=(default,))


def _bare_month(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading:  # noqa: ARG001
    month = MONTH_OF[match["month"]]
    windows = [(date(y, month, 1), month_later(date(y, month, 1))) for y in (today.year - 1, today.year)]
    reading = _recent("", match["month"].capitalize(), windows, today)
    start = reading.range.start or today
    return replace(reading, range=replace(reading.range, expr=f"{start:%Y-%m}"))


def _month_beside(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading:  # noqa: ARG001
    """ "last May": the latest one that is over; "this May" is that of this year."""
    first = date(today.year, MONTH_OF[match["month"]], 1)
    year = today.year - (match["which"] != "this" and month_later(first) > today)
    start = first.replace(year=year)
    reading = _named(f"{start:%Y-%m}", start, month_later(start), today)
    text = f"Read “{match[0]}” as that of {year}."
    return replace(reading, defaults=(Default(key="year", value=str(year), text=text),))


def _bare_quarter(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading:  # noqa: ARG001
    quarter = int(match["number"])
    bases = [calendar.quarter_basis] if calendar.quarter_basis else ["calendar", "fiscal"]
    found = [
        _recent(f"Q{quarter}", f"Q{quarter}", _quarters(quarter, basis, calendar, today), today) for basis in bases
    ]
    ranges = {(f.range.start, f.range.end) for f in found}
    if len(ranges) > 1:
        return replace(found[0], asks=tuple(f.range for f in found), why="quarter_basis")
    return found[0]


def _quarters(quarter: int, basis: str, calendar: Calendar, today: date) -> list[tuple[date, date]]:
    first = 1 if basis == "calendar" else calendar.fiscal.start_month
    windows = []
    for year in range(today.year - 3, today.year + 1):
        month = first + 3 * (quarter - 1)
        start = date(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)
        windows.append((start, month_later(start, 3)))
    return windows


def _end_of(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading:
    inner = read(match["rest"], calendar, today)
    if inner is None or inner.range.end is None:
        return REJECTED
    last = inner.range.end - timedelta(days=1)
    asks = tuple(
        replace(r, start=r.end - timedelta(days=1), expr=f"end_of_{r.expr}") for r in inner.asks if r.end is not None
    )
    window = TimeRange(start=last, end=inner.range.end, expr=f"end_of_{inner.range.expr}")
    return replace(inner, range=window, relative="end", future=last > today, asks=asks)


def _year_named(text: str | None, today: date) -> int | None:
    """2024 in "christmas 2024", this or the last year where it is named so."""
    if text is None:
        return None
    return today.year - (text == "last year") if text.endswith("year") else int(text)


def _holiday(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading:  # noqa: ARG001
    given = match["year"] or ""
    year = {"": None, "this year": today.year, "last year": today.year - 1}.get(given) or (
        int(given) if given.isdigit() else None
    )
    years = [year] if year else [today.year, today.year - 1]
    days = [d for y in years if (d := holiday_day(match["holiday"], y, calendar.holidays)) is not None]
    if not days:
        return REJECTED
    day = days[0] if year else next((d for d in days if d <= today), days[-1])
    name = match["holiday"].replace(" ", "_").replace("'", "")
    reading = _named(f"{name}_{day.year}", day, day + timedelta(days=1), today)
    if year:
        return reading
    default = Default(key="year", value=str(day.year), text=f"No year was named: the most recent one, {day.year}.")
    return replace(reading, defaults=(default,))


def _holiday_range(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading | None:
    left, right = match["left"], match["right"]
    year = re.search(r"\b(\d{4})$", right)
    if year and not re.search(r"\d{4}", left):
        left = f"{left} {year.group(1)}"
    first, last = read(left, calendar, today), read(right, calendar, today)
    if first is None or last is None or first.range.start is None or last.range.start is None:
        return REJECTED
    through = match["joint"] in {"through", "and"}
    end = last.range.end if through else last.range.start
    if end is None or end <= first.range.start:
        return TimeReading(range=TimeRange(start=None, end=None, expr=match[0]), why="reversed")
    text = "The last day is included." if through else "The window ends the day before the last day named."
    default = Default(key="range_end", value="inclusive" if through else "exclusive", text=text)
    reading = _named(f"{first.range.expr}_to_{last.range.expr}", first.range.start, end, today)
    return replace(reading, defaults=(*first.defaults, default))


def _before_yesterday(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading:  # noqa: ARG001
    day = today - timedelta(days=2)
    return _named(day.isoformat(), day, day + timedelta(days=1), today)


def _season(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading:  # noqa: ARG001
    month = SEASONS[match["season"]]
    years = [int(match["year"])] if match["year"] else [today.year - 1, today.year]
    asks = []
    for year in years:
        start = date(year, month, 1)
        end = month_later(start, 3)
        asks.append(TimeRange(start=start, end=end, expr=f"{match['season']}_{year}"))
    return TimeReading(range=asks[0], asks=tuple(asks), why="season")


def _through_yesterday(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading:
    unit = match["unit"] or match["unit2"]
    inner = read(f"this {unit}", calendar, today)
    if inner is None or inner.range.start is None or inner.range.start >= today:
        return REJECTED
    if inner.asks:
        return replace(inner, asks=tuple(cut_at(r, today) for r in inner.asks))
    window = cut_at(replace(inner.range, expr=f"this_{unit}_through_yesterday"), today)
    return replace(inner, range=window)


def _to_date(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading:
    unit = TO_DATE.get(match["short"] or "") or match["unit"]
    inner = read(f"this {unit}", calendar, today)
    if inner is None:
        return REJECTED
    end = elapsed_end(calendar, today)
    asks = tuple(to_date(r, end) for r in inner.asks)
    return replace(inner, range=replace(to_date(inner.range, end), expr=f"{unit[0]}td"), asks=asks)


def _part_to_date(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading:
    """ "2025 so far", "fiscal year to date"; "ytd last year" is the part of it that this year has had so far."""
    short = match["word"] if match["word"] in TO_DATE else ""
    rest = " ".join(f"{match['before']} {match['after']}".split())
    rest = f"last {TO_DATE[short]}" if short and rest == "last" else rest
    inner = read(rest, calendar, today) or read(f"this {rest}", calendar, today)
    if inner is None or inner.asks or inner.why or inner.range.start is None or inner.range.end is None:
        return REJECTED
    end = elapsed_end(calendar, today)
    name = match[0].replace(" ", "_")
    if inner.range.end == end or cut_at(inner.range, end).end == end:
        return replace(inner, range=replace(cut_at(inner.range, end), expr=name))
    running = read(short, calendar, today) if short else None
    if running is None or running.asks or inner.range.start >= today:
        return REJECTED
    part = same_part(running.range, inner.range)
    return replace(inner, range=replace(part, expr=name)) if _is_alike(running.range, inner.range) else REJECTED


def _is_alike(running: TimeRange, other: TimeRange) -> bool:
    """Whether both periods are of one size: years, months, or weeks."""
    whole = whole_of(running)
    months = whole_months(whole)
    if months or whole.start is None or whole.end is None or other.start is None or other.end is None:
        return bool(months) and months == whole_months(other)
    return other.end - other.start == whole.end - whole.start


def to_date(window: TimeRange, end: date) -> TimeRange:
    """The period up to a day, which knows where its whole ends where it goes on."""
    cut = cut_at(window, end)
    return cut if cut.end == end else replace(window, end=end, whole_end=None)


def _short_month(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading:
    return _bare_month(match, calendar, today, read)


_UNITS = r"(?P<unit>days?|weeks?|months?|quarters?|years?)"
_RULES: tuple[tuple[re.Pattern[str], Rule], ...] = (
    (re.compile(r"the (?P<rest>(?!day before).+)"), _article),
    (re.compile(rf"(?P<lead>last|past|previous|prior|trailing|rolling) (?P<word>{'|'.join(NUMBER_WORDS)}) {_UNITS}"),
     _spelled_count),
    (re.compile(r"(?:last |past |previous |[lt])(?P<count>\d{1,3}) ?(?P<unit>[dwmqy])"), _short),
    (re.compile(rf"(?P<lead>last|past|previous|prior|this|next) (?P<count>\d+ )?"
                rf"(?:full|complete|completed|whole|entire) {_UNITS}"), _full),
    (re.compile(r"(?P<short>[mqyw]td)|(?P<unit>week|month|quarter|year) to date|this (?P<unit2>x)"), _to_date),
    (re.compile(r"(?:through|until|up to) yesterday (?:in )?this (?P<unit>week|month|quarter|year)"
                r"|this (?P<unit2>week|month|quarter|year) (?:through|until|up to) yesterday"), _through_yesterday),
    (re.compile(r"(?!.*last \w+ to date)(?P<before>.*?)\b(?P<word>[mqyw]td|to date|so far)\b(?P<after>.*)"),
     _part_to_date),
    (re.compile(rf"(?P<month>{'|'.join(m for m in MONTH_OF if m not in SHORT_MONTHS)})"), _bare_month),
    (re.compile(rf"(?P<month>{'|'.join(SHORT_MONTHS)})"), _short_month),
    (re.compile(rf"(?P<which>last|this) (?P<month>{'|'.join(MONTH_OF)})"), _month_beside),
    (re.compile(r"q(?P<number>[1-4])"), _bare_quarter),
    (re.compile(r"(?:the )?day before yesterday"), _before_yesterday),
    (re.compile(r"(?:the )?end of (?P<rest>(?!the |day).+)"), _end_of),
    *EDGE_RULES,
    (re.compile(rf"(?P<holiday>{_HOLIDAY})(?: (?:in |of )?(?P<year>\d{{4}}|this year|last year))?"), _holiday),
    (re.compile(rf"(?:from |between )(?P<left>.*(?:{_HOLIDAY}).*?) (?P<joint>to|through|until|and) (?P<right>.+)"),
     _holiday_range),
    (re.compile(rf"(?:from |between )(?P<left>.+?) (?P<joint>to|through|until|and) (?P<right>(?:{_HOLIDAY}).*)"),
     _holiday_range),
    (re.compile(rf"(?P<season>{'|'.join(SEASONS)})(?: (?:of )?(?P<year>\d{{4}}))?"), _season),
    (re.compile(r"(?:early|late|beginning|start) .*"
                r"|from (?!.* (?:to|through|until) ).*|year|month|week|quarter|day|half|first|second|third|fourth|last"
                r"|this|since (?:today|[mqyw]td)"
                r"|.*last \w+ to date"
                r"|.*\b(?:days?|weeks?|months?|quarters?|years?) (?:before|after|prior|since|until) .*"
                r"|weekends?|weekdays?|ly|py|up|from|to|between|current|zero|.*\b(?:same|period)\b.*"), _rejected),
)  # fmt: skip
