"""Moves: every change of a run's state, compared and set."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from django.db import IntegrityError, connection, transaction
from django.db.models import Case, Q, When
from django.db.models.functions import Now
from django.utils import timezone

from dataagent.policy import service as policy
from dataagent.policy.audit import AuditEvent, AuditKind
from dataagent.runs import chain
from dataagent.runs.models import Manifest, Receipt, Run, Session
from dataagent.runs.openwords import OpenWord
from dataagent.runs.ports import RunCancelledError
from dataagent.runs.record import Standing
from dataagent.runs.sealing import KeptStep, Sealed
from dataagent.runs.states import YIELDING, Move, after
from dataagent.runs.store.attempts import release
from dataagent.runs.store.events import RUNS_CHANNEL, add_event, notify, tell
from dataagent.runs.store.openwords import note_choice, note_words
from dataagent.runs.store.reading import facts, run
from dataagent.runs.store.steps import holder, steps
from dataagent.runs.types import AttemptState, NewRun, RunFacts, RunState

CHAIN_LOCK = 0x0DA7A


class ActiveRunError(Exception):
    """The session already has an active run."""


Seal = Callable[[RunFacts, tuple[KeptStep, ...], int, str], Sealed]
"""(run as it ends, its steps, sequence, previous digest) → what to write."""


def create_session(workspace_id: int, owner_id: int, title: str) -> str:
    """The id of a new conversation."""
    row = Session.rows.create(workspace_id=workspace_id, owner_id=owner_id, title=title[:200])
    return str(row.id)


def enqueue(new: NewRun, *, waits: bool = False) -> RunFacts:
    """A queued run; wakes the workers on commit.  One that `waits` has its turn when the session's others have ended.

    Raises: ActiveRunError where the session has an active run (the database decides).
    """
    try:
        with transaction.atomic():
            row = Run(
                workspace_id=new.workspace_id,
                session_id=new.session_id,
                asker_id=new.asker_id,
                roles=list(new.roles),
                question=new.question,
                today=new.today,
                door=new.door,
                thread=new.thread,
                event_count=1,
                state=(RunState.WAITING_FOR_TURN if waits else RunState.QUEUED).value,
            )
            row.save(force_insert=True)
            words = "Waiting for the question before it" if waits else "Waiting for a free worker"
            add_event(row, "state", words, {"state": row.state})
            if not waits:
                notify(RUNS_CHANNEL, f"{row.workspace_id}:{row.id}")
    except IntegrityError as error:
        if "one_active_run_per_session" in str(error):
            raise ActiveRunError from error
        raise
    return facts(row, workspace=new.workspace, asker=new.asker)


def tell_export(given: RunFacts, *, rows: int, by: str) -> None:
    """Notes among the run's events that its result was taken away."""
    with transaction.atomic():
        row = Run.rows.of(given.workspace_id).select_for_update().get(id=given.id)
        tell(row, "exported", f"Result taken as CSV by {by}", {"rows": rows, "by": by})
        row.save(update_fields=["event_count"])
        details = (("format", "csv"), ("rows", str(rows)))
        policy.record(
            AuditEvent(
                workspace_id=given.workspace_id, kind=AuditKind.EXPORTED, by=by, subject=given.id, details=details
            )
        )


CLAIM = """
WITH won AS (
UPDATE runs_run SET state = 'running', lease_owner = %(owner)s, attempt = attempt + 1, query_id = %(query)s,
       lease_until = now() + make_interval(secs => %(lease)s), started_at = coalesce(started_at, now()),
       deadline_at = coalesce(deadline_at, statement_timestamp() + make_interval(secs => %(budget)s))
 WHERE id = (SELECT q.id FROM runs_run q
              WHERE q.state = 'queued' AND (%(run)s::uuid IS NULL OR q.id = %(run)s::uuid)
              ORDER BY (SELECT count(*) FROM runs_run b
                         WHERE b.workspace_id = q.workspace_id AND b.state = 'running'),
                       (q.attempt > 0) DESC, q.queued_at
              LIMIT 1 FOR UPDATE OF q SKIP LOCKED)
   AND state = 'queued'
RETURNING workspace_id, id, round_number, attempt),
noted AS (
    INSERT INTO runs_runattempt (workspace_id, run_id, round_number, number, owner, query_id, state, claimed_at)
    SELECT workspace_id, id, round_number, attempt, %(owner)s, %(query)s, 'working', clock_timestamp() FROM won)
SELECT workspace_id, id FROM won
"""


