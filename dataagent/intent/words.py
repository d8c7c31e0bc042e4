"""A plan in plain English that the grammar reads back: for options, restatements and suggestions."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from catalog.calculated import ASKED_DIRECTION, against_all
from catalog.calculations import AVERAGE_PER, MEDIAN_PER
from catalog.query import Direction, IntentKind, MetricIntent, TimeRange
from catalog.shared import is_of_all
from catalog.specs import SOME
from catalog.types import CatalogSnapshot, DimensionType, Filter, MetricFormat, Operator, Scalar
from catalog.windows import whole_months, whole_of
from dataagent.intent.changewords import is_change, moved_things, named_things, ranked_change
from dataagent.intent.numbers import tidy, times
from dataagent.intent.timewords import MONTHS, TO_DATE
from dataagent.intent.view import metric_of, shown, type_of

_COMPARE = {
    Operator.GT: "more than",
    Operator.GE: "at least",
    Operator.LT: "less than",
    Operator.LE: "at most",
    Operator.EQ: "exactly",
}
_PER = {AVERAGE_PER: "average", MEDIAN_PER: "median"}
_UNIT = {"previous_period": "the previous period", "year_ago": "the same period last year"}


def phrase_of(intent: MetricIntent, snapshot: CatalogSnapshot) -> str:
    """The plan as one phrase."""
    pieces = [
        _head(intent),
        _groups(intent),
        *(_filter(f, snapshot) for f in intent.filters),
        *(_having(c.metric, c.op, c.values, snapshot) for c in intent.having if not is_change(c.metric)),
        _grain(intent),
        _time(intent.time_range),
        _comparison(intent),
    ]
    return " ".join(p for p in pieces if p)


def _head(intent: MetricIntent) -> str:
    names = " and ".join(shown(m) for m in intent.metrics) or "records"
    if intent.comparison and intent.comparison.type == "values" and intent.comparison.values:
        return f"compare {' and '.join(intent.comparison.values)} on {names}"
    changed = ranked_change(intent) or moved_things(intent) or named_things(intent)
    if changed:
        return changed
    if intent.kind is IntentKind.CONTRIBUTION:
        way = next((str(v) for t in intent.transforms for k, v in t.arguments if k == "direction"), "change")
        return f"why did {names} {way}"
    asked = next((value for name, value in intent.notes if name == ASKED_DIRECTION), "")
    if intent.kind is IntentKind.BOOLEAN and asked:
        return f"did {names} {'rise' if asked == 'up' else 'fall'}"
    calculated = _calculated(intent, names)
    if calculated:
        return calculated
    if intent.order and intent.limit and intent.dimensions:
        sense = "top" if intent.order[0].direction is Direction.DESC else "bottom"
        ranked = [shown(d) for d in intent.dimensions if d != intent.per_group]
        pairs = "combinations of " if len(ranked) > 1 else ""
        return f"{sense} {intent.limit} {pairs}{' and '.join(ranked)} by {names}"
    return names


def _each(given: dict[str, Scalar]) -> str:
    """What each figure is of that something is taken over."""
    return str(given.get("entity") or given.get("dimension") or given.get("grain"))


def _calculated(intent: MetricIntent, names: str) -> str:
    """What is calculated from the named metrics; "" for the figures as they are."""
    for transform in intent.transforms:
        given = dict(transform.arguments)
        if transform.type in _PER:
            return f"{_PER[transform.type]} {names} per {shown(_each(given))}"
        if transform.type == "share_of_total":
            return f"share of {'all ' if is_of_all(intent) else ''}{names}"
        if transform.type == "running_total":
            return f"running total of {names}"
        if transform.type == "ratio":
            return f"{shown(intent.metrics[0])} / {shown(intent.metrics[1])}"
    return ""


def _groups(intent: MetricIntent) -> str:
    named = () if moved_things(intent) else intent.dimensions
    if intent.comparison and intent.comparison.type == "values":
        named = tuple(d for d in named if d != intent.comparison.field)
    if named and any(name == SOME for name, _ in intent.notes):
        return f"in any {shown(named[0])}"
    if intent.order and intent.limit and named:
        return f"per {shown(intent.per_group)}" if intent.per_group else ""
    return f"by {' and '.join(shown(d) for d in named)}" if named else ""


def _grain(intent: MetricIntent) -> str:
    return f"by {intent.grain.value}" if intent.grain else ""


def _filter(condition: Filter, snapshot: CatalogSnapshot) -> str:
    name = shown(condition.field)
    if type_of(snapshot, condition.field) is DimensionType.BOOLEAN:
        yes = condition.values == (True,)
        return f"with {name.removeprefix('is ')}" if yes else f"without {name.removeprefix('is ')}"
    if condition.op in {Operator.EQ, Operator.IN, Operator.NE, Operator.NOT_IN}:
        denied = condition.op in {Operator.NE, Operator.NOT_IN}
        return f"{'excluding' if denied else 'with'} {name} {' and '.join(_value(v) for v in condition.values)}"
    if condition.op in {Operator.IS_NULL, Operator.IS_NOT_NULL}:
        return f"{'without' if condition.op is Operator.IS_NULL else 'with'} a {name}"
    return f"where {name} {_limits(condition.op, condition.values)}"


def _having(metric: str, op: Operator, values: tuple[Scalar, ...], snapshot: CatalogSnapshot) -> str:
    if op is Operator.EQ and values == (0,):
        return f"with no {shown(metric)}"
    found = metric_of(snapshot, metric)
    percent = found is not None and found.format is MetricFormat.PERCENT
    scaled = tuple(f"{tidy(times(Decimal(str(v)), 100))}%" if percent else v for v in values)
    return f"with {shown(metric)} {_limits(op, scaled)}"


def _limits(op: Operator, values: tuple[Scalar, ...]) -> str:
    if op is Operator.BETWEEN:
        return f"between {_value(values[0])} and {_value(values[1])}"
    return f"{_COMPARE.get(op, op.value)} {_value(values[0])}"


def _value(value: Scalar) -> str:
    return str(value)


def _comparison(intent: MetricIntent) -> str:
    implied = intent.kind is IntentKind.CONTRIBUTION
    if intent.comparison is None or intent.comparison.type == "values" or implied:
        return ""
    if intent.comparison.range is not None and against_all(intent):
        return f"compared with all days {period_words(intent.comparison.range)}"
    if intent.comparison.range is not None:
        return f"compared with {period_words(intent.comparison.range)}"
    return f"compared with {_UNIT.get(intent.comparison.type, 'an earlier period')}"


def _time(window: TimeRange | None) -> str:
    if window is None or (window.start is None and window.end is None):
        return ""
    if window.whole_end is None:
        return period_words(window)
    unit, whole = TO_DATE.get(window.expr), whole_of(window)
    if unit is None and whole_months(whole) == 1 and whole.start is not None:
        return f"in {MONTHS[whole.start.month - 1].capitalize()} {whole.start.year}"
    return f"{unit} to date" if unit else window.expr.replace("_", " ")


def unit_of(window: TimeRange) -> str:
    """The unit of which the window is exactly one ("month"), "" where it is none."""
    start, end = window.start, window.end
    if start is None or end is None:
        return ""
    if start.day != 1:
        return {1: "day", 7: "week"}.get((end - start).days, "")
    months = (end.year - start.year) * 12 + end.month - start.month if end.day == 1 else 0
    return {1: "month", 3: "quarter", 12: "year"}.get(months) or {1: "day", 7: "week"}.get((end - start).days, "")


def period_words(window: TimeRange) -> str:
    """The window with its first and last day."""
    if window.start and window.end:
        last = window.end - timedelta(days=1)
        return f"on {window.start}" if last == window.start else f"from {window.start} to {last}"
    if window.start:
        return f"since {window.start}"
    return f"before {window.end}" if window.end else ""
