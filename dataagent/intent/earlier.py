"""What a follow-up owes to the earlier plan: words that add keep it, words like "previous" count from its period."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta
from enum import StrEnum

from catalog.periods import first_day
from catalog.query import MetricIntent, TimeRange
from catalog.shared import shared_over
from catalog.types import Calendar, Filter, Operator, TimeGranularity
from dataagent.intent.candidate import Candidate, Dead
from dataagent.intent.parts import Condition, Edit, Part, When


class Joining(StrEnum):
    """How a follow-up's words join the earlier plan: not at all, perhaps ("and"), surely ("too"), or both ways."""

    NONE = ""
    PERHAPS = "and"
    ADDS = "too"
    MIXED = "too, instead"


_ADDING = re.compile(r"\b(?:too|also|plus|as well|in addition|additionally)\b")
_SWAPPING = re.compile(r"\b(?:instead|switch|swap|replace|change)\b")
_BACK = re.compile(r"(?:previous|prior)_")
_ONE_BACK = re.compile(r"(?:previous|prior)_(day|week|month|quarter|year)")
_PICKS = frozenset({Operator.EQ, Operator.IN})
_TAKES_AWAY = frozenset({"drop", "drop_groups", "drop_filter", "reset", "explain", "why"})
_KEPT_LISTS = ("metrics", "dimensions", "having", "transforms")
COUNTS_BACK = Dead(
    code="unsupported",
    message="It is not clear from which day this counts back after the earlier period. Name the period.",
)
_ONE_END = Dead(
    code="unsupported",
    message="Only one end of the period is named, and the earlier one may still count. Name the first and last day.",
)
PART_OF_YEAR = Dead(
    code="unsupported",
    message="It is not clear whether all of that year is meant or the same days of it. Name the period in full.",
)
UNCLEAR = (COUNTS_BACK, _ONE_END, PART_OF_YEAR)
"""Why a follow-up's period stops; no other reading of the same words may then step in."""
_KEPT = ("time_range", "grain", "comparison", "limit", "per_group", "order")


def joining_of(words: tuple[str, ...]) -> Joining:
    """How the words of a follow-up join what stood before."""
    text = " ".join(words)
    if _ADDING.search(text):
        return Joining.MIXED if _SWAPPING.search(text) else Joining.ADDS
    return Joining.PERHAPS if words[:1] == ("and",) else Joining.NONE


_CONTRASTS = re.compile(r"(?:and |but |ok |okay |then )*(?:what|how) about\b")


def contrasts(words: tuple[str, ...]) -> bool:
    """Whether a follow-up sets something beside what was asked: "what about Japan"."""
    return _CONTRASTS.match(" ".join(words)) is not None


def contrasted(base: MetricIntent, plan: MetricIntent) -> tuple[MetricIntent, ...]:
    """The edited plan of a contrast: a member of another dimension may take the place of an earlier one, or join all.

    A member of what is grouped by is one of the rows that are shown already.
    """
    known = {*base.dimensions, *(f.field for f in base.filters)}
    new = [f for f in plan.filters if f.field not in known and f.op in _PICKS]
    held = [f for f in base.filters if f.op in _PICKS and f in plan.filters]
    if len(new) != 1 or shared_over(base):
        return (plan,)
    return (*(replace(plan, filters=tuple(f for f in plan.filters if f != one)) for one in held), plan)


def joined_values(held: Filter, new: Filter) -> Filter | None:
    """One condition with the members of both, where both pick members; None where that would be something else."""
    if {held.op, new.op} <= _PICKS:
        values = tuple(dict.fromkeys((*held.values, *new.values)))
        return replace(new, values=values, op=Operator.IN if len(values) > 1 else Operator.EQ)
    return None


def filtered(held: tuple[Filter, ...], new: Filter, *, joining: Joining) -> list[tuple[Filter, ...]]:
    """The conditions with a new one: in place of those on its field, joined to them, or each way that may be meant."""
    same = [f for f in held if f.field == new.field]
    replaced = (*(f for f in held if f.field != new.field), new)
    if len(same) == 1 and new.op in _DENIES:
        return _left_out(held, same[0], new)
    if len(same) == 1 and _bounds_other_side(same[0], new):
        return [replaced, (*held, new)]
    if len(same) == 1 and joining is Joining.ADDS:
        merged = joined_values(same[0], new)
        return [(*(f for f in held if f.field != new.field), merged)] if merged else [replaced]
    if same and joining and same != [new] and same[0].op in _PICKS | _DENIES:
        values = tuple(dict.fromkeys((*same[0].values, *new.values)))
        joined = (*(f for f in held if f.field != new.field), replace(new, values=values, op=_many(same[0])))
        return [replaced, joined]
    return [replaced]


_DENIES = frozenset({Operator.NE, Operator.NOT_IN})
_LOWER, _UPPER = frozenset({Operator.GT, Operator.GE}), frozenset({Operator.LT, Operator.LE})


def _bounds_other_side(held: Filter, new: Filter) -> bool:
    """Whether one says more than what and the other less than what."""
    ops = {held.op, new.op}
    return bool(ops & _LOWER) and bool(ops & _UPPER)


