"""A row's part of the whole, which is added up only where parts add up and counted anew where they do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from catalog.calculations import Derived, Share
from catalog.compiler.calculations.columns import derived_column
from catalog.compiler.calculations.lining import FILLED, Addition, Source, Value, over, own_groups
from catalog.compiler.calculations.numbers import quotient, when
from catalog.compiler.calculations.setting import Setting
from catalog.compiler.relation import MetricColumn, Parts
from catalog.compiler.sql import column
from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.labels import plain

_WHOLE = "whole"


def share(setting: Setting, asked: Share) -> Addition:
    """The metric's value over the whole of all rows, or of those equal in `within`."""
    metric = setting.metric(asked.metric)
    within = setting.within(asked.within, "A share within groups")
    parts = _parts(setting, metric, within)
    if parts is Parts.COUNTED:
        return _of_counted(setting, metric, asked, within)
    whole = over(exp.Sum(this=column(FILLED, metric.name)), FILLED, within)
    return Addition(values=(_value(metric, whole, within, asked),), notes=_notes(metric))


def _parts(setting: Setting, metric: MetricColumn, within: Sequence[str]) -> Parts:
    times = [g.alias for g in setting.relation.groups if g.is_time]
    if metric.parts is Parts.NONE:
        message = f"{metric.column.label} has no parts that make up a whole, so it has no shares."
        raise stop(IssueCode.WRONG_TYPE, message, subject=metric.name)
    if metric.parts is Parts.AT_ONE_TIME and not set(times) <= set(within):
        message = f"{metric.column.label} does not add up over time; ask for the share within each period."
        raise stop(IssueCode.WRONG_TYPE, message, subject=metric.name, choices=tuple(times))
    return metric.parts


def _of_counted(setting: Setting, metric: MetricColumn, asked: Share, within: Sequence[str]) -> Addition:
    """The whole from the rows themselves: ten customers of two regions each are ten, not twenty."""
    table = f"{_WHOLE}_{metric.name}"
    kept = tuple(
        given
        for given, group in zip(setting.spec.group_by, setting.relation.groups, strict=False)
        if group.alias in within
    )
    spec = replace(setting.spec, metrics=(metric.name,), group_by=kept, identify_by=())
    relation = setting.other(f"{table}_", spec)
    aliases = tuple(g.alias for g in relation.groups)
    source = Source(
        suffix=_WHOLE, table=table, groups=own_groups(table, aliases), metrics=(metric.name,), spread=aliases
    )
    value = _value(metric, column(FILLED, source.column(metric.name)), within, asked)
    overlap = f"One may count in several groups, so the shares of {metric.column.label} may add up to more than 100%."
    return Addition(
        queries=(*relation.queries, (table, relation.rows)),
        sources=(source,),
        values=(value,),
        tables=relation.tables,
        notes=(*_notes(metric), overlap),
    )


def _value(metric: MetricColumn, whole: exp.Expr, within: Sequence[str], asked: Share) -> Value:
    part = column(FILLED, metric.name)
    least = over(exp.Min(this=part.copy()), FILLED, within)
    positive = exp.GTE(this=least, expression=exp.Literal.number(0))
    words = "share of " + (" and ".join(plain(w).lower() for w in asked.within) if asked.within else "total")
    return Value(
        column=derived_column(metric.column, Derived.SHARE, words=words), value=when(positive, quotient(part, whole))
    )


def _notes(metric: MetricColumn) -> tuple[str, ...]:
    return (f"The share of {metric.column.label} is empty where the whole is 0 or has a negative part.",)
