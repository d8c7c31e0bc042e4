"""A row's part of the whole, which is added up only where parts add up and counted anew where they do not.

Beside another period, each share stands beside its own earlier one: its part of the earlier whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sqlglot import exp

from catalog.calculations import Derived, PeriodComparison, Share, TimeRange, derived_name
from catalog.compiler.calculations.columns import derived_column
from catalog.compiler.calculations.lining import FILLED, Addition, Source, Value, over, own_groups
from catalog.compiler.calculations.numbers import minus, quotient, rounded, when
from catalog.compiler.calculations.setting import Setting
from catalog.compiler.relation import MetricColumn, Parts
from catalog.compiler.sql import column
from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.labels import plain
from catalog.query import ResultColumn

_WHOLE = "whole"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Whole:
    """What parts are divided by: an expression over the filled rows, and what the statement needs for it."""

    value: exp.Expr
    addition: Addition = field(default_factory=Addition)


def share(setting: Setting, asked: Share) -> Addition:
    """The metric's value over the whole of all rows, or of those equal in `within`; beside another period, in both."""
    metric = setting.metric(asked.metric)
    within = setting.within(asked.within, "A share within groups")
    parts = _parts(setting, metric, within)
    counted = parts is Parts.COUNTED
    now = _counted(setting, metric, within, _WHOLE) if counted else _added_up(metric.name, within)
    shown = derived_column(metric.column, Derived.SHARE, words=_words(setting, asked))
    values = [Value(column=shown, value=_part(metric.name, now.value, within))]
    additions = [now.addition]
    comparison = setting.spec.comparison
    if isinstance(comparison, PeriodComparison):
        then = _earlier_whole(setting, metric, within, window=comparison.window, counted=counted)
        additions.append(then.addition)
        values.extend(_beside(shown, values[0].value, _part(_previous(metric), then.value, within)))
    return Addition(
        queries=tuple(q for a in additions for q in a.queries),
        sources=tuple(s for a in additions for s in a.sources),
        values=tuple(values),
        tables=frozenset(t for a in additions for t in a.tables),
        notes=_notes(metric, counted=counted),
    )


def _parts(setting: Setting, metric: MetricColumn, within: Sequence[str]) -> Parts:
    times = [g.alias for g in setting.relation.groups if g.is_time]
    if metric.parts is Parts.NONE:
        message = f"{metric.column.label} has no parts that make up a whole, so it has no shares."
        raise stop(IssueCode.WRONG_TYPE, message, subject=metric.name)
    if metric.parts is Parts.AT_ONE_TIME and not set(times) <= set(within):
        message = f"{metric.column.label} does not add up over time; ask for the share within each period."
        raise stop(IssueCode.WRONG_TYPE, message, subject=metric.name, choices=tuple(times))
    return metric.parts


# -- wholes --------------------------------------------------------------------------------


def _added_up(value: str, within: Sequence[str]) -> _Whole:
    return _Whole(value=over(exp.Sum(this=column(FILLED, value)), FILLED, within))


def _earlier_whole(
    setting: Setting, metric: MetricColumn, within: Sequence[str], *, window: TimeRange | None, counted: bool
) -> _Whole:
    if not counted:
        return _added_up(_previous(metric), within)
    if window is None:
        message = (
            f"What {metric.column.label} counts can be in several groups, so its shares by period cannot be set "
            "beside earlier ones. Compare two periods, or ask without the comparison."
        )
        raise stop(IssueCode.UNSUPPORTED, message, subject=metric.name)
    earlier = replace(setting, spec=replace(setting.spec, time_range=window))
    return _counted(earlier, metric, within, f"{_WHOLE}_{Derived.PREVIOUS.value}")


def _counted(setting: Setting, metric: MetricColumn, within: Sequence[str], suffix: str) -> _Whole:
    """The whole from the rows themselves: ten customers of two regions each are ten, not twenty."""
    table = f"{suffix}_{metric.name}"
    kept = tuple(
        given
        for given, group in zip(setting.spec.group_by, setting.relation.groups, strict=False)
        if group.alias in within
    )
    spec = replace(setting.spec, metrics=(metric.name,), group_by=kept, identify_by=())
    relation = setting.other(f"{table}_", spec)
    aliases = tuple(g.alias for g in relation.groups)
    source = Source(
        suffix=suffix, table=table, groups=own_groups(table, aliases), metrics=(metric.name,), spread=aliases
    )
    addition = Addition(queries=(*relation.queries, (table, relation.rows)), sources=(source,), tables=relation.tables)
    return _Whole(value=column(FILLED, source.column(metric.name)), addition=addition)


# -- values --------------------------------------------------------------------------------


def _part(name: str, whole: exp.Expr, within: Sequence[str]) -> exp.Expr:
    """A column of the filled rows over its whole, empty where a part is negative."""
    part = column(FILLED, name)
    least = over(exp.Min(this=part.copy()), FILLED, within)
    return when(exp.GTE(this=least, expression=exp.Literal.number(0)), quotient(part, whole))


def _beside(shown: ResultColumn, now: exp.Expr, then: exp.Expr) -> tuple[Value, Value]:
    """The earlier share, and the change between both in points."""
    points = rounded(exp.Mul(this=minus(now, then), expression=exp.Literal.number(100)))
    return (
        Value(column=derived_column(shown, Derived.PREVIOUS), value=then),
        Value(column=derived_column(shown, Derived.POINTS), value=points),
    )


def _previous(metric: MetricColumn) -> str:
    return derived_name(metric.name, Derived.PREVIOUS)


def _words(setting: Setting, asked: Share) -> str:
    named = [setting.group(w, "A share within groups") for w in asked.within]
    words = [g.grain.value if g.is_time and g.grain else plain(g.reference.split("__")[-1]).lower() for g in named]
    return "share of " + (" and ".join(words) if words else "total")


def _notes(metric: MetricColumn, *, counted: bool) -> tuple[str, ...]:
    label = metric.column.label
    empty = f"The share of {label} is empty where the whole is 0 or has a negative part."
    return (empty, overlap_note(label)) if counted else (empty,)


def overlap_note(label: str) -> str:
    """What is said of shares of distinct things, as far as it is not known that each is in one group only."""
    return f"One may count in several groups, so the shares of {label} may add up to more than 100%."
