"""A suite, case by case: ask, grade, tell.  Everything that touches the world arrives as a port."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from evals.graders.result import RunReference, grade_result
from evals.graders.structure import grade_structure
from evals.types import CaseResult, EvalOutcome, GoldenCase, Reply

Ask = Callable[[GoldenCase], Reply]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalPorts:
    """How cases reach the product, and how trusted reference queries run."""

    ask: Ask
    run_reference: RunReference


def run_cases(cases: tuple[GoldenCase, ...], ports: EvalPorts) -> Iterator[CaseResult]:
    """One graded result per case, in order, as each is done."""
    for case in cases:
        yield grade(case, ports.ask(case), ports.run_reference)


def grade(case: GoldenCase, reply: Reply, run_reference: RunReference) -> CaseResult:
    """The graded case: policy and structure first, then the result; the first finding decides."""
    found = grade_structure(case, reply) or grade_result(case, reply, run_reference)
    return CaseResult(
        case_id=case.id,
        question=case.question,
        outcome=found.outcome if found else EvalOutcome.RIGHT,
        stage=found.stage if found else None,
        detail=found.detail if found else "",
        tags=case.tags,
        sql=reply.sql,
        run_id=reply.run_id,
        receipt_digest=reply.receipt_digest,
        elapsed_ms=reply.elapsed_ms,
    )
