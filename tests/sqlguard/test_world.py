"""For made-up policies and queries: the guarded query on everything gives what the query gives on what is permitted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalog.access import AccessScope, Mask, MaskKind, RowFilter, TableAccess
from dataagent.sqlguard.guard import GuardedQuery, guard
from dataagent.sqlguard.schema import Column, TableSchema

COLUMNS = {"id": "INTEGER", "grp": "VARCHAR", "val": "INTEGER", "day": "DATE", "note": "VARCHAR"}
SCHEMA = tuple(
    TableSchema(name=f"main.{t}", columns=tuple(Column(name=c, type=k) for c, k in COLUMNS.items())) for t in ("a", "b")
)
FILTERS = ("grp = 'x'", "val > 3", "grp = 'x' OR val IS NULL", "id IN (SELECT b.id FROM main.b WHERE b.val > 2)")
MASKS = {
    MaskKind.NULL: ("", "CAST(NULL AS VARCHAR)"),
    MaskKind.PARTIAL: ("1", "substr(note, 1, 1) || '***'"),
    MaskKind.CONSTANT: ("hidden", "CASE WHEN TRUE THEN 'hidden' END"),
}
QUERIES = (
    "SELECT * FROM {s}",
    "SELECT {c}, count(*) AS n FROM {s} GROUP BY {c}",
    "SELECT q.{c} FROM {s} AS q WHERE q.{d} IS NOT NULL",
    "SELECT count(*) AS n FROM {s} q JOIN {t} r ON q.{c} = r.{c}",
    "SELECT {c} FROM {s} UNION ALL SELECT {c} FROM {t}",
    "SELECT {c} FROM {s} EXCEPT SELECT {c} FROM {t}",
    "WITH w AS (SELECT * FROM {s}), a AS (SELECT {c} FROM w) SELECT * FROM a",
    "WITH w AS (SELECT {c} FROM {s} WHERE {d} IS NOT NULL) SELECT count(*) AS n FROM w",
    "SELECT q.{c}, (SELECT count(*) FROM {t} r WHERE r.{d} = q.{d}) AS n FROM {s} q",
    "SELECT {c} FROM {s} WHERE {d} IN (SELECT {d} FROM {t})",
    "SELECT count(*) AS n FROM {s} q LEFT JOIN {t} r USING ({c}) WHERE r.{d} IS NULL",
    "SELECT {c}, row_number() OVER (PARTITION BY {c} ORDER BY {d}, {c}) AS n FROM {s}",
    "SELECT * FROM {s} NATURAL JOIN {t}",
    "SELECT max(COLUMNS(*)) FROM {s}",
    "SELECT q FROM {s} q",
    "SELECT count(DISTINCT {c}) AS n, min({d}) AS m FROM {s}",
    "SELECT x.{c} FROM (SELECT * FROM {s} CROSS JOIN (SELECT 1 AS one)) x",
    "SELECT * EXCLUDE ({c}) FROM {s}",
    "PIVOT {s} ON {c} USING count(*)",
    "SELECT list_transform([1], lambda v: v + len({c}::VARCHAR)) AS l FROM {s}",
    "SELECT q.{c} FROM {s} q ASOF JOIN {t} r ON q.id >= r.id",
    "FROM {s} SELECT {c} ORDER BY ALL LIMIT 4",
)


@pytest.fixture(scope="module")
def engine() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        for name, shift in (("a", 0), ("b", 3)):
            connection.execute(
                f"CREATE TABLE {name} AS SELECT i::INTEGER AS id,"
                f" CASE i % 3 WHEN 0 THEN 'x' WHEN 1 THEN 'y' END AS grp,"
                f" CASE WHEN i % 4 = 0 THEN NULL ELSE i % 6 END::INTEGER AS val,"
                f" (DATE '2024-01-01' + (i % 5)::INTEGER) AS day, 'note ' || (i % 4) AS note"
                f" FROM range({shift}, 14) r(i)"
            )
        yield connection


@st.composite
def accesses(draw: st.DrawFn, table: str) -> TableAccess:
    columns = frozenset({"id", *draw(st.sets(st.sampled_from(sorted(COLUMNS)), min_size=2))})
    predicate = draw(st.one_of(st.none(), st.sampled_from(FILTERS)))
    kind = draw(st.one_of(st.none(), st.sampled_from(sorted(MASKS))))
    masks = (Mask(column="note", kind=kind, argument=MASKS[kind][0]),) if kind and "note" in columns else ()
    row_filter = RowFilter(id="f", predicate=predicate, label="f") if predicate else None
    return TableAccess(table=f"main.{table}", columns=columns, row_filter=row_filter, masks=masks)


def build_world(engine: duckdb.DuckDBPyConnection, tables: tuple[TableAccess, ...]) -> None:
    """Views of another schema with only what is permitted, computed on the whole tables."""
    engine.execute("CREATE SCHEMA IF NOT EXISTS world")
    for access in tables:
        name = access.table.partition(".")[2]
        masks = {m.column: MASKS[m.kind][1] for m in access.masks}
        columns = ", ".join(f"{masks[c]} AS {c}" if c in masks else c for c in COLUMNS if c in access.columns)
        where = f" WHERE {access.row_filter.predicate}" if access.row_filter else ""
        engine.execute(f"CREATE OR REPLACE TABLE world.{name} AS SELECT {columns} FROM main.{name}{where}")


def rows(engine: duckdb.DuckDBPyConnection, sql: str, schema: str) -> Counter[str] | str:
    engine.execute(f"SET schema = '{schema}'")
    try:
        return Counter(map(repr, engine.execute(sql).fetchall()))
    except duckdb.Error:
        return "fails"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(a=accesses("a"), b=accesses("b"), data=st.data())
def test_the_guarded_result_is_the_permitted_worlds_result(
    engine: duckdb.DuckDBPyConnection, a: TableAccess, b: TableAccess, data: st.DataObject
) -> None:
    s, t = data.draw(st.permutations(["a", "b"]))
    c, d = (data.draw(st.sampled_from(sorted(COLUMNS))) for _ in range(2))
    sql = data.draw(st.sampled_from(QUERIES)).format(s=s, t=t, c=c, d=d)
    scope = AccessScope(workspace="w", principal="p", policy_version="1", digest="", tables=(a, b))
    build_world(engine, (a, b))
    found = guard(sql, dialect="duckdb", scope=scope, schema=SCHEMA)
    expected = rows(engine, sql, "world")
    if isinstance(found, GuardedQuery):
        assert rows(engine, found.sql, "main") == expected, found.sql
    else:
        assert expected == "fails", (sql, found)
