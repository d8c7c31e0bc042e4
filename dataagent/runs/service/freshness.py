"""Reads the load log through the guard."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from catalog.types import Scalar
from dataagent.answering.types import DataState
from dataagent.runs.freshness import RECENT_DAYS, Load, LogQuery, begins_query, log_query, states
from dataagent.sqlguard.guard import Bounds, GuardedQuery, guard
from dataagent.warehouse.port import Warehouse

MAX_LOADS = 100_000


def freshness_reader(
    warehouse: Warehouse, dialect: str, today: date, *, query_id: str
) -> Callable[[tuple[str, ...]], tuple[DataState, ...]]:
    """A function from table names to how far each reached; unknown where the pipeline keeps no log."""

    def freshness(tables: tuple[str, ...]) -> tuple[DataState, ...]:
        since = today - timedelta(days=RECENT_DAYS)
        begins = _begins(warehouse, dialect, tables, query_id=query_id)
        recent = states(tables, _loads(warehouse, dialect, tables, since=since, query_id=query_id), today)
        silent = tuple(s.table for s in recent if s.complete_until is None and s.table in begins)
        loads = _loads(warehouse, dialect, silent, since=None, query_id=query_id) if silent else ()
        older = states(silent, loads, today)
        known = {s.table: s for s in (*recent, *older)}
        return tuple(replace(known[t], begins=begins.get(t)) for t in tables)

    return freshness


def _loads(
    warehouse: Warehouse, dialect: str, tables: tuple[str, ...], *, since: date | None, query_id: str
) -> tuple[Load, ...]:
    query = log_query(tables, warehouse.schema(), dialect, since=since)
    return tuple(_load(row) for row in _rows(warehouse, dialect, query, query_id)) if query else ()


def _begins(warehouse: Warehouse, dialect: str, tables: tuple[str, ...], *, query_id: str) -> dict[str, date]:
    """Each table's first day in the log."""
    query = log_query(tables, warehouse.schema(), dialect, since=None)
    rows = _rows(warehouse, dialect, begins_query(query, dialect), query_id) if query else ()
    return {str(table): day for table, day in rows if isinstance(day, date)}


def _rows(warehouse: Warehouse, dialect: str, query: LogQuery, query_id: str) -> tuple[tuple[Scalar, ...], ...]:
    guarded = guard(
        query.sql,
        dialect=dialect,
        parameters=query.parameters,
        scope=query.scope,
        schema=warehouse.schema(),
        bounds=Bounds(max_rows=MAX_LOADS, timeout_s=10.0),
    )
    return warehouse.execute(guarded, query_id=query_id).rows if isinstance(guarded, GuardedQuery) else ()


def _load(row: tuple[Scalar, ...]) -> Load:
    table, day, loaded_at, due_at = row
    if isinstance(day, datetime):
        day = day.date()
    if not isinstance(day, date):
        raise TypeError("load_log.partition_date must be a date")
    return Load(table=str(table), day=day, loaded_at=_moment(loaded_at), due_at=_moment(due_at))


def _moment(value: Scalar) -> datetime | None:
    if not isinstance(value, datetime):
        return None
    return value if value.tzinfo else value.replace(tzinfo=UTC)
