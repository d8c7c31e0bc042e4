"""What each period has come to so far, also where a period has no rows: added up, or counted anew from the rows."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from catalog.calculations import Derived, RunningTotal
from catalog.compiler.calculations.columns import derived_column
from catalog.compiler.calculations.doubling import PERIODS
from catalog.compiler.calculations.lining import FILLED, LINED_UP, Addition, Source, Value, own_groups, read_from
from catalog.compiler.calculations.numbers import is_not_null, when
from catalog.compiler.calculations.setting import Setting, Timeline
from catalog.compiler.calculations.span import period_inside
from catalog.compiler.calculations.steps import typed
from catalog.compiler.recount import PERIOD, SINCE, Reach
from catalog.compiler.relation import MetricColumn, Parts
from catalog.compiler.sql import column, named
from catalog.compiler.stop import stop
from catalog.compiler.time import period_start
from catalog.issues import IssueCode
from catalog.types import Calendar, TimeGranularity
from catalog.years import own_year, year_words

_SIZES = tuple(TimeGranularity)
_MONTHS_OF_QUARTER = 3


def running_total(setting: Setting, asked: RunningTotal) -> Addition:
    """The metric along the timeline up to each period, for each of the other groups, anew with each `restart`."""
    metric = setting.metric(asked.metric)
    if metric.parts is not Parts.ADD_UP and not metric.recounts:
        message = f"The values of {metric.column.label} by period do not add up, so it has no running total."
        raise stop(IssueCode.WRONG_TYPE, message, subject=metric.name)
    timeline = setting.timeline("A running total")
    if asked.restart is not None:
        _check(setting, asked, asked.restart, timeline)
    made = _added_up if metric.parts is Parts.ADD_UP else _counted_anew
    return made(setting, asked, metric, timeline=timeline)


def _added_up(setting: Setting, asked: RunningTotal, metric: MetricColumn, *, timeline: Timeline) -> Addition:
    period = column(FILLED, timeline.alias)
    partition: list[exp.Expr] = [column(FILLED, a) for a in timeline.others]
    if asked.restart is not None:
        partition.append(_begin(setting, asked, period, timeline))
    total = exp.Window(
        this=exp.Sum(this=column(FILLED, metric.name)),
        partition_by=partition or None,
        order=exp.Order(expressions=[exp.Ordered(this=period, nulls_first=False)]),
        spec=exp.WindowSpec(kind="ROWS", start="UNBOUNDED", start_side="PRECEDING", end="CURRENT ROW"),
    )
    note = f"The running total of {metric.column.label} starts with the first period shown{_anew(setting, asked)}."
    return Addition(values=(_value(setting, asked, metric, total, timeline=timeline),), notes=(note,))


def _counted_anew(setting: Setting, asked: RunningTotal, metric: MetricColumn, *, timeline: Timeline) -> Addition:
    """The metric over all rows from the first period shown on: no sum of periods would be that."""
    table = f"so_far_{metric.name}"
    reach = Reach(alias=timeline.alias, table=f"{table}_periods", begins=asked.restart is not None)
    period = column(PERIODS, PERIOD)
    periods = read_from(PERIODS).select(named(period, PERIOD), copy=False)
    if asked.restart is not None:
        periods = periods.select(named(_begin(setting, asked, period, timeline), SINCE), copy=False)
    relation = setting.other(f"{table}_", replace(setting.spec, metrics=(metric.name,)), reach)
    source = Source(
        suffix=Derived.RUNNING_TOTAL.value,
        table=table,
        groups=own_groups(table, setting.aliases),
        metrics=(metric.name,),
        inside=period_inside(column(LINED_UP, timeline.alias)),
        adds_up=True,
    )
    value = column(FILLED, source.column(metric.name))
    return Addition(
        queries=((reach.table, periods), *relation.queries, (table, relation.rows)),
        sources=(source,),
        values=(_value(setting, asked, metric, value, timeline=timeline),),
        tables=relation.tables,
        notes=(_recounted_note(setting, asked, metric),),
    )


def _recounted_note(setting: Setting, asked: RunningTotal, metric: MetricColumn) -> str:
    label, anew = metric.column.label, _anew(setting, asked)
    if metric.parts is Parts.COUNTED:
        return f"The running total of {label} counts each once since the first period shown{anew}; its periods overlap."
    return f"{label} so far is worked out from all rows since the first period shown{anew}, not from its periods."


def _value(
    setting: Setting, asked: RunningTotal, metric: MetricColumn, value: exp.Expr, *, timeline: Timeline
) -> Value:
    lead = "so far" if metric.parts is Parts.NONE else "running total"
    words = f"{lead} by {_called(setting, asked)}" if asked.restart else lead
    return Value(
        column=derived_column(metric.column, Derived.RUNNING_TOTAL, words=words),
        value=when(is_not_null(column(FILLED, timeline.alias)), value),
    )


# -- starting anew -------------------------------------------------------------------------


def _begin(setting: Setting, asked: RunningTotal, period: exp.Expr, timeline: Timeline) -> exp.Expr:
    """The start of the restart in which a period lies, as the workspace has its weeks, quarters and years."""
    restart, calendar = asked.restart or timeline.grain, setting.snapshot.calendar
    return typed(period_start(period, restart, calendar, fiscal=_is_fiscal(setting, asked)), timeline.grain)


def _is_fiscal(setting: Setting, asked: RunningTotal) -> bool:
    """Whether it begins with the fiscal year: as asked, or because that is the workspace's own year."""
    if asked.fiscal or asked.restart is not TimeGranularity.YEAR:
        return asked.fiscal
    first = own_year(setting.snapshot.calendar)
    if first is None:
        message = "The workspace has not set whether its years follow the calendar or the fiscal year."
        raise stop(IssueCode.UNSUPPORTED, message, subject="quarter_basis")
    return first != 1


def _called(setting: Setting, asked: RunningTotal) -> str:
    unit = asked.restart or TimeGranularity.YEAR
    return year_words(unit, setting.snapshot.calendar, fiscal=_is_fiscal(setting, asked))


def _anew(setting: Setting, asked: RunningTotal) -> str:
    return f", anew with each {_called(setting, asked)}" if asked.restart else ""


def _check(setting: Setting, asked: RunningTotal, restart: TimeGranularity, timeline: Timeline) -> None:
    """A period that would begin in one restart and end in the next is refused."""
    grain = timeline.grain
    crosses = grain is TimeGranularity.WEEK
    if grain is TimeGranularity.QUARTER and restart is TimeGranularity.YEAR:
        year = setting.snapshot.calendar.fiscal.start_month if _is_fiscal(setting, asked) else 1
        crosses = (year - _first_month_of_quarters(setting.relation.calendar)) % _MONTHS_OF_QUARTER != 0
    if _SIZES.index(restart) <= _SIZES.index(grain) or crosses:
        message = f"A running total by {grain} cannot start anew with each {_called(setting, asked)}."
        raise stop(IssueCode.UNSUPPORTED, message, subject=str(restart))


def _first_month_of_quarters(calendar: Calendar) -> int:
    return calendar.fiscal.start_month if calendar.quarter_basis == "fiscal" else 1
