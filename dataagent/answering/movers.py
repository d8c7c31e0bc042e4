"""Sentences about those that a question ranks by their change, or picks out by it."""

from __future__ import annotations

from decimal import Decimal

from catalog.calculated import placed_members
from catalog.calculations import CHANGES, Derived, PeriodComparison, metric_behind, split_derived
from catalog.query import Direction, ResultColumn
from dataagent.answering.claims import EACH
from dataagent.answering.numerals import cell_text
from dataagent.answering.periodnames import in_period
from dataagent.answering.telling import Told, changed
from dataagent.answering.types import CellRef, Claim


def mover_claims(told: Told) -> list[Claim]:
    """What the first of them did, in the asked period and the earlier one; empty where no change is asked about."""
    named = [o.by for o in told.intent.order] or [c.metric for c in told.intent.having]
    column = next((c for n in named if split_derived(n)[1] in CHANGES for c in told.columns if c.name == n), None)
    comparison = told.spec.comparison
    if column is None or not told.groups or not isinstance(comparison, PeriodComparison):
        return []
    row = _first(told, column)
    metric = told.columns[told.at[metric_behind(column.name)]]
    if row is None:
        return []
    then = in_period(comparison.window) if comparison.window else "the period before"
    now = in_period(told.intent.time_range) if comparison.window else ""
    label = f"{told.member(row)}, {metric.label.lower()}"
    shared = _shared(told, column, row)
    claim = changed(told, metric, Derived.PREVIOUS, CellRef(row=row, column=metric.name), (label, now, then))
    return [Claim(text=f"{claim.text}{shared}", value=claim.value, cells=claim.cells, calculation=claim.calculation)]


def place_claims(told: Told) -> list[Claim]:
    """Which place the named member has; empty where none is asked for."""
    if not placed_members(told.intent) or len(told.rows) != 1:
        return []
    metric = told.columns[told.at[told.metrics[0]]]
    rank = told.column(metric.name, Derived.RANK)
    if rank is None:
        return []
    cells = (CellRef(row=0, column=rank.name), CellRef(row=0, column=metric.name))
    place, value = cell_text(told.cell(cells[0]), rank), cell_text(told.cell(cells[1]), metric)
    text = f"{told.member(0)} is number {place} by {metric.label.lower()} {told.when(told.intent.time_range)}: {value}"
    return [Claim(text=text, value=place, cells=cells, calculation=EACH)]


def _known(told: Told, column: ResultColumn) -> list[tuple[Decimal, int]]:
    position = told.at[column.name]
    return [(Decimal(v), i) for i, r in enumerate(told.rows) if isinstance(v := r[position], int | Decimal)]


def _first(told: Told, column: ResultColumn) -> int | None:
    """The row that moved most: in the asked direction, or either way where only a condition is asked for.

    A row that belongs to no member leads only where there is no other.
    """
    known = _known(told, column)
    known = [pair for pair in known if None not in told.groups_of(pair[1])] or known
    if not known:
        return None
    if told.intent.order:
        lowest = told.intent.order[0].direction is Direction.ASC
        return (min if lowest else max)(known, key=lambda pair: pair[0])[1]
    return max(known, key=lambda pair: abs(pair[0]))[1]


def _shared(told: Told, column: ResultColumn, row: int) -> str:
    ties = sum(1 for value, _ in _known(told, column) if value == told.rows[row][told.at[column.name]])
    return f", shared by {ties}" if ties > 1 else ""
