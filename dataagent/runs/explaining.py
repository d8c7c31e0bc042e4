""" "Why did it change?": the change verified first, then taken apart by one dimension after the other.

Several queries in one run, each planned, guarded, explained, run and recorded as any other, so that
a cancelled run ends between two of them or within one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from catalog.calculations import Derived, PeriodComparison, derived_name
from catalog.factors import RatioParts, change_of, factors_of, ratio_parts
from catalog.labels import dimension_label
from catalog.query import ColumnRole, MetricIntent, ResultColumn
from catalog.types import CatalogSnapshot, Scalar
from catalog.visible import visible_dimensions
from dataagent.answering.contribution import Contribution, Quotient, added_up, fraction, of_quotients, side_by_side
from dataagent.answering.explained import MAX_MEMBERS, ExplainedFindings, explain
from dataagent.answering.keyed import keys_tell_apart
from dataagent.answering.splits import Change, Split, Way
from dataagent.answering.types import UNEVEN_DAYS, Check, CheckOutcome, DataState, KeyState
from dataagent.answering.validate import Result, validate
from dataagent.runs.facts import query_facts
from dataagent.runs.ports import Outcome, Ports, QueryFacts, Record
from dataagent.runs.querying import Meaning, Ready, ended, execute, ready, ready_as_loaded
from dataagent.runs.types import StepKind
from dataagent.warehouse.port import ResultTable, WarehouseFault

_TOO_LONG = frozenset({"timeout", "out_of_memory", "too_large"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ran:
    """One query of the run with its rows, what its joins rely on, and what is kept of it."""

    prepared: Ready
    table: ResultTable
    keys: tuple[KeyState, ...]
    facts: QueryFacts


def explain_change(meaning: Meaning, ports: Ports, record: Record) -> Outcome:
    """How a question about the reasons of a change ends.

    Raises: WarehouseFault, RunCancelledError.
    """
    loaded = ready_as_loaded(replace(meaning, intent=change_of(meaning.intent)), ports, record)
    if isinstance(loaded, Outcome):
        return loaded
    asked, prepared, states = loaded.meaning, loaded.query, loaded.states
    total = _run(prepared, ports, record)
    checks = record.step(StepKind.VALIDATE, validate, _result(asked, total, states, ports))
    change = _change(asked.intent, total)
    splits: list[Split] = []
    further: list[QueryFacts] = []
    skipped: list[str] = []
    if _is_to_be_explained(checks, change, meaning.intent):
        for name in factors_of(meaning.intent, ports.snapshot, ports.scope):
            found = _split(asked, name, change, ports, record)
            further += found.facts
            splits += [found.split] if found.split else []
            skipped += [found.skipped] if found.skipped else []
    findings = ExplainedFindings(
        question=meaning.ask.question,
        understanding=meaning.understanding,
        asked=meaning.intent,
        change=change,
        splits=tuple(splits),
        skipped=tuple(skipped),
        checks=checks,
        data_states=states,
        row_scope=tuple(dict.fromkeys(f.label for f in prepared.guarded.filters)),
        notes=prepared.compiled.notes,
        proposed_sql=prepared.compiled.sql,
        executed_sql=prepared.guarded.sql,
        today=meaning.ask.today,
    )
    answer = record.step(StepKind.COMPOSE, explain, findings, ports.snapshot, meaning.evidence)
    return ended(meaning, answer, prepared.compiled, total.facts, tuple(further))


def _is_to_be_explained(checks: tuple[Check, ...], change: Change, asked: MetricIntent) -> bool:
    """Whether there is a change of the claimed kind between two periods that are equally complete."""
    unfit = any(c.outcome is CheckOutcome.FAILED or c.name == UNEVEN_DAYS for c in checks)
    return not unfit and change.is_known and change.went(asked) and change.by != 0


def _run(prepared: Ready, ports: Ports, record: Record) -> _Ran:
    keys = record.step(StepKind.LIVE_CHECKS, ports.keys, prepared.compiled.keys)
    table = record.step(StepKind.EXECUTE, execute, prepared.guarded, ports)
    facts = query_facts(prepared.compiled, prepared.guarded, prepared.explained, table, engine=ports.warehouse.engine)
    return _Ran(prepared=prepared, table=table, keys=keys, facts=facts)


def _result(meaning: Meaning, ran: _Ran, states: tuple[DataState, ...], ports: Ports) -> Result:
    return Result(
        intent=meaning.intent,
        spec=ran.prepared.spec,
        columns=ran.prepared.compiled.columns,
        rows=ran.table.rows,
        total_row=(),
        truncated=ran.table.truncated,
        parameters=ran.prepared.guarded.parameters,
        data_states=states,
        today=meaning.ask.today,
        calendar=ports.snapshot.calendar,
        open_start=meaning.as_of_end,
        key_states=ran.keys,
    )


def _change(intent: MetricIntent, total: _Ran) -> Change:
    comparison = total.prepared.spec.comparison
    window = comparison.window if isinstance(comparison, PeriodComparison) else None
    row = total.table.rows[0] if total.table.rows else ()
    return Change(
        intent=intent, spec=total.prepared.spec, columns=total.prepared.compiled.columns, row=row, earlier=window
    )


# -- one dimension -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """A change by one dimension, or why there is none, with what is kept of the queries."""

    split: Split | None = None
    skipped: str = ""
    facts: tuple[QueryFacts, ...] = ()


def _split(meaning: Meaning, name: str, change: Change, ports: Ports, record: Record) -> _Found:
    """The change by one dimension.  One that takes too long or cannot be computed is left out and told."""
    label = _label(ports.snapshot, name, ports)
    ratio = ratio_parts(meaning.intent.metrics[0], ports.snapshot, ports.scope)
    try:
        found = _by(meaning, name, ports, record, ratio)
    except WarehouseFault as fault:
        if fault.code not in _TOO_LONG:
            raise
        return _Found(skipped=f"{label}: it could not be split in time.")
    if isinstance(found, str):
        return _Found(skipped=f"{label}: {found}")
    broken = next((c.detail for c in keys_tell_apart(found.keys) if c.outcome is CheckOutcome.FAILED), "")
    if broken or found.table.truncated or len(found.table.rows) > MAX_MEMBERS:
        reason = broken or f"it has more than {MAX_MEMBERS} groups."
        return _Found(skipped=f"{label}: {reason}", facts=(found.facts,))
    if len(found.table.rows) < 2:
        return _Found(skipped=f"{label}: all is one group.", facts=(found.facts,))
    way, parts = _parts(found, change, ratio)
    split = Split(dimension=name, label=label, way=way, parts=parts)
    return _Found(split=split if split.holds(change) else split.apart(), facts=(found.facts,))


def _by(meaning: Meaning, name: str, ports: Ports, record: Record, ratio: RatioParts | None) -> _Ran | str:
    intent = replace(meaning.intent, dimensions=(name,))
    evidence = meaning.evidence
    if ratio is not None:
        inputs = tuple(dict.fromkeys((ratio.numerator, ratio.denominator)))
        intent = replace(intent, metrics=(*intent.metrics, *(i for i in inputs if i not in intent.metrics)))
        evidence = record.step(StepKind.EVIDENCE, ports.evidence, meaning.ask.question, intent, ports.scope)
    prepared = ready(replace(meaning, intent=intent, evidence=evidence), ports, record)
    return "this cannot be computed." if isinstance(prepared, Outcome) else _run(prepared, ports, record)


def _parts(ran: _Ran, change: Change, ratio: RatioParts | None) -> tuple[Way, tuple[Contribution, ...]]:
    columns = ran.prepared.compiled.columns
    metric = change.metric
    group = next(c for c in columns if c.role is not ColumnRole.METRIC)
    cells = _Cells(columns, ran.table.rows)
    if ratio is not None:
        quotients = of_quotients([_quotient(row, group, ratio, cells) for row in ran.table.rows])
        if quotients is not None and _adds(columns, ratio.numerator) and _adds(columns, ratio.denominator):
            return Way.RATIO, quotients
    figures = [cells.pair(row, group, metric.name) for row in ran.table.rows]
    if ratio is None and _adds(columns, metric.name):
        return Way.ADDS_UP, added_up(figures)
    return Way.APART, side_by_side(figures)


def _adds(columns: tuple[ResultColumn, ...], metric: str) -> bool:
    return any(c.name == metric and c.additive for c in columns)


class _Cells:
    """A result's cells by column."""

    def __init__(self, columns: tuple[ResultColumn, ...], rows: tuple[tuple[Scalar, ...], ...]) -> None:
        self._at = {c.name: i for i, c in enumerate(columns)}
        self.rows = rows

    def of(self, row: tuple[Scalar, ...], column: str) -> Scalar:
        """The cell; None where there is no such column."""
        return row[self._at[column]] if column in self._at else None

    def pair(self, row: tuple[Scalar, ...], group: ResultColumn, metric: str) -> tuple[Scalar, Scalar, Scalar]:
        """The member with the metric's figure now and before."""
        before = derived_name(metric, Derived.PREVIOUS)
        return self.of(row, group.name), self.of(row, metric), self.of(row, before)


def _quotient(row: tuple[Scalar, ...], group: ResultColumn, ratio: RatioParts, cells: _Cells) -> Quotient:
    member, top_now, top_before = cells.pair(row, group, ratio.numerator)
    _, bottom_now, bottom_before = cells.pair(row, group, ratio.denominator)
    numbers = [fraction(v) or fraction(0) for v in (top_now, bottom_now, top_before, bottom_before)]
    top1, bottom1, top0, bottom0 = (n for n in numbers if n is not None)
    return Quotient(member=member, top_now=top1, bottom_now=bottom1, top_before=top0, bottom_before=bottom0)


def _label(snapshot: CatalogSnapshot, name: str, ports: Ports) -> str:
    held = visible_dimensions(snapshot, ports.scope, name)
    return dimension_label(held[0].dimension) if held else name
