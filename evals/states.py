"""The legal moves of an eval run."""

from __future__ import annotations

from datetime import datetime, timedelta

from evals.types import EvalRunState

NEXT: dict[tuple[EvalRunState, str], EvalRunState] = {
    (EvalRunState.QUEUED, "begin"): EvalRunState.RUNNING,
    (EvalRunState.QUEUED, "fail"): EvalRunState.FAILED,
    (EvalRunState.RUNNING, "finish"): EvalRunState.FINISHED,
    (EvalRunState.RUNNING, "fail"): EvalRunState.FAILED,
}
SILENCE = timedelta(minutes=5)
"""After that long without a sign of life, whoever ran it is gone."""
UNFINISHED = frozenset({EvalRunState.QUEUED, EvalRunState.RUNNING})


def shown_state(state: EvalRunState, last_sign: datetime, now: datetime) -> EvalRunState:
    """The state as people see it: an unfinished run that fell silent was interrupted."""
    return EvalRunState.INTERRUPTED if state in UNFINISHED and now - last_sign > SILENCE else state
