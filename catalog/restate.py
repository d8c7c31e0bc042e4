"""A plan in plain words: what will be computed, for a page, a clarification and a receipt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from catalog.adhoc import RATIO, STATISTICS, ad_hoc_metrics, cohort_metric
from catalog.calculated import FISCAL_YEAR, earlier_of
from catalog.calculations import (
    CHANGES,
    CONVERSION,
    CORRELATION,
    FRACTIONS,
    FUNNEL,
    TAKEN,
    TOP_PERCENT,
    Derived,
    metric_behind,
    split_derived,
)
from catalog.issues import Issue
from catalog.labels import DERIVED_WORDS, dimension_label, metric_label, plain, with_capital, within_sentence
from catalog.lookup import lookup
from catalog.overs import taken_words
from catalog.query import Direction, IntentKind, MetricCondition, MetricIntent, ThingsSet, TimeRange, Transform
from catalog.reach import is_countable
from catalog.shared import is_over_time
from catalog.surfaces import plural
from catalog.timeparts import time_words
from catalog.types import CatalogSnapshot, DimensionType, Filter, Operator, Scalar, TimeGranularity
from catalog.years import year_words

_WORDS = {
    Operator.EQ: "is",
    Operator.NE: "is not",
    Operator.IN: "is one of",
    Operator.NOT_IN: "is none of",
    Operator.GT: "is more than",
    Operator.GE: "is at least",
    Operator.LT: "is less than",
    Operator.LE: "is at most",
    Operator.BETWEEN: "is between",
    Operator.IS_NULL: "has no value",
    Operator.IS_NOT_NULL: "has a value",
}
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_COMPARED = {"previous_period": "each compared with the period before", "year_ago": "each compared with a year ago"}
_PLAIN = {"running_total": "as a running total", "rank": "with ranks", CORRELATION: "and how they move together"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Move:
    """How a condition on a change is said, with a limit and without; `sign` is that of the limits it has words for."""

    by: str
    at_all: str
    sign: int


_MOVES = {
    Operator.GT: _Move(by="rose by more than", at_all="rose", sign=1),
    Operator.GE: _Move(by="rose by at least", at_all="did not fall", sign=1),
    Operator.LT: _Move(by="fell by more than", at_all="fell", sign=-1),
    Operator.LE: _Move(by="fell by at least", at_all="did not rise", sign=-1),
}


def restate(intent: MetricIntent, snapshot: CatalogSnapshot) -> str:
    """The intent as one sentence: "Net revenue by month, 1 Jan 2025 to 17 Jun 2025, where region is EMEA"."""
    parts = [
        _head(intent, snapshot) + _by(intent, snapshot),
        _time(intent, snapshot),
        _where(intent, snapshot),
        _compared(intent, snapshot),
        _order(intent, snapshot),
        *(_calculation(t, intent, snapshot) for t in intent.transforms if t.type not in _SAID_FIRST),
    ]
    return ", ".join(p for p in parts if p)


_SAID_FIRST = frozenset({"contribution", CONVERSION, FUNNEL, RATIO, *STATISTICS, *TAKEN})
"""Transforms that the beginning of a restatement says."""


def _head(intent: MetricIntent, snapshot: CatalogSnapshot) -> str:
    own = ad_hoc_metrics(intent, snapshot)
    named = _and(metric_label(a.metric) for a in own) if not isinstance(own, Issue) else ""
    metrics = named or _and(_name(snapshot, m) for m in intent.metrics)
    if intent.kind is IntentKind.FUNNEL:
        return f"Funnel of {within_sentence(metrics)}{_steps(intent)}"
    if intent.kind is IntentKind.COHORT_COUNT:
        whole = _and(within_sentence(_name(snapshot, cohort_metric(t))) for t in intent.transforms)
        return f"{_and(_name(snapshot, m) for m in intent.metrics)} among {whole}"
    taken = taken_words(intent, snapshot)
    if taken:
        return with_capital(f"{taken} {within_sentence(metrics)}")
    if intent.kind is IntentKind.DEFINE:
        return f"What {_name(snapshot, intent.subject or '')} means" + (f" ({intent.aspect})" if intent.aspect else "")
    entity = plain(intent.entity or "")
    lead = {
        IntentKind.ENTITY_LIST: f"List of each {entity.lower()}",
        IntentKind.ENTITY_COUNT: f"Number of {plural(entity.lower()) or entity.lower()}",
        IntentKind.EXISTS: f"Whether there are {plural(entity.lower()) if entity else within_sentence(metrics)}",
        IntentKind.BOOLEAN: f"Whether this holds: {metrics}",
        IntentKind.DISTINCT_VALUES: "The values of " + _and(_dimension(snapshot, d) for d in intent.dimensions),
        IntentKind.CONTRIBUTION: f"Where the change of {within_sentence(metrics)} sits",
    }.get(intent.kind, metrics)
    listed = intent.kind is IntentKind.ENTITY_LIST and metrics
    return f"{lead} with {metrics}" if listed else lead or plain(intent.kind.value)


def _steps(intent: MetricIntent) -> str:
    given = next((str(dict(t.arguments).get("steps", "")) for t in intent.transforms if t.type == FUNNEL), "")
    steps = given.replace("_", " ").split(",")
    return f" from {steps[0]} to {steps[-1]}" if given else ""


def _by(intent: MetricIntent, snapshot: CatalogSnapshot) -> str:
    by = [
        within_sentence(_dimension(snapshot, d))
        for d in intent.dimensions
        if intent.kind is not IntentKind.DISTINCT_VALUES
    ]
    if intent.grain is not None:
        by.insert(0, intent.grain.value)
    return f" by {_and(by)}" if by else ""


def _time(intent: MetricIntent, snapshot: CatalogSnapshot) -> str:
    if intent.time_range is None:
        return ""
    on = f" ({within_sentence(_dimension(snapshot, intent.time_dimension))})" if intent.time_dimension else ""
    return range_text(intent.time_range) + on


def range_text(window: TimeRange) -> str:
    """A half-open window as people write it, both days included: "1 Jan 2025 to 31 Jan 2025"."""
    last = window.end - timedelta(days=1) if window.end else None
    if window.start and last:
        return day_text(last) if window.start == last else f"{day_text(window.start)} to {day_text(last)}"
    if window.start:
        return f"from {day_text(window.start)} on"
    return f"up to {day_text(last)}" if last else "all time"


def day_text(day: date) -> str:
    """A day without doubt about its order: "1 Jan 2025"."""
    return f"{day.day} {month_text(day)}"


def month_text(day: date) -> str:
    """The day's month, in English wherever the machine stands: "Jan 2025"."""
    return f"{_MONTHS[day.month - 1]} {day.year}"


