"""PostgreSQL's own grants and row security work beneath the product's, and both agree on what may be seen."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import replace

import pytest

from catalog.access import AccessScope, MinimumGroup, RowFilter, TableAccess
from dataagent.sqlguard.guard import GuardedQuery, guard
from dataagent.warehouse.port import WarehouseFault
from dataagent.warehouse.postgres import PostgresWarehouse
from tests.warehouse.conftest import unguarded
from tests.warehouse.postgres_server import Scratch, scratch_database

pytestmark = pytest.mark.service

QUERIES = (
    "SELECT id, region FROM shop.orders ORDER BY id",
    "SELECT region, sum(amount) AS s, count(*) AS n FROM shop.orders GROUP BY region ORDER BY region",
    "SELECT max(amount) AS m FROM (SELECT amount FROM shop.orders UNION ALL SELECT amount FROM shop.orders) u",
    "WITH o AS (SELECT * FROM shop.orders) SELECT count(*) AS n FROM o WHERE region <> 'EMEA'",
    "SELECT o.id, x.n FROM shop.orders o, LATERAL (SELECT count(*) AS n FROM shop.orders p WHERE p.id < o.id) x"
    " ORDER BY 1",
    "SELECT id FROM shop.orders WHERE id IN (SELECT id FROM shop.orders WHERE region = 'APAC') ORDER BY id",
    "SELECT id, rank() OVER (ORDER BY amount DESC) AS r FROM shop.orders ORDER BY id",
)


@pytest.fixture(scope="module")
def server() -> Iterator[Scratch]:
    with scratch_database() as made:
        made.run("CREATE SCHEMA shop")
        made.run(
            "CREATE TABLE shop.orders AS SELECT i AS id, CASE i % 3 WHEN 0 THEN 'APAC' ELSE 'EMEA' END AS region,"
            " (i * 37) % 101 AS amount, 'canary' || i AS secret FROM generate_series(1, 30) i"
        )
        made.run("CREATE TABLE shop.pay AS SELECT 1 AS wage")
        made.grant("shop")
        made.run("ALTER TABLE shop.orders ENABLE ROW LEVEL SECURITY")
        made.run(f"CREATE POLICY everything ON shop.orders TO {made.reader} USING (true)")
        yield made


@pytest.fixture(scope="module")
def role(server: Scratch) -> Iterator[str]:
    """A role that sees EMEA's orders, without the secret column; the product's login is a member of it."""
    name = f"emea_{secrets.token_hex(6)}"
    server.run(f"CREATE ROLE {name} NOLOGIN")
    server.run(f"GRANT USAGE ON SCHEMA shop TO {name}")
    server.run(f"GRANT SELECT (id, region, amount) ON shop.orders TO {name}")
    server.run(f"CREATE POLICY mine ON shop.orders TO {name} USING (region = 'EMEA')")
    server.run(
        f"GRANT {name} TO {server.reader} WITH INHERIT FALSE"
        if _inherits(server)
        else f"GRANT {name} TO {server.reader}"
    )
    yield name
    server.run(f"DROP OWNED BY {name}")
    server.run(f"DROP ROLE {name}")


def _inherits(server: Scratch) -> bool:
    """Whether the server lets each membership say if it inherits (since version 16)."""
    return int(server.run("SHOW server_version_num")[0][0]) >= 160000


@pytest.fixture
def warehouse(server: Scratch) -> Iterator[PostgresWarehouse]:
    made = PostgresWarehouse(server.url)
    yield made
    made.close()


WHOLE = TableAccess(table="shop.orders", columns=frozenset({"id", "region", "amount"}))
OURS = replace(
    WHOLE,
    row_filter=RowFilter(id="r", predicate="region = :region", label="EMEA", parameters=(("region", "EMEA"),)),
)


def rows(warehouse: PostgresWarehouse, sql: str, access: TableAccess, role: str = "") -> tuple[tuple[object, ...], ...]:
    scope = AccessScope(workspace="w", principal="p", policy_version="1", digest="", tables=(access,), engine_role=role)
    found = guard(sql, dialect="postgres", scope=scope, schema=warehouse.schema())
    assert isinstance(found, GuardedQuery), found
    warehouse.explain(found)
    return warehouse.execute(found, query_id="q").rows


@pytest.mark.parametrize("sql", QUERIES)
def test_our_filter_the_engines_own_and_both_together_agree(warehouse: PostgresWarehouse, role: str, sql: str) -> None:
    ours = rows(warehouse, sql, OURS)
    assert ours == rows(warehouse, sql, WHOLE, role) == rows(warehouse, sql, OURS, role)


def test_both_do_something(warehouse: PostgresWarehouse, role: str) -> None:
    count = "SELECT count(*) AS n FROM shop.orders"
    assert rows(warehouse, count, WHOLE) == ((30,),)
    assert rows(warehouse, count, OURS) == rows(warehouse, count, WHOLE, role) == ((20,),)


@pytest.mark.parametrize("sql", ["SELECT secret FROM shop.orders", "SELECT wage FROM shop.pay"])
def test_the_engine_refuses_by_itself_what_its_role_may_not_read(
    warehouse: PostgresWarehouse, role: str, sql: str
) -> None:
    query = unguarded(sql)
    assert warehouse.execute(query, query_id="q").rows
    query.engine_role = role
    with pytest.raises(WarehouseFault) as caught:
        warehouse.execute(query, query_id="q")
    assert (caught.value.code, "secret" in str(caught.value)) == ("invalid_query", False)


def test_a_role_ends_with_its_query(warehouse: PostgresWarehouse, role: str) -> None:
    rows(warehouse, QUERIES[0], WHOLE, role)
    assert rows(warehouse, "SELECT count(*) AS n FROM shop.orders", WHOLE) == ((30,),)


@pytest.mark.parametrize("name", ["postgres", "no_such_role", "none", "pg_read_all_data"])
def test_a_role_that_cannot_be_taken_ends_the_query(warehouse: PostgresWarehouse, server: Scratch, name: str) -> None:
    with pytest.raises(WarehouseFault) as caught:
        rows(warehouse, QUERIES[0], WHOLE, name)
    assert caught.value.code == "unreachable"


def test_a_role_that_passes_row_security_by_is_never_taken(warehouse: PostgresWarehouse, server: Scratch) -> None:
    name = f"by_{secrets.token_hex(6)}"
    server.run(f"CREATE ROLE {name} BYPASSRLS")
    try:
        server.run(f"GRANT {name} TO {server.reader}")
        with pytest.raises(WarehouseFault):
            rows(warehouse, QUERIES[0], WHOLE, name)
    finally:
        server.run(f"DROP ROLE {name}")


def test_small_groups_are_hidden_on_this_engine_as_well(warehouse: PostgresWarehouse) -> None:
    rule = MinimumGroup(columns=("region",), at_least=12, of=("id",))
    sql = "SELECT region, count(*) AS n FROM shop.orders GROUP BY region"
    assert rows(warehouse, sql, replace(WHOLE, minimum_group=rule)) == ((None, 30),)
    large = replace(rule, at_least=10)
    assert sorted(map(str, rows(warehouse, sql, replace(WHOLE, minimum_group=large)))) == [
        "('APAC', 10)",
        "('EMEA', 20)",
    ]
