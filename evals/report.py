"""What an eval run amounts to: counts, intervals, slices, and the matrix of cases by stages."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from evals.types import (
    CaseResult,
    EvalOutcome,
    EvalReport,
    Interval,
    MatrixRow,
    SliceSummary,
    Stage,
    StageCell,
)

_Z95 = 1.959963984540054
PATH = tuple(s for s in Stage if s is not Stage.REFERENCE)
"""The stages that a question passes, in order."""


def report(results: Sequence[CaseResult]) -> EvalReport:
    """The whole, the slices by tag in alphabetical order, and one matrix row per case."""
    tags = sorted({tag for result in results for tag in result.tags})
    return EvalReport(
        total=_summary("all", results),
        slices=tuple(_summary(tag, [r for r in results if tag in r.tags]) for tag in tags),
        matrix=tuple(_row(r) for r in results),
    )


def wilson(successes: int, trials: int) -> Interval:
    """The share with its 95 % interval; without trials, everything is possible.

    Source: Wilson (1927), score interval without continuity correction.
    """
    if trials == 0:
        return Interval(share=0.0, low=0.0, high=1.0)
    share = successes / trials
    scale = 1 + _Z95**2 / trials
    middle = (share + _Z95**2 / (2 * trials)) / scale
    half = _Z95 * math.sqrt(share * (1 - share) / trials + _Z95**2 / (4 * trials**2)) / scale
    return Interval(share=share, low=max(0.0, middle - half), high=min(1.0, middle + half))


def _summary(name: str, results: Sequence[CaseResult]) -> SliceSummary:
    counts = Counter(r.outcome for r in results)
    return SliceSummary(
        name=name,
        cases=len(results),
        counts=tuple((outcome, counts[outcome]) for outcome in EvalOutcome),
        right=wilson(counts[EvalOutcome.RIGHT], len(results)),
        wrong=wilson(counts[EvalOutcome.WRONG], len(results)),
    )


def _row(result: CaseResult) -> MatrixRow:
    failed = PATH.index(result.stage) if result.stage in PATH else len(PATH)
    states = ("passed" if i < failed else "failed" if i == failed else "not_reached" for i in range(len(PATH)))
    return MatrixRow(
        case_id=result.case_id,
        question=result.question,
        outcome=result.outcome,
        cells=tuple(StageCell(stage=stage, state=state) for stage, state in zip(PATH, states, strict=True)),
    )
