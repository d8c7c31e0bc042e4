"""How far the data reach, which periods of that are shown, and the calendar of those periods without gaps."""

from __future__ import annotations

from datetime import timedelta

from sqlglot import exp

from catalog.compiler.calculations.lining import LINED_UP, read_from
from catalog.compiler.calculations.setting import ASKED, Setting, Timeline
from catalog.compiler.calculations.steps import earlier, holds_days, one, times, typed
from catalog.compiler.relation import Queries
from catalog.compiler.sql import cast, column, named, select_from, subquery
from catalog.compiler.time import bucket
from catalog.compiler.timelines import FIRST_MOMENT, LAST_MOMENT
from catalog.query import TimeRange
from catalog.types import Dimension, DimensionType, TimeGranularity

_REACH, _ENDS, SPAN = "reach", "ends", "span"
_FIRST, _LAST = "first_period", "last_period"
FIRST_NEEDED, _FIRST_SHOWN, LAST_SHOWN = "first_needed", "first_shown", "last_shown"
PERIOD = "period"


def reach_queries(setting: Setting, timeline: Timeline | None, before: int) -> Queries:
    """The first and last moment of the data; for a timeline, its first and last period, of all data and of those shown.

    `before` is how many periods before the shown ones are needed, as far as there are data.
    """
    if timeline is None:
        return ((_REACH, _reach(setting)),) if setting.relation.spans else ()
    return (_REACH, _reach(setting, timeline)), (SPAN, _span(setting, timeline, before))


def _reach(setting: Setting, timeline: Timeline | None = None) -> exp.Select:
    spans = list(setting.relation.spans)
    if not spans and timeline is not None:
        period = column(ASKED, timeline.alias)
        ends = (named(exp.Min(this=period), FIRST_MOMENT), named(exp.Max(this=period.copy()), LAST_MOMENT))
        return read_from(ASKED).select(*ends, copy=False)
    if len(spans) == 1:
        return spans[0]
    whole: exp.Query = spans[0]
    for span in spans[1:]:
        whole = exp.Union(this=whole, expression=span, distinct=False)
    ends = (
        named(exp.Min(this=column(_ENDS, FIRST_MOMENT)), FIRST_MOMENT),
        named(exp.Max(this=column(_ENDS, LAST_MOMENT)), LAST_MOMENT),
    )
    return select_from(subquery(whole, _ENDS)).select(*ends, copy=False)


def _span(setting: Setting, timeline: Timeline, before: int) -> exp.Select:
    """Data and window together: a period is shown from the later of their starts to the earlier of their ends."""
    first = period_start(setting, timeline.grain, column(_REACH, FIRST_MOMENT))
    last = period_start(setting, timeline.grain, column(_REACH, LAST_MOMENT))
    shown_first, shown_last = first.copy(), last.copy()
    window = setting.spec.time_range
    if window is not None and window.start is not None:
        bound = period_start(setting, timeline.grain, _moment(setting.bindings.bind(window.start)))
        shown_first = exp.Greatest(this=shown_first, expressions=[bound], ignore_nulls=True)
    if window is not None and window.end is not None:
        bound = period_start(setting, timeline.grain, _last_of(setting, window, timeline.grain))
        shown_last = exp.Least(this=shown_last, expressions=[bound], ignore_nulls=True)
    needed = shown_first.copy()
    if before:
        back = earlier(needed, times(one(timeline.grain), before))
        needed = exp.Greatest(this=first.copy(), expressions=[back], ignore_nulls=True)
    ends = {_FIRST: first, _LAST: last, FIRST_NEEDED: needed, _FIRST_SHOWN: shown_first, LAST_SHOWN: shown_last}
    return read_from(_REACH).select(*(named(v, n) for n, v in ends.items()), copy=False)


def _last_of(setting: Setting, window: TimeRange, grain: TimeGranularity) -> exp.Expr:
    """A moment in the last period before the window's end."""
    if window.end is None:
        return exp.null()
    if holds_days(grain):
        return _moment(setting.bindings.bind(window.end - timedelta(days=1)))
    return earlier(_moment(setting.bindings.bind(window.end)), one(grain))


def period_start(setting: Setting, grain: TimeGranularity, moment: exp.Expr) -> exp.Expr:
    """The start of the period of `grain` in which a moment lies, as the workspace's calendar has it."""
    plain = Dimension(name=PERIOD, type=DimensionType.TIME, expr=PERIOD, granularity=grain)
    start = bucket(moment, plain, grain, setting.relation.calendar)
    return start if holds_days(grain) else typed(start, grain)


def _moment(value: exp.Expr) -> exp.Expr:
    return cast(value, exp.DType.TIMESTAMP)


# -- tests ---------------------------------------------------------------------------------


def _end(name: str, table: str = SPAN) -> exp.Subquery:
    return exp.Subquery(this=read_from(table).select(column(table, name), copy=False))


def period_inside(period: exp.Expr) -> exp.Expr:
    """Whether there are data of the time: from the first period of the data to the last."""
    return exp.Between(this=period.copy(), low=_end(_FIRST), high=_end(_LAST))


def window_inside(setting: Setting, window: TimeRange | None, flag: str) -> exp.Expr | None:
    """Whether the window and the data have any time in common; else, whether any group has rows (`flag`)."""
    if not setting.fills:
        return None
    if not setting.relation.spans:
        some = exp.Window(this=exp.Max(this=column(LINED_UP, flag)))
        return exp.EQ(this=some, expression=exp.Literal.number(1))
    tests: list[exp.Expr] = []
    if window is not None and window.start is not None:
        tests.append(exp.GTE(this=_end(LAST_MOMENT, _REACH), expression=_moment(setting.bindings.bind(window.start))))
    if window is not None and window.end is not None:
        tests.append(exp.LT(this=_end(FIRST_MOMENT, _REACH), expression=_moment(setting.bindings.bind(window.end))))
    return exp.and_(*tests) if tests else exp.true()


def inside_of(setting: Setting, flag: str) -> exp.Expr | None:
    """Whether a row's time, its period or else the asked window, lies within the data."""
    if len(setting.relation.timelines) == 1:
        return period_inside(column(LINED_UP, setting.relation.timelines[0]))
    return window_inside(setting, setting.spec.time_range, flag)


def is_shown(period: exp.Expr) -> exp.Expr:
    """Whether the period is one of those shown."""
    return exp.Between(this=period.copy(), low=_end(_FIRST_SHOWN), high=_end(LAST_SHOWN))


def is_needed(period: exp.Expr) -> exp.Expr:
    """Whether the period is shown, or one before that a window reaches."""
    return exp.Between(this=period.copy(), low=_end(FIRST_NEEDED), high=_end(LAST_SHOWN))
