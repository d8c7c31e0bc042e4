"""What workers do between runs: bring back what a dead worker left."""

from __future__ import annotations

from dataagent.runs import store
from dataagent.runs.ports import RunCancelledError
from dataagent.runs.service import queue
from dataagent.runs.service.working import end
from dataagent.runs.states import Move, Reason
from dataagent.runs.types import RunFacts, RunState

MAX_ATTEMPTS = 3
LONG_QUEUED_S = 10.0


def sweep() -> int:
    """The number of runs whose lease had run out: each is queued again, or ended after too many attempts."""
    return sum(1 for run in store.expired() if _bring_back(run))


def announce_long_queued() -> None:
    """Sends runs to the broker again that have waited long: a message may have been lost."""
    for workspace_id, run_id in store.long_queued(LONG_QUEUED_S):
        queue.announce(workspace_id, run_id)


def _bring_back(run: RunFacts) -> bool:
    if run.attempt >= MAX_ATTEMPTS:
        return end(run, Move.FAIL, Reason.WORKER_LOST)
    try:
        won = store.requeue(run.workspace_id, run.id, Move.EXPIRE, old=RunState.RUNNING)
    except RunCancelledError:
        return end(run, Move.CANCEL, Reason.CANCELLED_BY_PERSON)
    if won:
        queue.announce(run.workspace_id, run.id)
    return won
