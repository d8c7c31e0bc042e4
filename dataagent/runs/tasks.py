"""Entrances for Celery: a task per run, the sweep, and the upkeep of members."""

from __future__ import annotations

from celery import shared_task
from django.conf import settings

from dataagent.runs.service.machine import MACHINE, worker_name
from dataagent.runs.service.memberupkeep import refresh_due
from dataagent.runs.service.upkeep import announce_long_queued, clear_orphans, look, sweep
from dataagent.runs.service.working import claim_and_work

CLEAR_WITHIN_S = 5.0
"""How long the search for a dead worker's query may wait at the broker; the next sweep asks for another."""
HUNG_S = 30.0
"""How long past a run's time its process is left: a step that does not end by itself holds it."""


@shared_task(time_limit=settings.RUN_TIMEOUT_S + HUNG_S)  # type: ignore[untyped-decorator]
def execute_run(workspace_id: int, run_id: str) -> bool:
    """Whether there was a run to do: the next in the fair order, so a message that comes twice does nothing.

    The message's own run may not be the next: a workspace with a backlog of messages does not go first by them.
    """
    del workspace_id, run_id  # for whoever reads the queue at the broker
    return claim_and_work(worker_name(), MACHINE)


@shared_task  # type: ignore[untyped-decorator]
def sweep_runs() -> int:
    """The number of runs brought back from dead workers."""
    announce_long_queued()
    left = look()
    moved = sweep() if left.runs else 0
    if left.queries:  # a task of its own: an engine that does not answer holds up no sweep
        clear_queries.apply_async(expires=CLEAR_WITHIN_S, retry=False)
    return moved


@shared_task  # type: ignore[untyped-decorator]
def clear_queries() -> int:
    """The number of dead workers' queries that are known to be gone from their engines."""
    return clear_orphans()


@shared_task  # type: ignore[untyped-decorator]
def refresh_members() -> int:
    """The number of workspaces whose members were read; one at a time each, by the lease of their row."""
    return sum(1 for done in refresh_due() if done.claimed)