def _where(intent: MetricIntent, snapshot: CatalogSnapshot) -> str:
    rows = [filter_text(f, snapshot) for f in intent.filters]
    results = [condition_text(c, snapshot) for c in (*intent.having, *intent.entity_condition)]
    sets = [_set(s, snapshot) for s in intent.sets]
    return f"where {_and([*rows, *results, *sets])}" if rows or results or sets else ""


def _set(given: ThingsSet, snapshot: CatalogSnapshot) -> str:
    """What things of a set have, or do not have: "there are orders where category is Toys, 1 Apr to 30 Apr"."""
    condition = MetricCondition(metric=given.metric, op=given.op, values=given.values)
    more = [filter_text(f, snapshot) for f in given.filters]
    period = range_text(given.time_range) if given.time_range else ""
    under = f" (for {_and(x for x in (*more, period) if x)})" if more or period else ""
    return f"{'not: ' if given.absent else ''}{condition_text(condition, snapshot)}{under}"


def filter_text(given: Filter, snapshot: CatalogSnapshot) -> str:
    """A filter in words: "region is EMEA"."""
    return _test(within_sentence(_dimension(snapshot, given.field)), given.op, given.values)


def condition_text(given: MetricCondition, snapshot: CatalogSnapshot) -> str:
    """A condition on a result in words: "orders is less than 3", "net revenue fell by more than 10%"."""
    of, derived = split_derived(given.metric)
    value = given.values[0] if len(given.values) == 1 else None
    if derived in CHANGES and isinstance(value, int | Decimal):
        moved = _moved(given.op, value, derived)
        if moved:
            return f"{within_sentence(_name(snapshot, of))} {moved}"
    amounts = tuple(_amount(v, derived) for v in given.values)
    return _test(within_sentence(_name(snapshot, given.metric)), given.op, amounts)


def _moved(op: Operator, value: int | Decimal, derived: Derived | None) -> str:
    """A change as people say it: "fell by more than 10%"; nothing where there are no such words."""
    words = _MOVES.get(op)
    if words is None or value * words.sign < 0:
        return ""
    return f"{words.by} {_amount(value * words.sign, derived)}" if value else words.at_all


