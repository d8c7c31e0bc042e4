"""PostgreSQL as a warehouse: a bounded pool of connections that can only read.

Each query is one statement in a read-only transaction of its own, sent with the
extended protocol, so that a second statement has no place; the transaction is
always rolled back.  Limits are set inside it, for that transaction alone: this
also holds behind a pooler that gives each transaction another server process.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
import time
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from psycopg import Error

from catalog.drafting.types import WarehouseDescription
from catalog.types import Scalar
from dataagent.sqlguard.guard import Bounds, GuardedQuery
from dataagent.sqlguard.schema import Column, TableSchema
from dataagent.warehouse.describe_postgres import describe_at
from dataagent.warehouse.port import Explained, ResultTable, WarehouseFault
from dataagent.warehouse.postgres_link import POWERFUL, Address, Link, Session, clear, read_only
from dataagent.warehouse.postgres_values import cells, numbered, size_bytes
from dataagent.warehouse.process import UTC, fault, known_zone

_SCHEMA_AGE_S = 60.0
_SCHEMA_BOUNDS = Bounds(timeout_s=20.0)
_IDLE_S = 60.0
_WAIT_S = 30.0
_CHUNK_ROWS = 100
_SCHEMA_SQL = """
SELECT n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod)
FROM pg_catalog.pg_attribute a
JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f') AND a.attnum > 0 AND NOT a.attisdropped
  AND left(n.nspname, 3) <> 'pg_' AND n.nspname <> 'information_schema'
  AND has_schema_privilege(n.oid, 'USAGE') AND has_column_privilege(c.oid, a.attnum, 'SELECT')
ORDER BY 1, 2, a.attnum
"""


class PostgresWarehouse:
    """One PostgreSQL database behind a pool of connections.  Safe to use from many threads."""

    dialect = "postgres"

    def __init__(self, url: str, *, connections: int = 4) -> None:
        self._address = Address.of(url)
        self._slots = threading.BoundedSemaphore(connections)
        self._lock = threading.Lock()
        self._idle: list[Link] = []
        self._running: dict[str, Link] = {}
        self._schema: tuple[float, tuple[TableSchema, ...]] | None = None
        self._version = ""
        self._timezone = UTC
        self._closed = False

    def __repr__(self) -> str:
        return f"PostgresWarehouse({self._address})"

    @property
    def timezone(self) -> str:
        """The zone in which sessions see moments."""
        return self._timezone

    @timezone.setter
    def timezone(self, zone: str) -> None:
        """Raises: WarehouseFault(invalid_query) for a zone that is not known."""
        self._timezone = known_zone(zone)

    @property
    def engine(self) -> str:
        """Engine and version, for the manifest.  Raises: WarehouseFault."""
        if not self._version:
            with self._link(""):
                pass
        return f"postgres {self._version}"

    def data_version(self) -> str:
        """Nothing: a PostgreSQL database does not say when its rows changed."""
        return ""

    def schema(self) -> tuple[TableSchema, ...]:
        """All tables and views that the login may read, by name; read again after a minute.  Raises: WarehouseFault."""
        held = self._schema
        if held is not None and time.monotonic() - held[0] < _SCHEMA_AGE_S:
            return held[1]
        with self._reading(_SCHEMA_BOUNDS, "") as link:
            rows = link.cursor().execute(_SCHEMA_SQL).fetchall()
        tables = _tables(rows)
        self._schema = (time.monotonic(), tables)
        return tables

    def describe(self, schemas: tuple[str, ...] = ()) -> WarehouseDescription:
        """What the database says about its tables and views, of the named schemas or of all; no row is read.

        Raises: WarehouseFault.
        """
        return describe_at(self._address, schemas)

    def explain(self, query: GuardedQuery) -> Explained:
        """Whether and how the engine would run the query.  Raises: WarehouseFault."""
        started = time.perf_counter()
        sql, values = _numbered(query)
        with self._reading(query.bounds, "", query.engine_role) as link:
            row = next(iter(link.cursor().stream(f"EXPLAIN (FORMAT JSON) {sql}".encode(), values)))
        plan = str(row[0])
        return Explained(
            estimated_rows=_estimate(plan),
            plan_digest=hashlib.sha256(plan.encode()).hexdigest(),
            elapsed_ms=_elapsed_ms(started),
        )

    def execute(self, query: GuardedQuery, *, query_id: str) -> ResultTable:
        """The rows within the query's bounds.  Raises: WarehouseFault."""
        started = time.perf_counter()
        with self._reading(query.bounds, query_id, query.engine_role) as link:
            columns, rows, truncated = _read(link, query)
        return ResultTable(
            columns=columns,
            rows=rows,
            truncated=truncated,
            elapsed_ms=_elapsed_ms(started),
            query_id=query_id,
        )

    def cancel(self, query_id: str) -> bool:
        """Whether a running query was told to stop; it ends within a second."""
        with self._lock:
            link = self._running.get(query_id)
        if link is None:
            return False
        link.stop("cancelled")
        return True

    def clear(self, query_id: str) -> bool:
        """Whether nothing runs under that id in the engine; what did, in whichever process, was told to stop.

        Raises: WarehouseFault(unreachable), where it cannot be told.
        """
        try:
            return clear(self._address, query_id)
        except (Error, OSError):
            raise fault("unreachable") from None

    def warm(self) -> None:
        """Open one connection ahead of the first question.  Raises: WarehouseFault."""
        with self._link(""):
            pass

    def close(self) -> None:
        """End every connection; the warehouse answers nothing afterwards."""
        with self._lock:
            self._closed = True
            idle, running = list(self._idle), list(self._running.values())
            self._idle.clear()
        for link in running:
            link.stop("cancelled")
        for link in idle:
            link.close()

    @contextlib.contextmanager
    def _reading(self, bounds: Bounds, query_id: str, role: str = "") -> Iterator[Link]:
        """A connection inside a read-only transaction.  Raises: WarehouseFault for whatever the engine says."""
        with self._link(query_id) as link:
            try:
                session = Session(timeout_s=bounds.timeout_s, timezone=self._timezone, query_id=query_id, role=role)
                with link.limited(bounds.timeout_s), read_only(link, session):
                    yield link
            except Error as error:
                raise fault(link.code_of(error)) from None

    @contextlib.contextmanager
    def _link(self, query_id: str) -> Iterator[Link]:
        """A connection of one's own; it returns to the pool while it is healthy."""
        if not self._slots.acquire(timeout=_WAIT_S):
            raise fault("timeout")
        try:
            link = self._take()
            if query_id:
                with self._lock:
                    self._running[query_id] = link
            try:
                yield link
            finally:
                self._give_back(link, query_id)
        finally:
            self._slots.release()

    def _take(self) -> Link:
        while True:
            with self._lock:
                if self._closed:
                    raise fault("unreachable")
                held = self._idle.pop() if self._idle else None
            if held is None:
                return self._open()
            if held.idle_s() < _IDLE_S and held.answers():
                return held
            held.close()

    def _open(self) -> Link:
        try:
            link = Link(self._address)
        except (Error, OSError):
            raise fault("unreachable") from None
        self._version = link.version
        if link.powerful:
            link.close()
            raise WarehouseFault("unreachable", POWERFUL)
        return link

    def _give_back(self, link: Link, query_id: str) -> None:
        with self._lock:
            self._running.pop(query_id, None)
            keep = link.healthy and not self._closed
            if keep:
                link.rest()
                self._idle.append(link)
        if not keep:
            link.close()


