"""How far data reach, from the log that the pipeline keeps of its loads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta

import sqlglot
from sqlglot import exp

from catalog.access import AccessScope, TableAccess
from catalog.query import Parameter
from dataagent.answering.types import DataState
from dataagent.sqlguard.schema import TableSchema

LOG_TABLE = "load_log"
LOG_COLUMNS = ("table_name", "partition_date", "loaded_at", "due_at")
"""Where a pipeline keeps a row per table and day, and the columns that it must have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """One day's load of a table: when it arrived (None: not yet) and when it was due, in UTC."""

    table: str
    day: date
    loaded_at: datetime | None
    due_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LogQuery:
    """A query on a load log with its parameters and the one-table scope that it runs under."""

    sql: str
    parameters: tuple[Parameter, ...]
    scope: AccessScope


RECENT_DAYS = 35
"""Loads of these last days tell how far a table reaches; older ones matter only where they are late."""


def log_query(
    tables: tuple[str, ...], schema: tuple[TableSchema, ...], dialect: str, *, since: date | None
) -> LogQuery | None:
    """The query for the loads of `tables` from `since` on and for late ones of any day; None where no log is kept.

    It runs under a scope of its own: when a permitted table was loaded is for everyone who may read it.
    """
    logs = {t.name for t in schema if t.name.split(".")[-1] == LOG_TABLE and _fits(t)}
    wanted = [t for t in tables if f"{t.rsplit('.', 1)[0]}.{LOG_TABLE}" in logs]
    if not wanted:
        return None
    log = f"{wanted[0].rsplit('.', 1)[0]}.{LOG_TABLE}"
    parameters = tuple(Parameter(name=f"p{i}", value=t) for i, t in enumerate(wanted, start=1))
    names = [_parameter(p.name, dialect) for p in parameters]
    query = (
        exp.select(*(exp.column(c, table="l", quoted=True) for c in LOG_COLUMNS))
        .from_(exp.to_table(log, dialect=dialect).as_("l", quoted=True))
        .where(exp.In(this=exp.column("table_name", table="l", quoted=True), expressions=names))
    )
    if since is not None:
        parameters += (Parameter(name="since", value=since),)
        query = query.where(_recent_or_late(_parameter("since", dialect)))
    access = TableAccess(table=log, columns=frozenset(LOG_COLUMNS))
    scope = AccessScope(workspace="", principal="", policy_version="loads", digest="loads", tables=(access,))
    return LogQuery(sql=query.sql(dialect=dialect), parameters=parameters, scope=scope)


def _parameter(name: str, dialect: str) -> exp.Expression:
    return exp.Parameter(this=name) if dialect == "duckdb" else exp.Placeholder(this=name)


def _recent_or_late(since: exp.Expression) -> exp.Condition:
    day, loaded_at, due_at = (exp.column(c, table="l", quoted=True) for c in LOG_COLUMNS[1:])
    return exp.or_(
        exp.GTE(this=day, expression=since), loaded_at.is_(exp.null()), exp.GT(this=loaded_at, expression=due_at)
    )


def begins_query(query: LogQuery, dialect: str) -> LogQuery:
    """The query for each table's first day in the log, from the one for all its loads."""
    table, day = LOG_COLUMNS[0], LOG_COLUMNS[1]
    loads = sqlglot.parse_one(query.sql, dialect=dialect, into=exp.Select)
    first = exp.Min(this=exp.column(day, table="l", quoted=True)).as_(day, quoted=True)
    named = exp.column(table, table="l", quoted=True)
    grouped = loads.select(named, first, append=False).group_by(named.copy())
    return replace(query, sql=grouped.sql(dialect=dialect))


def states(tables: tuple[str, ...], loads: Iterable[Load], today: date) -> tuple[DataState, ...]:
    """How far each table reached at the end of `today`, in the order of `tables`."""
    until = datetime.combine(today + timedelta(days=1), time(), tzinfo=UTC)
    by_table: dict[str, list[Load]] = {t: [] for t in tables}
    for load in loads:
        if load.table in by_table and load.day <= today:
            by_table[load.table].append(load)
    return tuple(_state(table, found, until) for table, found in by_table.items())


def _state(table: str, loads: list[Load], until: datetime) -> DataState:
    arrived = [(load.day, load.loaded_at) for load in loads if load.loaded_at is not None and load.loaded_at < until]
    late = tuple(sorted(load.day for load in loads if _is_late(load, until)))
    if not arrived:
        return DataState(table=table, complete_until=None, loaded_at=None, late_days=late)
    newest = max(day for day, _ in arrived)
    return DataState(
        table=table,
        complete_until=datetime.combine(newest + timedelta(days=1), time(), tzinfo=UTC),
        loaded_at=max(at for _, at in arrived),
        late_days=late,
    )


def _is_late(load: Load, until: datetime) -> bool:
    due = load.due_at is not None and load.due_at < until
    return due and (load.loaded_at is None or load.loaded_at >= until)


def _fits(table: TableSchema) -> bool:
    return set(LOG_COLUMNS) <= {c.name for c in table.columns}
