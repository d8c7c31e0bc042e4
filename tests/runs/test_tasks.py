"""The broker only carries messages: it may be down, slow or repeat itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from dataagent.accounts.models import User, Workspace
from dataagent.celery import app
from dataagent.runs import service, tasks
from dataagent.runs.service import queue
from dataagent.runs.types import RunState
from tests.runs.people import FakeWorld, answered, principal


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "MACHINE", FakeWorld(outcome=answered).machine())


def test_the_task_that_is_sent_is_one_that_a_worker_knows() -> None:
    app.loader.import_default_modules()
    assert queue.TASK in app.tasks
    assert all(entry["task"] in app.tasks for entry in app.conf.beat_schedule.values())


def test_a_message_that_comes_twice_works_once(machine: None, analyst: User, workspace: Workspace) -> None:
    asker = principal(analyst, workspace)
    run = service.start_run(asker, "net revenue")
    assert tasks.execute_run(workspace.pk, run.id)
    assert not tasks.execute_run(workspace.pk, run.id)
    assert service.run(asker, run.id).state is RunState.ANSWERED


def test_a_run_is_sent_only_when_its_row_is_committed(
    analyst: User,
    workspace: Workspace,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    settings.BROKER_URL = "memory://"
    sent: list[tuple[int, str]] = []
    monkeypatch.setattr(queue, "_send", lambda workspace_id, run_id: sent.append((workspace_id, run_id)))
    with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
        run = service.start_run(principal(analyst, workspace), "net revenue")
        assert sent == []
    assert sent == [(workspace.pk, run.id)]


def test_a_broker_that_is_down_loses_nothing(
    analyst: User,
    workspace: Workspace,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    settings.BROKER_URL = "amqp://127.0.0.1:1//"
    monkeypatch.setattr(app.conf, "broker_url", settings.BROKER_URL)
    asker = principal(analyst, workspace)
    with django_capture_on_commit_callbacks(execute=True):
        run = service.start_run(asker, "net revenue")
    assert service.run(asker, run.id).state is RunState.QUEUED
