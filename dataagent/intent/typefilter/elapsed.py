"""Comparisons of periods as a plan holds them: cut alike where one still runs, by period, moved along."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from catalog.calculated import against_all, cut_alike, earlier_of
from catalog.calculations import TimeRange
from catalog.periods import elapsed_end
from catalog.query import Default, MetricIntent
from catalog.restate import range_text
from catalog.types import CatalogSnapshot
from catalog.windows import cut_at, moved_along, same_part, whole_of, year_before
from dataagent.intent.candidate import Dead
from dataagent.intent.typefilter.pieces import Comparison, Setting

LIKE_FOR_LIKE = "partial_period"
"""The disclosure that a period that still runs stands against the same part of the other one."""
LOADED_UNTIL = "loaded_until"
"""The disclosure, and the check, of a period that is cut before its end because no more is loaded."""
BASE = "comparison_base"
"""The disclosure of a period compared with that nobody named."""
_TOLD = Default(
    key=LIKE_FOR_LIKE,
    value="compared_like_for_like",
    text="The running period is compared with the same part of the earlier one.",
)
_MOVED = Dead(
    code="unsupported",
    words=(),
    message="It is not clear which period this is compared with now. Name both periods.",
)


def elapsed_until(window: TimeRange | None, setting: Setting) -> date:
    """The first day that a running period does not hold yet; of one that begins today, the day after."""
    begins = window is not None and window.start == setting.today
    return setting.today + timedelta(days=1) if begins else elapsed_end(setting.snapshot.calendar, setting.today)


def cut_where_running(plan: MetricIntent, setting: Setting) -> MetricIntent:
    """The plan with both periods of a comparison cut alike where the asked one still runs, and that told."""
    if plan.comparison is None or plan.comparison.type == "values" or plan.time_range is None:
        return plan
    cut = cut_alike(plan, elapsed_until(plan.time_range, setting))
    kept = tuple(d for d in cut.defaults_used if d.key != LIKE_FOR_LIKE)
    alike = cut.time_range is not None and cut.time_range.whole_end is not None and not against_all(cut)
    return replace(cut, defaults_used=(*kept, _TOLD) if alike else kept)


def as_asked(plan: MetricIntent, setting: Setting) -> MetricIntent:
    """An earlier turn's plan as it was before its periods were cut at what was loaded then."""
    kept = tuple(d for d in plan.defaults_used if d.key != LOADED_UNTIL)
    given, window = plan.comparison, plan.time_range
    if kept == plan.defaults_used or given is None or window is None:
        return plan
    whole = whole_of(window)
    asked = cut_at(whole, elapsed_until(whole, setting))
    other = given.range
    if other is not None and not against_all(plan):
        other = same_part(asked, whole_of(other), by_dates=plan.grain is not None)
    return replace(plan, time_range=asked, comparison=replace(given, range=other), defaults_used=kept)


def compared_after(before: MetricIntent, after: MetricIntent, setting: Setting) -> MetricIntent | Dead:
    """A follow-up's plan whose comparison goes with what the words changed: its periods, or the size of those shown."""
    if before.grain is None and after.grain is not None and after.comparison == before.comparison:
        after = _side_by_side(after, setting.snapshot)
    moved = _moved_along(before, after)
    return moved if isinstance(moved, Dead) else cut_where_running(moved, setting)


def _side_by_side(plan: MetricIntent, snapshot: CatalogSnapshot) -> MetricIntent:
    """A comparison of two periods as one that a series keeps: each of its periods beside its counterpart."""
    given, found = plan.comparison, earlier_of(replace(plan, grain=None), snapshot)
    window = plan.time_range
    if given is None or found is None or window is None or given.type != "previous_period":
        return plan
    ago = year_before(window, snapshot.calendar)
    if ago is not None and same_days(ago.window, found.window):
        return replace(plan, comparison=Comparison(type="year_ago", calc=given.calc))
    other = same_part(window, found.whole or found.window, by_dates=True)
    return replace(plan, comparison=Comparison(type="custom", calc=given.calc, range=other))


def _moved_along(before: MetricIntent, after: MetricIntent) -> MetricIntent | Dead:
    """The plan with the other period moved along as far as the asked one was; Dead where that is not exact."""
    given, old, new = before.comparison, before.time_range, after.time_range
    if given is None or given.range is None or after.comparison != given or old is None or new is None:
        return after
    if whole_of(old) == whole_of(new):
        return after
    moved = moved_along(whole_of(old), whole_of(given.range), whole_of(new))
    if moved is None:
        return _MOVED
    if not against_all(before):
        moved = same_part(new, moved, by_dates=after.grain is not None)
    text = f"The period compared with moved along: {range_text(moved)}."
    told = Default(key=BASE, value="moved_along", text=text)
    kept = tuple(d for d in after.defaults_used if d.key != BASE)
    return replace(after, comparison=replace(given, range=moved), defaults_used=(*kept, told))


def same_days(first: TimeRange, second: TimeRange) -> bool:
    """Whether the windows begin and end on the same days."""
    return (first.start, first.end) == (second.start, second.end)
