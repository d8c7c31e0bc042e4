"""Runs of a workspace that need somebody: those that nobody works on, that take long, or left a query behind."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from dataagent.runs.models import Run, RunAttempt
from dataagent.runs.troubles import Trouble, TroubleKind
from dataagent.runs.types import AttemptState, RunState


def troubles(workspace_id: int, *, waits_s: float, silent_s: float, slow_s: float) -> tuple[Trouble, ...]:
    """Stuck runs first, then queries of which nothing is known, then slow runs; each oldest first."""
    rows = Run.rows.of(workspace_id).select_related("asker")
    queued = Q(state=RunState.QUEUED.value, queued_at__lt=Now() - timedelta(seconds=waits_s))
    silent = Q(state=RunState.RUNNING.value, lease_until__lt=Now() - timedelta(seconds=silent_s))
    slow = Q(state=RunState.RUNNING.value, lease_until__gte=Now(), started_at__lt=Now() - timedelta(seconds=slow_s))
    unknown = RunAttempt.rows.of(workspace_id).filter(state=AttemptState.LAPSED.value).select_related("run__asker")
    return (
        *(_trouble(TroubleKind.STUCK, r, r.queued_at) for r in rows.filter(queued | silent).order_by("queued_at")),
        *(_trouble(TroubleKind.UNKNOWN, a.run, a.released_at) for a in unknown.order_by("released_at")),
        *(_trouble(TroubleKind.SLOW, r, r.started_at) for r in rows.filter(slow).order_by("started_at")),
    )


def _trouble(kind: TroubleKind, row: Run, since: Any) -> Trouble:
    age_s = max(0.0, (timezone.now() - since).total_seconds())
    return Trouble(kind=kind, run_id=str(row.id), asker=row.asker.username, state=RunState(row.state), age_s=age_s)
