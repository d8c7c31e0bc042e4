"""How far data reach, and which days are late, as of the question's day."""

from __future__ import annotations

from datetime import UTC, date, datetime

from dataagent.runs.freshness import LOG_COLUMNS, Load, log_query, states
from dataagent.sqlguard.schema import Column, TableSchema

ORDERS = "warehouse.fct_orders"


def day(number: int) -> datetime:
    return datetime(2025, 3, number, 4, tzinfo=UTC)


def a_load(number: int, *, arrived: int | None, table: str = ORDERS) -> Load:
    return Load(
        table=table, day=date(2025, 3, number), loaded_at=day(arrived) if arrived else None, due_at=day(number + 1)
    )


def test_data_reach_to_the_end_of_the_newest_day_that_has_arrived() -> None:
    state = states((ORDERS,), [a_load(1, arrived=2), a_load(2, arrived=3), a_load(3, arrived=None)], date(2025, 3, 3))
    assert state[0].complete_until == datetime(2025, 3, 3, tzinfo=UTC)
    assert state[0].late_days == ()


def test_a_day_that_was_due_and_has_not_arrived_is_late() -> None:
    state = states((ORDERS,), [a_load(1, arrived=None), a_load(2, arrived=3)], date(2025, 3, 3))
    assert state[0].late_days == (date(2025, 3, 1),)


def test_an_earlier_clock_does_not_know_later_loads() -> None:
    state = states((ORDERS,), [a_load(1, arrived=2), a_load(2, arrived=5)], date(2025, 3, 3))
    assert state[0].complete_until == datetime(2025, 3, 2, tzinfo=UTC)
    assert state[0].late_days == (date(2025, 3, 2),)


def test_a_table_without_a_log_is_unknown_not_fresh() -> None:
    state = states((ORDERS,), [a_load(1, arrived=2, table="warehouse.other")], date(2025, 3, 3))
    assert (state[0].complete_until, state[0].loaded_at) == (None, None)


def test_only_the_log_of_the_tables_own_schema_is_read() -> None:
    log = TableSchema(
        name="warehouse.load_log", columns=tuple(Column(name=c, type="VARCHAR") for c in (*LOG_COLUMNS, "note"))
    )
    query = log_query((ORDERS, "other.t"), (log,), "duckdb", since=None)
    assert query is not None
    assert [p.value for p in query.parameters] == [ORDERS]
    assert query.scope.tables[0].columns == set(LOG_COLUMNS)
    assert log_query(("other.t",), (log,), "duckdb", since=None) is None
