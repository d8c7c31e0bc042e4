"""Periods, granularities, comparison bases."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import replace
from datetime import date, timedelta

from catalog.query import Default, TimeRange
from catalog.types import Calendar, DimensionType, TimeGranularity
from catalog.windows import MONTHS_OF, Alignment, period_before, running_unit
from dataagent.intent.parts import Compared, Grain, Part, TimeReading, When
from dataagent.intent.timex import REVERSED, read
from dataagent.intent.typefilter.pieces import Comparison, Focus, Piece, Setting, Slot, Write, dead, piece, time_writes
from dataagent.intent.view import is_cumulative, is_rate, is_semi_additive, type_of

_UNITS = ("day", "week", "month", "quarter", "year")


def when_piece(edge: int, part: When, focus: Focus) -> Piece:
    """A period, its rivals where a setting is unset, or a stop for the future."""
    reading = part.reading
    if reading.why == REVERSED:
        message = f"“{reading.range.expr}” ends before it begins. Name the earlier end first, with its year if needed."
        return dead(edge, "contradiction", reading.range.expr, message)
    if reading.future and not reading.asks:
        return dead(edge, "forecast", reading.range.expr.replace("_", " "))
    window, tomorrow = reading.range, focus.setting.today + timedelta(days=1)
    unfinished = window.end is not None and window.end > tomorrow and not reading.asks
    if unfinished and window.start is None:
        return dead(edge, "forecast", window.expr.replace("_", " "))
    if reading.relative == "end" and not all(is_semi_additive(focus.setting.snapshot, m) for m in focus.metrics):
        return dead(edge, "unsupported", reading.range.expr.replace("_", " "))
    ways = time_writes(reading)
    if reading.relative == "from":
        ways = (*ways, (Write(field="time_range", value=_since(window, focus.setting)),))
    if reading.relative == "as of" and window.end is not None and not _shows_state(focus):
        before = TimeRange(start=None, end=window.end, expr=f"until_{window.expr}")
        ways = (*ways, (Write(field="time_range", value=before),))
    defaults = reading.defaults
    if unfinished:
        text = "The period is not over: it holds what is loaded so far."
        defaults = (*defaults, Default(key="unfinished_period", value=window.expr, text=text))
    if reading.trend and any(is_rate(focus.setting.snapshot, m) for m in focus.metrics):
        grain = focus.setting.snapshot.defaults.trend_grain
        ways = tuple((*way, Write(field="grain", value=grain)) for way in ways)
        defaults = (*defaults, grain_default(grain))
    return Piece(
        edge=edge,
        alternatives=ways,
        slot=Slot.TIME,
        word=reading.range.expr.replace("_", " "),
        why=reading.why,
        defaults=defaults,
    )


def _shows_state(focus: Focus) -> bool:
    """Whether a date alone says how far the metrics reach: levels, and what is cumulated already."""
    snapshot = focus.setting.snapshot
    return bool(focus.metrics) and all(
        is_semi_additive(snapshot, m) or is_cumulative(snapshot, m) for m in focus.metrics
    )


def narrowed(parts: tuple[tuple[int, Part], ...]) -> tuple[tuple[int, Part], ...]:
    """ "before the spring launch this year": an open side and a period together are the part that both hold."""
    held = [p.reading for _, p in parts if isinstance(p, When)]
    if len(held) != 2 or any(r.asks or r.why or r.future or r.relative == "as of" for r in held):
        return parts
    sided = [r for r in held if is_sided(r)]
    if not sided or any(r.range.start is None and r.range.end is None for r in held):
        return parts
    side = sided[-1]
    period = next(r for r in held if r is not side)
    starts = [d for d in (side.range.start, period.range.start) if d]
    ends = [d for d in (side.range.end, period.range.end) if d]
    if not starts or not ends or max(starts) >= min(ends):
        return parts
    window = TimeRange(start=max(starts), end=min(ends), expr=f"{period.range.expr}_{side.range.expr}")
    both = replace(period, range=window, defaults=(*period.defaults, *side.defaults), relative="", trend=False)
    return tuple((i, When(reading=both) if isinstance(p, When) else p) for i, p in parts)


_SIDED = re.compile(r"(since|after|before|until)_")


def is_sided(reading: TimeReading) -> bool:
    """Whether the period is open on one side ("since May", "before the launch")."""
    return _SIDED.match(reading.range.expr) is not None


def _since(day: TimeRange, setting: Setting) -> TimeRange:
    """The days from this one on."""
    last = setting.today + timedelta(days=1 if setting.snapshot.calendar.to_date_includes_today else 0)
    return TimeRange(start=day.start, end=last, expr=f"since_{day.expr}")


def grain_default(grain: TimeGranularity) -> Default:
    """The disclosure of a granularity that nobody named."""
    others = tuple(g for g in _UNITS if g != grain.value)
    return Default(key="trend_grain", value=grain.value, text=f"Shown by {grain.value}.", alternatives=others)


def grain_piece(edge: int, part: Grain, focus: Focus) -> Piece:
    """A granularity, of the metric's own time or of a named time dimension."""
    writes = [Write(field="grain", value=part.grain)]
    if part.dimension is not None:
        found = [
            d
            for d in part.dimension.targets
            if d in focus.reach and type_of(focus.setting.snapshot, d) is DimensionType.TIME
        ]
        if len(found) != 1:
            return dead(edge, "incompatible", part.dimension.surface)
        writes.append(Write(field="time_dimension", value=found[0]))
    return piece(edge, *writes)


