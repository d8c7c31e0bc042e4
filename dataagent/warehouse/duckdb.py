"""DuckDB as a warehouse: a small pool of warm child processes over one read-only file."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from datetime import date, datetime
from decimal import Decimal
from itertools import groupby
from pathlib import Path
from typing import Any

from catalog.drafting.types import WarehouseDescription
from catalog.query import Parameter
from catalog.types import Scalar
from dataagent.sqlguard.guard import GuardedQuery
from dataagent.sqlguard.schema import Column, TableSchema
from dataagent.warehouse.describe_duckdb import described
from dataagent.warehouse.port import Explained, ResultTable, WarehouseFault
from dataagent.warehouse.process import CATALOG, UTC, EngineProcess, Limits, fault, known_zone

NOT_BUILT = "The demo data are not built yet. Run make run, or manage.py demo load."
_SCHEMA_TIMEOUT_S = 20.0
_SCHEMA_BYTES = 64 * 1024 * 1024
_WAIT_S = 30.0

FileKey = tuple[int, int, int, str]


class DuckDBWarehouse:
    """One DuckDB file behind child processes.  Safe to use from many threads."""

    dialect = "duckdb"

    def __init__(self, path: Path, *, processes: int = 2, limits: Limits | None = None, catalog: str = CATALOG) -> None:
        self._path, self._catalog = path, catalog
        self._limits = limits or Limits()
        self._slots = threading.BoundedSemaphore(processes)
        self._lock = threading.Lock()
        self._idle: list[tuple[FileKey, EngineProcess]] = []
        self._running: dict[str, EngineProcess] = {}
        self._schema: tuple[FileKey, tuple[TableSchema, ...]] | None = None
        self._temp = Path(tempfile.mkdtemp(prefix="dataagent-duckdb-"))
        self._version = ""
        self._timezone = UTC
        self._closed = False

    @property
    def catalog(self) -> str:
        """The engine's name for the opened file, the first part of a full table name."""
        return self._catalog

    @property
    def timezone(self) -> str:
        """The zone in which processes see moments."""
        return self._timezone

    @timezone.setter
    def timezone(self, zone: str) -> None:
        """Raises: WarehouseFault(invalid_query) for a zone that is not known."""
        self._timezone = known_zone(zone)

    @property
    def engine(self) -> str:
        """Engine and version, for the manifest.  Raises: WarehouseFault."""
        if not self._version:
            with self._engine():
                pass
        return f"duckdb {self._version}"

    def data_version(self) -> str:
        """Which file this is, when it was written, and its size.  Raises: WarehouseFault."""
        return ":".join(str(part) for part in self._key()[:3])

    def schema(self) -> tuple[TableSchema, ...]:
        """All tables and views, ordered by name; read again when the file changes.  Raises: WarehouseFault."""
        key = self._key()
        held = self._schema
        if held is not None and held[0] == key:
            return held[1]
        with self._engine() as process:
            reply = process.ask(
                {"do": "schema", "parameters": []}, timeout_s=_SCHEMA_TIMEOUT_S, max_bytes=_SCHEMA_BYTES
            )
        tables = _tables(reply["columns"])
        self._schema = (key, tables)
        return tables

    def describe(self, schemas: tuple[str, ...] = ()) -> WarehouseDescription:
        """What the file says about its tables and views, of the named schemas or of all; no row is read.

        Raises: WarehouseFault.
        """
        with self._engine() as process:
            reply = process.ask(
                {"do": "describe", "parameters": []}, timeout_s=_SCHEMA_TIMEOUT_S, max_bytes=_SCHEMA_BYTES
            )
        return described(self._path.stem, reply, schemas)

    def explain(self, query: GuardedQuery) -> Explained:
        """Whether and how the engine would run the query.  Raises: WarehouseFault."""
        started = time.perf_counter()
        with self._engine() as process:
            reply = process.ask(
                _request("explain", query), timeout_s=query.bounds.timeout_s, max_bytes=query.bounds.max_bytes
            )
        return Explained(
            estimated_rows=reply["estimate"], plan_digest=str(reply["digest"]), elapsed_ms=_elapsed_ms(started)
        )

    def execute(self, query: GuardedQuery, *, query_id: str) -> ResultTable:
        """The rows within the query's bounds.  Raises: WarehouseFault."""
        started = time.perf_counter()
        with self._engine(query_id) as process:
            reply = process.ask(
                _request("execute", query), timeout_s=query.bounds.timeout_s, max_bytes=query.bounds.max_bytes
            )
        return ResultTable(
            columns=tuple(Column(name=name, type=kind) for name, kind, _ in reply["columns"]),
            rows=rows_of(reply),
            truncated=bool(reply["truncated"]),
            elapsed_ms=_elapsed_ms(started),
            query_id=query_id,
        )

    def cancel(self, query_id: str) -> bool:
        """Whether a running query was told to stop; it ends within a second."""
        with self._lock:
            process = self._running.get(query_id)
        if process is None:
            return False
        process.stop("cancelled")
        return True

    def clear(self, query_id: str) -> bool:
        """Whether nothing runs under that id; an engine process ends together with the process that began it."""
        return not self.cancel(query_id)

    def warm(self) -> None:
        """Start one process ahead of the first question.  Raises: WarehouseFault."""
        with self._engine():
            pass

    def close(self) -> None:
        """End every process; the warehouse answers nothing afterwards."""
        with self._lock:
            self._closed = True
            doomed = [p for _, p in self._idle] + list(self._running.values())
            self._idle.clear()
        for process in doomed:
            process.kill()
        shutil.rmtree(self._temp, ignore_errors=True)

    @contextlib.contextmanager
    def _engine(self, query_id: str = "") -> Iterator[EngineProcess]:
        """A process of one's own for one request; it returns to the pool while it is healthy."""
        key = self._key()
        if not self._slots.acquire(timeout=_WAIT_S):
            raise fault("timeout")
        try:
            process = self._take(key)
            if query_id:
                with self._lock:
                    self._running[query_id] = process
            try:
                yield process
            finally:
                self._give_back(key, process, query_id)
        finally:
            self._slots.release()

    def _take(self, key: FileKey) -> EngineProcess:
        while True:
            with self._lock:
                if self._closed:
                    raise fault("unreachable")
                held = self._idle.pop() if self._idle else None
            if held is None:
                return self._start()
            if held[0] == key and held[1].alive:
                return held[1]
            held[1].kill()

    def _start(self) -> EngineProcess:
        try:
            process = EngineProcess(
                self._path, self._temp, self._limits, catalog=self._catalog, timezone=self._timezone
            )
        except (OSError, EOFError, ValueError):
            raise fault("unreachable") from None
        self._version = process.version
        return process

    def _give_back(self, key: FileKey, process: EngineProcess, query_id: str) -> None:
        with self._lock:
            self._running.pop(query_id, None)
            keep = process.alive and not self._closed
            if keep:
                self._idle.append((key, process))
        if not keep:
            process.kill()

    def _key(self) -> FileKey:
        """What changes when the file or the zone is replaced.  Raises: WarehouseFault where there is none."""
        try:
            found = self._path.stat()
        except OSError:
            raise WarehouseFault("unreachable", NOT_BUILT) from None
        return (found.st_ino, found.st_mtime_ns, found.st_size, self._timezone)


