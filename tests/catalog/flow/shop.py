"""The manifest of these tests, its rows, and one way to ask."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import duckdb

from catalog.compiler.flow.compile import compile_flow
from catalog.compiler.flow.query import FlowQuery
from catalog.compiler.refs import ref_of
from catalog.importers.metricflow import load_manifest
from catalog.issues import Issue
from catalog.query import CompiledQuery
from catalog.types import CatalogSnapshot

FOLDER = Path(__file__).parent / "manifest"
ROWS = """
CREATE SCHEMA mf;
CREATE TABLE mf.days AS SELECT CAST(d AS TIMESTAMP) AS day, CAST(date_diff('day', DATE '2025-01-30', d) // 2 AS INT) AS sprint_no
  FROM generate_series(DATE '2025-01-30', DATE '2025-02-04', INTERVAL 1 DAY) AS t(d);
CREATE TABLE mf.orders(order_id INT, customer_id INT, ordered_at TIMESTAMP, channel VARCHAR, amount INT);
INSERT INTO mf.orders VALUES (1, 1, '2025-01-30', 'web', 10), (2, 1, '2025-01-31', 'shop', 20), (3, 2, '2025-02-01', 'web', 30),
  (4, 2, '2025-02-01', NULL, 5), (5, 3, '2025-02-03', 'web', 40);
CREATE TABLE mf.customer_history(customer_id INT, valid_from DATE, valid_to DATE, tier VARCHAR, country_code VARCHAR);
INSERT INTO mf.customer_history VALUES (1, '2024-01-01', '2025-01-31', 'new', 'AT'), (1, '2025-01-31', NULL, 'gold', 'AT'),
  (2, '2024-01-01', NULL, 'new', 'US');
CREATE TABLE mf.countries(code VARCHAR, continent VARCHAR);
INSERT INTO mf.countries VALUES ('AT', 'Europe'), ('US', 'America');
CREATE TABLE mf.balances(customer_id INT, counted_on DATE, balance INT);
INSERT INTO mf.balances VALUES (1, '2025-01-30', 5), (1, '2025-01-31', 7), (2, '2025-01-30', 2), (2, '2025-02-01', 4);
CREATE TABLE mf.visits(customer_id INT, visited_at DATE, campaign VARCHAR);
INSERT INTO mf.visits VALUES (1, '2025-01-30', 'a'), (1, '2025-01-31', 'b'), (2, '2025-01-20', 'a'), (3, '2025-02-02', 'b'), (4, '2025-02-02', 'b');
"""  # noqa: E501

Rows = set[tuple[Any, ...]]


@cache
def shop() -> CatalogSnapshot:
    return load_manifest(FOLDER, name="flow_shop", schema="mf")


@cache
def warehouse() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(":memory:")
    connection.execute(ROWS)
    return connection


def query(metrics: str, by: str = "", **more: Any) -> FlowQuery:
    """Metrics and groups as space-separated names."""
    groups = tuple(ref_of(name, shop()) for name in by.split())
    return FlowQuery(metrics=tuple(metrics.split()), group_by=groups, **more)


def ask(metrics: str, by: str = "", **more: Any) -> Rows:
    """The rows of the query; times as their dates."""
    found = compile_flow(query(metrics, by, **more), shop())
    assert isinstance(found, CompiledQuery), found
    rows = warehouse().execute(found.sql).fetchall()
    assert len(rows) == len(set(rows))
    return {tuple(v.strftime("%m-%d") if hasattr(v, "strftime") else v for v in row) for row in rows}


def issues(metrics: str, by: str = "", **more: Any) -> tuple[Issue, ...]:
    """The reasons why the query cannot be computed."""
    found = compile_flow(query(metrics, by, **more), shop())
    assert not isinstance(found, CompiledQuery), found.sql
    return found
