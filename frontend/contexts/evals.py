"""Eval suites and runs as pages: what was right, what was not, and at which stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evals.types import CaseResult, EvalOutcome, EvalRunState, EvalRunView, Interval, MatrixRow, SliceSummary, SuiteInfo
from frontend.contexts.sql import SqlPiece, sql_pieces
from frontend.values import clock, duration, short_digest

TONES = {
    EvalOutcome.RIGHT: "ok",
    EvalOutcome.ASKED: "warn",
    EvalOutcome.ABSTAINED: "warn",
    EvalOutcome.DENIED: "warn",
    EvalOutcome.WRONG: "bad",
    EvalOutcome.FAILED: "bad",
}
STATE_TONES = {EvalRunState.FINISHED: "ok", EvalRunState.FAILED: "bad", EvalRunState.INTERRUPTED: "bad"}
MARKS = {"passed": "●", "failed": "✕", "not_reached": "·"}
CELL_WORDS = {"passed": "passed", "failed": "failed here", "not_reached": "not reached"}
WORKING = frozenset({EvalRunState.QUEUED, EvalRunState.RUNNING})


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """How many cases ended one way."""

    outcome: str
    tone: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteRow:
    """A suite that can be started, or why it cannot."""

    name: str
    description: str
    cases: int
    available: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalRunRow:
    """An eval run in the list."""

    id: str
    suite: str
    state: str
    tone: str
    when: str
    by: str
    progress: str
    counts: tuple[Count, ...]
    wrong: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalsPage:
    """Suites to start, and the newest runs."""

    suites: tuple[SuiteRow, ...]
    runs: tuple[EvalRunRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixCell:
    """One stage of one case."""

    state: str
    mark: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRow:
    """One case of the matrix.  `text` is what the filter searches."""

    id: str
    question: str
    outcome: str
    tone: str
    cells: tuple[MatrixCell, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceRow:
    """One slice with its share of right cases and its interval."""

    name: str
    cases: int
    right: str
    interval: str
    wrong: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalRunPage:
    """An eval run, also while it works."""

    id: str
    suite: str
    state: str
    tone: str
    reason: str
    when: str
    by: str
    working: bool
    done: int
    total: int
    progress: str
    others: tuple[Count, ...]
    right: str
    right_interval: str
    wrong: int
    wrong_tone: str
    stages: tuple[str, ...]
    cases: tuple[CaseRow, ...]
    slices: tuple[SliceRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CasePage:
    """One graded case in full."""

    run_id: str
    suite: str
    id: str
    question: str
    outcome: str
    tone: str
    stage: str
    detail: str
    tags: tuple[str, ...]
    sql: str
    sql_pieces: tuple[SqlPiece, ...]
    asked_run: str
    receipt: str
    time: str
    previous: str
    next: str


def evals_page(suites: Sequence[SuiteInfo], runs: Sequence[EvalRunView]) -> EvalsPage:
    """Suites in the given order, runs newest first."""
    return EvalsPage(suites=tuple(map(_suite, suites)), runs=tuple(map(_run_row, runs)))


def eval_run_page(run: EvalRunView) -> EvalRunPage:
    """The run with its matrix of cases by stages."""
    total, tags = run.report.total, {r.case_id: r.tags for r in run.results}
    wrong = total.count(EvalOutcome.WRONG)
    return EvalRunPage(
        id=run.id,
        suite=run.suite,
        state=run.state.value,
        tone=STATE_TONES.get(run.state, ""),
        reason=run.reason,
        when=clock(run.created_at),
        by=str(run.started_by),
        working=run.state in WORKING,
        done=run.done,
        total=run.total,
        progress=f"{run.done} of {run.total}",
        others=tuple(c for c in _counts(total) if c.outcome not in {EvalOutcome.RIGHT, EvalOutcome.WRONG}),
        right=str(total.count(EvalOutcome.RIGHT)),
        right_interval=f"{total.right.share:.0%} of {total.cases}, interval {_interval(total.right)}"
        if total.cases
        else "",
        wrong=wrong,
        wrong_tone="bad" if wrong else "ok",
        stages=tuple(cell.stage.value.replace("_", " ") for cell in run.report.matrix[0].cells)
        if run.report.matrix
        else (),
        cases=tuple(_case_row(row, tags.get(row.case_id, ())) for row in run.report.matrix),
        slices=tuple(map(_slice, run.report.slices)),
    )


def case_page(run: EvalRunView, case_id: str) -> CasePage | None:
    """One case with its neighbours; None where the run has no such case."""
    ids = [result.case_id for result in run.results]
    if case_id not in ids:
        return None
    at = ids.index(case_id)
    found: CaseResult = run.results[at]
    return CasePage(
        run_id=run.id,
        suite=run.suite,
        id=found.case_id,
        question=found.question,
        outcome=found.outcome.value,
        tone=TONES[found.outcome],
        stage=found.stage.value.replace("_", " ") if found.stage else "",
        detail=found.detail,
        tags=found.tags,
        sql=found.sql,
        sql_pieces=sql_pieces(found.sql),
        asked_run=found.run_id,
        receipt=short_digest(found.receipt_digest),
        time=duration(found.elapsed_ms) if found.elapsed_ms else "",
        previous=ids[at - 1] if at else "",
        next=ids[at + 1] if at + 1 < len(ids) else "",
    )


def _suite(suite: SuiteInfo) -> SuiteRow:
    return SuiteRow(
        name=suite.name,
        description=suite.description,
        cases=suite.cases,
        available=suite.available,
        reason=suite.reason,
    )


def _run_row(run: EvalRunView) -> EvalRunRow:
    return EvalRunRow(
        id=run.id,
        suite=run.suite,
        state=run.state.value,
        tone=STATE_TONES.get(run.state, ""),
        when=clock(run.created_at),
        by=str(run.started_by),
        progress=f"{run.done} of {run.total}",
        counts=_counts(run.report.total),
        wrong=run.report.total.count(EvalOutcome.WRONG),
    )


def _counts(summary: SliceSummary) -> tuple[Count, ...]:
    return tuple(
        Count(outcome=outcome.value, tone=TONES[outcome], number=number) for outcome, number in summary.counts if number
    )


def _case_row(row: MatrixRow, tags: Sequence[str]) -> CaseRow:
    return CaseRow(
        id=row.case_id,
        question=row.question,
        outcome=row.outcome.value,
        tone=TONES[row.outcome],
        cells=tuple(
            MatrixCell(state=cell.state, mark=MARKS[cell.state], words=f"{cell.stage.value}: {CELL_WORDS[cell.state]}")
            for cell in row.cells
        ),
        text=" ".join((row.case_id, row.question, row.outcome.value, *tags)),
    )


def _slice(summary: SliceSummary) -> SliceRow:
    return SliceRow(
        name=summary.name,
        cases=summary.cases,
        right=f"{summary.right.share:.0%}",
        interval=_interval(summary.right),
        wrong=summary.count(EvalOutcome.WRONG),
    )


def _interval(interval: Interval) -> str:
    return f"{interval.low:.0%} to {interval.high:.0%}"
