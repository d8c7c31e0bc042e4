"""The broker only carries messages: it may be down, slow or repeat itself."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from dataagent.accounts.models import User, Workspace
from dataagent.celery import app
from dataagent.runs import service, store, tasks
from dataagent.runs.models import Run
from dataagent.runs.service import queue
from dataagent.runs.service.upkeep import LONG_QUEUED_S
from dataagent.runs.service.working import claim_and_work
from dataagent.runs.types import RunState
from tests.runs.people import FakeWorld, answered, asked_back, principal


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


def test_a_backlog_of_messages_does_not_put_a_workspace_first(
    machine: None, analyst: User, workspace: Workspace
) -> None:
    busy = principal(analyst, workspace)
    backlog = [service.start_run(busy, "net revenue") for _ in range(3)]
    quiet = Workspace.objects.create(slug="quiet", name="Quiet")
    asker = principal(analyst, quiet)
    run = service.start_run(asker, "net revenue")
    store.claim("other", lease_s=30, run_id=backlog[0].id)
    tasks.execute_run(workspace.pk, backlog[1].id)
    assert service.run(asker, run.id).state is RunState.ANSWERED
    assert service.run(busy, backlog[1].id).state is RunState.QUEUED


def test_a_run_that_waits_long_is_announced_once_in_a_while(
    analyst: User, workspace: Workspace, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BROKER_URL = "memory://"
    reminders: list[float | None] = []
    monkeypatch.setattr(queue.transaction, "on_commit", lambda send: send())
    monkeypatch.setattr(queue, "_send", lambda workspace_id, run_id, good_for_s: reminders.append(good_for_s))
    run = service.start_run(principal(analyst, workspace), "net revenue")
    queued = Run.rows.of(workspace.pk).filter(id=run.id)
    queued.update(queued_at=timezone.now() - timedelta(seconds=LONG_QUEUED_S + 1))
    for _ in range(3):
        tasks.sweep_runs()
    assert reminders == [None, LONG_QUEUED_S]


def test_a_dead_workers_query_is_looked_for_by_a_task_of_its_own(
    analyst: User, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[float] = []
    monkeypatch.setattr(tasks.clear_queries, "apply_async", lambda *, expires, retry: sent.append(expires))
    run = service.start_run(principal(analyst, workspace), "net revenue")
    store.claim("dead", lease_s=30, run_id=run.id)
    tasks.sweep_runs()
    assert sent == []
    Run.rows.of(workspace.pk).filter(id=run.id).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert tasks.sweep_runs() == 1
    tasks.sweep_runs()
    assert sent == [tasks.CLEAR_WITHIN_S]


def test_the_age_of_a_run_in_the_queue_counts_from_when_it_came_there(analyst: User, workspace: Workspace) -> None:
    asker = principal(analyst, workspace)
    run = service.start_run(asker, "revenue")
    claim_and_work("w", FakeWorld(outcome=asked_back).machine(), run_id=run.id)
    long_ago = timezone.now() - timedelta(hours=1)
    Run.rows.of(workspace.pk).filter(id=run.id).update(created_at=long_ago, queued_at=long_ago)
    service.start_run(asker, "", choice_of=(run.id, 1))
    assert store.long_queued(LONG_QUEUED_S) == ()


def test_a_run_is_sent_only_when_its_row_is_committed(
    analyst: User,
    workspace: Workspace,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    settings.BROKER_URL = "memory://"
    sent: list[tuple[int, str]] = []
    monkeypatch.setattr(queue, "_send", lambda workspace_id, run_id, good_for_s: sent.append((workspace_id, run_id)))
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
