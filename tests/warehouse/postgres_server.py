"""A scratch database on the PostgreSQL of this machine, with a login that may only select."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest
from psycopg import sql

HOST = "127.0.0.1"
PASSWORD = "a-secret-of-the-reader"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scratch:
    """A database of its own: run SQL as its owner, read it through the reader's address."""

    name: str
    reader: str

    @property
    def url(self) -> str:
        """The reader's address."""
        return f"postgresql://{self.reader}:{PASSWORD}@{HOST}:5432/{self.name}"

    @property
    def owner_url(self) -> str:
        """The superuser's address."""
        return f"postgresql://postgres@{HOST}:5432/{self.name}"

    def run(self, text: str) -> list[tuple[Any, ...]]:
        """The rows of the last statement, as the superuser; none where it gives none."""
        with psycopg.connect(self.owner_url, autocommit=True) as connection:
            cursor = connection.execute(text.encode())
            return cursor.fetchall() if cursor.description else []

    def grant(self, *schemas: str) -> None:
        """Let the reader read all tables of the schemas."""
        for schema in schemas:
            self.run(f"GRANT USAGE ON SCHEMA {schema} TO {self.reader}")
            self.run(f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {self.reader}")


@contextlib.contextmanager
def scratch_database() -> Iterator[Scratch]:
    """A fresh database and login, both removed at the end; skips visibly where there is no server."""
    made = Scratch(name=f"scratch_{secrets.token_hex(6)}", reader=f"reader_{secrets.token_hex(6)}")
    name, reader = sql.Identifier(made.name), sql.Identifier(made.reader)
    try:
        admin = psycopg.connect(host=HOST, user="postgres", dbname="postgres", autocommit=True, connect_timeout=3)
    except psycopg.OperationalError:
        pytest.skip("no PostgreSQL answers on 127.0.0.1:5432")
    with admin:
        admin.execute(sql.SQL("CREATE DATABASE {}").format(name))
        admin.execute(sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(reader, sql.Literal(PASSWORD)))
        try:
            yield made
        finally:
            admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))
            admin.execute(sql.SQL("DROP ROLE {}").format(reader))
