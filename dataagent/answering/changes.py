"""Sentences about comparisons, shares, running totals and moving windows, each number bound to its cell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal

from catalog.calculations import Derived, MemberComparison, PeriodComparison, derived_name
from catalog.query import ColumnRole, IntentKind, MetricIntent, QuerySpec, ResultColumn
from catalog.types import Polarity, Scalar, TimeGranularity
from dataagent.answering.buckets import bucket_end, still_runs
from dataagent.answering.claims import CHANGE, EACH, words_of_change
from dataagent.answering.numerals import cell_text, member_text
from dataagent.answering.periodnames import in_period
from dataagent.answering.types import CellRef, Claim

Rows = tuple[tuple[Scalar, ...], ...]
_SHOWN_FIRST = (Derived.PERCENT_CHANGE, Derived.POINTS, Derived.DIFFERENCE, Derived.RATIO)
MOVES = (Derived.DIFFERENCE, Derived.POINTS, Derived.PERCENT_CHANGE)
"""Columns that say how much something moved."""
_MOVING = (Derived.MOVING_AVERAGE, Derived.MOVING_SUM, Derived.MOVING_MINIMUM, Derived.MOVING_MAXIMUM)


class Told:
    """A result as sentences read it: cells by row and column name, of the result or of the recomputed whole."""

    def __init__(
        self,
        *,
        intent: MetricIntent,
        spec: QuerySpec,
        columns: tuple[ResultColumn, ...],
        rows: Rows,
        total_row: tuple[Scalar, ...],
        today: date,
    ) -> None:
        self.intent, self.spec, self.columns, self.rows = intent, spec, columns, rows
        self.total_row, self.today = total_row, today
        self.at = {c.name: i for i, c in enumerate(columns)}
        self.groups = tuple(c for c in columns if c.role is not ColumnRole.METRIC)
        self.time = next((c for c in columns if c.role is ColumnRole.TIME), None)

    def column(self, metric: str, derived: Derived) -> ResultColumn | None:
        """The column that follows from a metric, or None."""
        name = derived_name(metric, derived)
        return self.columns[self.at[name]] if name in self.at else None

    def cell(self, ref: CellRef) -> Scalar:
        """The value of a cell."""
        row = self.total_row if ref.table == "total" else self.rows[ref.row]
        return row[self.at[ref.column]] if row else None

    def member(self, row: int) -> str:
        """The groups of a row as text."""
        values = self.rows[row]
        return ", ".join(member_text(values[self.at[c.name]], c) for c in self.groups)


def calculated_claims(told: Told) -> list[Claim]:
    """The sentences about what was calculated, the headline first; empty where nothing was."""
    found: list[Claim] = []
    for metric in told.intent.metrics:
        if metric in told.at:
            found += _of_metric(told, told.columns[told.at[metric]])
    return found


def _of_metric(told: Told, metric: ResultColumn) -> Iterator[Claim]:
    comparison = told.spec.comparison
    if isinstance(comparison, PeriodComparison):
        yield from _over_periods(told, metric, comparison)
    elif isinstance(comparison, MemberComparison):
        yield from _between_members(told, metric, comparison)
    yield from _shares(told, metric)
    yield from _up_to(told, metric)


# -- periods -------------------------------------------------------------------------------


def _over_periods(told: Told, metric: ResultColumn, comparison: PeriodComparison) -> Iterator[Claim]:
    if comparison.window is None:
        yield from _last_of_series(told, metric, comparison)
        return
    now, then = in_period(told.intent.time_range), in_period(comparison.window)
    if not told.groups:
        yield _changed(told, metric, Derived.PREVIOUS, CellRef(row=0, column=metric.name), (metric.label, now, then))
        return
    if told.total_row:
        ref = CellRef(row=0, column=metric.name, table="total")
        yield _changed(told, metric, Derived.PREVIOUS, ref, (metric.label, now, then))
    yield from _largest_change(told, metric)


def uneven_claims(told: Told) -> list[Claim]:
    """Both figures without a change or a verdict: fewer loaded days stand against more, so neither would be true."""
    comparison = told.spec.comparison
    if not isinstance(comparison, PeriodComparison) or comparison.window is None or not told.rows:
        return []
    table = "total" if told.groups else "result"
    if told.groups and not told.total_row:
        return []
    now, then = in_period(told.intent.time_range), in_period(comparison.window)
    is_asked = told.intent.kind is IntentKind.BOOLEAN or told.intent.answer_shape == "boolean"
    asked = "Not known yet. " if is_asked else ""
    found: list[Claim] = []
    for metric in (told.columns[told.at[m]] for m in told.intent.metrics if m in told.at):
        before = told.column(metric.name, Derived.PREVIOUS)
        ref = CellRef(row=0, column=metric.name, table=table)
        shown = cell_text(told.cell(ref), metric)
        found.append(Claim(text=f"{asked}{metric.label}: {shown} {now} so far", value=shown, cells=(ref,)))
        if before is not None:
            earlier = CellRef(row=0, column=before.name, table=table)
            value = cell_text(told.cell(earlier), before)
            found.append(Claim(text=f"{value} {then}, with all its days loaded", value=value, cells=(earlier,)))
    return found


def _last_of_series(told: Told, metric: ResultColumn, comparison: PeriodComparison) -> Iterator[Claim]:
    """The last period that is over, beside the earlier one; nothing where several groups have a series each."""
    row = _last_complete(told)
    if row is None or told.time is None:
        return
    unit = comparison.back_granularity.value if comparison.back_granularity else "period"
    then = f"the {unit} before" if comparison.back_count == 1 else f"{comparison.back_count} {unit}s before"
    at = "on" if told.time.granularity is TimeGranularity.DAY else "in"
    now = f"{at} {cell_text(told.cell(CellRef(row=row, column=told.time.name)), told.time)}"
    yield _changed(told, metric, Derived.PREVIOUS, CellRef(row=row, column=metric.name), (metric.label, now, then))


def _changed(told: Told, metric: ResultColumn, other: Derived, ref: CellRef, words: tuple[str, str, str]) -> Claim:
    """ "Net revenue: 12 in May 2025, 20 % more than in April 2025 (10)"."""
    label, now_words, then_words = words
    before = told.column(metric.name, other)
    now = told.cell(ref)
    lead = f"{label}: {cell_text(now, metric)} {now_words}".strip()
    if before is None:
        return Claim(text=lead, value=cell_text(now, metric), cells=(ref,))
    then_ref = CellRef(row=ref.row, column=before.name, table=ref.table)
    then = told.cell(then_ref)
    if now is None or then is None:
        missing = "no value" if now is None else f"no value {then_words} to compare with"
        text = (
            f"{label}: {missing} {now_words}; {cell_text(then, before)} {then_words}" if now is None else
            f"{lead}; there is {missing}"
        )  # fmt: skip
        shown = (then_ref, then, before) if now is None else (ref, now, metric)
        return Claim(text=text, value=cell_text(shown[1], shown[2]), cells=(shown[0],))
    known = [c for d in _SHOWN_FIRST if (c := _known_change(told, metric, d, ref)) is not None]
    told_first = [c for c in known if now == then or told.cell(replace(ref, column=c.name))]
    change = next(iter(told_first), None)
    if change is None:
        text = f"{lead}; {cell_text(then, before)} {then_words}"
        return Claim(text=text, value=cell_text(now, metric), cells=(ref, then_ref), calculation=EACH)
    change_ref = CellRef(row=ref.row, column=change.name, table=ref.table)
    said = words_of_change(told.cell(change_ref), change)
    verdict = _verdict(told.cell(change_ref), metric)
    text = f"{lead}, {said} {then_words} ({cell_text(then, before)}){verdict}"
    return Claim(text=text, value=cell_text(now, metric), cells=(ref, then_ref, change_ref), calculation=CHANGE)


def _known_change(told: Told, metric: ResultColumn, derived: Derived, ref: CellRef) -> ResultColumn | None:
    column = told.column(metric.name, derived)
    if column is None or told.cell(CellRef(row=ref.row, column=column.name, table=ref.table)) is None:
        return None
    return column


def _verdict(change: Scalar, metric: ResultColumn) -> str:
    """Said only where less is better, because there the words mislead."""
    if metric.polarity is not Polarity.LOWER_IS_BETTER or not isinstance(change, int | Decimal) or not change:
        return ""
    return ", which is worse" if change > 0 else ", which is better"


def _largest_change(told: Told, metric: ResultColumn) -> Iterator[Claim]:
    """The member that moved most, told where all members are there."""
    column = next((c for d in MOVES if (c := told.column(metric.name, d)) is not None), None)
    if column is None or told.intent.limit is not None or len(told.rows) < 2:
        return
    position = told.at[column.name]
    sized = [(abs(Decimal(v)), i) for i, r in enumerate(told.rows) if isinstance(v := r[position], int | Decimal)]
    if not sized or max(sized)[0] == 0:
        return
    largest = max(size for size, _ in sized)
    first = [i for size, i in sized if size == largest]
    ref = CellRef(row=first[0], column=column.name)
    value = cell_text(told.cell(ref), column)
    shared = f", shared by {len(first)}" if len(first) > 1 else ""
    yield Claim(text=f"Largest change: {told.member(first[0])}, {value}{shared}", value=value, cells=(ref,))


# -- members -------------------------------------------------------------------------------


def _between_members(told: Told, metric: ResultColumn, comparison: MemberComparison) -> Iterator[Claim]:
    """The first named member against the second, where each has one row."""
    if len(told.groups) != 1 or told.intent.comparison is None:
        return
    first = told.intent.comparison.values[0]
    position = told.at[told.groups[0].name]
    row = next((i for i, r in enumerate(told.rows) if str(r[position]) == first), None)
    if row is None:
        return
    now, then = f"{metric.label.lower()} {in_period(told.intent.time_range)}", f"{comparison.baseline}"
    yield _changed(told, metric, Derived.BASELINE, CellRef(row=row, column=metric.name), (first, now, then))


# -- shares --------------------------------------------------------------------------------


def _shares(told: Told, metric: ResultColumn) -> Iterator[Claim]:
    column = told.column(metric.name, Derived.SHARE)
    if column is None or not told.rows or told.time is not None:
        return
    position = told.at[column.name]
    known = [(Decimal(v), i) for i, r in enumerate(told.rows) if isinstance(v := r[position], int | Decimal)]
    if not known:
        return
    if len(told.rows) == 1:
        cells = (CellRef(row=0, column=column.name), CellRef(row=0, column=metric.name))
        value, amount = cell_text(told.cell(cells[0]), column), cell_text(told.cell(cells[1]), metric)
        text = f"{told.member(0)}: {value} of {metric.label.lower()} {in_period(told.intent.time_range)} ({amount})"
        yield Claim(text=text, value=value, cells=cells, calculation=EACH)
        return
    largest = max(share for share, _ in known)
    first = [i for share, i in known if share == largest]
    ref = CellRef(row=first[0], column=column.name)
    value = cell_text(told.cell(ref), column)
    shared = f", shared by {len(first)}" if len(first) > 1 else ""
    text = f"{told.member(first[0])} has the largest share of {metric.label.lower()}: {value}{shared}"
    yield Claim(text=text, value=value, cells=(ref,))


# -- over time -----------------------------------------------------------------------------


def _up_to(told: Told, metric: ResultColumn) -> Iterator[Claim]:
    """The running total at its end, and the moving window of the last period that is over."""
    running = told.column(metric.name, Derived.RUNNING_TOTAL)
    if running is not None and len(told.groups) == 1 and told.time is not None and told.rows:
        yield _at(told, running, len(told.rows) - 1, f"{metric.label}: {{}} up to {{}}")
    moving = next((c for d in _MOVING if (c := told.column(metric.name, d)) is not None), None)
    row = _last_complete(told)
    if moving is not None and row is not None:
        preposition = "on" if told.time is not None and told.time.granularity is TimeGranularity.DAY else "in"
        yield _at(told, moving, row, f"{moving.label}: {{}} {preposition} {{}}")


def _at(told: Told, column: ResultColumn, row: int, pattern: str) -> Claim:
    ref = CellRef(row=row, column=column.name)
    value = cell_text(told.cell(ref), column)
    when = cell_text(told.cell(CellRef(row=row, column=told.time.name)), told.time) if told.time else ""
    return Claim(text=pattern.format(value, when), value=value, cells=(ref,))


def _last_complete(told: Told) -> int | None:
    """The row of the latest whole period that is over; None where there is none or where groups have a series each."""
    if told.time is None or len(told.groups) != 1:
        return None
    position = told.at[told.time.name]
    over = [
        (_day(start), i)
        for i, row in enumerate(told.rows)
        if isinstance(start := row[position], date)
        and not still_runs(start, told.time.granularity, told.today)
        and not _is_cut(told, start)
    ]
    return max(over)[1] if over else None


def _is_cut(told: Told, start: date) -> bool:
    """Whether the asked window holds only a part of the period."""
    window, end = told.intent.time_range, bucket_end(start, told.time.granularity if told.time else None)
    if window is None or end is None:
        return False
    before = window.start is not None and _day(start) < window.start
    return before or (window.end is not None and end > window.end)


def _day(value: date) -> date:
    return value.date() if isinstance(value, datetime) else value