def claim(owner: str, *, lease_s: float, run_id: str | None = None, budget_s: float | None = None) -> RunFacts | None:
    """A queued run that now belongs to `owner` (the given one, or the next in a fair order), or None.

    From its first claim on it has `budget_s` to end or to ask, however many workers die over it.
    """
    values: dict[str, str | float | None] = {
        "owner": owner,
        "lease": lease_s,
        "run": run_id,
        "budget": budget_s,
        "query": uuid.uuid4().hex,
    }
    with connection.cursor() as cursor:
        cursor.execute(CLAIM, values)
        found = cursor.fetchone()
    return run(found[0], str(found[1])) if found else None


BEAT = """
UPDATE runs_run SET lease_until = least(statement_timestamp(), deadline_at) + make_interval(secs => %(lease)s)
 WHERE id = %(run)s AND workspace_id = %(workspace)s AND state = 'running'
   AND lease_owner = %(owner)s AND attempt = %(attempt)s
RETURNING cancel_requested_at IS NOT NULL, (deadline_at < statement_timestamp()) IS TRUE
"""


def heartbeat(held: RunFacts, *, lease_s: float) -> Standing:
    """Prolongs the lease, but not far past the run's time; tells whether it is held, cancelled or overdue."""
    with connection.cursor() as cursor:
        cursor.execute(BEAT, {**holder(held), "lease": lease_s})
        found = cursor.fetchone()
    return Standing(held=found is not None, cancelled=bool(found and found[0]), overdue=bool(found and found[1]))


def cancelled_in_silence(silent_s: float, *, lease_s: float, limit: int = 50) -> tuple[RunFacts, ...]:
    """Running runs of all workspaces that were cancelled and whose worker has not beaten for so long."""
    rows = Run.rows.of_every_workspace().filter(
        state=RunState.RUNNING.value,
        cancel_requested_at__isnull=False,
        lease_until__lt=Now() + timedelta(seconds=lease_s - silent_s),
    )
    return tuple(facts(r) for r in rows.select_related("workspace", "asker")[:limit])


def request_cancel(workspace_id: int, run_id: str) -> bool:
    """Marks a running run for cancelling; True where it was running."""
    running = Run.rows.of(workspace_id).filter(id=run_id, state=RunState.RUNNING.value)
    return bool(running.update(cancel_requested_at=Now()))


def requeue(
    workspace_id: int,
    run_id: str,
    move: Move,
    *,
    old: RunState,
    choice: int | None = None,
    given_up_by: str = "",
    told: str = "",
) -> bool:
    """Compare-and-set back into the queue (EXPIRE, CHOOSE, APPROVE); wakes the workers.  True when won.

    A run expires when its lease has run out, or where its owner gives it up or is made to.  `told` is the event's text.
    Raises: RunCancelledError where a run that would be brought back was cancelled.
    """
    new = after(old, move)
    if new is not RunState.QUEUED:
        return False
    with transaction.atomic():
        waiting = Run.rows.of(workspace_id).select_for_update().filter(id=run_id, state=old.value)
        lapsed = Q(lease_owner=given_up_by) if given_up_by else Q(lease_until__lt=Now())
        row = (waiting.filter(lapsed) if move is Move.EXPIRE else waiting).first()
        if row is None:
            return False
        _check_cancel(row, move)
        row.state, row.reason, row.lease_owner, row.lease_until = new.value, "", "", None
        row.cancel_requested_at, row.announced_at, row.queued_at = None, None, timezone.now()
        if move is Move.CHOOSE:
            row.choice, row.round_number, row.attempt, row.answer = choice, row.round_number + 1, 0, ""
        if move is not Move.EXPIRE:
            row.deadline_at = None  # people may think for as long as they like
        release(row, AttemptState.LAPSED)
        tell(row, "state", told or REQUEUED[move], {"state": new.value})
        row.save()
        if choice is not None:
            note_choice(row, choice)
        notify(RUNS_CHANNEL, f"{workspace_id}:{run_id}")
    return True


REQUEUED = {
    Move.EXPIRE: "The worker stopped; another one takes over",
    Move.CHOOSE: "Going on with your choice",
    Move.APPROVE: "Approved; going on",
}


