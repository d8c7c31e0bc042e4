"""Counts, intervals and the matrix say what happened, no more."""

from __future__ import annotations

import pytest

from evals.report import report, wilson
from evals.types import CaseResult, EvalOutcome, Stage


def result(case_id: str, outcome: EvalOutcome, stage: Stage | None = None, tags: tuple[str, ...] = ()) -> CaseResult:
    return CaseResult(case_id=case_id, question=case_id, outcome=outcome, stage=stage, detail="", tags=tags)


RESULTS = (
    result("a", EvalOutcome.RIGHT, tags=("trend", "top")),
    result("b", EvalOutcome.WRONG, Stage.SQL, tags=("trend",)),
    result("c", EvalOutcome.ASKED, Stage.INTENT),
)


def test_the_total_counts_every_outcome() -> None:
    total = report(RESULTS).total
    assert [total.count(o) for o in EvalOutcome] == [1, 1, 0, 0, 1, 0]


def test_a_slice_holds_the_cases_with_its_tag() -> None:
    slices = {s.name: s for s in report(RESULTS).slices}
    assert list(slices) == ["top", "trend"]
    assert (slices["trend"].cases, slices["trend"].count(EvalOutcome.WRONG)) == (2, 1)


def test_the_matrix_marks_the_failing_stage_and_what_was_not_reached() -> None:
    row = report(RESULTS).matrix[1]
    states = {cell.stage: cell.state for cell in row.cells}
    assert (states[Stage.PLAN], states[Stage.SQL], states[Stage.POLICY]) == ("passed", "failed", "not_reached")


def test_a_right_case_passed_every_stage() -> None:
    assert {cell.state for cell in report(RESULTS).matrix[0].cells} == {"passed"}


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(0, 11, 0.0, 0.2588), (11, 11, 0.7412, 1.0), (5, 10, 0.2366, 0.7634), (0, 0, 0.0, 1.0)],
)
def test_intervals_are_wilsons(successes: int, trials: int, low: float, high: float) -> None:
    interval = wilson(successes, trials)
    assert (interval.low, interval.high) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))
