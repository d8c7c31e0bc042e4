"""Each period with those before it: calendar periods, also the ones without rows."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from catalog.calculations import Derived, MovingWindow, WindowKind
from catalog.compiler.calculations.columns import derived_column
from catalog.compiler.calculations.doubling import PERIODS
from catalog.compiler.calculations.lining import FILLED, LINED_UP, Addition, Source, Value, own_groups, read_from
from catalog.compiler.calculations.numbers import when
from catalog.compiler.calculations.setting import ASKED, Setting, Timeline
from catalog.compiler.calculations.span import is_needed, period_inside
from catalog.compiler.calculations.steps import earlier, one, times, widened_window
from catalog.compiler.recount import PERIOD, SINCE, Reach
from catalog.compiler.relation import MetricColumn, Parts
from catalog.compiler.sql import column, named
from catalog.compiler.stop import stop
from catalog.issues import IssueCode

_WIDE = "wide"
MAX_PERIODS = 1000
_KINDS = {
    WindowKind.AVERAGE: (Derived.MOVING_AVERAGE, exp.Avg, "average"),
    WindowKind.SUM: (Derived.MOVING_SUM, exp.Sum, "sum"),
    WindowKind.MINIMUM: (Derived.MOVING_MINIMUM, exp.Min, "lowest"),
    WindowKind.MAXIMUM: (Derived.MOVING_MAXIMUM, exp.Max, "highest"),
}


def moving_windows(setting: Setting, asked: tuple[MovingWindow, ...]) -> tuple[Addition, ...]:
    """All moving windows of one statement: those over the values of periods together, the others each by its rows."""
    timeline = setting.timeline("A moving window")
    for window in asked:
        _check(setting.metric(window.metric), window)
    pooled = tuple(w for w in asked if _is_pooled(setting.metric(w.metric), w))
    plain = tuple(w for w in asked if w not in pooled)
    over_values = (_over_values(setting, plain, timeline),) if plain else ()
    return (*over_values, *(_over_rows(setting, w, timeline) for w in pooled))


def _over_values(setting: Setting, asked: tuple[MovingWindow, ...], timeline: Timeline) -> Addition:
    """Windows over one relation that reaches back as far as the widest."""
    names = tuple(dict.fromkeys(w.metric for w in asked))
    wide = widened_window(setting.spec.time_range, one(timeline.grain), periods_before(asked))
    found, table = Addition(), ASKED
    if wide != setting.spec.time_range:
        table = _WIDE
        relation = setting.other(f"{_WIDE}_", replace(setting.spec, metrics=names, time_range=wide))
        found = Addition(queries=(*relation.queries, (_WIDE, relation.rows)), tables=relation.tables)
    source = _source(setting, timeline, suffix=_WIDE, table=table, metrics=names)
    values = tuple(_value(setting.metric(w.metric), w, source, timeline=timeline) for w in asked)
    notes = tuple(_note(setting.metric(w.metric), w, timeline) for w in asked)
    return replace(found, sources=(source,), values=values, notes=notes)


def _source(setting: Setting, timeline: Timeline, *, suffix: str, table: str, metrics: tuple[str, ...]) -> Source:
    return Source(
        suffix=suffix,
        table=table,
        groups=own_groups(table, setting.aliases),
        metrics=metrics,
        where=(is_needed(column(table, timeline.alias)),),
        inside=period_inside(column(LINED_UP, timeline.alias)),
        adds_up=True,
    )


def periods_before(asked: tuple[MovingWindow, ...]) -> int:
    """How many periods before the first shown one the windows need."""
    return max((w.periods for w in asked), default=1) - 1


def _check(metric: MetricColumn, asked: MovingWindow) -> None:
    if not 2 <= asked.periods <= MAX_PERIODS:
        message = f"A moving window takes from 2 to {MAX_PERIODS} periods."
        raise stop(IssueCode.WRONG_TYPE, message, subject=metric.name)
    sums = asked.kind is WindowKind.SUM and metric.parts is not Parts.ADD_UP
    averages = asked.kind is WindowKind.AVERAGE and metric.parts is Parts.NONE
    if (sums or averages) and not _is_pooled(metric, asked):
        message = (
            f"The values of {metric.column.label} by period have no meaningful {asked.kind}; ask by a longer period."
        )
        raise stop(IssueCode.WRONG_TYPE, message, subject=metric.name)


def _is_pooled(metric: MetricColumn, asked: MovingWindow) -> bool:
    """Whether the window is one longer period: the distinct count, or the average, of all its rows together."""
    counted = asked.kind is WindowKind.SUM and metric.parts is Parts.COUNTED
    averaged = asked.kind is WindowKind.AVERAGE and metric.parts is Parts.NONE
    return metric.recounts and (counted or averaged)


def _over_rows(setting: Setting, asked: MovingWindow, timeline: Timeline) -> Addition:
    """The metric over all rows of the window's periods: no sum or mean of their values would be that."""
    metric, table = setting.metric(asked.metric), f"pooled_{asked.kind}_{asked.metric}"
    reach = Reach(alias=timeline.alias, table=f"{table}_periods", begins=True)
    period, step = column(PERIODS, PERIOD), one(timeline.grain)
    since = earlier(period, times(step, asked.periods - 1))
    periods = read_from(PERIODS).select(named(period, PERIOD), named(since, SINCE), copy=False)
    window = widened_window(setting.spec.time_range, step, asked.periods - 1)
    relation = setting.other(f"{table}_", replace(setting.spec, metrics=(metric.name,), time_range=window), reach)
    source = _source(setting, timeline, suffix=f"pooled_{asked.kind}", table=table, metrics=(metric.name,))
    derived, _, word = _KINDS[asked.kind]
    value = when(_goes_back(timeline, asked), column(FILLED, source.column(metric.name)))
    words = f"{word} of {asked.periods} {timeline.grain}s"
    return Addition(
        queries=((reach.table, periods), *relation.queries, (table, relation.rows)),
        sources=(source,),
        values=(Value(column=derived_column(metric.column, derived, words=words), value=value),),
        tables=relation.tables,
        notes=(_note(metric, asked, timeline), _pooled_note(metric, asked, timeline)),
    )


