"""The end of a run, whoever brings it about; then the turn of the next one in its conversation."""

from __future__ import annotations

from dataagent.runs import store
from dataagent.runs.ports import RunCancelledError
from dataagent.runs.service import queue
from dataagent.runs.service.sealed import new_seal
from dataagent.runs.states import SENTENCES, Move, Reason
from dataagent.runs.types import RunFacts


def close(held: RunFacts, ending: store.Ending, seal: store.Seal) -> bool:
    """Ends the run; True when won.  Raises: RunCancelledError where the ending would hide a cancel."""
    won = store.finish(held, ending, seal)
    if won:
        give_turn(held.workspace_id, held.session_id)
    return won


def end(held: RunFacts, move: Move, reason: Reason, *, words: str = "", abandoned: bool = False) -> bool:
    """Ends a run without an answer of its own; True when won.  A cancel that came first ends it as cancelled."""
    ending = store.Ending(move=move, reason=reason.value, text=words or SENTENCES[reason], abandoned=abandoned)
    try:
        return close(held, ending, new_seal(held.draft))
    except RunCancelledError:
        return end(held, Move.CANCEL, Reason.CANCELLED_BY_PERSON, abandoned=abandoned)


def give_turn(workspace_id: int, session_id: str) -> bool:
    """Whether a run of the conversation waited and is queued now.  Where this is missed, the upkeep does it."""
    run_id = store.next_turn(workspace_id, session_id)
    if run_id is None:
        return False
    queue.announce(workspace_id, run_id)
    return True
