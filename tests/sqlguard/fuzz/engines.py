"""Engines that would show it: all that is hidden is in reach of the login, and everything may be written."""

from __future__ import annotations

import contextlib
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import duckdb
import psycopg
from psycopg.types.string import TextLoader

from dataagent.management.guard_engines import world_statements
from dataagent.management.guard_policy import CorpusPolicy, read_policy, schema_of
from dataagent.sqlguard.guard import GuardedQuery
from dataagent.sqlguard.schema import TableSchema
from tests.warehouse.postgres_server import scratch_database

CORPUS = Path(__file__).parent.parent / "corpus"
POLICY: CorpusPolicy = read_policy(CORPUS / "policy.json")
FILE_CANARY = "PIN-IN-A-FILE"
_SCHEMA_SQL = (CORPUS / "schema.sql").read_text(encoding="utf-8")
_TIMEOUT_S = 5.0
Rows = Counter[tuple[str, ...]]


class Found:
    """What a statement gave: its column names and rows as text, or that it failed."""

    __slots__ = ("columns", "fault", "rows")

    def __init__(self, columns: tuple[str, ...], rows: Rows, fault: str = "") -> None:
        self.columns, self.rows, self.fault = columns, rows, fault


class Engine(Protocol):
    """The whole database, the one with only what is permitted, and a picture of all that could change."""

    dialect: str
    schema: tuple[TableSchema, ...]

    def guarded(self, query: GuardedQuery) -> Found:
        """What the guarded query gives on the whole database."""

    def permitted(self, sql: str) -> Found:
        """What the statement as written gives on the permitted database."""

    def picture(self) -> object:
        """All that a statement could have changed."""


class DuckDBEngine:
    """Two databases in this process, open for writing, with files in reach."""

    dialect = "duckdb"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        (folder / "canary.txt").write_text(FILE_CANARY, encoding="utf-8")
        self._whole = _duckdb(folder / "wh.duckdb", [_SCHEMA_SQL])
        self._world = _duckdb(folder / "world.duckdb", [_SCHEMA_SQL, *world_statements(POLICY, "duckdb")])
        columns = (
            "SELECT table_name, column_name, data_type FROM information_schema.columns ORDER BY 1, ordinal_position"
        )
        self.schema = schema_of(self._whole.execute(columns).fetchall(), "main")

    def guarded(self, query: GuardedQuery) -> Found:
        """What the guarded query gives on the whole database."""
        return _duckdb_rows(self._whole, query.sql)

    def permitted(self, sql: str) -> Found:
        """What the statement as written gives on the permitted database."""
        return _duckdb_rows(self._world, sql)

    def picture(self) -> object:
        """Tables, contents, the sequence, settings and files."""
        run = self._whole.execute
        tables = run("SELECT table_name, estimated_size FROM duckdb_tables() ORDER BY 1").fetchall()
        contents = [str(run(f'FROM "{name}"').fetchall()) for name, _ in tables]
        sequence = run("SELECT last_value FROM duckdb_sequences()").fetchall()
        settings = run("SELECT name, value FROM duckdb_settings() ORDER BY 1").fetchall()
        files = sorted(p.name for p in self._folder.iterdir() if not p.name.endswith(".wal"))
        return tables, contents, sequence, settings, files


def _duckdb(path: Path, scripts: list[str]) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(str(path), config={"threads": 1, "memory_limit": "1GB"})
    for script in scripts:
        with contextlib.suppress(duckdb.CatalogException):
            connection.execute(script)
    return connection


def _duckdb_rows(connection: duckdb.DuckDBPyConnection, sql: str) -> Found:
    watch = threading.Timer(_TIMEOUT_S, connection.interrupt)
    watch.start()
    try:
        cursor = connection.execute(sql)
        rows: Rows = Counter(tuple(map(str, row)) for row in cursor.fetchall())
        return Found(tuple(d[0] for d in cursor.description or ()), rows)
    except (duckdb.Error, RuntimeError, UnicodeDecodeError) as error:
        return Found((), Counter(), str(error) or "failed")
    finally:
        watch.cancel()


class PostgresEngine:
    """Two schemas' worth of the same tables in scratch databases whose owner runs every statement."""

    dialect = "postgres"

    def __init__(self, whole: str, world: str) -> None:
        self._whole = self._loaded(whole, [_SCHEMA_SQL])
        self._world = self._loaded(world, [_SCHEMA_SQL, *world_statements(POLICY, "postgres")])
        columns = (
            "SELECT table_name, column_name, data_type FROM information_schema.columns"
            " WHERE table_schema = 'public' ORDER BY 1, ordinal_position"
        )
        self.schema = schema_of([(t, c, k) for t, c, k in self._whole.execute(columns).fetchall()], "public")

    def guarded(self, query: GuardedQuery) -> Found:
        """What the guarded query gives on the whole database."""
        return self._rows(self._whole, query.sql)

    def permitted(self, sql: str) -> Found:
        """What the statement as written gives on the permitted database."""
        return self._rows(self._world, sql)

    def picture(self) -> object:
        """Tables, contents, the sequence, settings, locks and large objects."""
        run = self._whole.execute
        names = run(
            "SELECT c.relname FROM pg_class c WHERE relnamespace = 'public'::regnamespace ORDER BY 1"
        ).fetchall()
        tables = [str(run(f"SELECT * FROM {t}").fetchall()) for t in ("people", "sales", "goods", "pay", "tokens")]
        sequence = run("SELECT last_value, is_called FROM tally").fetchall()
        settings = run("SELECT name, setting FROM pg_settings ORDER BY 1").fetchall()
        locks = run("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()").fetchall()
        return names, tables, sequence, settings, locks, run("SELECT count(*) FROM pg_largeobject_metadata").fetchall()

    def _loaded(self, url: str, scripts: list[str]) -> psycopg.Connection[Any]:
        connection = psycopg.connect(url, autocommit=True)
        connection.adapters.register_loader("record", TextLoader)
        for script in scripts:
            with contextlib.suppress(psycopg.errors.WrongObjectType, psycopg.errors.UndefinedTable):
                connection.execute(script.encode())
        connection.execute(f"SET statement_timeout = {int(_TIMEOUT_S * 1000)}".encode())
        return connection

    def _rows(self, connection: psycopg.Connection[Any], sql: str) -> Found:
        try:
            cursor = connection.execute(sql.encode("utf-8", "surrogatepass"), prepare=True)
            if cursor.description is None:
                return Found((), Counter())
            rows: Rows = Counter(tuple(map(str, row)) for row in cursor.fetchall())
            return Found(tuple(d.name for d in cursor.description), rows)
        except (psycopg.Error, ValueError) as error:
            return Found((), Counter(), str(error) or "failed")


@contextlib.contextmanager
def postgres() -> Iterator[PostgresEngine]:
    """An engine on scratch databases of the server of this machine; skips visibly where there is none."""
    with scratch_database() as whole, scratch_database() as world:
        for made in (whole, world):
            made.run(f"GRANT ALL ON SCHEMA public TO {made.reader}")
        yield PostgresEngine(whole.url, world.url)
