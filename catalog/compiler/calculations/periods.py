"""Each value beside that of another period, each period computed by the metric's own definition."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from catalog.calculations import Derived, PeriodComparison, TimeRange
from catalog.compiler.calculations.changes import changes, missing_notes
from catalog.compiler.calculations.lining import LINED_UP, Addition, Source, own_groups
from catalog.compiler.calculations.setting import ASKED, Setting, Timeline
from catalog.compiler.calculations.span import is_shown, period_inside, window_inside
from catalog.compiler.calculations.steps import Step, earlier, later, moved_window, same_day, step_of
from catalog.compiler.sql import column
from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.restate import range_text

_EARLIER = "earlier"


def compared_periods(setting: Setting, asked: PeriodComparison) -> Addition:
    """Each row beside that of the other period; groups that only the other period has are kept."""
    if setting.relation.timely:
        field = setting.relation.timely[0]
        message = f"{field} is bound to the asked period and would empty the other; give the period as the time range."
        raise stop(IssueCode.UNSUPPORTED, message, subject=field)
    values, notes = changes(setting, asked.changes, Derived.PREVIOUS)
    base = _beside_window(setting, asked.window) if asked.window is not None else _beside_earlier(setting, asked)
    return replace(base, values=values, notes=(*base.notes, *notes, *missing_notes(setting, "in one of the periods")))


def _beside_earlier(setting: Setting, asked: PeriodComparison) -> Addition:
    """The row one step earlier, from all data, also those before the asked window."""
    timeline = setting.timeline("A comparison with an earlier period")
    step = step_of(asked.back_count, asked.back_granularity or timeline.grain, timeline.grain)
    found, source = _relation(setting, moved_window(setting.spec.time_range, step))
    moved = later(column(source.table, timeline.alias), step)
    source = replace(
        source,
        groups=((timeline.alias, moved), *own_groups(source.table, timeline.others)),
        where=_counterparts(source.table, timeline, step),
        inside=_prior_inside(timeline, step),
    )
    return replace(found, sources=(source,), notes=(*found.notes, *step.notes))


def _counterparts(table: str, timeline: Timeline, step: Step) -> tuple[exp.Expr, ...]:
    """Earlier rows whose later period exists and is shown."""
    period = column(table, timeline.alias)
    moved = later(period, step)
    return (is_shown(moved), same_day(moved, period)) if step.may_lack else (is_shown(moved),)


def _prior_inside(timeline: Timeline, step: Step) -> exp.Expr:
    period = column(LINED_UP, timeline.alias)
    prior = earlier(period, step)
    inside = period_inside(prior)
    return exp.and_(inside, same_day(prior, period)) if step.may_lack else inside


def _beside_window(setting: Setting, window: TimeRange) -> Addition:
    if setting.relation.timelines:
        message = "By period, say how many periods to look back: another window has other periods."
        raise stop(IssueCode.UNSUPPORTED, message, subject=setting.relation.timelines[0])
    found, source = _relation(setting, window)
    inside = window_inside(setting, window, source.flag)
    said = f"Each value stands beside that of {range_text(window)}."
    return replace(found, sources=(replace(source, inside=inside),), notes=(*found.notes, said))


def _relation(setting: Setting, window: TimeRange | None) -> tuple[Addition, Source]:
    """The metrics over the window; where it is the asked one, the asked rows serve again."""
    metrics = tuple(m.name for m in setting.relation.metrics)
    source = Source(
        suffix=Derived.PREVIOUS.value,
        table=ASKED,
        groups=own_groups(ASKED, setting.aliases),
        metrics=metrics,
        keeps=True,
    )
    if window == setting.spec.time_range:
        return Addition(), source
    other = setting.other(f"{_EARLIER}_", replace(setting.spec, time_range=window))
    addition = Addition(queries=(*other.queries, (_EARLIER, other.rows)), tables=other.tables)
    return addition, replace(source, table=_EARLIER, groups=own_groups(_EARLIER, setting.aliases))