def trend_writes(focus: Focus, *, timed: bool, grained: bool) -> tuple[tuple[Write, ...], tuple[Default, ...]]:
    """The declared range and granularity of a trend, as far as the question does not name them."""
    setting = focus.setting
    writes: list[Write] = []
    defaults: list[Default] = []
    if not timed:
        name = setting.snapshot.defaults.trend_range
        reading = read(name.replace("_", " "), setting.snapshot.calendar, setting.today)
        if reading is not None:
            writes.append(Write(field="time_range", value=replace(reading.range, expr=name)))
            text = f"No period was named: took the {name.replace('_', ' ')}."
            defaults.append(Default(key="trend_range", value=name, text=text))
    if not grained:
        grain = setting.snapshot.defaults.trend_grain
        writes.append(Write(field="grain", value=grain))
        defaults.append(grain_default(grain))
    return tuple(writes), tuple(defaults)


def silent_period(focus: Focus) -> tuple[TimeRange, Default]:
    """What is taken where the question names no period: everything, or the latest snapshot of a level."""
    setting = focus.setting
    if focus.metrics and all(is_semi_additive(setting.snapshot, m) for m in focus.metrics):
        window = TimeRange(start=setting.today - timedelta(days=1), end=setting.today, expr="latest")
        text = "No period was named: the latest complete day is shown, as this is a level and not a sum."
        return window, Default(key="snapshot", value=setting.snapshot.defaults.snapshot, text=text)
    text = "No period was named: all time."
    default = Default(key="time_range", value="all_time", text=text, alternatives=("this year", "last month"))
    return TimeRange(start=None, end=None, expr="all_time"), default


def comparison_piece(edge: int, part: Compared, focus: Focus, main: TimeReading | None, *, grained: bool) -> Piece:
    """A comparison with an earlier period; the main period is taken or anchored."""
    if part.anchor is not None or (part.base is None and part.type == "year_ago"):
        return _fixed(edge, part, focus, main, grained=grained)
    if part.relative == "series":
        return _series(edge, part, grained=grained)
    if main is None and part.relative == "running" and part.base is not None:
        return _running(edge, part, focus, part.base)
    if main is None:
        return _over_periods(edge, part, focus)
    if part.relative == "whole":
        return _whole_before(edge, part, focus, main)
    if part.base is None:
        write = Write(field="comparison", value=Comparison(type=part.type, calc=part.calc))
        return piece(edge, write) if grained or main.asks else _aligned(edge, write, main, focus)
    return _against(edge, part, focus, main)


def _whole_before(edge: int, part: Compared, focus: Focus, main: TimeReading) -> Piece:
    """ "this month compared with the whole month before": a running period against more days than it has."""
    cut, defaults = _cut_at_today(main, focus)
    found = None if main.asks else period_before(cut, focus.setting.snapshot.calendar)
    if found is not None and found.alignment is Alignment.WHOLE:
        return piece(edge, Write(field="comparison", value=Comparison(type="previous_period", calc=part.calc)))
    if found is None or found.whole is None:
        return dead(
            edge, "unsupported", "", "Only a period that still runs can be compared with more days than it has."
        )
    write = Write(field="comparison", value=Comparison(type="custom", calc=part.calc, range=found.whole))
    own = () if cut == main.range else (Write(field="narrowed_range", value=cut),)
    return piece(edge, write, *own, defaults=tuple(d for d in defaults if d.key != "partial_period"))


def recent(setting: Setting, *phrases: str) -> tuple[TimeReading, ...]:
    """The periods of these names that the calendar decides."""
    found = (read(p, setting.snapshot.calendar, setting.today) for p in phrases)
    return tuple(r for r in found if r is not None and not r.asks)


