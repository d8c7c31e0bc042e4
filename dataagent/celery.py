"""Celery, for installations with a broker: it only carries the message that a run is ready."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dataagent.settings")

SWEEP_EVERY_S = 1.0
MEMBERS_LOOK_EVERY_S = 10.0
"""How often it is looked whether members are to be read; how often they are is a setting."""

app = Celery("dataagent", broker=os.environ.get("BROKER_URL") or None)
app.conf.update(
    task_default_queue=os.environ.get("DATAAGENT_QUEUE", "dataagent"),
    task_ignore_result=True,
    task_acks_late=True,
    worker_prefetch_multiplier=1,
    broker_connection_retry_on_startup=True,
    # A person who asks does not wait for a broker that is away: one more try at once, then the sweep finds the run.
    broker_transport_options={"socket_connect_timeout": 2, "max_retries": 1, "interval_start": 0},
    beat_schedule={
        "sweep": {
            "task": "dataagent.runs.tasks.sweep_runs",
            "schedule": SWEEP_EVERY_S,
            "options": {"expires": SWEEP_EVERY_S},
        },
        "members": {
            "task": "dataagent.runs.tasks.refresh_members",
            "schedule": MEMBERS_LOOK_EVERY_S,
            "options": {"expires": MEMBERS_LOOK_EVERY_S},
        },
    },
)
app.autodiscover_tasks(["dataagent.runs"])