def _amount(value: Scalar, derived: Derived | None) -> Scalar:
    """A limit with its unit: 0.1 of a change in percent is 10%."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return value
    if derived in FRACTIONS:
        return value_text(Decimal(value) * 100) + "%"
    return value_text(Decimal(value)) + (" points" if derived is Derived.POINTS else "")


def _test(name: str, op: Operator, values: tuple[Scalar, ...]) -> str:
    shown = [value_text(v) for v in values]
    said = " and ".join(shown) if op is Operator.BETWEEN else ", ".join(shown)
    if values == (None,) and op in {Operator.EQ, Operator.NE}:
        return f"{name} {_WORDS[Operator.IS_NULL if op is Operator.EQ else Operator.IS_NOT_NULL]}"
    return f"{name} {_WORDS[op]} {said}".strip()


def value_text(value: Scalar) -> str:
    """A literal as people read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, date):
        return day_text(value)
    if isinstance(value, Decimal):
        return format(value.normalize(), "f")
    return "missing" if value is None else str(value)


def _compared(intent: MetricIntent, snapshot: CatalogSnapshot) -> str:
    given = intent.comparison
    if given is None:
        return ""
    earlier = earlier_of(intent, snapshot)
    if earlier is not None:
        return f"compared with {range_text(earlier.window)}"
    if given.type in _COMPARED:
        return _COMPARED[given.type]
    if given.field:
        return f"comparing {within_sentence(_dimension(snapshot, given.field))} {_and(given.values)}"
    return f"compared with {range_text(given.range)}" if given.range else "compared"


def _order(intent: MetricIntent, snapshot: CatalogSnapshot) -> str:
    first = f"first {intent.limit}" if intent.limit else ""
    if not intent.order:
        return first
    order = intent.order[0]
    known = metric_behind(order.by) in lookup(snapshot).metrics
    by = _name(snapshot, order.by) if known else _dimension(snapshot, order.by)
    lead = "highest" if order.direction is Direction.DESC else "lowest"
    if not known and not first and _is_spelled(order.by, snapshot):
        ends = "Z to A" if order.direction is Direction.DESC else "A to Z"
        return f"by {within_sentence(by)} from {ends}"
    group = f" of each {within_sentence(_dimension(snapshot, intent.per_group))}" if intent.per_group else ""
    return f"{first}{group} by {lead} {within_sentence(by)}".strip() if first else f"{lead} {within_sentence(by)} first"


def _is_spelled(reference: str, snapshot: CatalogSnapshot) -> bool:
    """Whether the dimension is ordered by its letters: words, and neither numbers, times nor ranks of its own."""
    held = lookup(snapshot).held_by(reference)
    return held is not None and held.dimension.type in _SPELLED


_SPELLED = frozenset({DimensionType.CATEGORICAL, DimensionType.GEO, DimensionType.TEXT})


def _calculation(made: Transform, intent: MetricIntent, snapshot: CatalogSnapshot) -> str:
    held = dict(made.arguments)
    if made.type == "share_of_total":
        everything = ", also of what is left out" if held.get("whole") == "all" else ""
        own = intent.grain.value if is_over_time(intent) and intent.grain else ""
        over = own or within_sentence(_dimension(snapshot, str(held.get("over", ""))))
        return f"as a share of every {over}{everything}"
    if made.type == "moving_average":
        return f"as a moving average of {held.get('window')} {held.get('unit')}s"
    if made.type == "running_total":
        lead = _PLAIN[made.type] if all(is_countable(snapshot, m) for m in intent.metrics) else "each so far"
        restart = held.get("restart")
        return f"{lead}, anew with each {_restart_words(str(restart), snapshot)}" if restart else lead
    if made.type == TOP_PERCENT:
        return f"only the first {value_text(held.get('value'))}% of them"
    return _PLAIN.get(made.type) or made.type.replace("_", " ") + _arguments(made.arguments)


def _restart_words(restart: str, snapshot: CatalogSnapshot) -> str:
    unit = TimeGranularity.YEAR if restart == FISCAL_YEAR else TimeGranularity(restart)
    return year_words(unit, snapshot.calendar, fiscal=restart == FISCAL_YEAR)


def _arguments(arguments: tuple[tuple[str, Scalar], ...]) -> str:
    shown = ", ".join(f"{name} {value_text(value)}" for name, value in arguments)
    return f" ({shown})" if shown else ""


def _name(snapshot: CatalogSnapshot, metric: str) -> str:
    held = lookup(snapshot).metrics.get(metric)
    of, derived = split_derived(metric)
    if held is None and derived is not None:
        return f"{with_capital(DERIVED_WORDS[derived])} of {within_sentence(_name(snapshot, of))}"
    return metric_label(held) if held else plain(metric)


def _dimension(snapshot: CatalogSnapshot, reference: str | None) -> str:
    name = reference or ""
    if words := time_words(name):
        return words
    held = lookup(snapshot).held_by(name)
    return dimension_label(held.dimension) if held else plain(name.split("__")[-1])


def _and(words: Iterable[str]) -> str:
    *most, last = tuple(words) or ("",)
    return f"{', '.join(most)} and {last}" if most else last
