"""Eval runs and cases as JSON data."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from evals.types import CaseResult, EvalRunView, SliceSummary


def run_head(run: EvalRunView) -> dict[str, Any]:
    """An eval run without its cases."""
    return {
        "id": run.id,
        "suite": run.suite,
        "state": run.state.value,
        "reason": run.reason,
        "started_by": run.started_by,
        "created_at": run.created_at,
        "finished_at": run.finished_at,
        "total": run.total,
        "done": run.done,
        "summary": _summary(run.report.total),
    }


def run_document(run: EvalRunView) -> dict[str, Any]:
    """An eval run with its slices and its matrix of cases by stages."""
    return {
        **run_head(run),
        "slices": [_summary(s) for s in run.report.slices],
        "matrix": [
            {
                "case_id": row.case_id,
                "question": row.question,
                "outcome": row.outcome.value,
                "stages": {cell.stage.value: cell.state for cell in row.cells},
            }
            for row in run.report.matrix
        ],
    }


def case_document(run: EvalRunView, case_id: str) -> dict[str, Any] | None:
    """One graded case in full; None where the run has no such case."""
    found: CaseResult | None = next((r for r in run.results if r.case_id == case_id), None)
    return None if found is None else asdict(found)


def _summary(part: SliceSummary) -> dict[str, Any]:
    return {
        "name": part.name,
        "cases": part.cases,
        "counts": {outcome.value: number for outcome, number in part.counts},
        "right": asdict(part.right),
        "wrong": asdict(part.wrong),
    }
