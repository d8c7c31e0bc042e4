"""Grants and row policies of a live PostgreSQL as a policy: each role sees by it what the engine itself lets it see."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from dataagent.policy.document import PolicyDocument, parse_policy
from dataagent.policy.grants import imported
from dataagent.warehouse.grants_postgres import grants_at
from tests.warehouse.postgres_server import Scratch, scratch_database

SETUP = """
CREATE SCHEMA s; CREATE SCHEMA hidden;
CREATE TABLE s.orders (id int, region text, margin int);
INSERT INTO s.orders VALUES (1, 'EMEA', 5), (2, 'APAC', 6);
CREATE TABLE s.own (id int, owner text);
CREATE TABLE hidden.t (id int);
CREATE VIEW s.mine AS SELECT id FROM s.own WHERE owner = current_user;
ALTER TABLE s.orders ENABLE ROW LEVEL SECURITY;
ALTER TABLE s.own ENABLE ROW LEVEL SECURITY;
CREATE POLICY emea ON s.orders FOR SELECT USING (region = 'EMEA');
CREATE POLICY mine ON s.own USING (owner = current_user);
"""


@pytest.fixture(scope="module")
def scratch() -> Iterator[Scratch]:
    with scratch_database() as made:
        made.run(SETUP)
        made.run(f"GRANT USAGE ON SCHEMA s TO {made.reader}")
        made.run(f"GRANT SELECT (id, region) ON s.orders TO {made.reader}")
        made.run(f"GRANT SELECT ON s.own, s.mine, hidden.t TO {made.reader}")
        yield made


def policy_of(made: Scratch) -> tuple[PolicyDocument, tuple[str, ...]]:
    found = imported(grants_at(made.url, (made.reader,)), version="1")
    return parse_policy(found.text, file="p"), found.warnings


def test_the_policy_has_the_columns_that_the_engine_grants_and_no_table_more(scratch: Scratch) -> None:
    document, warnings = policy_of(scratch)
    tables = document.roles[scratch.reader].tables
    assert set(tables) == {"s.orders"}
    assert tables["s.orders"].columns == ("id", "region")
    assert any("s.mine is left out" in w for w in warnings)
    assert any("s.own is left out" in w for w in warnings)


def test_the_filter_opens_the_rows_that_the_engine_opens(scratch: Scratch) -> None:
    row_filter = policy_of(scratch)[0].roles[scratch.reader].tables["s.orders"].row_filter
    assert row_filter is not None
    with psycopg.connect(scratch.url) as reader:
        seen = reader.execute("SELECT id FROM s.orders").fetchall()
    assert seen == [(1,)]
    assert scratch.run(f"SELECT id FROM s.orders WHERE {row_filter.predicate}") == seen
