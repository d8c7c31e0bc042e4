"""Probes tell a load balancer what it needs, whoever asks and however the product is addressed."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

from dataagent.api import probes


@pytest.fixture(autouse=True)
def unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probes._Tables, "up_to_date", False)


def away(*_: object) -> Any:
    raise OperationalError("server at 10.1.2.3 is away")


def test_a_process_is_alive_without_a_database() -> None:
    answer = Client().get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"ok": True})
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.django_db
def test_it_is_ready_with_a_database_whose_tables_are_up_to_date() -> None:
    answer = Client().get("/readyz")
    assert (answer.status_code, answer.json()) == (200, {"ready": True, "missing": []})


def test_without_a_database_it_is_alive_and_not_ready_and_says_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probes.connection, "cursor", away)
    monkeypatch.setattr(probes.connection, "close", lambda: None)
    answer = Client().get("/readyz")
    assert (answer.status_code, answer.json()) == (503, {"ready": False, "missing": ["database"]})
    assert Client().get("/healthz").status_code == 200


@pytest.mark.django_db
def test_tables_that_are_not_up_to_date_are_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probes.MigrationExecutor, "migration_plan", lambda *_: ["one"])
    assert Client().get("/readyz").json() == {"ready": False, "missing": ["migrations"]}


def test_probes_come_by_address_and_without_tls_and_nothing_else_does(settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.ALLOWED_HOSTS = ["data.example.com"]
    by_address = Client(headers={"host": "10.0.0.7:8000"})
    assert by_address.get("/healthz").status_code == 200
    assert by_address.get("/sign-in/").status_code == 400
    assert by_address.post("/healthz").status_code == 405


@pytest.mark.django_db
def test_metrics_are_for_whoever_has_their_token(settings: Any) -> None:
    assert Client().get("/metrics").status_code == 404
    settings.METRICS_TOKEN = "a-long-token-of-the-monitoring"
    assert Client().get("/metrics", headers={"authorization": "Bearer "}).status_code == 404
    answer = Client().get("/metrics", headers={"authorization": f"Bearer {settings.METRICS_TOKEN}"})
    assert answer.status_code == 200
    assert b"dataagent_queue_runs 0\n" in answer.content
