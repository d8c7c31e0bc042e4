"""Which keys a statement's joins rely on, and whether the data keep what the catalog says of them."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from catalog.compiler import compile_query
from catalog.compiler.keycheck import key_query
from catalog.importers.own import load_folder
from catalog.query import CompiledQuery, GroupBy, QuerySpec, ReliedKey
from catalog.types import CatalogSnapshot, Filter, Operator
from tests.catalog.shop import shop

STORES = ReliedKey(model="stores", table="shop.stores", columns=("store_id",))
ORDERS = ReliedKey(model="orders", table="shop.orders", columns=("order_id",))
HISTORY = ReliedKey(model="customers", table="kinds.customer_history", columns=("customer_id",))


def relied(spec: QuerySpec, snapshot: CatalogSnapshot) -> list[ReliedKey]:
    query = compile_query(spec, snapshot)
    assert isinstance(query, CompiledQuery), query
    return list(query.keys)


def repeated(key: ReliedKey, snapshot: CatalogSnapshot, tables: str) -> int:
    query = key_query(key, snapshot)
    with duckdb.connect() as connection:
        connection.execute(tables)
        row = connection.execute(query.sql).fetchone()
    assert row is not None
    return int(row[0])


def test_a_metric_of_one_table_relies_on_no_key() -> None:
    assert relied(QuerySpec(metrics=("revenue",)), shop()) == []


def test_a_group_of_another_table_relies_on_the_key_of_that_table() -> None:
    assert relied(QuerySpec(metrics=("revenue",), group_by=(GroupBy(dimension="region"),)), shop()) == [STORES]


def test_a_condition_relies_on_the_keys_of_all_tables_on_its_way() -> None:
    condition = Filter(field="region", op=Operator.EQ, values=("EMEA",))
    assert relied(QuerySpec(metrics=("net_revenue",), where=(condition,)), shop()) == [ORDERS, STORES]


def test_over_a_bridge_a_row_is_told_apart_by_its_own_key() -> None:
    found = relied(QuerySpec(metrics=("orders",), group_by=(GroupBy(dimension="category"),)), shop())
    assert ORDERS in found
    assert "shop.items" not in {k.table for k in found}


def test_a_key_that_stands_in_several_rows_is_counted_once_and_rows_without_a_key_do_not_matter() -> None:
    tables = """CREATE SCHEMA shop; CREATE TABLE shop.stores(store_id INT, name VARCHAR, region VARCHAR);
    INSERT INTO shop.stores VALUES (1,'One','EMEA'), (2,'Two','AMER'), (NULL,'A','x'), (NULL,'B','x');"""
    assert repeated(STORES, shop(), tables) == 0
    assert repeated(STORES, shop(), f"{tables} INSERT INTO shop.stores VALUES (2,'2','APAC'), (2,'3',NULL);") == 1


@pytest.mark.parametrize(
    ("spans", "overlapping"),
    [
        ([(1, "2025-01-01", "2025-02-01"), (1, "2025-02-01", None), (2, "2025-01-01", None)], 0),
        ([(1, "2025-01-01", "2025-02-02"), (1, "2025-02-01", None)], 1),
        ([(1, "2025-01-01", None), (1, "2025-02-01", None)], 1),
        ([(1, "2025-01-01", "2025-12-01"), (1, "2025-02-01", "2025-03-01"), (1, "2025-06-01", "2025-07-01")], 1),
        ([(1, "2025-01-01", "2025-02-01"), (1, "2025-02-01", "2025-02-01"), (1, "2025-02-01", None)], 0),
        ([(None, "2025-01-01", None), (None, "2025-01-01", None)], 0),
    ],
)
def test_rows_that_are_valid_for_a_time_may_share_a_key_but_not_a_moment(
    spans: list[tuple[object, ...]], overlapping: int
) -> None:
    kinds = load_folder(Path(__file__).parent / "kinds")
    rows = ", ".join("({}, {}, {}, 'gold')".format(*("NULL" if v is None else f"'{v}'" for v in s)) for s in spans)
    tables = f"""CREATE SCHEMA kinds;
    CREATE TABLE kinds.customer_history(customer_id INT, valid_from DATE, valid_to DATE, tier VARCHAR);
    INSERT INTO kinds.customer_history VALUES {rows};"""
    found = relied(QuerySpec(metrics=("revenue",), group_by=(GroupBy(dimension="tier"),)), kinds)
    assert found == [HISTORY]
    assert repeated(HISTORY, kinds, tables) == overlapping
