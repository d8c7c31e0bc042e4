"""The steps of a run, written by whoever holds its lease."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import connection

from dataagent.runs.models import RunStep
from dataagent.runs.record import Finished, Standing
from dataagent.runs.types import RunFacts, StepKind, StepRecord

_KEEP = """
    INSERT INTO runs_runstep (workspace_id, run_id, number, round_number, attempt, kind, started_at, elapsed_ms,
                              input_digest, output_digest, artefact, replayable)
    SELECT %(workspace)s, %(run)s, (SELECT coalesce(max(number), 0) + 1 FROM runs_runstep WHERE run_id = %(run)s),
           round_number, %(attempt)s, %(step_kind)s, %(started_at)s, %(elapsed_ms)s,
           %(input_digest)s, %(output_digest)s, %(artefact)s, %(replayable)s
      FROM mine"""

_START = """
WITH mine AS (
    UPDATE runs_run SET event_count = event_count
           + CASE WHEN cancel_requested_at IS NULL AND (deadline_at > statement_timestamp()) IS NOT FALSE
                  THEN 1 ELSE 0 END
     WHERE id = %(run)s AND workspace_id = %(workspace)s AND state = 'running'
       AND lease_owner = %(owner)s AND attempt = %(attempt)s
    RETURNING event_count, round_number, cancel_requested_at IS NOT NULL AS cancelled,
              (deadline_at > statement_timestamp()) IS FALSE AS overdue),
told AS (
    INSERT INTO runs_runevent (workspace_id, run_id, number, kind, text, at, data)
    SELECT %(workspace)s, %(run)s, event_count, 'step', %(text)s, clock_timestamp(),
           jsonb_build_object('step', %(kind)s::text)
      FROM mine WHERE NOT (cancelled OR overdue))"""

_ANSWER = """
SELECT cancelled, overdue, pg_notify('dataagent_events', %(run)s::text), set_config('synchronous_commit', 'off', true)
  FROM mine
"""

START_STEP = _START + _ANSWER
KEEP_AND_START_STEP = "".join((_START, ", kept AS (", _KEEP, ")", _ANSWER))
_MINE = """
WITH mine AS (
    SELECT round_number FROM runs_run, set_config('synchronous_commit', 'off', true)
     WHERE id = %(run)s AND workspace_id = %(workspace)s AND lease_owner = %(owner)s AND attempt = %(attempt)s)"""
KEEP_STEP = _MINE + _KEEP


def start_step(held: RunFacts, kind: StepKind, text: str, finished: Finished | None = None) -> Standing:
    """Tells that a step starts, in one round trip; says whether the run is held, cancelled or overdue.

    `finished` is the step before, which is kept with it.
    """
    values = {**holder(held), "kind": kind.value, "text": text, **(_values(finished) if finished else {})}
    with connection.cursor() as cursor:
        cursor.execute(KEEP_AND_START_STEP if finished else START_STEP, values)
        found = cursor.fetchone()
    return Standing(held=found is not None, cancelled=bool(found and found[0]), overdue=bool(found and found[1]))


def finish_step(held: RunFacts, step: Finished) -> None:
    """Keeps a finished step, unless the run was taken over meanwhile."""
    with connection.cursor() as cursor:
        cursor.execute(KEEP_STEP, {**holder(held), **_values(step)})


def _values(step: Finished) -> dict[str, Any]:
    return {
        "step_kind": step.kind.value,
        "started_at": step.started_at,
        "elapsed_ms": step.elapsed_ms,
        "input_digest": step.input_digest,
        "output_digest": step.output_digest,
        "artefact": step.artefact,
        "replayable": step.replayable,
    }


def steps(workspace_id: int, run_id: str) -> tuple[tuple[StepRecord, int, int, str], ...]:
    """The steps of a run in order, each with attempt, round and input digest."""
    rows = RunStep.rows.of(workspace_id).filter(run_id=run_id).order_by("number")
    return tuple((_step(r), r.attempt, r.round_number, r.input_digest) for r in rows)


def replayable_steps(held: RunFacts) -> tuple[tuple[StepRecord, str], ...]:
    """Steps of earlier attempts of this round that can be rebuilt, with their input digests."""
    rows = RunStep.rows.of(held.workspace_id).filter(
        run_id=held.id, round_number=held.round_number, attempt__lt=held.attempt, replayable=True
    )
    return tuple((_step(r, with_artefact=True), r.input_digest) for r in rows.order_by("-number"))


def holder(held: RunFacts) -> dict[str, Any]:
    """What a run's row must still say for its worker to write: names of the values in SQL."""
    return {"run": held.id, "workspace": held.workspace_id, "owner": held.lease_owner, "attempt": held.attempt}


def _step(row: RunStep, *, with_artefact: bool = False) -> StepRecord:
    started: datetime = row.started_at
    return StepRecord(
        number=row.number,
        kind=StepKind(row.kind),
        started_at=started,
        elapsed_ms=row.elapsed_ms,
        output_digest=row.output_digest,
        artefact=row.artefact if with_artefact else None,
    )
