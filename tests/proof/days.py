"""Calendar arithmetic by hand: periods, their starts and their neighbours, without any SQL."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, datetime, time, timedelta

from catalog.types import Calendar, TimeGranularity

WEEK_STARTS = {"monday": 0, "saturday": 5, "sunday": 6}
MONTHS = {"month": 1, "quarter": 3, "year": 12}
STEPS = {"hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(days=7)}

Moment = date | datetime


def day_of(moment: Moment) -> date:
    return moment.date() if isinstance(moment, datetime) else moment


def start_of(moment: Moment, grain: TimeGranularity, calendar: Calendar) -> Moment:
    """The first moment of the period in which `moment` lies; a date for days and larger."""
    day = day_of(moment)
    if grain == "hour":
        held = moment if isinstance(moment, datetime) else datetime.combine(day, time())
        return held.replace(minute=0, second=0, microsecond=0)
    if grain == "week":
        return day - timedelta(days=(day.weekday() - WEEK_STARTS[calendar.week_start or "monday"]) % 7)
    if grain == "quarter":
        first = calendar.fiscal.start_month if calendar.quarter_basis == "fiscal" else 1
        month = day.month
        while (month - first) % 3:
            month -= 1
        return date(day.year, month, 1) if month > 0 else date(day.year - 1, month + 12, 1)
    return {"day": day, "month": day.replace(day=1), "year": day.replace(month=1, day=1)}[str(grain)]


def next_start(start: date, grain: TimeGranularity) -> date:
    """The start of the period after the one that starts at `start`."""
    return moved(start, 1, grain)


def moved(start: date, count: int, grain: TimeGranularity) -> date:
    """`count` periods later (earlier when negative); a day that the month lacks is its last one."""
    if str(grain) in {"day", "week"}:
        return start + STEPS[str(grain)] * count
    months = start.year * 12 + start.month - 1 + count * MONTHS[str(grain)]
    year, month = months // 12, months % 12 + 1
    return date(year, month, min(start.day, monthrange(year, month)[1]))
