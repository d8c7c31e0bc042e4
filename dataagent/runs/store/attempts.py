"""Attempts: who worked on a run under which query id, and what of it may still run in an engine."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import connection
from django.db.models.functions import Now

from dataagent.runs.models import Run, RunAttempt
from dataagent.runs.types import AttemptState

_DUE = """
UPDATE runs_runattempt a
   SET look_at = statement_timestamp() + least(interval '60 s', statement_timestamp() - released_at + interval '0.5 s')
  FROM accounts_workspace w
 WHERE w.id = a.workspace_id AND a.id IN (
       SELECT id FROM runs_runattempt WHERE state = 'lapsed' AND look_at <= statement_timestamp()
        ORDER BY look_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED)
RETURNING a.id, a.workspace_id, w.slug, a.run_id, a.query_id
"""


_LEFT = """
SELECT EXISTS (SELECT FROM runs_run WHERE state = 'running' AND (lease_until < statement_timestamp()
                   OR cancel_requested_at IS NOT NULL
                      AND lease_until < statement_timestamp() + make_interval(secs => %(seen)s)))
       OR EXISTS (SELECT FROM runs_run WHERE state = 'waiting_for_turn'),
       EXISTS (SELECT FROM runs_runattempt WHERE state = 'lapsed' AND look_at <= statement_timestamp())
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """Whether runs may have to be moved on, and whether queries of dead workers are to be looked for."""

    runs: bool
    queries: bool


def left_over(silent_s: float, *, lease_s: float) -> Left:
    """What there is to do for the upkeep, in one look: workers that have nothing to do ask it all the time."""
    with connection.cursor() as cursor:
        cursor.execute(_LEFT, {"seen": lease_s - silent_s})
        runs, queries = cursor.fetchone()
    return Left(runs=runs, queries=queries)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lapsed:
    """An attempt whose worker vanished: nobody knows yet whether its query still runs."""

    id: int
    workspace_id: int
    workspace: str
    run_id: str
    query_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One worker's work on a run."""

    number: int
    owner: str
    state: AttemptState
    claimed_at: datetime


def attempts(workspace_id: int, run_id: str) -> tuple[Attempt, ...]:
    """The attempts at a run in order."""
    rows = RunAttempt.rows.of(workspace_id).filter(run_id=run_id).order_by("id")
    return tuple(
        Attempt(number=r.number, owner=r.owner, state=AttemptState(r.state), claimed_at=r.claimed_at) for r in rows
    )


def release(row: Run, state: AttemptState) -> None:
    """Ends the attempt that works on the locked run, where there is one."""
    working = RunAttempt.rows.of(row.workspace_id).filter(run_id=row.id, state=AttemptState.WORKING.value)
    working.update(state=state.value, released_at=Now(), look_at=Now() if state is AttemptState.LAPSED else None)


def lapsed_due(limit: int = 20) -> tuple[Lapsed, ...]:
    """Attempts of all workspaces to be looked at now; each goes to one caller, and again later, more seldom."""
    with connection.cursor() as cursor:
        cursor.execute(_DUE, {"limit": limit})
        rows = cursor.fetchall()
    return tuple(Lapsed(id=r[0], workspace_id=r[1], workspace=r[2], run_id=str(r[3]), query_id=r[4]) for r in rows)


def lapsed_of(workspace_id: int, run_id: str) -> tuple[Lapsed, ...]:
    """The attempts at a run of which nothing is known yet, in order."""
    rows = RunAttempt.rows.of(workspace_id).filter(run_id=run_id, state=AttemptState.LAPSED.value)
    return tuple(
        Lapsed(id=r.id, workspace_id=workspace_id, workspace=r.workspace.slug, run_id=run_id, query_id=r.query_id)
        for r in rows.select_related("workspace").order_by("id")
    )


def cleared(attempt: Lapsed) -> bool:
    """Notes that nothing of the attempt runs in the engine any more; True where that was not known yet."""
    lapsed = RunAttempt.rows.of(attempt.workspace_id).filter(id=attempt.id, state=AttemptState.LAPSED.value)
    return bool(lapsed.update(state=AttemptState.CLEARED.value, look_at=None))