def pause(
    held: RunFacts, move: Move, *, reason: str, answer: str, draft: str, open_words: tuple[OpenWord, ...] = ()
) -> bool:
    """Compare-and-set from running to waiting (ASK, ASK_APPROVAL).  `draft` is the manifest so far.

    Raises: RunCancelledError where the person has cancelled: then nobody is asked.
    """
    with transaction.atomic():
        row = _held_row(held)
        new = after(RunState(row.state), move) if row else None
        if row is None or new is None:
            return False
        _check_cancel(row, move)
        row.state, row.reason, row.answer, row.draft = new.value, reason, answer, draft
        row.lease_owner, row.lease_until = "", None
        release(row, AttemptState.DONE)
        tell(row, "state", "Waiting for your choice", {"state": new.value})
        row.save()
        note_words(row, open_words)
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a run ends: the move, its reason, what the person reads and the texts to keep.

    `abandoned` says that somebody else ends it for a worker that vanished.  `by` is who did, "" for the asker.
    """

    move: Move
    reason: str
    text: str
    answer: str = ""
    intent: str = ""
    open_words: tuple[OpenWord, ...] = ()
    abandoned: bool = False
    by: str = ""


def finish(ended: RunFacts, ending: Ending, seal: Seal) -> bool:
    """The last move of a run with its manifest and receipt, in one transaction; True when won.

    `ended` is the run as the caller knows it: state, attempt and lease must still be the same.
    Raises: RunCancelledError where the person has cancelled and the ending would hide it.
    """
    with transaction.atomic():
        row = _held_row(ended)
        new = after(RunState(row.state), ending.move) if row else None
        if row is None or new is None:
            return False
        _check_cancel(row, ending.move)
        row.state, row.reason, row.finished_at = new.value, ending.reason[:60], timezone.now()
        row.answer, row.intent = ending.answer, ending.intent
        row.lease_owner, row.lease_until = "", None
        release(row, AttemptState.LAPSED if ending.abandoned else AttemptState.DONE)
        _write_manifest(row, seal, by=ending.by or row.asker.username)
        row.draft = ""
        tell(row, "finished", ending.text, {"state": new.value, "reason": row.reason})
        row.save()
        note_words(row, ending.open_words)
    return True


def _write_manifest(row: Run, seal: Seal, *, by: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [CHAIN_LOCK, row.workspace_id])
    last = Manifest.rows.of(row.workspace_id).order_by("-sequence").values_list("sequence", "digest").first()
    sequence, previous = (last[0] + 1, last[1]) if last else (1, chain.GENESIS)
    sealed = seal(facts(row), steps(row.workspace_id, str(row.id)), sequence, previous)
    Manifest.rows.create(
        workspace_id=row.workspace_id,
        run=row,
        sequence=sequence,
        content=sealed.content,
        previous_digest=previous,
        digest=sealed.digest,
    )
    Receipt.rows.create(
        workspace_id=row.workspace_id,
        run=row,
        audience="asker",
        envelope=sealed.envelope,
        digest=sealed.receipt_digest,
    )
    row.receipt_digest = sealed.receipt_digest
    details = (("state", row.state), ("reason", row.reason), ("link", str(sequence)), ("manifest", sealed.digest))
    policy.record(
        AuditEvent(
            workspace_id=row.workspace_id,
            kind=AuditKind.RUN_ENDED,
            by=by,
            subject=str(row.id),
            details=details,
        )
    )


def expired(limit: int = 50) -> tuple[tuple[RunFacts, bool], ...]:
    """Running runs of all workspaces whose lease has run out, each with whether its time is up too."""
    rows = Run.rows.of_every_workspace().filter(state=RunState.RUNNING.value, lease_until__lt=Now())
    overdue = Case(When(deadline_at__lt=Now(), then=True), default=False)
    found = rows.select_related("workspace", "asker").annotate(overdue=overdue)[:limit]
    return tuple((facts(r), bool(r.overdue)) for r in found)


def held_by(owner: str, limit: int = 50) -> tuple[RunFacts, ...]:
    """Running runs of all workspaces that the threads of that worker hold."""
    rows = Run.rows.of_every_workspace().filter(state=RunState.RUNNING.value, lease_owner__startswith=f"{owner}/")
    return tuple(facts(r) for r in rows.select_related("workspace", "asker")[:limit])


_LONG_QUEUED = """
UPDATE runs_run SET announced_at = statement_timestamp()
 WHERE id IN (SELECT id FROM runs_run WHERE state = 'queued'
                 AND coalesce(announced_at, queued_at) < statement_timestamp() - make_interval(secs => %(age)s)
               ORDER BY queued_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED)
RETURNING workspace_id, id
"""


def long_queued(older_than_s: float, limit: int = 50) -> tuple[tuple[int, str], ...]:
    """(workspace, run) of runs that have waited long since they were queued or last came out of here."""
    with connection.cursor() as cursor:
        cursor.execute(_LONG_QUEUED, {"age": older_than_s, "limit": limit})
        return tuple((int(workspace_id), str(run_id)) for workspace_id, run_id in cursor.fetchall())


def _check_cancel(row: Run, move: Move) -> None:
    """The row is locked: a cancel is either seen here, or comes to a run that no longer works."""
    if row.cancel_requested_at is not None and row.state == RunState.RUNNING.value and move in YIELDING:
        raise RunCancelledError


def _held_row(held: RunFacts) -> Run | None:
    rows = Run.rows.of(held.workspace_id).select_for_update(of=("self",)).select_related("workspace", "asker")
    row: Run | None = rows.filter(
        id=held.id, state=held.state.value, attempt=held.attempt, lease_owner=held.lease_owner
    ).first()
    return row
