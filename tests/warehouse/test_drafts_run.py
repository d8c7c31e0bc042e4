"""Whatever an engine lets people call and type their columns, everything that is drafted from it runs there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from catalog.access import AccessScope, TableAccess
from catalog.checks import check, is_error
from catalog.compiler import compile_query
from catalog.drafting.draft import draft
from catalog.drafting.files import files_of
from catalog.importers.own import load_folder
from catalog.lookup import lookup
from catalog.query import CompiledQuery, GroupBy, QuerySpec
from catalog.reach import reachable_dimensions
from catalog.types import CatalogSnapshot, DimensionType, TimeGranularity
from dataagent.sqlguard.guard import Bounds, GuardedQuery, guard
from dataagent.warehouse.duckdb import DuckDBWarehouse
from dataagent.warehouse.postgres import PostgresWarehouse
from tests.warehouse.postgres_server import scratch_database

AnyWarehouse = DuckDBWarehouse | PostgresWarehouse

BOTH = """
CREATE TABLE "Order" ("Id" INTEGER PRIMARY KEY, "select" VARCHAR, "Net Amount" DECIMAL(12, 2), "100%" DOUBLE PRECISION,
  "größe" VARCHAR, "количество" INTEGER, "say ""so"" loud" VARCHAR, "metric_time" DATE, "a__b" VARCHAR, "it's" BOOLEAN,
  "%(p1)s" VARCHAR, "$1" VARCHAR, ":x" VARCHAR, "group" TIMESTAMP, "end-date" DATE);
CREATE TABLE "Order Line" ("Order Id" INTEGER REFERENCES "Order" ("Id"), "No." INTEGER, "Qty" INTEGER,
  PRIMARY KEY ("Order Id", "No."));
CREATE TABLE parcel (id INTEGER PRIMARY KEY, first_order INTEGER REFERENCES "Order" ("Id"),
  last_order INTEGER REFERENCES "Order" ("Id"), line_order INTEGER, line_no INTEGER, weight_kg REAL,
  FOREIGN KEY (line_order, line_no) REFERENCES "Order Line" ("Order Id", "No."));
INSERT INTO "Order" VALUES (1, 'a', 1.5, 0.5, 'b', 2, 'c', '2025-01-01', 'd', true, 'e', 'f', 'g', '2025-01-01', NULL);
INSERT INTO "Order Line" VALUES (1, 1, 3), (1, 2, 4);
INSERT INTO parcel VALUES (1, 1, NULL, 1, 2, 0.25);
"""
ONLY_POSTGRES = """
CREATE DOMAIN amount AS numeric(10, 2);
CREATE TYPE mood AS ENUM ('sad', 'it''s ok');
CREATE TABLE odd (id uuid PRIMARY KEY, paid amount, feeling mood, payload jsonb, tags text[], place point,
  at timestamptz, during tstzrange, code char(3), ip inet, price money, long_ago interval, raw bytea);
CREATE MATERIALIZED VIEW totals AS SELECT code, sum(paid) AS paid_total FROM odd GROUP BY code;
INSERT INTO odd (id, paid, feeling, at, code, price) VALUES (gen_random_uuid(), 3.5, 'sad', now(), 'ab', 2);
"""


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[DuckDBWarehouse]:
    path = tmp_path / "company.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(BOTH)
    made = DuckDBWarehouse(path)
    yield made
    made.close()


@pytest.fixture
def server() -> Iterator[PostgresWarehouse]:
    with scratch_database() as scratch:
        scratch.run(BOTH + ONLY_POSTGRES)
        scratch.grant("public")
        made = PostgresWarehouse(scratch.url)
        yield made
        made.close()


def test_odd_names_run_on_duckdb(embedded: DuckDBWarehouse, tmp_path: Path) -> None:
    everything_runs(embedded, tmp_path)


@pytest.mark.service
def test_odd_names_and_types_run_on_postgresql(server: PostgresWarehouse, tmp_path: Path) -> None:
    snapshot = everything_runs(server, tmp_path)
    dimensions = {d.expr: d for d in lookup(snapshot).models["odd"].dimensions}
    assert dimensions["feeling"].values == ("sad", "it's ok")
    assert {"payload", "tags", "place", "during", "raw", "long_ago", "price"}.isdisjoint(dimensions)
    assert "total_paid" in {m.name for m in snapshot.metrics}


def everything_runs(warehouse: AnyWarehouse, folder: Path) -> CatalogSnapshot:
    for name, text in files_of(draft(warehouse.describe())).items():
        path = folder / "draft" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    snapshot = load_folder(folder / "draft")
    assert [i.message for i in check(snapshot) if is_error(i)] == []
    for metric in snapshot.metrics:
        for name in sorted(reachable_dimensions(snapshot, metric.name)):
            run(warehouse, snapshot, QuerySpec(metrics=(metric.name,), group_by=(group(snapshot, name),)))
    assert len(snapshot.metrics) > 5
    return snapshot


def group(snapshot: CatalogSnapshot, name: str) -> GroupBy:
    held = lookup(snapshot).dimensions[name.rsplit("__", maxsplit=1)[-1]][0]
    is_time = held.dimension.type is DimensionType.TIME
    return GroupBy(dimension=name, granularity=TimeGranularity.MONTH if is_time else None)


def run(warehouse: AnyWarehouse, snapshot: CatalogSnapshot, spec: QuerySpec) -> None:
    found = compile_query(spec, snapshot)
    assert isinstance(found, CompiledQuery), (spec, found)
    tables = tuple(TableAccess(table=t.name, columns=frozenset(c.name for c in t.columns)) for t in warehouse.schema())
    guarded = guard(
        found.sql,
        dialect=found.dialect,
        parameters=found.parameters,
        scope=AccessScope(workspace="w", principal="p", policy_version="1", digest="all", tables=tables),
        schema=warehouse.schema(),
        bounds=Bounds(timeout_s=20),
    )
    assert isinstance(guarded, GuardedQuery), (spec, found.sql, guarded)
    assert warehouse.execute(guarded, query_id="draft").columns
