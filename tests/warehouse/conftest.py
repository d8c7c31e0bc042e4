"""A small DuckDB file and a way to wrap test SQL as if the guard had passed it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from catalog.query import Parameter
from dataagent.sqlguard import guard as module
from dataagent.sqlguard.guard import Bounds, GuardedQuery
from dataagent.warehouse.duckdb import DuckDBWarehouse


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "demo.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE SCHEMA warehouse")
        connection.execute("CREATE TABLE warehouse.t AS SELECT i AS id, 'n' || i AS name FROM range(100) r(i)")
    return path


@pytest.fixture
def warehouse(file: Path) -> Iterator[DuckDBWarehouse]:
    made = DuckDBWarehouse(file)
    yield made
    made.close()


def unguarded(sql: str, bounds: Bounds | None = None, parameters: tuple[Parameter, ...] = ()) -> GuardedQuery:
    """What the guard would hand over, without its judgement: the engine's own walls are what is tested here."""
    return GuardedQuery(
        module._SEAL,
        sql=sql,
        dialect="duckdb",
        parameters=parameters,
        tables=(),
        filters=(),
        masked_columns=(),
        policy_version="",
        bounds=bounds or Bounds(timeout_s=10),
        digest="",
    )
