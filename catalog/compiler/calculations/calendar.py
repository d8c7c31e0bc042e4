"""The periods without gaps beside the members that occur: where a sum has to go on without rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from catalog.calculations import MovingWindow, PeriodComparison, RunningTotal
from catalog.compiler.calculations.doubling import PERIODS, periods_queries
from catalog.compiler.calculations.lining import Source, cross, members, own_groups, read_from
from catalog.compiler.calculations.moving import periods_before
from catalog.compiler.calculations.setting import Setting, Timeline
from catalog.compiler.calculations.span import PERIOD, is_shown
from catalog.compiler.calculations.steps import holds_days
from catalog.compiler.relation import Queries
from catalog.compiler.sql import column, named

_MEMBERS, _CALENDAR = "members", "calendar"


def needs_calendar(setting: Setting) -> bool:
    """Whether periods without rows belong to the result: sums over periods, and one series beside another."""
    if any(isinstance(c, RunningTotal | MovingWindow) for c in setting.spec.calculations):
        return True
    comparison = setting.spec.comparison
    alone = isinstance(comparison, PeriodComparison) and comparison.window is None and len(setting.aliases) == 1
    return alone and _is_countable(setting)


def _is_countable(setting: Setting) -> bool:
    """Whether the periods are few enough to be listed: whole days, or hours and less of a bounded time."""
    window = setting.spec.time_range
    bounded = window is not None and window.start is not None and window.end is not None
    return bounded or all(g.grain is None or holds_days(g.grain) for g in setting.relation.groups)


def listed_periods(setting: Setting, timeline: Timeline) -> Queries:
    """The queries whose last one lists every period, those that only windows need included."""
    return periods_queries(timeline, setting.spec.time_range, periods_needed_before(setting))


def calendar(setting: Setting, timeline: Timeline, sources: Sequence[Source]) -> tuple[Queries, tuple[Source, ...]]:
    """The queries of the calendar, which reads the listed periods, and its rows as sources.

    The sources are the shown periods, and those that only windows need.
    """
    queries: list[tuple[str, exp.Query]] = []
    rows = read_from(PERIODS).select(named(column(PERIODS, PERIOD), timeline.alias), copy=False)
    if timeline.others:
        known = [s for s in sources if s.spread is None]
        queries.append((_MEMBERS, members(known, timeline.others)))
        others = [column(_MEMBERS, a) for a in timeline.others]
        rows = cross(rows.select(*others, copy=False), _MEMBERS)
    queries.append((_CALENDAR, rows))
    return tuple(queries), _calendar_sources(setting, timeline)


def periods_needed_before(setting: Setting) -> int:
    """How many periods before the shown ones the moving windows reach."""
    return periods_before(tuple(c for c in setting.spec.calculations if isinstance(c, MovingWindow)))


def _calendar_sources(setting: Setting, timeline: Timeline) -> tuple[Source, ...]:
    groups = own_groups(_CALENDAR, setting.aliases)
    every = Source(suffix=_CALENDAR, table=_CALENDAR, groups=groups, keeps=True)
    if not periods_needed_before(setting):
        return (every,)
    shown = is_shown(column(_CALENDAR, timeline.alias))
    before = Source(suffix=f"{_CALENDAR}_before", table=_CALENDAR, groups=groups, where=(exp.not_(shown),))
    return replace(every, where=(shown.copy(),)), before
