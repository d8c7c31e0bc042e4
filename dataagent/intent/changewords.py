"""Changes and things under conditions, in words that the grammar reads back."""

from __future__ import annotations

from decimal import Decimal

from catalog.calculations import CHANGES, Derived, split_derived
from catalog.query import Direction, IntentKind, MetricCondition, MetricIntent
from catalog.surfaces import plural
from catalog.types import Operator, Scalar
from dataagent.intent.numbers import tidy, times
from dataagent.intent.view import shown

_BY = {Operator.GT: "by more than", Operator.LT: "by more than", Operator.GE: "by at least", Operator.LE: "by at least"}
_AT_ALL = {Operator.GT: "rose", Operator.LT: "fell", Operator.GE: "did not fall", Operator.LE: "did not rise"}


def is_change(column: str) -> bool:
    """Whether the column says how much a metric changed."""
    return split_derived(column)[1] in CHANGES


def ranked_change(intent: MetricIntent) -> str:
    """ "top 5 region by percentage increase in orders"; "" where the plan is no ranking by a change."""
    first = intent.order[0] if intent.order else None
    if first is None or not is_change(first.by):
        return ""
    metric, derived = split_derived(first.by)
    percent = "percentage " if derived is Derived.PERCENT_CHANGE else ""
    down = first.direction is Direction.ASC
    noun = "change" if not intent.having else "drop" if down else "increase"
    if not intent.limit or not intent.dimensions:
        return f"biggest {percent}{noun} in {shown(metric)}"
    sense = "bottom" if down and not intent.having else "top"
    count = "" if intent.kind is IntentKind.EXTREME else f" {intent.limit}"
    return f"{sense}{count} {shown(intent.dimensions[-1])} by {percent}{noun} in {shown(metric)}"


def moved_things(intent: MetricIntent) -> str:
    """ "region whose orders fell by more than 10%"; "" where nothing is picked out by its change."""
    changes = [c for c in intent.having if is_change(c.metric)]
    if len(changes) != 1 or len(changes) != len(intent.having) or intent.order or len(intent.dimensions) != 1:
        return ""
    return f"{shown(intent.dimensions[0])} whose {_moved(changes[0])}"


_THINGS = {IntentKind.ENTITY_LIST: "", IntentKind.ENTITY_COUNT: "how many ", IntentKind.EXISTS: "are there any "}


def named_things(intent: MetricIntent) -> str:
    """ "how many customers" before conditions; "" where the plan is not about things under conditions."""
    lead = _THINGS.get(intent.kind)
    if lead is None or intent.entity is None or not intent.having:
        return ""
    name = shown(intent.entity)
    return f"{lead}{plural(name) or name}"


def _moved(condition: MetricCondition) -> str:
    metric, derived = split_derived(condition.metric)
    value = condition.values[0]
    if value == 0 or condition.op not in _BY:
        return f"{shown(metric)} {_AT_ALL.get(condition.op, 'changed')}"
    verb = "rose" if condition.op in (Operator.GT, Operator.GE) else "fell"
    return f"{shown(metric)} {verb} {_BY[condition.op]} {_size(value, derived)}"


def _size(value: Scalar, derived: Derived | None) -> str:
    size = abs(Decimal(str(value)))
    if derived is Derived.PERCENT_CHANGE:
        return f"{tidy(times(size, 100))}%"
    return f"{tidy(size)}{' percentage points' if derived is Derived.POINTS else ''}"
