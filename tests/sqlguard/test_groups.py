"""Minimum groups: no query, and no difference of two, tells anything of fewer people than the rule says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalog.access import AccessScope, Mask, MaskKind, MinimumGroup, RowFilter, TableAccess
from dataagent.sqlguard.guard import GuardedQuery, Refusal, guard
from dataagent.sqlguard.schema import Column, TableSchema

COLUMNS = {"id": "INTEGER", "person": "INTEGER", "city": "VARCHAR", "team": "VARCHAR", "age": "INTEGER"}
SCHEMA = (TableSchema(name="main.visits", columns=tuple(Column(name=c, type=k) for c, k in COLUMNS.items())),)
ACCESS = TableAccess(
    table="main.visits",
    columns=frozenset({"id", "city", "team", "age"}),
    minimum_group=MinimumGroup(columns=("city", "team"), at_least=3, of=("person",)),
)
Row = tuple[int, int | None, str | None, str | None, int]


@pytest.fixture
def engine() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE visits (id INTEGER, person INTEGER, city VARCHAR, team VARCHAR, age INTEGER)")
        yield connection


def judge(sql: str, access: TableAccess = ACCESS, dialect: str = "duckdb") -> GuardedQuery | Refusal:
    scope = AccessScope(workspace="w", principal="p", policy_version="1", digest="", tables=(access,))
    return guard(sql, dialect=dialect, scope=scope, schema=SCHEMA, default_schema="main")


def load(engine: duckdb.DuckDBPyConnection, people: list[Row]) -> None:
    engine.execute("DELETE FROM visits")
    if people:
        engine.executemany("INSERT INTO visits VALUES (?, ?, ?, ?, ?)", people)


def run(engine: duckdb.DuckDBPyConnection, sql: str, access: TableAccess = ACCESS) -> list[tuple[object, ...]]:
    found = judge(sql, access)
    assert isinstance(found, GuardedQuery), found
    return engine.execute(found.sql).fetchall()


def visits(*groups: tuple[str | None, str | None, int]) -> list[Row]:
    cells = [(city, team) for city, team, count in groups for _ in range(count)]
    return [(n, n, city, team, 20 + n) for n, (city, team) in enumerate(cells)]


def test_a_small_group_is_shown_under_no_value_and_takes_the_smallest_other_with_it(
    engine: duckdb.DuckDBPyConnection,
) -> None:
    load(engine, visits(("Bonn", "a", 5), ("Kiel", "a", 4), ("Ulm", "b", 1)))
    found = run(engine, "SELECT city, count(*) AS n FROM visits GROUP BY city")
    assert Counter(found) == Counter([("Bonn", 5), (None, 5)])


def test_large_groups_stay_as_they_are(engine: duckdb.DuckDBPyConnection) -> None:
    load(engine, visits(("Bonn", "a", 5), ("Kiel", "a", 3)))
    assert run(engine, "SELECT city, count(*) AS n FROM visits GROUP BY 1 ORDER BY 1") == [("Bonn", 5), ("Kiel", 3)]


def test_where_no_group_is_large_enough_there_are_no_rows(engine: duckdb.DuckDBPyConnection) -> None:
    load(engine, visits(("Bonn", "a", 2), ("Kiel", "b", 2)))
    assert run(engine, "SELECT * FROM visits") == []
    assert run(engine, "SELECT count(*) AS n FROM visits") == [(0,)]


def test_the_rows_of_one_person_are_no_group_of_several(engine: duckdb.DuckDBPyConnection) -> None:
    load(engine, [(n, 1, "Ulm", "a", 20) for n in range(9)] + [(n + 9, n + 9, "Bonn", "a", 20) for n in range(4)])
    assert run(engine, "SELECT DISTINCT city FROM visits") == [(None,)]
    by_rows = replace(ACCESS, minimum_group=replace(ACCESS.minimum_group, of=()))
    assert len(run(engine, "SELECT DISTINCT city FROM visits", by_rows)) == 2


def test_rows_without_a_person_count_for_nobody(engine: duckdb.DuckDBPyConnection) -> None:
    unknown: list[Row] = [(n, None if n < 3 else n, "Ulm", "a", 20) for n in range(5)]
    load(engine, unknown + [(n + 9, n + 9, "Bonn", "a", 20) for n in range(4)])
    assert run(engine, "SELECT DISTINCT city FROM visits") == [(None,)]


def test_two_queries_that_differ_by_one_person_do_not_show_that_person(engine: duckdb.DuckDBPyConnection) -> None:
    load(engine, visits(("Bonn", "a", 5), ("Bonn", "b", 1), ("Kiel", "a", 6)))
    whole = run(engine, "SELECT sum(age) AS s, count(*) AS n FROM visits WHERE city = 'Bonn'")
    but_one = run(engine, "SELECT sum(age) AS s, count(*) AS n FROM visits WHERE city = 'Bonn' AND team <> 'b'")
    assert whole == but_one
    assert run(engine, "SELECT age FROM visits WHERE city = 'Bonn' AND team = 'b'") == []


def test_groups_are_those_of_the_rows_that_may_be_seen(engine: duckdb.DuckDBPyConnection) -> None:
    load(engine, visits(("Bonn", "a", 5), ("Kiel", "a", 5)))
    mine = replace(ACCESS, row_filter=RowFilter(id="f", predicate="age < 27", label="young"))
    assert run(engine, "SELECT DISTINCT city FROM visits", mine) == [(None,)]


def test_a_masked_column_forms_groups_by_what_is_seen_of_it(engine: duckdb.DuckDBPyConnection) -> None:
    load(engine, visits(("Bonn", "a", 5)))
    rule = MinimumGroup(columns=("age",), at_least=5)
    assert run(engine, "SELECT * FROM visits", replace(ACCESS, minimum_group=rule)) == []
    bucket = (Mask(column="age", kind=MaskKind.BUCKET, argument="10"),)
    found = run(engine, "SELECT DISTINCT age FROM visits", replace(ACCESS, minimum_group=rule, masks=bucket))
    assert found == [(20.0,)]


def test_a_rule_over_a_column_that_does_not_exist_stops_every_query_of_the_table() -> None:
    for rule in (MinimumGroup(columns=("town",), at_least=3), MinimumGroup(columns=("city",), at_least=3, of=("who",))):
        found = judge("SELECT id FROM visits", replace(ACCESS, minimum_group=rule))
        assert isinstance(found, Refusal)
        assert found.reason == "policy_invalid"


def test_the_rule_is_told_with_the_result() -> None:
    found = judge("SELECT city FROM visits")
    assert isinstance(found, GuardedQuery)
    assert [f.label for f in found.filters] == ["city with team only where at least 3 share them"]


def test_nothing_of_the_rule_can_be_named() -> None:
    for name in ("policy_size", "policy_bound", "person"):
        assert isinstance(judge(f"SELECT {name} FROM visits"), Refusal)


def test_postgresql_gets_the_same_rule_behind_a_barrier() -> None:
    found = judge("SELECT city FROM visits WHERE 1 / age > 0", dialect="postgres")
    assert isinstance(found, GuardedQuery)
    assert "OFFSET 0) AS visits" in found.sql
    assert "DENSE_RANK() OVER (PARTITION BY" in found.sql


people = st.tuples(
    st.one_of(st.none(), st.integers(1, 12)),
    st.sampled_from(["Bonn", "Kiel", None]),
    st.sampled_from(["a", "b", None]),
)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(found=st.lists(people, max_size=40), at_least=st.integers(2, 5))
def test_every_set_of_rows_that_two_queries_can_tell_apart_is_large_enough(
    engine: duckdb.DuckDBPyConnection, found: list[tuple[int | None, str | None, str | None]], at_least: int
) -> None:
    """Queries over the columns of the rule can only add and take away whole groups of what is seen."""
    load(engine, [(n, person, city, team, 0) for n, (person, city, team) in enumerate(found)])
    access = replace(ACCESS, minimum_group=MinimumGroup(columns=("city", "team"), at_least=at_least, of=("person",)))
    seen = run(engine, "SELECT city, team, list(id) AS ids FROM visits GROUP BY city, team", access)
    groups = [{found[n][0] for n in ids} - {None} for _, _, ids in seen]  # type: ignore[attr-defined]
    assert all(len(group) >= at_least for group in groups)
    assert all(len(one | other) >= at_least for one, other in combinations(groups, 2))
