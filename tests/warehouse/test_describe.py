"""Both engines tell the same about the same tables, and nobody reads a row to learn it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from catalog.drafting.draft import draft
from catalog.drafting.files import files_of
from catalog.drafting.types import ForeignKey, TableDescription, WarehouseDescription
from dataagent.warehouse.describe_postgres import describe_postgres
from dataagent.warehouse.duckdb import DuckDBWarehouse
from dataagent.warehouse.port import WarehouseFault
from tests.warehouse.postgres_server import Scratch, scratch_database

TABLES = """
CREATE SCHEMA shop;
CREATE TYPE shop.mood AS ENUM ('sad', 'it''s ok');
CREATE TABLE shop.customers (id INTEGER PRIMARY KEY, email VARCHAR NOT NULL UNIQUE, mood shop.mood, joined DATE);
COMMENT ON TABLE shop.customers IS 'Who buys.';
COMMENT ON COLUMN shop.customers.joined IS 'First purchase.';
CREATE TABLE shop.lines (order_id INTEGER, line INTEGER, customer_id INTEGER REFERENCES shop.customers (id),
  amount DECIMAL(12, 2), sold_at TIMESTAMP, gift BOOLEAN, PRIMARY KEY (order_id, line));
CREATE SCHEMA post;
CREATE TABLE post.stamps (id INTEGER PRIMARY KEY, price DECIMAL(5, 2));
CREATE TABLE shop.parcels (id INTEGER PRIMARY KEY, order_id INTEGER, line INTEGER,
  FOREIGN KEY (order_id, line) REFERENCES shop.lines (order_id, line));
CREATE VIEW shop.gifts AS SELECT order_id, amount FROM shop.lines WHERE gift;
"""


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[DuckDBWarehouse]:
    path = tmp_path / "company.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(TABLES)
    made = DuckDBWarehouse(path)
    yield made
    made.close()


@pytest.fixture(scope="module")
def server() -> Iterator[Scratch]:
    with scratch_database() as made:
        made.run(TABLES)
        made.grant("shop", "post")
        yield made


def of(description: WarehouseDescription, name: str) -> TableDescription:
    return next(t for t in description.tables if t.qualified == name)


def test_duckdb_tells_columns_keys_members_and_comments(embedded: DuckDBWarehouse) -> None:
    told(embedded.describe())
    assert [t.qualified for t in embedded.describe(("post",)).tables] == ["post.stamps"]


@pytest.mark.service
def test_postgresql_tells_columns_keys_members_and_comments(server: Scratch) -> None:
    told(describe_postgres(server.url))
    assert [t.qualified for t in describe_postgres(server.url, ("post",)).tables] == ["post.stamps"]


def told(found: WarehouseDescription) -> None:
    assert sorted(t.qualified for t in found.tables) == [
        "post.stamps",
        "shop.customers",
        "shop.gifts",
        "shop.lines",
        "shop.parcels",
    ]
    customers = of(found, "shop.customers")
    assert (customers.primary_key, customers.unique_keys) == (("id",), (("email",),))
    assert (customers.comment, customers.columns[3].comment) == ("Who buys.", "First purchase.")
    assert customers.columns[2].values == ("sad", "it's ok")
    assert [c.nullable for c in customers.columns] == [False, False, True, True]
    assert of(found, "shop.lines").foreign_keys == (
        ForeignKey(columns=("customer_id",), schema="shop", table="customers", referenced=("id",)),
    )
    assert of(found, "shop.parcels").foreign_keys == (
        ForeignKey(columns=("order_id", "line"), schema="shop", table="lines", referenced=("order_id", "line")),
    )
    assert of(found, "shop.gifts").is_view


@pytest.mark.service
def test_both_engines_give_the_same_draft_but_for_the_dialect(embedded: DuckDBWarehouse, server: Scratch) -> None:
    ours, theirs = files_of(draft(embedded.describe())), files_of(draft(describe_postgres(server.url)))
    assert {n: t for n, t in ours.items() if n != "catalog.yaml"} == {
        n: t for n, t in theirs.items() if n != "catalog.yaml"
    }


@pytest.mark.service
def test_what_the_login_may_not_read_is_not_told(server: Scratch) -> None:
    server.run("CREATE TABLE shop.secrets (id int, a text); CREATE SCHEMA hidden; CREATE TABLE hidden.t (a int)")
    server.run(f"GRANT SELECT (id) ON shop.secrets TO {server.reader}")
    found = describe_postgres(server.url)
    assert [c.name for c in of(found, "shop.secrets").columns] == ["id"]
    assert all(t.schema != "hidden" for t in found.tables)
    server.run("DROP TABLE shop.secrets; DROP SCHEMA hidden CASCADE")


@pytest.mark.service
def test_keys_that_hold_for_some_rows_only_are_no_keys_and_unchecked_ones_are_told_apart(server: Scratch) -> None:
    server.run("""
        CREATE TABLE shop.odd (a int, b int, c int);
        CREATE UNIQUE INDEX ON shop.odd (a) WHERE b > 0;
        CREATE UNIQUE INDEX ON shop.odd ((a + b));
        CREATE UNIQUE INDEX ON shop.odd (b) INCLUDE (c);
        ALTER TABLE shop.odd ADD FOREIGN KEY (c) REFERENCES shop.customers NOT VALID;
    """)
    server.grant("shop")
    odd = of(describe_postgres(server.url), "shop.odd")
    assert (odd.primary_key, odd.unique_keys) == ((), (("b",),))
    assert [k.enforced for k in odd.foreign_keys] == [False]
    server.run("DROP TABLE shop.odd")


@pytest.mark.service
def test_parts_of_a_partitioned_table_are_not_tables_of_their_own(server: Scratch) -> None:
    server.run("""
        CREATE TABLE shop.events (id int, at date) PARTITION BY RANGE (at);
        CREATE TABLE shop.events_2025 PARTITION OF shop.events FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
    """)
    server.grant("shop")
    names = [t.name for t in describe_postgres(server.url).tables]
    assert ("events" in names, "events_2025" in names) == (True, False)
    server.run("DROP TABLE shop.events")


@pytest.mark.service
def test_no_row_is_read(server: Scratch) -> None:
    server.run("SELECT pg_stat_reset()")
    assert describe_postgres(server.owner_url).tables
    assert server.run("SELECT coalesce(sum(seq_tup_read + idx_tup_fetch), 0) FROM pg_stat_user_tables") == [(0,)]


def test_an_address_that_does_not_answer_is_one_sentence() -> None:
    with pytest.raises(WarehouseFault, match="did not answer"):
        describe_postgres("postgresql://nobody@127.0.0.1:1/none")
