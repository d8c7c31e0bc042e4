"""What an intent wants calculated on top of its metrics → the typed parts of a QuerySpec, or the reason why not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from catalog.adhoc import RATIO, STATISTICS
from catalog.calculations import (
    CONVERSION,
    CORRELATION,
    FUNNEL,
    TAKEN,
    TOP_PERCENT,
    Calculation,
    Change,
    Comparing,
    Direction,
    MemberComparison,
    MovingWindow,
    PeriodComparison,
    Rank,
    RunningTotal,
    Share,
    TieRule,
    Top,
    WindowKind,
)
from catalog.issues import Issue, unsupported
from catalog.lookup import lookup
from catalog.periods import MONTHS_OF
from catalog.query import Comparison, MetricIntent, Order, TimeRange, Transform
from catalog.shared import SHARE_OF_TOTAL, is_over_time, only_parts, picked, shared_over
from catalog.types import METRIC_TIME, CatalogSnapshot, Filter, MetricFormat, Operator, Scalar, TimeGranularity
from catalog.windows import (
    Alignment,
    Earlier,
    cut_at,
    is_weeks,
    period_before,
    same_part,
    step_between,
    whole_of,
    year_before,
)

FISCAL_YEAR = "fiscal_year"
"""A running total's argument `restart` in place of a size of period: the workspace's fiscal year."""

ASKED_DIRECTION = "asked_direction"
"""A note of a yes or no about a change: "up" where it asks whether something rose, "down" where it fell."""

_OVER_PERIODS = frozenset({"running_total", "moving_average"})
_NOT_BESIDE = "A {what} is not set beside another period. Ask for the {what}, or for the comparison."
_NO_PERIOD = "A comparison needs a period with a beginning and an end. Name the one that is compared."
_NO_COUNTERPARTS = "By {grain}, these two periods have no counterparts to set side by side. Compare them as a whole."
_WEEKS_OF_YEAR = 52


@dataclass(frozen=True, slots=True, kw_only=True)
class Calculated:
    """The calculations of a query.  `kept` are the members shown of a whole that holds all of them."""

    comparison: Comparing | None = None
    calculations: tuple[Calculation, ...] = ()
    top: Top | None = None
    order: tuple[Order, ...] = ()
    dimensions: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()
    kept: tuple[Filter, ...] = ()


def calculated(intent: MetricIntent, snapshot: CatalogSnapshot) -> Calculated | tuple[Issue, ...]:
    """Everything that the intent wants calculated, or every reason why it cannot be."""
    found: list[Calculation] = []
    issues: list[Issue] = []
    comparison = _comparing(intent, snapshot)
    if isinstance(comparison, Issue):
        issues.append(comparison)
    for transform in intent.transforms:
        for made in _transformed(transform, intent):
            (issues if isinstance(made, Issue) else found).append(made)  # type: ignore[arg-type]
    sums = next((t for t in intent.transforms if t.type in _OVER_PERIODS), None)
    if sums is not None and intent.comparison is not None:
        issues.append(unsupported(_NOT_BESIDE.format(what=sums.type.replace("_", " ")), sums.type))
    if intent.per_group is not None and not (intent.order and intent.limit and intent.per_group in intent.dimensions):
        issues.append(unsupported("The first of each group need a number and a metric to go by.", intent.per_group))
    if issues or isinstance(comparison, Issue):
        return tuple(issues)
    parts = only_parts(intent)
    return Calculated(
        comparison=comparison,
        calculations=tuple(found),
        top=_top(intent),
        order=_order(intent),
        dimensions=_dimensions(intent, None if is_over_time(intent) else shared_over(intent)),
        filters=tuple(f for f in intent.filters if f not in parts),
        kept=(*parts, *placed_members(intent)),
    )


def earlier_of(intent: MetricIntent, snapshot: CatalogSnapshot) -> Earlier | None:
    """The other window of a comparison with an earlier period, with its alignment; None where there is none."""
    given, window = intent.comparison, intent.time_range
    if given is None or window is None or intent.grain is not None:
        return None
    if given.type == "custom" and given.range is not None:
        whole = whole_of(given.range)
        cut = whole != given.range
        alignment = Alignment.ELAPSED if cut else Alignment.DAYS
        return Earlier(window=given.range, alignment=alignment, whole=whole if cut else None)
    if given.type == "previous_period":
        return period_before(window, snapshot.calendar)
    return year_before(window, snapshot.calendar) if given.type == "year_ago" else None


def cut_alike(intent: MetricIntent, day: date) -> MetricIntent:
    """The plan of a comparison of periods with both cut at a day that lies within the asked one; else the plan itself.

    The other period is left whole where the plan sets a cut one against all of it.
    """
    given, window = intent.comparison, intent.time_range
    if given is None or given.type == "values" or window is None:
        return intent
    cut = cut_at(window, day)
    other = given.range
    if other is not None and not against_all(intent):
        other = same_part(cut, whole_of(other), by_dates=intent.grain is not None)
    return replace(intent, time_range=cut, comparison=replace(given, range=other))


def against_all(intent: MetricIntent) -> bool:
    """Whether a cut period stands against more of the other one than has gone by of itself."""
    other, window = intent.comparison.range if intent.comparison else None, intent.time_range
    return bool(other and window and window.whole_end and not other.whole_end and same_part(window, other) != other)


# -- comparisons ---------------------------------------------------------------------------


def _comparing(intent: MetricIntent, snapshot: CatalogSnapshot) -> Comparing | Issue | None:
    given = intent.comparison
    if given is None:
        return None
    changes = _changes(given, intent, snapshot)
    if given.type == "values":
        return _of_members(given, intent, changes)
    if intent.grain is not None:
        return _of_series(intent, intent.grain, changes, snapshot)
    window = _window(intent, snapshot)
    if window is None or not (window.start and window.end):
        return unsupported(_NO_PERIOD, given.type)
    return PeriodComparison(window=window, changes=changes)


def _window(intent: MetricIntent, snapshot: CatalogSnapshot) -> TimeRange | None:
    found = earlier_of(intent, snapshot)
    return found.window if found else None


def _of_members(given: Comparison, intent: MetricIntent, changes: tuple[Change, ...]) -> Comparing | Issue:
    """The first member against the second, as they were named."""
    if given.field is None or given.field not in intent.dimensions or len(given.values) != 2:
        return unsupported("Two members of one dimension can be compared. Name exactly two.", given.field or "")
    return MemberComparison(field=given.field, baseline=given.values[-1], changes=changes)


def _of_series(
    intent: MetricIntent, grain: TimeGranularity, changes: tuple[Change, ...], snapshot: CatalogSnapshot
) -> Comparing | Issue:
    """Each period of a series beside its counterpart: the one before, a year before, or that of another window.

    A week stands against the week 52 weeks earlier, and so do the days of calendar weeks.
    """
    given, window = intent.comparison, intent.time_range
    kind = given.type if given else ""
    if kind == "previous_period":
        return PeriodComparison(changes=changes, back_granularity=grain)
    if kind == "custom" and given is not None and given.range is not None and window is not None:
        step = step_between(window, given.range, grain)
        if step is None:
            return unsupported(_NO_COUNTERPARTS.format(grain=grain.value), kind)
        return PeriodComparison(changes=changes, back_count=step[0], back_granularity=step[1])
    if kind != "year_ago":
        return unsupported("A series can be compared with the period before each, or with a year before.", kind)
    if grain is TimeGranularity.WEEK:
        return PeriodComparison(changes=changes, back_count=_WEEKS_OF_YEAR, back_granularity=grain)
    if grain not in MONTHS_OF and window is not None and is_weeks(window, snapshot.calendar):
        return PeriodComparison(changes=changes, back_count=_WEEKS_OF_YEAR, back_granularity=TimeGranularity.WEEK)
    return PeriodComparison(changes=changes, back_granularity=TimeGranularity.YEAR)


def _changes(given: Comparison, intent: MetricIntent, snapshot: CatalogSnapshot) -> tuple[Change, ...]:
    """What is shown of a change: percentages change by points, and by percent only where that alone is asked for."""
    known = lookup(snapshot).metrics
    percentages = all(known[m].format is MetricFormat.PERCENT for m in intent.metrics if m in known)
    wanted = tuple(_CHANGES[c] for c in given.calc if c in _CHANGES) or (Change.DIFFERENCE, Change.PERCENT)
    if percentages and wanted != (Change.PERCENT,):
        turned = (Change.POINTS if c is Change.DIFFERENCE else c for c in wanted if c is not Change.PERCENT)
        wanted = tuple(dict.fromkeys(turned)) or (Change.POINTS,)
    return wanted


_CHANGES = {"diff": Change.DIFFERENCE, "pct": Change.PERCENT, "points": Change.POINTS, "ratio": Change.RATIO}


# -- calculations over the result ----------------------------------------------------------


def _transformed(transform: Transform, intent: MetricIntent) -> Iterator[Calculation | Issue]:
    if transform.type in _MADE_ELSEWHERE:
        return
    make = _MAKERS.get(transform.type)
    if make is None:
        yield unsupported(f"The calculation {transform.type.replace('_', ' ')} cannot be made yet.", transform.type)
        return
    for metric in intent.metrics:
        yield make(transform, intent, metric)


def _share(transform: Transform, intent: MetricIntent, metric: str) -> Calculation | Issue:
    """A member's part of all members, within the other groupings and each period; or a period's part of all periods."""
    over = shared_over(intent)
    if is_over_time(intent):
        return Share(metric=metric, within=intent.dimensions)
    if over not in {*intent.dimensions, *(f.field for f in picked(intent))}:
        return unsupported("A share needs what it is a share of: name a grouping or a member.", transform.type)
    others = tuple(d for d in intent.dimensions if d != over)
    time = (intent.time_dimension or METRIC_TIME,) if intent.grain else ()
    return Share(metric=metric, within=(*time, *others))


def _running(transform: Transform, intent: MetricIntent, metric: str) -> Calculation | Issue:
    if intent.grain is None:
        return unsupported("A running total needs periods to run over, such as days or months.", transform.type)
    restart = _argument(transform, "restart")
    if restart is None:
        return RunningTotal(metric=metric)
    fiscal = restart == FISCAL_YEAR
    if not fiscal and restart not in set(TimeGranularity):
        return unsupported(f"A running total cannot start anew with each {restart}.", transform.type)
    grain = TimeGranularity.YEAR if fiscal else TimeGranularity(str(restart))
    return RunningTotal(metric=metric, restart=grain, fiscal=fiscal)


def _moving(transform: Transform, intent: MetricIntent, metric: str) -> Calculation | Issue:
    periods, unit = _argument(transform, "window"), _argument(transform, "unit")
    if not isinstance(periods, int) or intent.grain is None or unit not in (None, intent.grain.value):
        return unsupported("A moving average needs a number of periods, such as 3 months.", transform.type)
    return MovingWindow(metric=metric, periods=periods, kind=WindowKind.AVERAGE)


def placed_members(intent: MetricIntent) -> tuple[Filter, ...]:
    """The member whose place among all is asked for, as a condition on the ranked rows; () where all are shown."""
    found: list[Filter] = []
    for transform in intent.transforms:
        field, value = _argument(transform, "field"), _argument(transform, "value")
        if transform.type == "rank" and isinstance(field, str):
            found.append(Filter(field=field, op=Operator.EQ, values=(value,)))
    return tuple(found)


def _rank(transform: Transform, intent: MetricIntent, metric: str) -> Calculation | Issue:
    if not intent.dimensions:
        return unsupported("A rank needs something that is ranked: name a grouping.", transform.type)
    order = next((o for o in intent.order if o.by == metric), None)
    within = (intent.per_group,) if intent.per_group else ()
    return Rank(by=metric, direction=order.direction if order else Direction.DESC, within=within)


_MAKERS = {SHARE_OF_TOTAL: _share, "running_total": _running, "moving_average": _moving, "rank": _rank}
_MADE_ELSEWHERE = frozenset({RATIO, CORRELATION, FUNNEL, TOP_PERCENT, CONVERSION, *STATISTICS, *TAKEN})
"""Transforms that define a metric, take something over each thing, or are told of the rows as they are."""


def _argument(transform: Transform, name: str) -> Scalar:
    return next((value for key, value in transform.arguments if key == name), None)


# -- the first of each group, what is shown ------------------------------------------------


def _top(intent: MetricIntent) -> Top | None:
    """Those that tie for the last place of a group are all kept."""
    percent = next((_argument(t, "value") for t in intent.transforms if t.type == TOP_PERCENT), None)
    if percent is not None and intent.order:
        first = intent.order[0]
        share = Decimal(str(percent))
        return Top(by=first.by, count=0, percent=share, direction=first.direction, ties=TieRule.ALL)
    if intent.per_group is None or intent.limit is None:
        return None
    first = intent.order[0]
    within = (intent.per_group,)
    return Top(by=first.by, count=intent.limit, direction=first.direction, within=within, ties=TieRule.ALL)


def _order(intent: MetricIntent) -> tuple[Order, ...]:
    """Group by group, and within each as asked."""
    if intent.per_group is None:
        return intent.order
    return (Order(by=intent.per_group, direction=Direction.ASC), *intent.order)


def _dimensions(intent: MetricIntent, over: str | None) -> tuple[str, ...]:
    """The group whose first rows are shown stands first; a share of one member shows that member."""
    named = intent.dimensions if over is None else (*intent.dimensions, over)
    return tuple(dict.fromkeys(named if intent.per_group is None else (intent.per_group, *named)))
