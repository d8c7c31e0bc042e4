"""What sentences about a result are made of: its cells by name, a change in words, the last period that is over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal

from catalog.calculations import Derived, Share, derived_name
from catalog.query import ColumnRole, MetricIntent, QuerySpec, ResultColumn, TimeRange
from catalog.types import CatalogSnapshot, Polarity, Scalar
from dataagent.answering.buckets import bucket_end, still_runs
from dataagent.answering.claims import CHANGE, EACH, words_of_change
from dataagent.answering.numerals import cell_text, member_text
from dataagent.answering.periodnames import as_of, in_period
from dataagent.answering.told import whole_of_share
from dataagent.answering.types import CellRef, Claim

Rows = tuple[tuple[Scalar, ...], ...]
_SHOWN_FIRST = (Derived.PERCENT_CHANGE, Derived.POINTS, Derived.DIFFERENCE, Derived.RATIO)
MOVES = (Derived.DIFFERENCE, Derived.POINTS, Derived.PERCENT_CHANGE)
"""Columns that say how much something moved."""


class Told:
    """A result as sentences read it: cells by row and column name, of the result or of the recomputed whole.

    `snapshot` gives names to conditions; `scoped` says that the asker sees a part of the rows only, `as_of_end`
    that windows only name the moment of running figures: their last day; `cut` that more rows came than are here.
    `metrics` are the figures asked for, those that the question itself defines first.
    """

    def __init__(
        self,
        *,
        intent: MetricIntent,
        spec: QuerySpec,
        columns: tuple[ResultColumn, ...],
        rows: Rows,
        total_row: tuple[Scalar, ...],
        today: date,
        snapshot: CatalogSnapshot,
        scoped: bool = False,
        as_of_end: bool = False,
        cut: bool = False,
    ) -> None:
        self.intent, self.spec, self.columns, self.rows = intent, spec, columns, rows
        self.total_row, self.today, self.snapshot, self.scoped = total_row, today, snapshot, scoped
        self.as_of_end, self.cut = as_of_end, cut
        self.metrics = tuple(dict.fromkeys((*(a.metric.name for a in spec.ad_hoc), *intent.metrics)))
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

    def numbers(self, column: ResultColumn) -> tuple[tuple[Decimal, int], ...]:
        """The column's numbers with their rows, in the order of the rows; empty cells are left out."""
        cells = ((row[self.at[column.name]], i) for i, row in enumerate(self.rows))
        return tuple((Decimal(v), i) for v, i in cells if isinstance(v, int | Decimal))

    def groups_of(self, row: int) -> tuple[Scalar, ...]:
        """The members that a row belongs to; None where it belongs to none."""
        return tuple(self.rows[row][self.at[c.name]] for c in self.groups)

    def member(self, row: int, groups: Sequence[ResultColumn] | None = None) -> str:
        """The groups of a row as text, all of them or the given ones."""
        values = self.rows[row]
        return ", ".join(member_text(values[self.at[c.name]], c) for c in (self.groups if groups is None else groups))

    def when(self, window: TimeRange | None) -> str:
        """The window with its preposition: "in May 2025", "as of 31 May 2025" for running figures."""
        return as_of(window) if self.as_of_end and window is not None and window.end else in_period(window)

    def whole(self, share: Share, when: str, seen: str) -> str:
        """What a share is a part of, in words."""
        return whole_of_share(self.snapshot, self.spec, share, when, seen)


def changed(told: Told, metric: ResultColumn, other: Derived, ref: CellRef, words: tuple[str, str, str]) -> Claim:
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


def largest_change(told: Told, metric: ResultColumn, lead: str = "Largest change") -> Iterator[Claim]:
    """The member that moved most, told where all members are there; else the one of those shown."""
    column = next((c for d in MOVES if (c := told.column(metric.name, d)) is not None), None)
    if column is None or told.intent.limit is not None or len(told.rows) < 2:
        return
    sized = [(abs(value), i) for value, i in told.numbers(column)]
    if not sized or max(sized)[0] == 0:
        return
    largest = max(size for size, _ in sized)
    first = [i for size, i in sized if size == largest]
    ref = CellRef(row=first[0], column=column.name)
    value = cell_text(told.cell(ref), column)
    shared = f", shared by {len(first)}" if len(first) > 1 else ""
    lead += " of those shown" if told.cut or told.intent.having or told.spec.kept else ""
    yield Claim(text=f"{lead}: {told.member(first[0])}, {value}{shared}", value=value, cells=(ref,))


def last_complete(told: Told) -> int | None:
    """The row of the latest whole period that is over; None where there is none or where groups have a series each."""
    others = [c for c in told.groups if c is not told.time]
    if told.time is None or len({told.member(i, others) for i in range(len(told.rows))}) > 1:
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
