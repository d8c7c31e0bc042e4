"""What workers do between runs: bring back what a dead worker left, in the product and in the engine."""

from __future__ import annotations

import logging

from dataagent.runs import store
from dataagent.runs.ports import RunCancelledError
from dataagent.runs.service import queue
from dataagent.runs.service.ending import end, give_turn
from dataagent.runs.service.working import LEASE_S
from dataagent.runs.states import Move, Reason
from dataagent.runs.types import RunFacts, RunState
from dataagent.warehouse.pool import warehouse_for
from dataagent.warehouse.port import WarehouseFault

log = logging.getLogger(__name__)

MAX_ATTEMPTS = 3
LONG_QUEUED_S = 10.0
SILENT_S = 1.0
"""A worker that has not beaten for so long does not see a cancel any more: the run ends without it."""


def look() -> store.Left:
    """What there is to do, in one look at the database."""
    return store.left_over(SILENT_S, lease_s=LEASE_S)


def sweep() -> int:
    """The number of runs that were moved on: those that their workers left, and turns that nobody gave."""
    turns = sum(1 for workspace_id, session_id in store.turns_due() if give_turn(workspace_id, session_id))
    cancelled = sum(1 for run in store.cancelled_in_silence(SILENT_S, lease_s=LEASE_S) if _end_cancelled(run))
    return turns + cancelled + sum(1 for run, overdue in store.expired() if _bring_back(run, overdue=overdue))


def hand_back(owner: str) -> int:
    """The number of runs that the workers of that process still held and may no longer: others go on with them."""
    return sum(1 for run in store.held_by(owner) if _requeue(run, given_up=True))


def clear_orphans() -> int:
    """The number of vanished workers' queries of which it is known now that they no longer run in the engine.

    What cannot be told yet, because the engine does not answer, is looked at again later.
    """
    return sum(1 for lapsed in store.lapsed_due() if is_clear(lapsed) and store.cleared(lapsed))


def announce_long_queued() -> None:
    """Reminds the broker of runs that have waited long, each once in a while: a message may have been lost."""
    for workspace_id, run_id in store.long_queued(LONG_QUEUED_S):
        queue.announce(workspace_id, run_id, good_for_s=LONG_QUEUED_S)


def hand_over(run: RunFacts) -> bool:
    """Whether the run was taken from the worker that holds it, and waits for another one now."""
    return _requeue(run, given_up=True, told="An admin hands it to another worker")


def is_clear(lapsed: store.Lapsed) -> bool:
    """Whether it is known now that nothing of the attempt runs in its engine; what does is told to stop."""
    try:
        return warehouse_for(lapsed.workspace).clear(lapsed.query_id)
    except WarehouseFault as fault:
        log.warning("Whether a query of run %s still runs is not known: %s", lapsed.run_id, fault)
        return False


def _end_cancelled(run: RunFacts) -> bool:
    return end(run, Move.CANCEL, Reason.CANCELLED_BY_PERSON, abandoned=True)


def _bring_back(run: RunFacts, *, overdue: bool) -> bool:
    if overdue:
        return end(run, Move.EXHAUST, Reason.TIME_LIMIT, abandoned=True)
    if run.attempt >= MAX_ATTEMPTS:
        return end(run, Move.FAIL, Reason.WORKER_LOST, abandoned=True)
    return _requeue(run)


def _requeue(run: RunFacts, *, given_up: bool = False, told: str = "") -> bool:
    by = run.lease_owner if given_up else ""
    try:
        won = store.requeue(run.workspace_id, run.id, Move.EXPIRE, old=RunState.RUNNING, given_up_by=by, told=told)
    except RunCancelledError:
        return _end_cancelled(run)
    if won:
        queue.announce(run.workspace_id, run.id)
    return won