def result_digest(table: ResultTable) -> str:
    """SHA-256 over column names and exact cell values, in order."""
    lines = ["\x1f".join(c.name for c in table.columns)]
    lines += ["\x1f".join("\x00" if v is None else f"{type(v).__name__}:{v}" for v in row) for row in table.rows]
    return hashlib.sha256("\x1e".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def _request(verb: str, query: GuardedQuery) -> dict[str, Any]:
    return {
        "do": verb,
        "sql": query.sql,
        "parameters": [_parameter(p) for p in query.parameters],
        "max_rows": query.bounds.max_rows,
        "max_bytes": query.bounds.max_bytes,
    }


def _parameter(parameter: Parameter) -> tuple[str, str, Scalar]:
    value = parameter.value
    if isinstance(value, Decimal):
        return (parameter.name, "decimal", str(value))
    if isinstance(value, datetime):
        return (parameter.name, "datetime", value.isoformat())
    if isinstance(value, date):
        return (parameter.name, "date", value.isoformat())
    return (parameter.name, "", value)


def _same(value: Any) -> Any:
    return value


_DECODERS: dict[str, Callable[[Any], Scalar]] = {
    "i": _same,
    "b": _same,
    "s": _same,
    "n": Decimal,
    "d": lambda v: _moment(date, v),
    "t": lambda v: _moment(datetime, v),
}


def _moment(kind: type[date], text: str) -> Scalar:
    """A date or time; text where it lies outside what Python counts ("infinity", years past 9999)."""
    try:
        return kind.fromisoformat(text)
    except ValueError:
        return text


def rows_of(reply: dict[str, Any]) -> tuple[tuple[Scalar, ...], ...]:
    """The exact rows of an engine process's reply, in its order."""
    decoded = []
    for (_, _, tag), values in zip(reply["columns"], reply["values"], strict=True):
        decode = _DECODERS[tag]
        decoded.append(values if decode is _same else [None if v is None else decode(v) for v in values])
    return tuple(zip(*decoded, strict=True))


def _tables(rows: list[list[str]]) -> tuple[TableSchema, ...]:
    found = []
    for name, columns in groupby(rows, key=lambda row: f"{row[0]}.{row[1]}"):
        found.append(TableSchema(name=name, columns=tuple(Column(name=c[2], type=c[3]) for c in columns)))
    return tuple(sorted(found, key=lambda table: table.name))


def _elapsed_ms(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 3)
