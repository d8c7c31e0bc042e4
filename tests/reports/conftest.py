"""Companies of the reports with their real doors: rows are committed, and flushed when a module ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import override_settings

from dataagent.warehouse import pool
from tests.demo.conftest import end_other_connections, use_the_test_database
from tests.reports.door import Company, make_tables

Founding = Callable[..., Company]


@pytest.fixture(scope="module")
def company(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Founding]:
    """`company("bank", catalog, tables)`: the workspace of that name, made once."""
    home = tmp_path_factory.mktemp("home")
    (home / "static").mkdir()
    made: dict[str, Company] = {}

    def founded(name: str, catalog: str, tables: str) -> Company:
        if name not in made:
            make_tables(f"{name}-co", tables)
            folder: Path = tmp_path_factory.mktemp(name)
            made[name] = Company(f"{name}-co", catalog, folder)
        return made[name]

    with django_db_blocker.unblock(), override_settings(HOME=home, STATIC_ROOT=home / "static"):
        use_the_test_database()
        yield founded
        pool.close_all()
        end_other_connections()
        call_command("flush", verbosity=0, interactive=False)
