"""Migrations say what they are for, and the tables are what the models say."""

from __future__ import annotations

import re

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from tests.architecture.sources import ROOMS

AUTOMATIC = re.compile(r"^\d{4}_(initial|auto_\w+|\w+_and_more)$")


def test_every_migration_is_named_for_its_intent() -> None:
    loader = MigrationLoader(None)
    own = {key: m for key, m in loader.disk_migrations.items() if type(m).__module__.split(".")[0] in ROOMS}
    assert len(own) > 5
    unnamed = [
        key for key, m in own.items() if AUTOMATIC.match(m.name) or m.name.split("_", maxsplit=1)[1] == m.suggest_name()
    ]
    assert unnamed == []


@pytest.mark.django_db
def test_no_model_waits_for_a_migration() -> None:
    assert connection.vendor == "postgresql"
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
