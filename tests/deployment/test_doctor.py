"""The doctor looks at everything, and says what to do about what is not well."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection

from dataagent.celery import app
from dataagent.deployment import Deployment
from dataagent.management.worker import PRESENCE
from dataagent.runs.service import keys


def examined() -> tuple[int, dict[str, dict[str, Any]]]:
    """Exit code and checks by name."""
    out = io.StringIO()
    code = 0
    try:
        call_command("doctor", "--json", stdout=out)
    except SystemExit as end:
        code = int(str(end.code))
    return code, {health["name"]: health for health in json.loads(out.getvalue())}


@pytest.fixture
def home(db: None, settings: Any, tmp_path: Path) -> Path:
    """A data folder with one warehouse."""
    import duckdb

    settings.HOME = tmp_path
    (tmp_path / "warehouse").mkdir()
    with duckdb.connect(str(tmp_path / "warehouse" / "shop.duckdb")) as made:
        made.execute("CREATE TABLE t (a INTEGER)")
    return tmp_path


def test_a_healthy_installation_has_nothing_to_do(home: Path) -> None:
    code, found = examined()
    assert code == 0, found
    assert {"settings", "database", "migrations", "worker", "broker", "warehouse", "disk", "clock", "keys"} <= set(
        found
    )
    assert {h["what_to_do"] for h in found.values()} == {""}


def test_a_key_that_others_may_read_is_told_with_its_remedy(home: Path) -> None:
    examined()
    file = keys.folder() / keys.SIGNING_FILE
    file.chmod(0o644)
    code, found = examined()
    assert (code, found["keys"]["ok"]) == (1, False)
    assert found["keys"]["what_to_do"] == f"Run chmod 600 {file}"


def test_missing_data_are_told(home: Path) -> None:
    (home / "warehouse" / "shop.duckdb").unlink()
    code, found = examined()
    assert (code, found["warehouse"]["ok"]) == (1, False)
    assert found["warehouse"]["what_to_do"]


def test_a_broker_that_does_not_answer_is_told(home: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.BROKER_URL = "amqp://127.0.0.1:1//"
    monkeypatch.setattr(app.conf, "broker_url", settings.BROKER_URL)
    code, found = examined()
    assert (code, found["broker"]["ok"]) == (1, False)
    assert "BROKER_URL" in found["broker"]["what_to_do"]


def test_production_needs_a_worker_that_lives(home: Path, settings: Any) -> None:
    settings.DEMO = False
    assert not examined()[1]["worker"]["ok"]
    place = connection.get_connection_params()
    host = connection.connection.info.host
    with psycopg.connect(
        host=host, user=place["user"], dbname=place["dbname"], application_name=PRESENCE, autocommit=True
    ) as worker:
        worker.execute("SELECT 1")
        connection.cursor().execute("SELECT pg_stat_clear_snapshot()")  # within a transaction it is kept
        found = examined()[1]["worker"]
    assert (found["ok"], found["what"]) == (True, "1 alive")


def test_unsafe_settings_are_told(home: Path, settings: Any) -> None:
    settings.DEPLOYMENT = Deployment(
        mode="production", secret_key="", allowed_hosts="a.example", embedded=False, embedded_allowed=False
    )
    code, found = examined()
    assert (code, found["settings"]["ok"]) == (1, False)
    assert "SECRET_KEY" in found["settings"]["what"]