def _left_out(held: tuple[Filter, ...], before: Filter, new: Filter) -> list[tuple[Filter, ...]]:
    """What is left out adds to what was left out before, and is taken away from what was wanted."""
    others = tuple(f for f in held if f.field != new.field)
    if before.op in _DENIES:
        values = tuple(dict.fromkeys((*before.values, *new.values)))
        return [(*others, replace(new, values=values, op=Operator.NOT_IN if len(values) > 1 else Operator.NE))]
    kept = tuple(v for v in before.values if v not in new.values)
    if before.op not in {Operator.EQ, Operator.IN} or not kept:
        return [(*others, new)]
    if kept == before.values:
        return [(*others, new), held]
    return [(*others, replace(before, values=kept, op=Operator.IN if len(kept) > 1 else Operator.EQ))]


def members_after(plan: MetricIntent) -> MetricIntent:
    """The edited plan, whose comparison of two members is gone where others than these two are picked now."""
    given = plan.comparison
    if given is None or given.type != "values":
        return plan
    picked = [frozenset(f.values) for f in plan.filters if f.field == given.field and f.op in _PICKS]
    return plan if picked == [frozenset(given.values)] else replace(plan, comparison=None)


def _many(condition: Filter) -> Operator:
    return Operator.NOT_IN if condition.op in {Operator.NE, Operator.NOT_IN} else Operator.IN


def replaced_by_adding(parts: list[Part], base: MetricIntent, plan: MetricIntent) -> Dead | None:
    """The reason to stop when words that add would take away something of the earlier plan."""
    if any(isinstance(p, Edit) and p.op in _TAKES_AWAY for p in parts):
        return None
    lost = [n for n in _KEPT_LISTS if not set(getattr(base, n)) <= set(getattr(plan, n))]
    lost += [n for n in _KEPT if getattr(base, n) and getattr(base, n) != getattr(plan, n)]
    denied = any(isinstance(p, Condition) and p.negated for p in parts)
    if not denied and not all(_still_there(f, plan) for f in base.filters):
        lost.append("filters")
    if base.comparison and base.comparison.values and plan.filters != base.filters:
        lost.append("comparison")
    if not lost:
        return None
    what = "period" if "time_range" in lost else lost[0].removesuffix("s").replace("_", " ")
    message = f"This asks for something in addition, but it cannot be added to the earlier {what}. Ask it as a whole."
    return Dead(code="unsupported", message=message)


def _still_there(held: Filter, plan: MetricIntent) -> bool:
    """Whether the condition stands in the plan, perhaps with more members."""
    return any(
        f == held or (f.field == held.field and {f.op, held.op} <= _PICKS and set(held.values) <= set(f.values))
        for f in plan.filters
    )


def own_period(base: MetricIntent) -> TimeRange | None:
    """The period that the earlier turn named, or None."""
    silent = any(d.key == "time_range" for d in base.defaults_used)
    window = base.time_range
    return None if silent or window is None or (window.start is None and window.end is None) else window


def counted_from(part: Part, base: MetricIntent, calendar: Calendar) -> Part | Dead:
    """ "previous month" after a turn about one month is the month before that one; Dead where that is not exact."""
    held = own_period(base)
    if not isinstance(part, When) or held is None:
        return part
    reading = part.reading
    if reading.range.start is None or reading.range.end is None or not _BACK.match(reading.range.expr):
        return _one_sided(part, held)
    if reading.range.end == held.start and not reading.asks:
        return part
    one = _ONE_BACK.fullmatch(reading.range.expr)
    start = unit_before(held, one.group(1), calendar) if one else None
    if start is None or held.start is None:
        return COUNTS_BACK
    window = TimeRange(start=start, end=held.start, expr=f"{one.group(1) if one else ''}_of_{start.isoformat()}")
    return When(reading=replace(reading, range=window, asks=(), why="", defaults=(), future=False))


def counting_back(candidate: Candidate, base: MetricIntent, calendar: Calendar) -> Candidate:
    """A question of its own, stopped where "previous month" could count from the earlier period or from today."""
    for part in (p for edge in candidate.edges for p in edge.meaning if isinstance(p, When)):
        if _BACK.match(part.reading.range.expr) and counted_from(part, base, calendar) != part:
            return replace(candidate, dead=candidate.dead or COUNTS_BACK)
    return candidate


def _one_sided(part: When, held: TimeRange) -> Part | Dead:
    """A period with one end, after one that has the other end, may move that one or stand alone."""
    window = part.reading.range
    ends = window.start is None and window.end is not None and held.start is not None
    opens = window.start is not None and held.start is None and window.expr.startswith(("since", "from", "after"))
    if not ends and not opens:
        return part
    return _ONE_END


def unit_before(held: TimeRange, unit: str, calendar: Calendar) -> date | None:
    """The first day of the unit before the window, when the window is exactly one such unit."""
    start, end = held.start, held.end
    if start is None or end is None:
        return None
    days = {"day": 1, "week": 7}.get(unit)
    if days is not None:
        whole = (end - start).days == days and first_day(start, TimeGranularity(unit), calendar) == start
        return start - timedelta(days=days) if whole else None
    months = {"month": 1, "quarter": 3, "year": 12}[unit]
    firsts = {(first - 1) % months for first in (1, calendar.fiscal.start_month)}
    if start.day != 1 or end != months_on(start, months) or (start.month - 1) % months not in firsts:
        return None
    return months_on(start, -months)


def months_on(day: date, months: int) -> date:
    """The first day of the month so many months after that of the day."""
    count = day.year * 12 + day.month - 1 + months
    return date(count // 12, count % 12 + 1, 1)
