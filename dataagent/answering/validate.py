"""Is the result fit to be answered with?  Checks as data: each looks at one thing and says so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal

from catalog.calculations import CHANGES, PeriodComparison, split_derived
from catalog.compiler.funnel import LOST, OF_BEFORE
from catalog.entities import holds_for_nothing
from catalog.periods import cut_ends
from catalog.query import (
    ColumnRole,
    Direction,
    MetricCondition,
    MetricIntent,
    Parameter,
    QuerySpec,
    ResultColumn,
    TimeRange,
)
from catalog.restate import day_text
from catalog.specs import ranked_presence
from catalog.types import Calendar, MetricFormat, Operator, Scalar
from dataagent.answering.buckets import bucket_end, still_runs
from dataagent.answering.claims import stated_conditions
from dataagent.answering.keyed import keys_tell_apart
from dataagent.answering.numerals import time_text
from dataagent.answering.types import UNEVEN_DAYS, Check, CheckOutcome, DataState, KeyState
from dataagent.intent.typefilter.elapsed import LOADED_UNTIL

NULL_SHARE_WARNED = Decimal("0.2")
PARTS_TOLERANCE = Decimal("0.000001")


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What is validated: rows in order, the recomputed whole, what was asked, how far the data reach, the calendar.

    `tie` says what ties with the last row and is not shown.
    """

    intent: MetricIntent
    columns: tuple[ResultColumn, ...]
    rows: tuple[tuple[Scalar, ...], ...]
    total_row: tuple[Scalar, ...]
    truncated: bool
    parameters: tuple[Parameter, ...]
    data_states: tuple[DataState, ...]
    today: date
    calendar: Calendar
    open_start: bool = False
    spec: QuerySpec | None = None
    key_states: tuple[KeyState, ...] = ()
    tie: str = ""


def validate(result: Result) -> tuple[Check, ...]:
    """All checks in a fixed order.  A FAILED one means that no number may be shown."""
    found: list[Check] = []
    for check in CHECKS:
        found += check(result)
    return tuple(found)


def _zero_rows(result: Result) -> tuple[Check, ...]:
    metrics = [i for i, c in enumerate(result.columns) if c.role is ColumnRole.METRIC]
    if _is_over_nothing(result):
        return (Check(name="rows", outcome=CheckOutcome.FAILED, detail=_NO_ROWS),)
    listed = bool(result.rows) and not metrics
    if listed or any(row[i] is not None for row in result.rows for i in metrics):
        return (_passed("rows", f"{len(result.rows)} rows came back."),)
    picked = result.intent.having or result.intent.entity_condition or result.intent.sets
    if not result.rows and picked:
        return (_passed("rows", "Nothing meets the condition that was asked for."),)
    return (Check(name="rows", outcome=CheckOutcome.FAILED, detail=_NO_VALUES if result.rows else _NO_ROWS),)


def _is_over_nothing(result: Result) -> bool:
    """Whether what is taken over things is taken over none: their count is 0, and not missing."""
    over = result.spec.over if result.spec else None
    counts = [i for i, c in enumerate(result.columns) if over is not None and c.name == over.counted]
    return bool(counts) and not any(row[i] for row in result.rows for i in counts)


_NO_ROWS = "No data match, so there is no number to show."
_NO_VALUES = "No data match that have a value, so there is no number to show."
"""A row without values is all that comes back of a sum over nothing, over empty cells, or of a division by 0."""


def _before_the_data(result: Result) -> tuple[Check, ...]:
    """Nothing was recorded before the data begin: no row there is not the same as a count of 0."""
    begins = min((s.begins for s in result.data_states if s.begins is not None), default=None)
    window = _first_window(result.intent)
    if begins is None or window is None:
        return ()
    if window.end is not None and window.end <= begins:
        detail = f"The data begin on {day_text(begins)}, so there is nothing to show for this period."
        return (Check(name="before_the_data", outcome=CheckOutcome.FAILED, detail=detail),)
    if window.start is not None and window.start < begins:
        detail = f"The data begin on {day_text(begins)}: the period is covered only from then on."
        return (Check(name="before_the_data", outcome=CheckOutcome.WARNED, detail=detail),)
    return ()


