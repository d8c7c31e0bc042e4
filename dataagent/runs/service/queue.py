"""Tell workers about a run: by the broker where one is set, else by NOTIFY (which the store sends)."""

from __future__ import annotations

import logging

from django.conf import settings
from django.db import transaction

log = logging.getLogger(__name__)

TASK = "dataagent.runs.tasks.execute_run"


def announce(workspace_id: int, run_id: str) -> None:
    """Sends the run to the broker when the surrounding transaction commits.

    The row is the truth: where the broker does not answer, the sweep finds the run.
    """
    if settings.BROKER_URL:
        transaction.on_commit(lambda: _send(workspace_id, run_id))


def _send(workspace_id: int, run_id: str) -> None:
    from kombu.exceptions import OperationalError

    from dataagent.celery import app  # celery takes 0.2 s to import; only those with a broker pay for it

    try:
        app.send_task(TASK, args=[workspace_id, run_id], retry=False)
    except OperationalError:
        log.warning("The broker did not take run %s; the sweep will.", run_id)