def _over_periods(edge: int, part: Compared, focus: Focus) -> Piece:
    """A comparison of an open period: with the recent periods that it can be about."""
    ways = []
    for main in recent(focus.setting, *(_FULL if part.base is None else _RECENT)):
        if part.base is None:
            change = piece(edge, Write(field="comparison", value=Comparison(type=part.type, calc=part.calc)))
        else:
            change = _against(edge, part, focus, main)
        if change.dead is None and not change.open:
            cut = any(w.field == "narrowed_range" for w in change.alternatives[0])
            own = () if cut else (Write(field="narrowed_range", value=main.range),)
            ways.append((*change.alternatives[0], *own))
    if not ways:
        return dead(edge, "unsupported", "", "A comparison needs a period. Name the one that is compared.")
    return Piece(edge=edge, slot=Slot.TIME, word="the comparison", alternatives=tuple(ways[:4]), open=True)


_FULL = ("last week", "last month", "last quarter", "last year")
_RECENT = ("this week", "this month", "this quarter", "this year", "last week", "last month", "last quarter")


def _series(edge: int, part: Compared, *, grained: bool) -> Piece:
    """Each period of a series against the one before."""
    write = Write(field="comparison", value=Comparison(type=part.type, calc=part.calc))
    if grained:
        return piece(edge, write)
    grains = (TimeGranularity.WEEK, TimeGranularity.MONTH, TimeGranularity.QUARTER)
    ways = tuple((write, Write(field="grain", value=g)) for g in grains)
    return Piece(edge=edge, slot=Slot.BASE, word="the change", alternatives=ways, open=True)


def _running(edge: int, part: Compared, focus: Focus, base: TimeReading) -> Piece:
    """ "up or down from last quarter": this quarter so far against equally many days of the last."""
    unit = base.range.expr.removeprefix("last_")
    main = read(f"this {unit}", focus.setting.snapshot.calendar, focus.setting.today) if unit in _UNITS else None
    if main is None or base.asks:
        return dead(edge, "unsupported", f"the comparison with {base.range.expr.replace('_', ' ')}")
    found = _against(edge, part, focus, main)
    timed = any(w.field == "narrowed_range" for w in found.alternatives[0])
    return found if timed else dead(edge, "unsupported", "the comparison")


def _fixed(edge: int, part: Compared, focus: Focus, main: TimeReading | None, *, grained: bool) -> Piece:
    """ "week over week": the last full period against the one before, or each period of a series."""
    write = Write(field="comparison", value=Comparison(type=part.type, calc=part.calc))
    if part.anchor is None:
        if main is None and not grained:
            return _over_periods(edge, part, focus)
        return piece(edge, write) if main is None or grained or main.asks else _aligned(edge, write, main, focus)
    unit = part.anchor
    if main is None:
        reading = read(f"last {unit.value}", focus.setting.snapshot.calendar, focus.setting.today)
        if reading is None:
            return dead(edge, "unsupported", f"{unit.value} over {unit.value}")
        text = f"Compared the last full {unit.value} with the one before."
        default = Default(key="anchor", value=f"last_full_{unit.value}", text=text)
        ways = tuple((write, *way) for way in time_writes(reading))
        return Piece(edge=edge, alternatives=ways, slot=Slot.TIME, word=reading.range.expr, defaults=(default,))
    if _is_one(main.range, unit):
        return piece(edge, write)
    return piece(edge, write, *(() if grained else (Write(field="grain", value=unit),)))


def _is_one(window: TimeRange, unit: TimeGranularity) -> bool:
    if window.start is None or window.end is None:
        return False
    length = (window.end - window.start).days
    return length <= {"day": 1, "week": 7, "month": 31, "quarter": 92, "year": 366}.get(unit.value, 0)


def _against(edge: int, part: Compared, focus: Focus, main: TimeReading) -> Piece:
    base = part.base
    if base is None or main.asks or base.asks or main.range.start is None or main.range.end is None:
        return dead(edge, "unsupported", "the comparison")
    if base.future:
        return dead(edge, "forecast", base.range.expr.replace("_", " "))
    today = focus.setting.today
    later = base.range.start is not None and base.range.start > main.range.start
    running = base.range.end is not None and base.range.end > today + timedelta(days=1)
    if later or running:
        return _turned(edge, part, focus, main)
    preceding = base.range.expr.startswith(("previous_", "prior_", "preceding_"))
    if preceding and (base.range.start, base.range.end) == (main.range.start, main.range.end):
        return piece(edge, Write(field="comparison", value=Comparison(type="previous_period", calc=part.calc)))
    if "ratio" not in part.calc and _is_year_before(main.range, base.range):
        write = Write(field="comparison", value=Comparison(type="year_ago", calc=part.calc))
        aligned = _aligned(edge, write, main, focus)
        said = base.range.expr.replace("_", " ")
        text = f"Read “{said}” as the same period a year before."
        return replace(
            aligned, defaults=(*aligned.defaults, Default(key="comparison_base", value="year_ago", text=text))
        )
    if "ratio" not in part.calc:
        kind = _kind_of_base(main.range, base.range, focus.setting.snapshot.calendar)
        if kind is not None:
            write = Write(field="comparison", value=Comparison(type=kind, calc=part.calc))
            return _aligned(edge, write, main, focus)
    if (base.range.start, base.range.end) == (main.range.start, main.range.end) or _unequal(main.range, base.range):
        return dead(edge, "unsupported", f"the comparison with {base.range.expr.replace('_', ' ')}")
    calc = ("ratio",) if "ratio" in part.calc else part.calc
    return piece(edge, Write(field="comparison", value=Comparison(type="custom", calc=calc, range=base.range)))


