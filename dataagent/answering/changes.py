"""Sentences about comparisons, shares, running totals and moving windows, each number bound to its cell."""

from __future__ import annotations

from collections.abc import Iterator

from catalog.calculations import Derived, MemberComparison, PeriodComparison, Share
from catalog.labels import DERIVED_WORDS
from catalog.query import IntentKind, ResultColumn
from catalog.types import TimeGranularity
from dataagent.answering.numerals import cell_text
from dataagent.answering.shares import share_claims, uneven_shares
from dataagent.answering.telling import Told, changed, largest_change, last_complete
from dataagent.answering.types import CellRef, Claim

_MOVING = (Derived.MOVING_AVERAGE, Derived.MOVING_SUM, Derived.MOVING_MINIMUM, Derived.MOVING_MAXIMUM)


def calculated_claims(told: Told) -> list[Claim]:
    """The sentences about what was calculated, the headline first; empty where nothing was."""
    found: list[Claim] = []
    for metric in told.metrics:
        if metric in told.at:
            found += _of_metric(told, told.columns[told.at[metric]])
    return found


def _of_metric(told: Told, metric: ResultColumn) -> Iterator[Claim]:
    comparison = told.spec.comparison
    yield from share_claims(told, metric)
    if isinstance(comparison, PeriodComparison):
        yield from _over_periods(told, metric, comparison)
    elif isinstance(comparison, MemberComparison):
        yield from _between_members(told, metric, comparison)
    yield from _up_to(told, metric)


# -- periods -------------------------------------------------------------------------------


def _over_periods(told: Told, metric: ResultColumn, comparison: PeriodComparison) -> Iterator[Claim]:
    if comparison.window is None:
        yield from _last_of_series(told, metric, comparison)
        return
    now, then = told.when(told.intent.time_range), told.when(comparison.window)
    if not told.groups:
        yield changed(told, metric, Derived.PREVIOUS, CellRef(row=0, column=metric.name), (metric.label, now, then))
        return
    if told.spec.kept and len(told.rows) == 1:
        label = f"{told.member(0)}, {metric.label.lower()}"
        yield changed(told, metric, Derived.PREVIOUS, CellRef(row=0, column=metric.name), (label, now, then))
    elif told.total_row and not told.spec.kept:
        ref = CellRef(row=0, column=metric.name, table="total")
        yield changed(told, metric, Derived.PREVIOUS, ref, (metric.label, now, then))
    yield from largest_change(told, metric)


def uneven_claims(told: Told) -> list[Claim]:
    """Both figures without a change or a verdict: fewer loaded days stand against more, so neither would be true."""
    comparison = told.spec.comparison
    if not isinstance(comparison, PeriodComparison) or comparison.window is None or not told.rows:
        return []
    if any(isinstance(c, Share) for c in told.spec.calculations):
        return [claim for m in told.metrics if m in told.at for claim in uneven_shares(told, told.columns[told.at[m]])]
    table = "total" if told.groups else "result"
    if told.groups and not told.total_row:
        return []
    now, then = told.when(told.intent.time_range), told.when(comparison.window)
    is_asked = told.intent.kind is IntentKind.BOOLEAN or told.intent.answer_shape == "boolean"
    asked = "Not known yet. " if is_asked else ""
    found: list[Claim] = []
    for metric in (told.columns[told.at[m]] for m in told.metrics if m in told.at):
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
    row = last_complete(told)
    if row is None or told.time is None:
        return
    unit = comparison.back_granularity.value if comparison.back_granularity else "period"
    then = f"the {unit} before" if comparison.back_count == 1 else f"{comparison.back_count} {unit}s before"
    at = "on" if told.time.granularity is TimeGranularity.DAY else "in"
    now = f"{at} {cell_text(told.cell(CellRef(row=row, column=told.time.name)), told.time)}"
    yield changed(told, metric, Derived.PREVIOUS, CellRef(row=row, column=metric.name), (metric.label, now, then))


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
    now, then = f"{metric.label.lower()} {told.when(told.intent.time_range)}", f"{comparison.baseline}"
    yield changed(told, metric, Derived.BASELINE, CellRef(row=row, column=metric.name), (first, now, then))


# -- over time -----------------------------------------------------------------------------


def _up_to(told: Told, metric: ResultColumn) -> Iterator[Claim]:
    """The running total at its end, and the moving window of the last period that is over."""
    running = told.column(metric.name, Derived.RUNNING_TOTAL)
    if running is not None and len(told.groups) == 1 and told.time is not None and told.rows:
        plain = running.label == f"{metric.label}, {DERIVED_WORDS[Derived.RUNNING_TOTAL]}"
        lead = metric.label if plain else running.label
        yield _at(told, running, len(told.rows) - 1, f"{lead}: {{}} up to {{}}")
    moving = next((c for d in _MOVING if (c := told.column(metric.name, d)) is not None), None)
    row = last_complete(told)
    if moving is not None and row is not None:
        preposition = "on" if told.time is not None and told.time.granularity is TimeGranularity.DAY else "in"
        yield _at(told, moving, row, f"{moving.label}: {{}} {preposition} {{}}")


def _at(told: Told, column: ResultColumn, row: int, pattern: str) -> Claim:
    ref = CellRef(row=row, column=column.name)
    value = cell_text(told.cell(ref), column)
    when = cell_text(told.cell(CellRef(row=row, column=told.time.name)), told.time) if told.time else ""
    return Claim(text=pattern.format(value, when), value=value, cells=(ref,))