def _not_loaded(result: Result) -> tuple[Check, ...]:
    """A count of 0 over days of which nothing has arrived is no finding; what has arrived early is shown."""
    reach = [s.complete_until for s in result.data_states if s.complete_until is not None]
    window = _last_window(result.intent)
    if not reach or window is None or window.start is None:
        return ()
    if datetime.combine(window.start, time(), tzinfo=UTC) < max(reach) or _has_something(result):
        return ()
    detail = f"Nothing of this period has been loaded yet: data reach to {day_text(max(reach))} {max(reach):%H:%M} UTC."
    return (Check(name="not_loaded", outcome=CheckOutcome.FAILED, detail=detail),)


def _has_something(result: Result) -> bool:
    if result.spec is not None and result.spec.things is not None:
        return False
    own = [i for i, c in enumerate(result.columns) if c.role is ColumnRole.METRIC and c.derived is None]
    return not own or any(row[i] for row in result.rows for i in own)


def _last_window(intent: MetricIntent) -> TimeRange | None:
    """The asked period, or the latest of several sets of things."""
    windows = [s.time_range for s in intent.sets if s.time_range is not None and s.time_range.start is not None]
    return max(windows, key=lambda w: w.start or date.min) if windows else intent.time_range


def _first_window(intent: MetricIntent) -> TimeRange | None:
    """The asked period, or the earliest of several sets of things."""
    windows = [s.time_range for s in intent.sets if s.time_range is not None and s.time_range.start is not None]
    return min(windows, key=lambda w: w.start or date.max) if windows else intent.time_range


def _earlier_window(result: Result) -> TimeRange | None:
    """The other window of a comparison of two periods."""
    comparison = result.spec.comparison if result.spec else None
    return comparison.window if isinstance(comparison, PeriodComparison) else None


def _earlier_before_the_data(result: Result) -> tuple[Check, ...]:
    """An earlier period that the data do not cover looks like a rise from nothing."""
    begins = min((s.begins for s in result.data_states if s.begins is not None), default=None)
    window = _earlier_window(result)
    if begins is None or window is None or window.start is None or window.start >= begins:
        return ()
    if window.end is not None and window.end <= begins:
        detail = f"The data begin on {day_text(begins)}, so there is nothing to compare with."
        return (Check(name="earlier_before_the_data", outcome=CheckOutcome.FAILED, detail=detail),)
    detail = f"The data begin on {day_text(begins)}: they cover the period compared with only in part."
    return (Check(name="earlier_before_the_data", outcome=CheckOutcome.WARNED, detail=detail),)


def _running_buckets(result: Result) -> tuple[Check, ...]:
    """A last period that still runs is set against a whole one, unless both are cut at the same day of theirs."""
    comparison = result.spec.comparison if result.spec else None
    time = next((i for i, c in enumerate(result.columns) if c.role is ColumnRole.TIME), None)
    if not isinstance(comparison, PeriodComparison) or comparison.window is not None or time is None:
        return ()
    column = result.columns[time]
    starts = {row[time] for row in result.rows if isinstance(row[time], date)}
    end = result.spec.time_range.end if result.spec and result.spec.time_range else None
    running = sorted(
        s
        for s in starts
        if isinstance(s, date)
        and still_runs(s, column.granularity, result.today)
        and not (end is not None and end < (bucket_end(s, column.granularity) or end))
    )
    if not running:
        return ()
    detail = f"{time_text(running[0], column.granularity)} is not over, and is set against a whole period."
    return (Check(name="running_bucket", outcome=CheckOutcome.WARNED, detail=detail),)


def _groups_without_rows(result: Result) -> tuple[Check, ...]:
    """Groups without any row are not in a result, so "fewer than" and "bottom" look only at those with rows."""
    things = result.spec is not None and result.spec.things is not None
    if things or all(c.role is ColumnRole.METRIC for c in result.columns):
        return ()
    upper = [h for h in result.intent.having if holds_for_nothing(h) and not _asks_a_fall(h)]
    lowest = result.intent.limit is not None and any(
        o.by in result.intent.metrics and o.direction is Direction.ASC for o in result.intent.order
    )
    counted = any(c.role is ColumnRole.METRIC and c.format is MetricFormat.NUMBER for c in result.columns)
    if not (upper or lowest) or not (counted or upper):
        return ()
    detail = "Only groups with at least one row are looked at; those without any are not shown."
    empty = bool(upper) and not result.rows
    outcome = CheckOutcome.FAILED if empty else CheckOutcome.WARNED
    return (Check(name="groups_without_rows", outcome=outcome, detail=_EMPTY_GROUPS if empty else detail),)


