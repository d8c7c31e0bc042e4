"""The embedded engine answers exactly, stays read-only, and can always be stopped."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from catalog.query import Parameter
from dataagent.sqlguard.guard import Bounds
from dataagent.warehouse.duckdb import DuckDBWarehouse
from dataagent.warehouse.port import WarehouseFault
from tests.warehouse.conftest import unguarded

CROSS_JOIN = "SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a.range % 7 = b.range % 11"


def code_of(warehouse: DuckDBWarehouse, sql: str, bounds: Bounds | None = None) -> str:
    with pytest.raises(WarehouseFault) as caught:
        warehouse.execute(unguarded(sql, bounds), query_id="q")
    return caught.value.code


def test_every_type_comes_back_exactly(warehouse: DuckDBWarehouse) -> None:
    sql = """SELECT 12345678901234567890.12::DECIMAL(22,2), 0.1::DOUBLE, 170141183460469231731687303715884105727,
        true, 'é', NULL, DATE '2024-02-29', TIMESTAMP '2024-02-29 01:02:03.000004', [1, 2], {'a': 1}, 'NaN'::DOUBLE"""
    assert warehouse.execute(unguarded(sql), query_id="q").rows == (
        (
            Decimal("12345678901234567890.12"),
            Decimal("0.1"),
            170141183460469231731687303715884105727,
            True,
            "é",
            None,
            date(2024, 2, 29),
            datetime.fromisoformat("2024-02-29 01:02:03.000004"),
            "[1, 2]",
            '{"a": 1}',
            None,
        ),
    )


def test_parameters_are_bound_and_typed(warehouse: DuckDBWarehouse) -> None:
    values = (Decimal("1.5"), date(2024, 1, 2), datetime.fromisoformat("2024-01-02 03:00:00"), "'; x", 7, True, None)
    parameters = tuple(Parameter(name=f"p{n}", value=v) for n, v in enumerate(values))
    query = unguarded("SELECT " + ", ".join(f"$p{n}" for n in range(len(values))), parameters=parameters)
    assert warehouse.execute(query, query_id="q").rows == (values,)


def test_the_row_cap_cuts_and_says_so(warehouse: DuckDBWarehouse) -> None:
    cut = warehouse.execute(unguarded("SELECT id FROM warehouse.t ORDER BY id", Bounds(max_rows=3)), query_id="q")
    whole = warehouse.execute(unguarded("SELECT id FROM warehouse.t", Bounds(max_rows=100)), query_id="q")
    assert (cut.rows, cut.truncated) == (((0,), (1,), (2,)), True)
    assert (len(whole.rows), whole.truncated) == (100, False)


def test_the_byte_cap_stops_a_large_result(warehouse: DuckDBWarehouse) -> None:
    assert code_of(warehouse, "SELECT repeat('x', 1000) FROM range(1000)", Bounds(max_bytes=10_000)) == "too_large"


def test_the_schema_lists_tables_and_follows_the_file(warehouse: DuckDBWarehouse, file: Path) -> None:
    assert [(t.name, [c.name for c in t.columns]) for t in warehouse.schema()] == [("warehouse.t", ["id", "name"])]
    replacement = file.with_suffix(".new")
    with duckdb.connect(str(replacement)) as connection:
        connection.execute("CREATE TABLE fresh (a INTEGER)")
    os.replace(replacement, file)
    assert [t.name for t in warehouse.schema()] == ["main.fresh"]


def test_explain_answers_without_running_and_without_the_plan(warehouse: DuckDBWarehouse) -> None:
    explained = warehouse.explain(unguarded("SELECT id FROM warehouse.t"))
    assert len(explained.plan_digest) == 64
    with pytest.raises(WarehouseFault) as caught:
        warehouse.explain(unguarded("SELECT no_such_column FROM warehouse.t"))
    assert caught.value.code == "invalid_query"


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE warehouse.x (a INTEGER)",
        "DELETE FROM warehouse.t",
        "SELECT * FROM read_text('/etc/hostname')",
        "COPY warehouse.t TO '/tmp/leak.csv'",
        "ATTACH '/tmp/other.duckdb'",
        "USE memory",
        "CREATE TABLE memory.main.x AS SELECT 1",
        "INSTALL httpfs",
        "SET enable_external_access = true",
        "SET memory_limit = '100GB'",
        "SELECT * FROM request_dataframe",
    ],
)
def test_the_engine_itself_refuses_writes_files_and_settings(warehouse: DuckDBWarehouse, sql: str) -> None:
    assert code_of(warehouse, sql) == "invalid_query"
    assert warehouse.execute(unguarded("SELECT count(*) FROM warehouse.t"), query_id="q").rows == ((100,),)


def test_engine_words_never_leave(warehouse: DuckDBWarehouse) -> None:
    with pytest.raises(WarehouseFault) as caught:
        warehouse.execute(unguarded("SELECT CAST(name AS INTEGER) FROM warehouse.t"), query_id="q")
    assert "n0" not in str(caught.value)


def test_a_query_past_its_time_is_stopped_and_the_next_is_served(warehouse: DuckDBWarehouse) -> None:
    started = time.monotonic()
    assert code_of(warehouse, CROSS_JOIN, Bounds(timeout_s=0.3)) == "timeout"
    assert time.monotonic() - started < 3
    assert warehouse.execute(unguarded("SELECT 1"), query_id="q").rows == ((1,),)


def test_a_cross_join_of_billions_is_cancelled_within_two_seconds(warehouse: DuckDBWarehouse) -> None:
    faults: list[str] = []
    warehouse.warm()
    worker = threading.Thread(target=lambda: faults.append(code_of_id(warehouse, "long")))
    worker.start()
    wait_until(lambda: warehouse.cancel("long"))
    started = time.monotonic()
    worker.join(timeout=10)
    assert faults == ["cancelled"]
    assert time.monotonic() - started < 2
    assert not warehouse.cancel("long")


def code_of_id(warehouse: DuckDBWarehouse, query_id: str) -> str:
    try:
        warehouse.execute(unguarded(CROSS_JOIN), query_id=query_id)
    except WarehouseFault as caught:
        return caught.code
    return "finished"


def wait_until(ready: object) -> None:
    assert callable(ready)
    for _ in range(200):
        if ready():
            return
        time.sleep(0.02)
    raise AssertionError("never ready")


def test_a_memory_bomb_ends_and_the_next_query_is_served(warehouse: DuckDBWarehouse) -> None:
    assert code_of(warehouse, "SELECT list_sort(range(1000000000))", Bounds(timeout_s=5)) in {
        "out_of_memory",
        "timeout",
    }
    assert warehouse.execute(unguarded("SELECT 1"), query_id="q").rows == ((1,),)


def test_a_killed_process_is_a_fault_and_is_replaced(warehouse: DuckDBWarehouse) -> None:
    warehouse.warm()
    (_, process), *_ = warehouse._idle
    os.kill(process.pid, 9)
    wait_until(lambda: not process.alive)
    assert warehouse.execute(unguarded("SELECT 1"), query_id="q").rows == ((1,),)


def test_many_threads_share_the_pool(warehouse: DuckDBWarehouse) -> None:
    def ask(number: int) -> int:
        return int(str(warehouse.execute(unguarded(f"SELECT {number}"), query_id=f"q{number}").rows[0][0]))

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(ask, range(60))) == list(range(60))
    assert len(warehouse._idle) <= 2


def test_a_missing_file_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(WarehouseFault, match="not built yet") as caught:
        DuckDBWarehouse(tmp_path / "none.duckdb").schema()
    assert caught.value.code == "unreachable"


def test_children_end_with_the_warehouse(warehouse: DuckDBWarehouse) -> None:
    warehouse.warm()
    (_, process), *_ = warehouse._idle
    warehouse.close()
    assert not process.alive


@pytest.fixture
def twin(tmp_path: Path) -> Iterator[DuckDBWarehouse]:
    """A file that is called as one of its schemas is."""
    built = tmp_path / "built.duckdb"
    with duckdb.connect(str(built)) as connection:
        for schema in ("acme", "warehouse"):
            connection.execute(f"CREATE SCHEMA {schema}")
            connection.execute(f"CREATE TABLE {schema}.t AS SELECT '{schema}' AS name")
    built.rename(tmp_path / "acme.duckdb")
    made = DuckDBWarehouse(tmp_path / "acme.duckdb")
    yield made
    made.close()


def test_a_file_may_be_called_as_one_of_its_schemas(twin: DuckDBWarehouse) -> None:
    assert [t.name for t in twin.schema()] == ["acme.t", "warehouse.t"]
    for sql in ("SELECT acme.t.name FROM acme.t", f"SELECT name FROM {twin.catalog}.acme.t"):
        assert twin.execute(unguarded(sql), query_id="q").rows == (("acme",),)


def test_another_file_beside_the_opened_one_cannot_be_attached(twin: DuckDBWarehouse, file: Path) -> None:
    assert file.exists()
    assert code_of(twin, f"ATTACH '{file}' AS stolen (READ_ONLY)") == "invalid_query"
    assert code_of(twin, f"SELECT * FROM read_blob('{file}')") == "invalid_query"
    assert twin.execute(unguarded("SELECT name FROM warehouse.t"), query_id="q").rows == (("warehouse",),)


def test_a_quote_in_the_files_path_is_only_a_quote(tmp_path: Path, file: Path) -> None:
    odd = tmp_path / "it's" / "a.duckdb"
    odd.parent.mkdir()
    file.rename(odd)
    made = DuckDBWarehouse(odd)
    assert [t.name for t in made.schema()] == ["warehouse.t"]
    made.close()


def test_moments_are_seen_in_the_zone_of_the_workspace(warehouse: DuckDBWarehouse) -> None:
    sql = "SELECT date_trunc('day', TIMESTAMPTZ '2024-03-30 23:30+00')::DATE"
    assert warehouse.execute(unguarded(sql), query_id="q").rows == ((date(2024, 3, 30),),)
    warehouse.timezone = "Europe/Berlin"
    assert warehouse.execute(unguarded(sql), query_id="q").rows == ((date(2024, 3, 31),),)


def test_a_zone_that_is_none_is_one_sentence(warehouse: DuckDBWarehouse) -> None:
    with pytest.raises(WarehouseFault, match=r"correct calendar\.timezone"):
        warehouse.timezone = "Mars/Base'; SELECT 1"
