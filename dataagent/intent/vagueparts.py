"""Parts of periods behind words such as "since" and "until", units of time "ago", and weeks of a month.

A part with a definite edge is taken at that edge ("since the start of May", "until the end of May"); one without
("since late July", "after the beginning of March") is not read, so that its words are asked about.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta

from catalog.periods import MONTHS_OF, elapsed_end, month_later
from catalog.query import Default, TimeRange
from catalog.types import Calendar, TimeGranularity
from dataagent.intent.parts import TimeReading
from dataagent.intent.timewords import NUMBER_WORDS, WEEKDAYS
from dataagent.intent.writtendates import REJECTED, Read, Rule

_OP = r"(?P<op>since|from|after|before|until|through|up to)"
_WEEK = timedelta(days=7)


def _edge(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading:
    """ "since the start of May", "until the end of May": open on one side, at a definite edge."""
    inner = read(_UNIT.sub(r"this \1", match["rest"]), calendar, today)
    op, start = match["op"], match["part"] in {"start", "beginning"}
    forward = op in {"since", "from", "after"}
    if inner is None or inner.why not in {"", "quarter_basis", "week_start"} or inner.relative:
        return REJECTED
    if start and op in {"after", "through"}:
        return REJECTED
    last = elapsed_end(calendar, today)

    def cut(window: TimeRange) -> TimeRange:
        edge = window.start if start else window.end
        name = f"{'since' if forward else 'until'}_{match['part']}_of_{window.expr}"
        return TimeRange(start=edge if forward else None, end=last if forward else edge, expr=name)

    windows = (cut(inner.range), *(cut(r) for r in inner.asks))
    if any((w.start or w.end) is None or (w.start is not None and w.start >= last) for w in windows):
        return REJECTED
    told = () if start or op == "after" or not forward else (_FROM_END,)
    return replace(inner, range=windows[0], asks=windows[1:], defaults=(*inner.defaults, *told), future=False)


_UNIT = re.compile(r"^(?:the )?(week|month|quarter|year)$")
_FROM_END = Default(key="since_end", value="day after", text="Counted from the day after that end.")


def _edge_to_edge(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading:
    """ "from the start of April to the end of May": the same as from April to May."""
    return read(f"from {match['left']} to {match['right']}", calendar, today) or REJECTED


def _no_edge(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading:  # noqa: ARG001
    return REJECTED


def _ago(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading:
    """ "2 weeks ago": that whole week; "since 2 weeks ago": from its beginning.  Told either way."""
    count, unit = NUMBER_WORDS.get(match["count"]) or int(match["count"]), match["unit"]
    running = read(f"this {unit}", calendar, today)
    if running is None or running.range.start is None or not count:
        return REJECTED
    last = elapsed_end(calendar, today)

    def back(window: TimeRange) -> TimeRange:
        start = _moved(window.start or today, unit, -count)
        end = last if match["since"] else _moved(start, unit, 1)
        return TimeRange(start=start, end=end, expr=match[0].replace(" ", "_"))

    word = f"{count} {unit}{'' if count == 1 else 's'} ago"
    text = f"“{word}” is read as that whole {unit}."
    if match["since"]:
        text = f"“since {word}” is read as from the beginning of that {unit}."
    default = Default(key="ago", value=f"whole {unit}", text=text)
    return replace(running, range=back(running.range), asks=tuple(map(back, running.asks)), defaults=(default,))


def _moved(day: date, unit: str, count: int) -> date:
    if unit == "week":
        return day + count * _WEEK
    return month_later(day, count * MONTHS_OF[TimeGranularity(unit)])


def _weeks_of(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading:
    """ "the first week of May": seven days from its first day, or up to its last; told, as calendar weeks differ."""
    inner = read(match["rest"], calendar, today)
    given = match["count"] or "1"
    count = NUMBER_WORDS.get(given) or int(given)
    if inner is None or inner.asks or inner.why or inner.range.start is None or inner.range.end is None:
        return REJECTED
    place = _ORDINALS[match["place"]]
    start = inner.range.end - count * _WEEK if place < 0 else inner.range.start + place * _WEEK
    end = start + count * _WEEK
    if not count or start < inner.range.start or end > inner.range.end or (place > 0 and match["count"]):
        return REJECTED
    edge = "up to its last day" if place < 0 else "from its first day on"
    default = Default(key="weeks_of", value="seven days", text=f"Weeks of it are seven days each, counted {edge}.")
    name = match[0].replace(" ", "_")
    window = TimeRange(start=start, end=end, expr=name)
    return replace(inner, range=window, defaults=(*inner.defaults, default), future=start > today)


_ORDINALS = {
    "first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3, "last": -1, "final": -1,
}  # fmt: skip


def _weekday(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading:  # noqa: ARG001
    """ "on Monday": the most recent one, told; on a Monday it may be today or a week ago, which is asked."""
    place = WEEKDAYS.index(match["day"])
    back = (today.weekday() - place) % 7
    days = [today - timedelta(days=back)] if back else [today, today - timedelta(days=7)]
    windows = [TimeRange(start=d, end=d + timedelta(days=1), expr=d.isoformat()) for d in days]
    if len(windows) > 1:
        return TimeReading(range=windows[0], asks=tuple(windows), why="weekday")
    name = match["day"].capitalize()
    told = Default(key="weekday", value=days[0].isoformat(), text=f"{name} is the most recent one.")
    return TimeReading(range=windows[0], defaults=(told,))


def _numbered_week(match: re.Match[str], calendar: Calendar, today: date, read: Read) -> TimeReading | None:  # noqa: ARG001
    """Weeks are numbered as in ISO 8601, which begins them on Monday; where weeks begin otherwise none is read."""
    return None if calendar.week_start in {None, "monday"} else REJECTED


_NUMBER = rf"(?:\d{{1,3}}|{'|'.join(NUMBER_WORDS)})"
_LATER = r"(?: to| and| until| through) "
RULES: tuple[tuple[re.Pattern[str], Rule], ...] = (
    (re.compile(rf"{_OP} (?:the )?(?P<part>start|beginning|end) of (?P<rest>(?!.*{_LATER}).+)"), _edge),
    (re.compile(r"(?:from|between) (?:(?:the )?(?:start|beginning) of )?(?P<left>(?!the end|early|mid|late|end).+?)"
                rf"{_LATER}(?:the )?end of (?P<right>.+)"), _edge_to_edge),
    (re.compile(r".*\b(?:early|mid|middle|late|beginning|start|end)\b.*"), _no_edge),
    (re.compile(rf"(?P<since>since )?(?P<count>{_NUMBER}) (?P<unit>week|month|quarter|year)s? ago"), _ago),
    (re.compile(rf"(?!{_NUMBER} days? ago).+ (?:days?|weeks?|months?|quarters?|years?) ago"), _no_edge),
    (re.compile(rf"(?P<place>{'|'.join(_ORDINALS)}) (?:(?P<count>{_NUMBER}) )?weeks? (?:of|in) (?P<rest>.+)"),
     _weeks_of),
    (re.compile(rf"on (?P<day>{'|'.join(WEEKDAYS)})"), _weekday),
    (re.compile(r"week \d{1,2}\b.*|w\d{1,2}"), _numbered_week),
)  # fmt: skip
