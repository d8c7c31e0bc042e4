"""The load log is read for what is recent or late, and wholly only where nothing recent has arrived."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import sqlglot
from sqlglot import exp

from dataagent.runs.freshness import LOG_COLUMNS, log_query
from dataagent.runs.service.freshness import freshness_reader
from dataagent.sqlguard.guard import GuardedQuery
from dataagent.sqlguard.schema import Column, TableSchema
from dataagent.warehouse.port import ResultTable

TODAY = date(2025, 6, 18)
LOG = TableSchema(name="w.load_log", columns=tuple(Column(name=c, type="VARCHAR") for c in LOG_COLUMNS))
ORDERS = TableSchema(name="w.orders", columns=(Column(name="id", type="INTEGER"),))


class Log:
    """A warehouse with one old load, which only the whole log shows."""

    def __init__(self) -> None:
        self.asked: list[bool] = []

    def schema(self) -> tuple[TableSchema, ...]:
        return (LOG, ORDERS)

    def execute(self, query: GuardedQuery, *, query_id: str) -> ResultTable:
        if "MIN(" in query.sql:
            first = (("w.orders", date(2024, 1, 1)),)
            return ResultTable(columns=(), rows=first, truncated=False, elapsed_ms=0.0, query_id=query_id)
        recent_only = any(p.value == TODAY - timedelta(days=35) for p in query.parameters)
        self.asked.append(recent_only)
        moment = datetime(2025, 3, 2, 4, tzinfo=UTC)
        rows = () if recent_only else (("w.orders", date(2025, 3, 1), moment, moment),)
        return ResultTable(columns=(), rows=rows, truncated=False, elapsed_ms=0.0, query_id=query_id)


def test_a_table_that_has_not_been_loaded_for_long_still_says_how_far_it_reaches() -> None:
    log = Log()
    (state,) = freshness_reader(log, "duckdb", TODAY, query_id="q")(("w.orders",))  # type: ignore[arg-type]
    assert log.asked == [True, False]
    assert state.complete_until == datetime(2025, 3, 2, tzinfo=UTC)
    assert state.begins == date(2024, 1, 1)


def test_the_recent_query_binds_its_day_and_keeps_late_loads() -> None:
    query = log_query(("w.orders",), (LOG, ORDERS), "duckdb", since=TODAY)
    assert query is not None
    tree = sqlglot.parse_one(query.sql, dialect="duckdb")
    assert {p.name for p in query.parameters} == {"p1", "since"}
    assert tree.find(exp.Or) is not None
