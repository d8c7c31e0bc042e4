"""The sum up to each period, also where a period has no rows."""

from __future__ import annotations

from sqlglot import exp

from catalog.calculations import Derived, RunningTotal
from catalog.compiler.calculations.columns import derived_column
from catalog.compiler.calculations.lining import FILLED, Addition, Value
from catalog.compiler.calculations.numbers import is_not_null, when
from catalog.compiler.calculations.setting import Setting, Timeline
from catalog.compiler.calculations.span import period_start
from catalog.compiler.relation import Parts
from catalog.compiler.sql import column
from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.types import TimeGranularity

_SIZES = tuple(TimeGranularity)


def running_total(setting: Setting, asked: RunningTotal) -> Addition:
    """The metric added up along the timeline, for each of the other groups, anew with each `restart`."""
    metric = setting.metric(asked.metric)
    if metric.parts is not Parts.ADD_UP:
        message = f"The values of {metric.column.label} by period do not add up, so it has no running total."
        raise stop(IssueCode.WRONG_TYPE, message, subject=metric.name)
    timeline = setting.timeline("A running total")
    period = column(FILLED, timeline.alias)
    partition: list[exp.Expr] = [column(FILLED, a) for a in timeline.others]
    if asked.restart is not None:
        _check(setting, asked.restart, timeline)
        partition.append(period_start(setting, asked.restart, period))
    total = exp.Window(
        this=exp.Sum(this=column(FILLED, metric.name)),
        partition_by=partition or None,
        order=exp.Order(expressions=[exp.Ordered(this=period, nulls_first=False)]),
        spec=exp.WindowSpec(kind="ROWS", start="UNBOUNDED", start_side="PRECEDING", end="CURRENT ROW"),
    )
    anew = f", anew with each {asked.restart}" if asked.restart else ""
    words = f"running total{f' by {asked.restart}' if asked.restart else ''}"
    value = Value(
        column=derived_column(metric.column, Derived.RUNNING_TOTAL, words=words),
        value=when(is_not_null(period), total),
    )
    note = f"The running total of {metric.column.label} starts with the first period shown{anew}."
    return Addition(values=(value,), notes=(note,))


def _check(setting: Setting, restart: TimeGranularity, timeline: Timeline) -> None:
    """A period that would begin in one restart and end in the next is refused."""
    grain, calendar = timeline.grain, setting.relation.calendar
    odd_quarters = calendar.quarter_basis == "fiscal" and (calendar.fiscal.start_month - 1) % 3 != 0
    crosses = grain is TimeGranularity.WEEK or (grain is TimeGranularity.QUARTER and odd_quarters)
    if _SIZES.index(restart) <= _SIZES.index(grain) or crosses:
        message = f"A running total by {grain} cannot start anew with each {restart}."
        raise stop(IssueCode.UNSUPPORTED, message, subject=str(restart))