def _turned(edge: int, part: Compared, focus: Focus, main: TimeReading) -> Piece:
    """ "last month vs this month": the later period against the earlier one, when that is wanted."""
    base = part.base
    if base is None or base.range.start is None or main.range.start is None or base.range.start <= main.range.start:
        return dead(edge, "unsupported", "", "The period to compare with is not over. Name an earlier one.")
    change = _against(edge, replace(part, base=main), focus, base)
    if change.dead is not None:
        return change
    cut = any(w.field == "narrowed_range" for w in change.alternatives[0])
    own = () if cut else (Write(field="narrowed_range", value=base.range),)
    ways = ((*change.alternatives[0], *own),)
    return replace(change, alternatives=ways, slot=Slot.BASE, word=base.range.expr.replace("_", " "), open=True)


def _aligned(edge: int, write: Write, main: TimeReading, focus: Focus) -> Piece:
    """A running period is compared over equally many elapsed days."""
    cut, defaults = _cut_at_today(main, focus)
    own = () if cut == main.range else (Write(field="narrowed_range", value=cut),)
    return piece(edge, write, *own, defaults=defaults)


def _cut_at_today(main: TimeReading, focus: Focus) -> tuple[TimeRange, tuple[Default, ...]]:
    """The period up to today where it still runs, with what is said of that."""
    today, window = focus.setting.today, main.range
    text = "The running period is compared with equally many days of the earlier one."
    told = (Default(key="partial_period", value="compared_like_for_like", text=text),)
    if window.end is None or window.start is None or window.end <= today + timedelta(days=1) or window.start > today:
        return window, told if running_unit(window) else ()
    last = today + timedelta(days=1) if focus.setting.snapshot.calendar.to_date_includes_today else today
    return replace(window, end=last, expr=f"{window.expr}_to_date"), told


def _kind_of_base(main: TimeRange, base: TimeRange, calendar: Calendar) -> str | None:
    if main.start is None or base.start is None or main.end is None or base.end is None:
        return None
    unit = running_unit(main)
    whole = period_before(main, calendar) if unit else None
    if whole and whole.whole and (whole.whole.start, whole.whole.end) == (base.start, base.end):
        return "previous_period"
    if (
        unit
        and _year_back(main.start) == base.start
        and _year_back(main.end) < base.end
        and not _unequal_to(unit, base)
    ):
        return "year_ago"
    if _year_back(main.start) == base.start and base.end in {_year_back(main.end), *_ends_of_month(main, base)}:
        return "year_ago" if (main.end - main.start).days < 360 else "previous_period"
    if base.end == main.start and not _unequal(main, base):
        return "previous_period"
    return None


def _is_year_before(main: TimeRange, base: TimeRange) -> bool:
    """ "vs last year" beside a period shorter than a year: the calendar year before the period's own."""
    if base.expr != "last_year" or main.start is None or main.end is None or base.start is None:
        return False
    return (main.end - main.start).days < 360 and base.start == date(main.start.year - 1, 1, 1)


def _unequal_to(unit: TimeGranularity, base: TimeRange) -> bool:
    """Whether the window is no whole month, quarter or year of that unit."""
    months = MONTHS_OF.get(unit)
    if months is None or base.start is None or base.end is None or (base.start.day, base.end.day) != (1, 1):
        return True
    return (base.end.year - base.start.year) * 12 + base.end.month - base.start.month != months


def _ends_of_month(main: TimeRange, base: TimeRange) -> tuple[date, ...]:
    return (
        (base.end,)
        if base.end and main.end and base.end.day == main.end.day == 1 and base.end.month == main.end.month
        else ()
    )


def _unequal(main: TimeRange, base: TimeRange) -> bool:
    """Whether the windows are of different size, months and quarters counting as equal to their like."""
    if main.start is None or main.end is None or base.start is None or base.end is None:
        return True
    mine, other = (main.end - main.start).days, (base.end - base.start).days
    return abs(mine - other) > max(3, mine // 28)


def _year_back(day: date) -> date:
    last = monthrange(day.year - 1, day.month)[1]
    return date(day.year - 1, day.month, min(day.day, last))
