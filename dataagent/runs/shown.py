"""A stored run → what doors show of it."""

from __future__ import annotations

from dataclasses import replace

from dataagent.answering.explained import CONTEXT
from dataagent.answering.types import Answer, ChartKind, ChartSpec
from dataagent.intent.types import Decision, Limitation
from dataagent.runs import encoding
from dataagent.runs.states import TERMINAL, sentence
from dataagent.runs.types import RunFacts, RunState, RunView, StepRecord

DECISIONS: dict[RunState, Decision] = {
    RunState.ANSWERED: Decision.ANSWER,
    RunState.WAITING_FOR_PERSON: Decision.CLARIFY,
    RunState.REFUSED: Decision.DENY,
}
"""The decision of a run's state; every other ended state stops without an answer."""


def view(facts: RunFacts, steps: tuple[StepRecord, ...], *, whole: bool) -> RunView:
    """The run for a door.  `whole` is for the asker; others see how it was answered, not the data."""
    timings: dict[str, float] = {}
    for step in steps:
        timings[step.kind.value] = round(timings.get(step.kind.value, 0.0) + step.elapsed_ms, 3)
    answer = _answer(facts)
    return RunView(
        id=facts.id,
        session_id=facts.session_id,
        workspace=facts.workspace,
        asker=facts.asker,
        question=facts.question,
        state=facts.state,
        reason=facts.reason,
        today=facts.today,
        created_at=facts.created_at,
        finished_at=facts.finished_at,
        answer=answer if whole or answer is None else without_data(answer),
        receipt_digest=facts.receipt_digest,
        timings_ms=timings,
    )


def without_data(answer: Answer) -> Answer:
    """The answer as someone sees it whose own permissions may be narrower than the asker's."""
    told = {check.detail for check in answer.checks}
    return replace(
        answer,
        headline="The result is shown to the person who asked.",
        subline="",
        rows=(),
        total_row=(),
        caveats=tuple(c for c in answer.caveats if c not in told and not c.startswith(CONTEXT)),
        chart=ChartSpec(kind=ChartKind.NONE) if answer.chart else None,
        claims=(),
        checks=tuple(replace(c, detail="") for c in answer.checks),
        next_questions=(),
        choices=(),
        inherited=(),
    )


def _answer(facts: RunFacts) -> Answer | None:
    if facts.answer:
        loaded: Answer = encoding.loads(facts.answer, Answer)
        return loaded
    if facts.state not in TERMINAL:
        return None
    words = sentence(facts.reason) or "This question ended without an answer."
    return Answer(
        question=facts.question,
        decision=DECISIONS.get(facts.state, Decision.ABSTAIN),
        headline=words,
        limitation=Limitation(code=facts.reason, message=words),
    )
