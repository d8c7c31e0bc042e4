"""Runs of a workspace that may need somebody: nobody works on them, they take long, left a query, wait or are spent."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Now
from django.utils import timezone

from dataagent.runs.models import Run, RunAttempt
from dataagent.runs.troubles import Limits, Trouble, TroubleKind, TroubleList
from dataagent.runs.types import AttemptState, RunState

ASKING = (RunState.WAITING_FOR_PERSON.value, RunState.WAITING_FOR_APPROVAL.value, RunState.WAITING_FOR_TURN.value)

SINCE: dict[TroubleKind, str] = {
    TroubleKind.STUCK: "queued_at",
    TroubleKind.UNKNOWN: "released_at",
    TroubleKind.SLOW: "started_at",
    TroubleKind.WAITING: "queued_at",
    TroubleKind.OVER_BUDGET: "finished_at",
}
"""From when on each is counted; by this they are in order."""


def troubles(
    workspace_id: int, limits: Limits, *, kind: TroubleKind | None = None, start: int = 0, limit: int = 100
) -> TroubleList:
    """The troubles from `start` on, of one kind or all in the order of their kinds; each kind oldest first."""
    found = {k: q for k, q in _by_kind(workspace_id, limits).items() if kind in {None, k}}
    counts = {k: q.count() for k, q in _by_kind(workspace_id, limits).items()}
    chosen: list[Trouble] = []
    skip = start
    for name, rows in found.items():
        chosen += [_trouble(name, row) for row in rows[skip : skip + limit + 1 - len(chosen)]]
        skip = max(0, skip - counts[name])
    return TroubleList(counts=tuple(counts.items()), troubles=tuple(chosen[:limit]), more=len(chosen) > limit)


def _by_kind(workspace_id: int, limits: Limits) -> dict[TroubleKind, QuerySet[Any]]:
    rows = Run.rows.of(workspace_id).select_related("asker")
    queued = Q(state=RunState.QUEUED.value, queued_at__lt=_ago(limits.waits_s))
    silent = Q(state=RunState.RUNNING.value, lease_until__lt=_ago(limits.silent_s))
    slow = Q(state=RunState.RUNNING.value, lease_until__gte=_ago(limits.silent_s), started_at__lt=_ago(limits.slow_s))
    lapsed = RunAttempt.rows.of(workspace_id).filter(state=AttemptState.LAPSED.value).select_related("run__asker")
    spent = rows.filter(state=RunState.EXHAUSTED.value, finished_at__gt=_ago(limits.spent_s))
    found: dict[TroubleKind, QuerySet[Any]] = {
        TroubleKind.STUCK: rows.filter(queued | silent),
        TroubleKind.UNKNOWN: lapsed,
        TroubleKind.SLOW: rows.filter(slow),
        TroubleKind.WAITING: rows.filter(state__in=ASKING, queued_at__lt=_ago(limits.asks_s)),
        TroubleKind.OVER_BUDGET: spent,
    }
    return {kind: chosen.order_by(SINCE[kind], "id") for kind, chosen in found.items()}


def _ago(seconds: float) -> CombinedExpression:
    return Now() - timedelta(seconds=seconds)


def _trouble(kind: TroubleKind, found: Any) -> Trouble:
    row: Run = found.run if kind is TroubleKind.UNKNOWN else found
    since: datetime = getattr(found, SINCE[kind])
    return Trouble(
        kind=kind,
        run_id=str(row.id),
        asker=row.asker.username,
        state=RunState(row.state),
        reason=row.reason,
        age_s=max(0.0, (timezone.now() - since).total_seconds()),
    )
