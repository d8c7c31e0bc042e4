"""Events: numbered under the run's row lock, announced on commit."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.utils import timezone

from dataagent.runs.models import Run
from dataagent.runs.models import RunEvent as EventRow

RUNS_CHANNEL = "dataagent_runs"
EVENTS_CHANNEL = "dataagent_events"


def tell(row: Run, kind: str, text: str, data: dict[str, Any]) -> None:
    """Adds the next event; the row is locked by this transaction, and its caller saves it afterwards."""
    row.event_count += 1
    add_event(row, kind, text, data)


def add_event(row: Run, kind: str, text: str, data: dict[str, Any]) -> None:
    """Writes the event of the number that the row now counts."""
    EventRow.rows.create(
        workspace_id=row.workspace_id,
        run_id=row.id,
        number=row.event_count,
        kind=kind,
        text=text[:300],
        at=timezone.now(),
        data=data,
    )
    notify(EVENTS_CHANNEL, str(row.id))


def notify(channel: str, payload: str) -> None:
    """Sends a wake-up when the surrounding transaction commits."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [channel, payload])
