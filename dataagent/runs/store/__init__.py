"""The only ORM code of this room; takes and returns types.

Every change of state is a compare-and-set on the run's row.  Events are numbered
under that row's lock, so they have no gaps and become visible in order.  Steps
and their events are committed without waiting for the disk: losing the last of
them in a crash of PostgreSQL repeats a read-only step, nothing else.
"""

from __future__ import annotations

from dataagent.runs.store.attempts import Attempt, Lapsed, Left, attempts, cleared, lapsed_due, lapsed_of, left_over
from dataagent.runs.store.events import EVENTS_CHANNEL, RUNS_CHANNEL, notify
from dataagent.runs.store.members import (
    ask_upkeep,
    cancel_upkeep,
    claim_upkeep,
    end_upkeep,
    forget_member_lists,
    last_asked,
    member_chunks,
    member_list,
    member_lists,
    save_member_list,
    tell_upkeep,
    touch_member_list,
    upkeep,
)
from dataagent.runs.store.moves import (
    ActiveRunError,
    Ending,
    Seal,
    cancelled_in_silence,
    claim,
    create_session,
    enqueue,
    expired,
    finish,
    heartbeat,
    held_by,
    long_queued,
    pause,
    request_cancel,
    requeue,
    tell_export,
)
from dataagent.runs.store.openwords import logged_words, runs_with_word
from dataagent.runs.store.reading import (
    active_run,
    digests,
    ended_without_proof,
    events_after,
    links,
    manifest,
    receipt,
    receipts_in_order,
    run,
    runs_of_session,
    session,
    sessions_of,
    turns_of_session,
    workspaces_with_runs,
)
from dataagent.runs.store.steps import finish_step, replayable_steps, start_step, steps
from dataagent.runs.store.troubles import troubles
from dataagent.runs.store.turns import next_turn, set_meanwhile, turns_due
from dataagent.runs.store.usage import reserve, settle
from dataagent.runs.store.watching import reading

__all__ = [
    "EVENTS_CHANNEL",
    "RUNS_CHANNEL",
    "ActiveRunError",
    "Attempt",
    "Ending",
    "Lapsed",
    "Left",
    "Seal",
    "active_run",
    "ask_upkeep",
    "attempts",
    "cancel_upkeep",
    "cancelled_in_silence",
    "claim",
    "claim_upkeep",
    "cleared",
    "create_session",
    "digests",
    "end_upkeep",
    "ended_without_proof",
    "enqueue",
    "events_after",
    "expired",
    "finish",
    "finish_step",
    "forget_member_lists",
    "heartbeat",
    "held_by",
    "lapsed_due",
    "lapsed_of",
    "last_asked",
    "left_over",
    "links",
    "logged_words",
    "long_queued",
    "manifest",
    "member_chunks",
    "member_list",
    "member_lists",
    "next_turn",
    "notify",
    "pause",
    "reading",
    "receipt",
    "receipts_in_order",
    "replayable_steps",
    "request_cancel",
    "requeue",
    "reserve",
    "run",
    "runs_of_session",
    "runs_with_word",
    "save_member_list",
    "session",
    "sessions_of",
    "set_meanwhile",
    "settle",
    "start_step",
    "steps",
    "tell_export",
    "tell_upkeep",
    "touch_member_list",
    "troubles",
    "turns_due",
    "turns_of_session",
    "upkeep",
    "workspaces_with_runs",
]