def _asks_a_fall(given: MetricCondition) -> bool:
    """Whether the condition is on a change and nothing without rows meets it: what never was did not fall."""
    limit = given.values[0] if given.values else None
    below = isinstance(limit, int | Decimal) and (limit < 0 or (limit == 0 and given.op is Operator.LT))
    return split_derived(given.metric)[1] in CHANGES and below


_EMPTY_GROUPS = (
    "No group that has rows meets this. Groups without any rows are not looked at, so this cannot be answered fully."
)


def _truncated(result: Result) -> tuple[Check, ...]:
    if not result.truncated:
        return (_passed("row_cap", "All rows are shown."),)
    detail = f"Only the first {len(result.rows)} rows are shown; the result has more. Narrow the question to see all."
    return (Check(name="row_cap", outcome=CheckOutcome.WARNED, detail=detail),)


def _null_share(result: Result) -> tuple[Check, ...]:
    if _zero_rows(result)[0].outcome is CheckOutcome.FAILED:
        return ()
    found = []
    for i, column in enumerate(result.columns):
        missing = sum(1 for row in result.rows if row[i] is None)
        if not missing or _has_none(column, result.spec):
            continue
        share = Decimal(missing) / len(result.rows)
        what = "have no value for" if column.role is ColumnRole.METRIC else "belong to no"
        outcome = CheckOutcome.WARNED if share >= NULL_SHARE_WARNED else CheckOutcome.PASSED
        detail = f"{missing} of {len(result.rows)} rows {what} {column.label.lower()}; they are kept."
        found.append(Check(name=f"nulls:{column.name}", outcome=outcome, detail=detail))
    return tuple(found) or (_passed("nulls", "No value is missing."),)


def _has_none(column: ResultColumn, spec: QuerySpec | None) -> bool:
    """Whether rows have no value there by what the column is: the first step of a funnel has none before it."""
    return spec is not None and bool(spec.funnel) and column.name in (OF_BEFORE, LOST)


def _parts_against_whole(result: Result) -> tuple[Check, ...]:
    cut = result.truncated or result.intent.limit is not None or result.intent.having
    if not result.total_row or cut or ranked_presence(result.intent):
        return ()
    found = []
    for i, column in enumerate(result.columns):
        whole = result.total_row[i]
        if column.role is not ColumnRole.METRIC or not column.additive or not isinstance(whole, int | Decimal):
            continue
        cells = (row[i] for row in result.rows)
        parts = sum((Decimal(cell) for cell in cells if isinstance(cell, int | Decimal)), Decimal(0))
        fits = abs(parts - whole) <= PARTS_TOLERANCE * max(abs(Decimal(whole)), Decimal(1))
        detail = "The parts add up to the whole." if fits else "The parts do not add up to the whole."
        outcome = CheckOutcome.PASSED if fits else CheckOutcome.FAILED
        found.append(Check(name=f"parts:{column.name}", outcome=outcome, detail=detail))
    return tuple(found)


def _period_complete(result: Result) -> tuple[Check, ...]:
    window = result.intent.time_range
    reach = [s.complete_until for s in result.data_states if s.complete_until is not None]
    last = window.end if window is not None else None
    if not reach:
        return _not_over(last, result.today)
    until = min(reach)
    if last is not None and datetime.combine(last, time(), tzinfo=UTC) <= until:
        return (_passed("period_complete", "The data reach to the end of the period."),)
    detail = f"The period is not complete: data reach to {day_text(until)} {until:%H:%M} UTC."
    return (Check(name="period_complete", outcome=CheckOutcome.WARNED, detail=detail),)


def _not_over(last: date | None, today: date) -> tuple[Check, ...]:
    """Where no load is recorded, the calendar alone tells that a period still runs."""
    if last is None or last <= today:
        return ()
    detail = f"The period is not over: today counts as {day_text(today)}."
    return (Check(name="period_complete", outcome=CheckOutcome.WARNED, detail=detail),)


