"""The only database code of this room: takes and returns types."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, QuerySet

from evals.models import EvalCaseResult, EvalRun
from evals.states import NEXT
from evals.types import CaseResult, EvalOutcome, EvalRunState, Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRun:
    """An eval run's row; `last_sign` is when it was last seen alive."""

    id: str
    suite: str
    state: EvalRunState
    reason: str
    started_by: str
    created_at: datetime
    last_sign: datetime
    finished_at: datetime | None
    total: int
    done: int


def add_run(
    workspace_id: int,
    *,
    suite: str,
    suite_digest: str,
    catalog_digest: str,
    policy_version: str,
    started_by: int,
    total: int,
) -> str:
    """The id of a new, queued eval run."""
    row = EvalRun.rows.create(
        workspace_id=workspace_id,
        suite=suite,
        suite_digest=suite_digest,
        catalog_digest=catalog_digest,
        policy_version=policy_version,
        started_by_id=started_by,
        total=total,
    )
    return str(row.pk)


def move(workspace_id: int, run_id: str, event: str, *, at: datetime, reason: str = "") -> bool:
    """Whether this call made the move; compare-and-set on the state."""
    for (old, name), new in NEXT.items():
        if name != event:
            continue
        ended = at if new in (EvalRunState.FINISHED, EvalRunState.FAILED) else None
        changed = (
            EvalRun.rows.of(workspace_id)
            .filter(pk=run_id, state=old.value)
            .update(state=new.value, reason=reason[:500], heartbeat_at=at, finished_at=ended)
        )
        if changed:
            return True
    return False


def add_result(workspace_id: int, run_id: str, number: int, result: CaseResult, *, at: datetime) -> None:
    """Nothing; afterwards the result is kept and the run has given a sign of life."""
    EvalCaseResult.rows.create(
        workspace_id=workspace_id,
        eval_run_id=run_id,
        number=number,
        case_id=result.case_id,
        question=result.question,
        outcome=result.outcome.value,
        stage=result.stage.value if result.stage else "",
        detail=result.detail,
        tags=list(result.tags),
        sql=result.sql,
        run_id=result.run_id,
        receipt_digest=result.receipt_digest,
        elapsed_ms=result.elapsed_ms,
    )
    EvalRun.rows.of(workspace_id).filter(pk=run_id).update(heartbeat_at=at)


def run(workspace_id: int, run_id: str) -> StoredRun | None:
    """The eval run, or None; a malformed id is simply unknown."""
    try:
        key = uuid.UUID(run_id)
    except ValueError:
        return None
    row = _rows(workspace_id).filter(pk=key).first()
    return None if row is None else _stored(row)


def runs(workspace_id: int, limit: int) -> tuple[StoredRun, ...]:
    """The newest eval runs of a workspace."""
    return tuple(_stored(row) for row in _rows(workspace_id).order_by("-created_at")[:limit])


def results(workspace_id: int, run_id: str) -> tuple[CaseResult, ...]:
    """The graded cases so far, in the order of the suite."""
    rows = EvalCaseResult.rows.of(workspace_id).filter(eval_run_id=run_id).order_by("number")
    return tuple(_result(row) for row in rows)


def _rows(workspace_id: int) -> QuerySet[Any]:
    rows: QuerySet[Any] = EvalRun.rows.of(workspace_id)
    counted: QuerySet[Any] = rows.select_related("started_by").annotate(done=Count("case_results"))
    return counted


def _stored(row: EvalRun) -> StoredRun:
    done: int = getattr(row, "done", 0)
    return StoredRun(
        id=str(row.pk),
        suite=row.suite,
        state=EvalRunState(row.state),
        reason=row.reason,
        started_by=row.started_by.username,
        created_at=row.created_at,
        last_sign=row.heartbeat_at or row.created_at,
        finished_at=row.finished_at,
        total=row.total,
        done=done,
    )


def _result(row: EvalCaseResult) -> CaseResult:
    return CaseResult(
        case_id=row.case_id,
        question=row.question,
        outcome=EvalOutcome(row.outcome),
        stage=Stage(row.stage) if row.stage else None,
        detail=row.detail,
        tags=tuple(row.tags),
        sql=row.sql,
        run_id=row.run_id,
        receipt_digest=row.receipt_digest,
        elapsed_ms=row.elapsed_ms,
    )
