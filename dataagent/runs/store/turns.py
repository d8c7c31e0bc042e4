"""Turns: messages of a conversation that wait until the one before them has ended."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from dataagent.runs.models import ACTIVE_VALUES, Run, Session
from dataagent.runs.states import Move, after
from dataagent.runs.store.events import RUNS_CHANNEL, notify, tell
from dataagent.runs.types import Meanwhile, RunState


def set_meanwhile(workspace_id: int, session_id: str, meanwhile: Meanwhile) -> None:
    """Keeps the conversation's policy for messages that come while it works on one."""
    Session.rows.of(workspace_id).filter(id=session_id).update(meanwhile=meanwhile.value)


def next_turn(workspace_id: int, session_id: str) -> str | None:
    """The id of the run whose turn it is and that is queued now; None where none waits or another is active."""
    active = Run.rows.of(workspace_id).filter(session_id=session_id, state__in=ACTIVE_VALUES)
    waiting = Run.rows.of(workspace_id).filter(session_id=session_id, state=RunState.WAITING_FOR_TURN.value)
    new = after(RunState.WAITING_FOR_TURN, Move.TURN)
    try:
        with transaction.atomic():
            row = waiting.filter(~Exists(active)).select_for_update(skip_locked=True).order_by("created_at").first()
            if row is None or new is None:
                return None
            row.state, row.queued_at = new.value, timezone.now()
            tell(row, "state", "Its turn has come", {"state": new.value})
            row.save()
            notify(RUNS_CHANNEL, f"{workspace_id}:{row.id}")
            return str(row.id)
    except IntegrityError:
        return None  # another one became active meanwhile: the turn comes when it ends


def turns_due(limit: int = 50) -> tuple[tuple[int, str], ...]:
    """(workspace, session) of conversations in which a run waits for its turn and none is active."""
    busy = Run.rows.of_every_workspace().filter(session=OuterRef("session"), state__in=ACTIVE_VALUES)
    waiting = Run.rows.of_every_workspace().filter(~Exists(busy), state=RunState.WAITING_FOR_TURN.value)
    pairs = waiting.values_list("workspace_id", "session_id").distinct()[:limit]
    return tuple((int(workspace_id), str(session_id)) for workspace_id, session_id in pairs)
