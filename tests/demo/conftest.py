"""The real product on a small demo: real catalog, policy, cards, guard, warehouse and worker code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import pytest
from django.core.management import call_command
from django.db import connection
from django.test import override_settings
from django.test.utils import setup_databases

from dataagent.management.preparing import prepare_demo
from dataagent.policy import service as policy
from dataagent.runs import service as runs
from dataagent.runs.service.machine import MACHINE
from dataagent.runs.service.working import claim_and_work
from dataagent.runs.types import RunView
from dataagent.warehouse import pool
from tests.emptying import allow_emptying, is_test_database

SCALE = 0.05
Asking = Callable[..., RunView]


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of all these tests: its warehouse files are built once."""
    folder = tmp_path_factory.mktemp("home")
    (folder / "static").mkdir()
    return folder


@pytest.fixture(scope="module")
def demo(django_db_setup: None, django_db_blocker: Any, home: Path) -> Iterator[Path]:
    """The warehouse file of a prepared demo.  Rows are committed, and flushed when the module ends."""
    with django_db_blocker.unblock(), override_settings(HOME=home, STATIC_ROOT=home / "static"):
        use_the_test_database()
        prepare_demo(lambda _: None, scale=SCALE)
        yield home / "warehouse" / "demo.duckdb"
        pool.close_all()
        end_other_connections()
        call_command("flush", verbosity=0, interactive=False)


def use_the_test_database() -> None:
    """The plugin makes a test database only where a collected test asks for one in its own way; these do not.

    Without this the flush at the end would empty the database of the product itself.
    """
    if not is_test_database():
        setup_databases(verbosity=0, interactive=False, keepdb=True)
    if not is_test_database():
        raise RuntimeError("These tests flush their database; this is not a test database.")
    allow_emptying()


def end_other_connections() -> None:
    """Threads that still write (a stream, an eval run) would hold locks that the flush needs."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


@pytest.fixture(scope="module")
def ask(demo: Path) -> Asking:
    """Asks as a member of a workspace and works the run to its end in this process."""

    def asking(
        user: str,
        question: str,
        *,
        workspace: str = "demo",
        session: str | None = None,
        today: date | None = None,
    ) -> RunView:
        asker = policy.principal(user, workspace)
        run = runs.start_run(asker, question, session_id=session, door="test", today=today)
        claim_and_work("test", MACHINE, run_id=run.id)
        return runs.run(asker, run.id)

    return asking


@pytest.fixture(scope="module")
def sql(demo: Path) -> Callable[[str], list[tuple[Any, ...]]]:
    """Rows of hand-written SQL on the demo's file, beside everything that the product does."""

    def rows(text: str) -> list[tuple[Any, ...]]:
        with duckdb.connect(str(demo), read_only=True) as connection:
            return connection.execute(text).fetchall()

    return rows