def _numbered(query: GuardedQuery) -> tuple[str, list[Scalar]]:
    try:
        return numbered(query.sql, query.parameters)
    except KeyError:
        raise fault("invalid_query") from None


def _read(link: Link, query: GuardedQuery) -> tuple[tuple[Column, ...], tuple[tuple[Scalar, ...], ...], bool]:
    """Columns, rows within the bounds, and whether the row cap cut them."""
    sql, values = _numbered(query)
    cursor = link.cursor()
    rows: list[tuple[Scalar, ...]] = []
    size, truncated = 0, False
    stream: Any = cursor.stream(sql.encode(), values, size=_CHUNK_ROWS)
    with contextlib.closing(stream):
        for found in stream:
            if len(rows) == query.bounds.max_rows:
                truncated = True
                break
            row = cells(found)
            size += size_bytes(row)
            if size > query.bounds.max_bytes:
                raise fault("too_large")
            rows.append(row)
    if not rows:
        # a stream without rows does not tell its columns; nothing is run to learn them
        described = f"SELECT * FROM ({sql}\n) AS nothing LIMIT 0"  # noqa: S608 (a statement that has just run)
        cursor.execute(described.encode(), values, binary=True)
    return link.columns(cursor), tuple(rows), truncated


def _estimate(plan: str) -> int | None:
    """The rows that the planner expects, or None where the plan does not say."""
    with contextlib.suppress(ValueError, KeyError, IndexError, TypeError):
        return int(json.loads(plan)[0]["Plan"]["Plan Rows"])
    return None


def _tables(rows: list[tuple[Any, ...]]) -> tuple[TableSchema, ...]:
    found = []
    for name, columns in groupby(rows, key=lambda row: f"{row[0]}.{row[1]}"):
        found.append(TableSchema(name=name, columns=tuple(Column(name=c[2], type=c[3]) for c in columns)))
    return tuple(sorted(found, key=lambda table: table.name))


def _elapsed_ms(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 3)
