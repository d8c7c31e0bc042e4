"""A PostgreSQL warehouse answers exactly, stays read-only, and can always be stopped."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from catalog.query import Parameter
from dataagent.sqlguard.guard import Bounds
from dataagent.warehouse.port import WarehouseFault
from dataagent.warehouse.postgres import PostgresWarehouse
from tests.warehouse.conftest import unguarded
from tests.warehouse.postgres_server import PASSWORD, Scratch, scratch_database

pytestmark = pytest.mark.service

LONG = "SELECT count(*) FROM generate_series(1, 1000000000) a"


@pytest.fixture(scope="module")
def server() -> Iterator[Scratch]:
    with scratch_database() as made:
        made.run("CREATE SCHEMA shop")
        made.run("CREATE TABLE shop.t AS SELECT i AS id, 'n' || i AS name FROM generate_series(0, 99) i")
        made.run("CREATE TABLE shop.hidden AS SELECT 1 AS secret")
        made.run("CREATE SEQUENCE shop.numbers")
        made.grant("shop")
        made.run(f"REVOKE ALL ON shop.hidden FROM {made.reader}")
        yield made


@pytest.fixture
def warehouse(server: Scratch) -> Iterator[PostgresWarehouse]:
    made = PostgresWarehouse(server.url)
    yield made
    made.close()


def code_of(warehouse: PostgresWarehouse, sql: str, bounds: Bounds | None = None) -> str:
    with pytest.raises(WarehouseFault) as caught:
        warehouse.execute(unguarded(sql, bounds), query_id="q")
    return caught.value.code


def test_every_type_comes_back_exactly(warehouse: PostgresWarehouse) -> None:
    sql = """SELECT 12345678901234567890.12::numeric(22,2), 0.1::float8, 9223372036854775807, true, 'é', NULL,
        DATE '2024-02-29', TIMESTAMP '2024-02-29 01:02:03.000004', ARRAY[1, 2], '{"a": 1}'::jsonb, 0.1::float4,
        '\\x00ff'::bytea, INTERVAL '1 day 2 hours', ROW(1, 'a'), TIME '01:02', 1.10::numeric,
        ARRAY[DATE '2024-01-01']"""
    assert warehouse.execute(unguarded(sql), query_id="q").rows == (
        (
            Decimal("12345678901234567890.12"),
            Decimal("0.1"),
            9223372036854775807,
            True,
            "é",
            None,
            date(2024, 2, 29),
            datetime.fromisoformat("2024-02-29 01:02:03.000004"),
            "[1, 2]",
            '{"a": 1}',
            Decimal("0.1"),
            "00ff",
            "1 day 02:00:00",
            "(1,a)",
            "01:02:00",
            Decimal("1.10"),
            '["2024-01-01"]',
        ),
    )


def test_what_is_no_amount_or_no_day_never_breaks_an_answer(warehouse: PostgresWarehouse) -> None:
    sql = """SELECT 'NaN'::numeric, 'Infinity'::numeric, 'NaN'::float8, '-Infinity'::float8,
        'infinity'::date, '-infinity'::timestamp, 'infinity'::timestamptz, DATE '0044-03-15 BC', DATE '12024-01-01'"""
    assert warehouse.execute(unguarded(sql), query_id="q").rows == (
        (None, None, None, None, "infinity", "-infinity", "infinity", "0044-03-15 BC", "12024-01-01"),
    )


def test_moments_stand_in_the_zone_of_the_workspace(server: Scratch) -> None:
    warehouse = PostgresWarehouse(server.url)
    warehouse.timezone = "Europe/Berlin"
    server.run(f"ALTER ROLE {server.reader} SET TimeZone = 'Asia/Tokyo'")
    sql = "SELECT TIMESTAMPTZ '2024-03-31 00:30+00', date_trunc('day', TIMESTAMPTZ '2024-03-30 23:30+00')::date"
    ((moment, day),) = warehouse.execute(unguarded(sql), query_id="q").rows
    warehouse.close()
    server.run(f"ALTER ROLE {server.reader} RESET TimeZone")
    assert isinstance(moment, datetime)
    assert moment == datetime(2024, 3, 31, 0, 30, tzinfo=UTC)
    assert (moment.utcoffset(), day) == (timedelta(hours=1), date(2024, 3, 31))


def test_parameters_are_bound_and_typed(warehouse: PostgresWarehouse) -> None:
    values = (Decimal("1.5"), date(2024, 1, 2), datetime.fromisoformat("2024-01-02 03:00:00"), "'; x", 7, True, None)
    parameters = tuple(Parameter(name=f"p{n}", value=v) for n, v in enumerate(values))
    query = unguarded("SELECT " + ", ".join(f"%(p{n})s" for n in range(len(values))), parameters=parameters)
    assert warehouse.execute(query, query_id="q").rows == (values,)


def test_a_percent_sign_or_a_name_in_a_text_is_no_parameter(warehouse: PostgresWarehouse) -> None:
    sql = """SELECT '%(p1)s', 'a''%(p1)s', "%(p1)s", '100%' LIKE '100\\%%', 7 % 4
        FROM (SELECT %(p1)s::int AS "%(p1)s") x"""
    query = unguarded(sql, parameters=(Parameter(name="p1", value=5),))
    assert warehouse.execute(query, query_id="q").rows == (("%(p1)s", "a'%(p1)s", 5, True, 3),)


def test_a_parameter_that_is_used_twice_is_one_expression(warehouse: PostgresWarehouse) -> None:
    sql = "SELECT id % %(p1)s AS k, count(*) FROM shop.t GROUP BY id % %(p1)s ORDER BY 1"
    query = unguarded(sql, parameters=(Parameter(name="p1", value=2),))
    assert warehouse.execute(query, query_id="q").rows == ((0, 50), (1, 50))


def test_the_row_cap_cuts_and_says_so(warehouse: PostgresWarehouse) -> None:
    cut = warehouse.execute(unguarded("SELECT id FROM shop.t ORDER BY id", Bounds(max_rows=3)), query_id="q")
    whole = warehouse.execute(unguarded("SELECT id FROM shop.t", Bounds(max_rows=100)), query_id="q")
    assert (cut.rows, cut.truncated) == (((0,), (1,), (2,)), True)
    assert (len(whole.rows), whole.truncated) == (100, False)


def test_a_result_without_rows_keeps_its_columns(warehouse: PostgresWarehouse) -> None:
    empty = warehouse.execute(unguarded("SELECT id, name FROM shop.t WHERE false"), query_id="q")
    assert (empty.rows, [(c.name, c.type) for c in empty.columns]) == ((), [("id", "int4"), ("name", "text")])


def test_the_byte_cap_stops_a_large_result(warehouse: PostgresWarehouse) -> None:
    sql = "SELECT repeat('x', 1000) FROM generate_series(1, 1000000)"
    assert code_of(warehouse, sql, Bounds(max_bytes=10_000)) == "too_large"
    assert warehouse.execute(unguarded("SELECT 1"), query_id="q").rows == ((1,),)


def test_the_schema_lists_only_what_the_login_may_read(warehouse: PostgresWarehouse) -> None:
    found = [(t.name, [(c.name, c.type) for c in t.columns]) for t in warehouse.schema()]
    assert found == [("shop.t", [("id", "integer"), ("name", "text")])]


def test_explain_answers_without_running_and_without_the_plan(warehouse: PostgresWarehouse) -> None:
    query = unguarded("SELECT id FROM shop.t WHERE id > %(p1)s", parameters=(Parameter(name="p1", value=3),))
    explained = warehouse.explain(query)
    assert len(explained.plan_digest) == 64
    assert explained.estimated_rows is not None
    with pytest.raises(WarehouseFault) as caught:
        warehouse.explain(unguarded("SELECT no_such_column FROM shop.t"))
    assert caught.value.code == "invalid_query"


BYPASSES = [
    "COMMIT; DROP TABLE shop.t",
    "SELECT 1; DELETE FROM shop.t",
    "SET TRANSACTION READ WRITE",
    "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE",
    "SET default_transaction_read_only = off",
    "DELETE FROM shop.t",
    "CREATE TABLE x (a int)",
    "CREATE TEMP TABLE x AS SELECT 1",
    "WITH gone AS (DELETE FROM shop.t RETURNING 1) SELECT * FROM gone",
    "SELECT nextval('shop.numbers')",
    "SELECT setval('shop.numbers', 99)",
    "SELECT * FROM shop.hidden",
    "SELECT pg_read_file('/etc/hostname')",
    "SELECT pg_ls_dir('/')",
    "SELECT lo_export(1, '/tmp/leak')",
    "SELECT lo_import('/etc/hostname')",
    "SELECT dblink('dbname=postgres', 'SELECT 1')",
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename <> current_user AND usename IS NOT NULL",
    "SELECT rolpassword FROM pg_authid",
    "COPY shop.t TO PROGRAM 'cat'",
    "COPY shop.t TO '/tmp/leak.csv'",
    "DO $$ BEGIN DELETE FROM shop.t; END $$",
    "DO $$ BEGIN COMMIT; END $$",
    "SET ROLE postgres",
    "SET SESSION AUTHORIZATION postgres",
    "ALTER SYSTEM SET log_statement = 'all'",
    "PREPARE TRANSACTION 'x'",
    "VACUUM shop.t",
]


@pytest.mark.parametrize("sql", BYPASSES)
def test_behind_the_guard_nothing_changes_and_nothing_hidden_is_read(server: Scratch, sql: str) -> None:
    warehouse = PostgresWarehouse(server.url, connections=1)
    try:
        with pytest.raises(WarehouseFault) as stopped:
            warehouse.execute(unguarded(sql), query_id="q")
        assert stopped.value.code == "invalid_query"
        state = "SELECT count(*), current_user = session_user, current_setting('transaction_read_only') FROM shop.t"
        assert warehouse.execute(unguarded(state), query_id="q").rows == ((100, True, "on"),)
    finally:
        warehouse.close()
    assert server.run("SELECT last_value, is_called FROM shop.numbers") == [(1, False)]
    assert server.run("SELECT count(*) FROM pg_largeobject_metadata") == [(0,)]
    assert server.run("SELECT count(*) FROM pg_class WHERE relname = 'x'") == [(0,)]


def test_what_a_read_only_transaction_lets_pass_is_rolled_back(warehouse: PostgresWarehouse, server: Scratch) -> None:
    with contextlib.suppress(WarehouseFault):
        warehouse.execute(unguarded("SELECT lo_from_bytea(0, 'x')"), query_id="q")
    assert server.run("SELECT count(*) FROM pg_largeobject_metadata") == [(0,)]


@pytest.mark.parametrize(
    "sql",
    ["COMMIT", "COMMIT AND CHAIN", "SET statement_timeout = 0", "SELECT set_config('role', current_user, false)"],
)
def test_a_statement_about_the_session_leaves_no_trace_for_the_next_asker(
    warehouse: PostgresWarehouse, sql: str
) -> None:
    with contextlib.suppress(WarehouseFault):
        warehouse.execute(unguarded(sql), query_id="q")
    state = "SELECT current_setting('transaction_read_only'), current_setting('statement_timeout')"
    assert warehouse.execute(unguarded(state), query_id="q").rows == (("on", "10s"),)


@pytest.mark.parametrize("power", ["SUPERUSER", "REPLICATION", "pg_read_server_files"])
def test_a_login_that_may_do_more_than_read_is_refused(server: Scratch, power: str) -> None:
    given, taken = (
        (f"GRANT {power} TO {server.reader}", f"REVOKE {power} FROM {server.reader}")
        if power.startswith("pg_")
        else (f"ALTER ROLE {server.reader} {power}", f"ALTER ROLE {server.reader} NO{power}")
    )
    server.run(given)
    warehouse = PostgresWarehouse(server.url)
    with pytest.raises(WarehouseFault, match="may only select"):
        warehouse.schema()
    server.run(taken)
    assert warehouse.schema()
    warehouse.close()


def test_engine_words_never_leave(warehouse: PostgresWarehouse) -> None:
    with pytest.raises(WarehouseFault) as caught:
        warehouse.execute(unguarded("SELECT CAST(name AS integer) FROM shop.t"), query_id="q")
    assert "n0" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_query_past_its_time_is_stopped_and_the_next_is_served(warehouse: PostgresWarehouse) -> None:
    started = time.monotonic()
    assert code_of(warehouse, LONG, Bounds(timeout_s=0.3)) == "timeout"
    assert time.monotonic() - started < 3
    assert warehouse.execute(unguarded("SELECT 1"), query_id="q").rows == ((1,),)


def test_a_query_that_lifts_its_own_time_is_stopped_all_the_same(warehouse: PostgresWarehouse) -> None:
    sql = "SELECT set_config('statement_timeout', '0', false), pg_sleep(30)"
    started = time.monotonic()
    assert code_of(warehouse, sql, Bounds(timeout_s=0.3)) == "timeout"
    assert time.monotonic() - started < 4


def test_a_cancel_ends_the_query_in_the_server_within_two_seconds(
    warehouse: PostgresWarehouse, server: Scratch
) -> None:
    faults: list[str] = []
    warehouse.warm()
    worker = threading.Thread(target=lambda: faults.append(code_of_id(warehouse, "long")))
    worker.start()
    time.sleep(0.3)
    started = time.monotonic()
    assert warehouse.cancel("long")
    worker.join(timeout=10)
    assert faults == ["cancelled"]
    assert time.monotonic() - started < 2
    assert not warehouse.cancel("long")
    busy = f"SELECT count(*) FROM pg_stat_activity WHERE usename = '{server.reader}' AND state = 'active'"
    assert server.run(busy) == [(0,)]


def test_a_cancel_that_comes_before_the_query_begins_is_not_lost(warehouse: PostgresWarehouse) -> None:
    faults: list[str] = []
    for _ in range(5):
        worker = threading.Thread(target=lambda: faults.append(code_of_id(warehouse, "early")))
        worker.start()
        while not warehouse.cancel("early"):
            time.sleep(0.0005)
        worker.join(timeout=10)
    assert faults == ["cancelled"] * 5


def code_of_id(warehouse: PostgresWarehouse, query_id: str) -> str:
    try:
        warehouse.execute(unguarded(LONG), query_id=query_id)
    except WarehouseFault as caught:
        return caught.code
    return "finished"


def test_a_locked_table_ends_in_time(warehouse: PostgresWarehouse, server: Scratch) -> None:
    import psycopg

    with psycopg.connect(server.owner_url) as holder:
        holder.execute("LOCK TABLE shop.t IN ACCESS EXCLUSIVE MODE")
        assert code_of(warehouse, "SELECT * FROM shop.t", Bounds(timeout_s=0.4)) == "timeout"


def test_a_lost_connection_is_one_sentence_and_is_replaced(warehouse: PostgresWarehouse, server: Scratch) -> None:
    warehouse.warm()
    end = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{server.reader}'"
    faults: list[str] = []
    worker = threading.Thread(target=lambda: faults.append(code_of_id(warehouse, "lost")))
    worker.start()
    time.sleep(0.3)
    server.run(end)
    worker.join(timeout=10)
    assert faults == ["unreachable"]
    warehouse.warm()
    server.run(end)
    time.sleep(0.2)
    assert warehouse.execute(unguarded("SELECT 1"), query_id="q").rows == ((1,),)


def test_many_threads_share_the_bounded_pool(warehouse: PostgresWarehouse, server: Scratch) -> None:
    def ask(number: int) -> int:
        return int(str(warehouse.execute(unguarded(f"SELECT {number}"), query_id=f"q{number}").rows[0][0]))

    with ThreadPoolExecutor(12) as threads:
        assert list(threads.map(ask, range(60))) == list(range(60))
    count = f"SELECT count(*) FROM pg_stat_activity WHERE usename = '{server.reader}'"
    assert server.run(count)[0][0] <= 4


def test_a_warehouse_that_cannot_be_reached_says_so_and_keeps_the_password(
    caplog: pytest.LogCaptureFixture, server: Scratch
) -> None:
    caplog.set_level(logging.DEBUG)
    warehouse = PostgresWarehouse(server.url.replace(server.name, "no_such_database"))
    with pytest.raises(WarehouseFault) as caught:
        warehouse.schema()
    assert caught.value.code == "unreachable"
    assert PASSWORD not in repr(warehouse) + str(caught.value) + repr(caught.value.__context__) + caplog.text


@pytest.mark.parametrize("url", ["", "mysql://h/db", "postgresql://h", "postgresql://[h/db", "::"])
def test_an_address_that_is_none_says_how_one_looks(url: str) -> None:
    with pytest.raises(WarehouseFault, match=r"postgresql://user:password@host:5432/name"):
        PostgresWarehouse(url)


def test_no_file_of_the_server_was_written(server: Scratch) -> None:
    assert not Path("/tmp/leak").exists()
    assert not Path("/tmp/leak.csv").exists()
