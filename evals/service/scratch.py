"""Scratch databases on a PostgreSQL server: each has an owner that fills it and a login that may only select."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from dataagent.errors import ShownError
from dataagent.warehouse.postgres_values import cells, register
from evals.types import ReferenceFault, ResultRows

SERVER = "postgresql://postgres@127.0.0.1:5432/postgres"
_CONNECT_S = 3
_TIMEOUT = "20s"
MAX_ROWS = 10_000
_FLOATS = frozenset({700, 701})


@dataclass(frozen=True, slots=True, kw_only=True)
class ScratchDatabase:
    """A database for one sitting.  `reader` is the address of the login that may only select."""

    name: str
    reader: str

    def rows(self, query: str) -> ResultRows | ReferenceFault:
        """What one query gives as the reader sees it, in a read-only transaction; or the engine's first words."""
        try:
            with psycopg.connect(self.reader, connect_timeout=_CONNECT_S) as link:
                register(link)
                link.read_only = True
                link.execute(
                    "SELECT set_config('statement_timeout', %s, true), set_config('TimeZone', 'UTC', true)", [_TIMEOUT]
                )
                cursor = link.execute(query.encode())
                return _held(cursor)
        except psycopg.Error as error:
            return ReferenceFault(message=_first_line(error))


def _held(cursor: psycopg.Cursor[Any]) -> ResultRows:
    described = cursor.description or ()
    loose = [column.type_code in _FLOATS for column in described]
    found = cursor.fetchmany(MAX_ROWS + 1) if described else []
    rows = tuple(
        tuple(
            float(v) if is_loose and isinstance(v, Decimal) else v
            for v, is_loose in zip(cells(row), loose, strict=True)
        )
        for row in found[:MAX_ROWS]
    )
    return ResultRows(columns=tuple(c.name for c in described), rows=rows, truncated=len(found) > MAX_ROWS)


def answers(server: str) -> bool:
    """Whether a PostgreSQL answers at the address."""
    with contextlib.suppress(psycopg.Error), psycopg.connect(server, connect_timeout=_CONNECT_S):
        return True
    return False


@contextlib.contextmanager
def scratch_database(server: str, title: str, statements: str) -> Iterator[ScratchDatabase]:
    """A fresh database with the statements run in it; database and logins are gone afterwards.

    `server` is the address of a login that may make databases and logins.  The statements
    run as a login that owns this database and nothing else.
    Raises: ShownError(invalid_input) with the engine's words where a statement fails,
    ShownError(unavailable) where nothing may be made.
    """
    mark = secrets.token_hex(6)
    name, owner, reader = (f"scratch_{kind}_{mark}" for kind in ("db", "owner", "reader"))
    password = secrets.token_urlsafe(18)
    with contextlib.ExitStack() as undo:
        try:
            admin = undo.enter_context(psycopg.connect(server, autocommit=True, connect_timeout=_CONNECT_S))
            for login in (owner, reader):
                _do(admin, "CREATE ROLE {} LOGIN PASSWORD {}", sql.Identifier(login), sql.Literal(password))
                undo.callback(_do, admin, "DROP ROLE IF EXISTS {}", sql.Identifier(login))
            _do(admin, "CREATE DATABASE {} OWNER {}", sql.Identifier(name), sql.Identifier(owner))
            undo.callback(_do, admin, "DROP DATABASE IF EXISTS {} WITH (FORCE)", sql.Identifier(name))
        except psycopg.Error as error:
            raise ShownError("unavailable", f"No scratch database could be made: {_first_line(error)}") from error
        _fill(_address(server, owner, password, name), reader, title, statements)
        yield ScratchDatabase(name=name, reader=_address(server, reader, password, name))


def _do(link: psycopg.Connection[Any], statement: Any, *parts: sql.Composable) -> None:
    link.execute(sql.SQL(statement).format(*parts))


def _fill(address: str, reader: str, title: str, statements: str) -> None:
    try:
        with psycopg.connect(address, autocommit=True, connect_timeout=_CONNECT_S) as link:
            link.execute("SET TimeZone = 'UTC'")
            link.execute(statements.encode())
            schemas = link.execute(
                "SELECT nspname FROM pg_catalog.pg_namespace WHERE left(nspname, 3) <> 'pg_' "
                "AND nspname <> 'information_schema'"
            ).fetchall()
            for (schema,) in schemas:
                both = (sql.Identifier(schema), sql.Identifier(reader))
                _do(link, "GRANT USAGE ON SCHEMA {} TO {}", *both)
                _do(link, "GRANT SELECT ON ALL TABLES IN SCHEMA {} TO {}", *both)
    except psycopg.Error as error:
        raise ShownError("invalid_input", f"The database {title} does not load: {_first_line(error)}") from error


def _address(server: str, user: str, password: str, database: str) -> str:
    parts = urlsplit(server)
    return f"postgresql://{user}:{password}@{parts.hostname or '127.0.0.1'}:{parts.port or 5432}/{database}"


def _first_line(error: psycopg.Error) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__
