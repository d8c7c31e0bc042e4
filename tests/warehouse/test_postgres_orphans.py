"""A query that nobody waits for any more is found by its id in the engine, from any process, and ended."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dataagent.warehouse.port import WarehouseFault
from dataagent.warehouse.postgres import PostgresWarehouse
from tests.warehouse.conftest import unguarded
from tests.warehouse.postgres_server import Scratch, scratch_database

pytestmark = pytest.mark.service

LONG = "SELECT count(*) FROM generate_series(1, 1000000000) a"
WORKER = """
import sys
from dataagent.warehouse.postgres import PostgresWarehouse
from tests.warehouse.conftest import unguarded
PostgresWarehouse(sys.argv[1]).execute(unguarded(sys.argv[2]), query_id="killed")
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Scratch]:
    with scratch_database() as made:
        yield made


@pytest.fixture
def warehouse(server: Scratch) -> Iterator[PostgresWarehouse]:
    made = PostgresWarehouse(server.url)
    yield made
    made.close()


def running(server: Scratch, query_id: str) -> int:
    named = f"application_name = 'dataagent {query_id}' AND state = 'active'"
    return int(server.run(f"SELECT count(*) FROM pg_stat_activity WHERE {named}")[0][0])


def until(condition: object, within_s: float = 10.0) -> float:
    """Seconds until the condition held."""
    started = time.monotonic()
    while not condition():  # type: ignore[operator]
        assert time.monotonic() - started < within_s
        time.sleep(0.02)
    return time.monotonic() - started


def test_another_process_ends_a_query_by_its_id_and_no_other(server: Scratch, warehouse: PostgresWarehouse) -> None:
    other = PostgresWarehouse(server.url)
    with ThreadPoolExecutor() as pool:
        first = pool.submit(warehouse.execute, unguarded(LONG), query_id="first")
        second = pool.submit(warehouse.execute, unguarded(LONG), query_id="second")
        until(lambda: running(server, "first") and running(server, "second"))
        assert not other.clear("first")
        until(lambda: other.clear("first"))  # a stop that came between two statements is told again
        with pytest.raises(WarehouseFault) as caught:
            first.result(5)
        assert (caught.value.code, running(server, "second")) == ("cancelled", 1)
        warehouse.cancel("second")
        with pytest.raises(WarehouseFault):
            second.result(5)
    other.close()


def test_a_query_of_a_killed_process_is_ended(server: Scratch, warehouse: PostgresWarehouse) -> None:
    root = Path(__file__).parents[2]
    worker = subprocess.Popen([sys.executable, "-c", WORKER, server.url, LONG], cwd=root)
    until(lambda: running(server, "killed"))
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    assert until(lambda: warehouse.clear("killed")) < 3
    assert running(server, "killed") == 0


def test_a_connection_of_the_pool_does_not_keep_the_name_of_its_last_query(
    server: Scratch, warehouse: PostgresWarehouse
) -> None:
    warehouse.execute(unguarded("SELECT 1"), query_id="short")
    named = f"application_name LIKE 'dataagent%' AND usename = '{server.reader}'"
    names = server.run(f"SELECT DISTINCT application_name FROM pg_stat_activity WHERE {named}")
    assert names == [("dataagent warehouse",)]


def test_an_unreachable_warehouse_cannot_tell(server: Scratch) -> None:
    warehouse = PostgresWarehouse("postgresql://reader:x@127.0.0.1:1/nothing")
    with pytest.raises(WarehouseFault):
        warehouse.clear("q")