def _pooled_note(metric: MetricColumn, asked: MovingWindow, timeline: Timeline) -> str:
    label, several = metric.column.label, f"{asked.periods} {timeline.grain}s"
    if metric.parts is Parts.COUNTED:
        return f"The moving {asked.kind} of {label} counts each once in its {several}."
    return f"The moving {asked.kind} of {label} is worked out from all rows of its {several} together."


def _value(metric: MetricColumn, asked: MovingWindow, source: Source, *, timeline: Timeline) -> Value:
    derived, function, word = _KINDS[asked.kind]
    value = column(FILLED, source.column(metric.name))
    needs_all = asked.kind in {WindowKind.AVERAGE, WindowKind.SUM}
    counted = exp.Count(this=value.copy() if needs_all else exp.Star())
    whole = exp.EQ(this=_over(counted, timeline, asked.periods), expression=exp.Literal.number(asked.periods))
    complete = exp.and_(_goes_back(timeline, asked), whole)
    words = f"{word} of {asked.periods} {timeline.grain}s"
    return Value(
        column=derived_column(metric.column, derived, words=words),
        value=when(complete, _over(function(this=value), timeline, asked.periods)),
    )


def _goes_back(timeline: Timeline, asked: MovingWindow) -> exp.Expr:
    """Whether the data go back to the first period of the window."""
    period = column(FILLED, timeline.alias)
    first = _over(exp.Min(this=period), timeline, asked.periods)
    return exp.EQ(this=first, expression=earlier(period, times(one(timeline.grain), asked.periods - 1)))


def _over(value: exp.Expr, timeline: Timeline, periods: int) -> exp.Window:
    return exp.Window(
        this=value,
        partition_by=[column(FILLED, a) for a in timeline.others] or None,
        order=exp.Order(expressions=[exp.Ordered(this=column(FILLED, timeline.alias), nulls_first=False)]),
        spec=exp.WindowSpec(
            kind="ROWS", start=exp.Literal.number(periods - 1), start_side="PRECEDING", end="CURRENT ROW"
        ),
    )


def _note(metric: MetricColumn, asked: MovingWindow, timeline: Timeline) -> str:
    grain = timeline.grain
    return (
        f"The moving {asked.kind} of {metric.column.label} is over {asked.periods} {grain}s, "
        f"the {grain} itself and those before it, and empty until the data go back that far."
    )
