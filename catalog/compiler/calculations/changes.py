"""How a value changed against another: in its unit, in percent, in points, as a multiple."""

from __future__ import annotations

from sqlglot import exp

from catalog.calculations import Change, Derived, derived_name
from catalog.compiler.calculations.columns import derived_column
from catalog.compiler.calculations.lining import FILLED, Value
from catalog.compiler.calculations.numbers import minus, quotient, rounded
from catalog.compiler.calculations.setting import Setting
from catalog.compiler.relation import MetricColumn, Missing
from catalog.compiler.sql import column
from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.types import MetricFormat

_DERIVED = {
    Change.DIFFERENCE: Derived.DIFFERENCE,
    Change.PERCENT: Derived.PERCENT_CHANGE,
    Change.POINTS: Derived.POINTS,
    Change.RATIO: Derived.RATIO,
}


def changes(
    setting: Setting, asked: tuple[Change, ...], other: Derived, *, words: str = ""
) -> tuple[tuple[Value, ...], tuple[str, ...]]:
    """For each metric the other value (column `other` of the filled rows) and each change, with what is to be said."""
    values: list[Value] = []
    notes: list[str] = []
    for metric in setting.relation.metrics:
        visible = metric.name in setting.visible
        kinds = tuple(dict.fromkeys(_kind(metric, change) for change in asked))
        beside = column(FILLED, derived_name(metric.name, other))
        values.append(Value(column=derived_column(metric.column, other, words=words), value=beside, shown=visible))
        for derived in dict.fromkeys((*kinds, *_named(setting, metric))):
            value = _change(derived, column(FILLED, metric.name), beside)
            shown = visible and derived in kinds
            values.append(Value(column=derived_column(metric.column, derived), value=value, shown=shown))
            notes.extend(_notes(metric, derived))
    return tuple(values), tuple(notes)


def _kind(metric: MetricColumn, change: Change) -> Derived:
    """A percentage changes in points, whether points or a difference were asked for."""
    percent = metric.column.format is MetricFormat.PERCENT
    if change is Change.POINTS and not percent:
        message = f"{metric.column.label} is no percentage, so it does not change in points; ask for the difference."
        raise stop(IssueCode.WRONG_TYPE, message, subject=metric.name)
    return Derived.POINTS if percent and change is Change.DIFFERENCE else _DERIVED[change]


def _named(setting: Setting, metric: MetricColumn) -> tuple[Derived, ...]:
    """Changes that a condition, an order or a rank speaks of."""
    percent = metric.column.format is MetricFormat.PERCENT
    able = [d for d in _DERIVED.values() if percent or d is not Derived.POINTS]
    return tuple(d for d in able if derived_name(metric.name, d) in setting.named)


def _change(derived: Derived, value: exp.Expr, other: exp.Expr) -> exp.Expr:
    if derived is Derived.DIFFERENCE:
        return minus(value, other)
    if derived is Derived.POINTS:
        return rounded(exp.Mul(this=minus(value, other), expression=exp.Literal.number(100)))
    if derived is Derived.RATIO:
        return quotient(value.copy(), other.copy())
    return quotient(minus(value, other), exp.Abs(this=other.copy()))


def _notes(metric: MetricColumn, derived: Derived) -> tuple[str, ...]:
    label = metric.column.label
    if derived is Derived.PERCENT_CHANGE:
        empty = f"The change of {label} in percent is empty where the other value is 0 or missing."
        if metric.column.format is MetricFormat.PERCENT:
            return (empty, f"{label} is a percentage; its change in percent is relative, not in points.")
        return (empty,)
    if derived is Derived.RATIO:
        return (f"{label} as a multiple is empty where the other value is 0 or missing.",)
    return ()


def missing_notes(setting: Setting, where: str) -> tuple[str, ...]:
    """What a group without rows counts as."""
    zero = [m.column.label for m in setting.relation.metrics if m.missing is not Missing.UNKNOWN]
    if not zero or not setting.relation.groups:
        return ()
    if setting.relation.keeps_gaps and setting.relation.timelines:
        return (f"A period without rows {where} is empty there: {', '.join(dict.fromkeys(zero))}.",)
    return (f"A group without rows {where} counts as 0 there: {', '.join(dict.fromkeys(zero))}.",)
