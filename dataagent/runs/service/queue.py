"""Tell workers about a run: by the broker where one is set, else by NOTIFY (which the store sends)."""

from __future__ import annotations

import logging

from django.conf import settings
from django.db import transaction

log = logging.getLogger(__name__)

TASK = "dataagent.runs.tasks.execute_run"


def announce(workspace_id: int, run_id: str, *, good_for_s: float | None = None) -> None:
    """Tells the broker, when the surrounding transaction commits, that there is one run more to do.

    The row is the truth: where the broker does not answer, the sweep finds the run.  The message names the run
    for whoever reads the queue; which run is next, the database says, so that no workspace waits for another's
    backlog.  A message that is only a reminder is `good_for_s` seconds.
    """
    if settings.BROKER_URL:
        transaction.on_commit(lambda: _send(workspace_id, run_id, good_for_s))


def _send(workspace_id: int, run_id: str, good_for_s: float | None) -> None:
    from kombu.exceptions import OperationalError

    from dataagent.celery import app  # celery takes 0.2 s to import; only those with a broker pay for it

    try:
        app.send_task(TASK, args=[workspace_id, run_id], retry=False, expires=good_for_s)
    except OperationalError:
        log.warning("The broker did not take run %s; the sweep will.", run_id)
