"""With a broker, a real Celery worker executes the run: the same code as without one."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connection
from kombu import Connection

from dataagent.policy import service as policy
from dataagent.runs import service as runs
from dataagent.runs.states import TERMINAL
from dataagent.runs.types import RunState, RunView

BROKERS = {"redis": "redis://127.0.0.1:6379/5", "rabbitmq": "amqp://guest:guest@127.0.0.1:5672//"}
PATIENCE_S = 60.0
ASK = """
import django; django.setup()
from dataagent.policy import service as policy
from dataagent.runs import service as runs
print(runs.start_run(policy.principal("analyst", "demo"), "units sold last month", door="test").id)
"""


@pytest.fixture(params=sorted(BROKERS))
def broker(request: pytest.FixtureRequest) -> Iterator[dict[str, str]]:
    """The variables that name a real broker and a queue of one's own."""
    url = BROKERS[request.param]
    place = urlsplit(url)
    try:
        socket.create_connection((place.hostname or "", place.port or 0), timeout=1).close()
    except OSError:
        pytest.skip(f"no {request.param} at {place.hostname}:{place.port}")
    queue = f"test-{uuid.uuid4().hex}"
    yield {"BROKER_URL": url, "DATAAGENT_QUEUE": queue}
    with Connection(url) as link:
        link.default_channel.queue_delete(queue)


@pytest.fixture
def environment(demo: Path, broker: dict[str, str]) -> dict[str, str]:
    """What a process needs to work on the database and the data of these tests."""
    return {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "tests.demo.worker_settings",
        "TEST_DATABASES": json.dumps({"default": connection.settings_dict}),
        "DATAAGENT_HOME": str(demo.parent.parent),
        **broker,
    }


@contextmanager
def worker(environment: dict[str, str], log: Path) -> Iterator[None]:
    """A Celery worker while the block runs."""
    command = [sys.executable, "-m", "celery", "-A", "dataagent.celery", "worker", "-c", "1", "-l", "info"]
    with log.open("w") as out:
        process = subprocess.Popen(command, cwd=settings.BASE_DIR, env=environment, stdout=out, stderr=out)
        try:
            yield
        finally:
            process.terminate()
            process.wait(timeout=30)


def ended(run_id: str) -> RunView:
    asker = policy.principal("analyst", "demo")
    until = time.monotonic() + PATIENCE_S
    while (run := runs.run(asker, run_id)).state not in TERMINAL and time.monotonic() < until:
        time.sleep(0.2)
    return run


@pytest.mark.service
def test_a_queued_run_is_executed_by_a_celery_worker(environment: dict[str, str], tmp_path: Path, demo: Path) -> None:
    asked = subprocess.run(
        [sys.executable, "-c", ASK], cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, check=True
    )
    run_id = asked.stdout.strip()
    assert runs.run(policy.principal("analyst", "demo"), run_id).state is RunState.QUEUED
    log = tmp_path / "worker.log"
    with worker(environment, log):
        run = ended(run_id)
    assert run.state is RunState.ANSWERED, log.read_text()
    assert run.answer is not None
    assert run.answer.rows
    assert run.receipt_digest
    assert f"{run_id}" in log.read_text() or "execute_run" in log.read_text()