def _uneven_days(result: Result) -> tuple[Check, ...]:
    """The asked period is not loaded to its end, while the earlier one is: more days stand against fewer."""
    reach = [s.complete_until for s in result.data_states if s.complete_until is not None]
    window, earlier = result.intent.time_range, _earlier_window(result)
    if not reach or window is None or window.end is None or earlier is None or earlier.end is None:
        return ()
    until = min(reach)
    if datetime.combine(window.end, time(), tzinfo=UTC) <= until:
        return ()
    reached = f"Data reach to {day_text(until)} {until:%H:%M} UTC"
    if datetime.combine(earlier.end, time(), tzinfo=UTC) > until:
        detail = f"{reached}, so neither of the two periods is loaded to its end. Name earlier ones."
        return (Check(name=UNEVEN_DAYS, outcome=CheckOutcome.FAILED, detail=detail),)
    detail = f"{reached}, so fewer whole days stand against those before."
    return (Check(name=UNEVEN_DAYS, outcome=CheckOutcome.WARNED, detail=detail),)


def _cut_at_loaded(result: Result) -> tuple[Check, ...]:
    """Both periods end where the data do, earlier than was asked for."""
    told = (d.text for d in result.intent.defaults_used if d.key == LOADED_UNTIL)
    return tuple(Check(name=LOADED_UNTIL, outcome=CheckOutcome.WARNED, detail=text) for text in told)


def _late_days(result: Result) -> tuple[Check, ...]:
    windows = [w for w in (result.intent.time_range, _earlier_window(result)) if w is not None] or [_ALWAYS]
    late = sorted({d for s in result.data_states for d in s.late_days if any(_inside(d, w) for w in windows)})
    if not late:
        return ()
    days = ", ".join(day_text(d) for d in late[:5]) + (" and more" if len(late) > 5 else "")
    detail = f"Provisional: data of {days} have not arrived although they were due."
    return (Check(name="late_data", outcome=CheckOutcome.WARNED, detail=detail),)


_ALWAYS = TimeRange(start=None, end=None, expr="")


def _inside(day: date, window: object) -> bool:
    start = getattr(window, "start", None)
    end = getattr(window, "end", None)
    return (start is None or day >= start) and (end is None or day < end)


def _edge_buckets(result: Result) -> tuple[Check, ...]:
    """A first or last bucket that the period cuts is smaller than its neighbours for that reason alone."""
    time = next((c for c in result.columns if c.role is ColumnRole.TIME and c.granularity is not None), None)
    window = result.intent.time_range
    if time is None or time.granularity is None or window is None:
        return ()
    ends = zip(("first", "last"), cut_ends(window, time.granularity, result.calendar), strict=True)
    cut = [name for name, is_cut in ends if is_cut]
    if not cut:
        return ()
    detail = (
        f"The period cuts the {' and the '.join(cut)} {time.granularity.value}: it holds fewer days than the others."
    )
    return (Check(name="edge_buckets", outcome=CheckOutcome.WARNED, detail=detail),)


def _stated(result: Result) -> tuple[Check, ...]:
    return stated_conditions(result.intent, result.parameters, open_start=result.open_start, spec=result.spec)


def _keys(result: Result) -> tuple[Check, ...]:
    return keys_tell_apart(result.key_states)


def _passed(name: str, detail: str) -> Check:
    return Check(name=name, outcome=CheckOutcome.PASSED, detail=detail)


def _ties(result: Result) -> tuple[Check, ...]:
    """Where the rows are cut is chance, if the next one is as good as the last."""
    return (Check(name="ties", outcome=CheckOutcome.WARNED, detail=result.tie),) if result.tie else ()


CHECKS: tuple[Callable[[Result], tuple[Check, ...]], ...] = (
    _before_the_data,
    _earlier_before_the_data,
    _not_loaded,
    _keys,
    _running_buckets,
    _groups_without_rows,
    _zero_rows,
    _truncated,
    _ties,
    _null_share,
    _parts_against_whole,
    _period_complete,
    _cut_at_loaded,
    _uneven_days,
    _late_days,
    _edge_buckets,
    _stated,
)
