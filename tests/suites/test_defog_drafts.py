"""A draft of each of the seven public databases can be used: it is whole, and all that it offers compiles and runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from catalog.access import AccessScope, TableAccess
from catalog.checks import check, is_error
from catalog.compiler import compile_query
from catalog.drafting.draft import draft
from catalog.drafting.files import files_of
from catalog.drafting.observing import with_observed
from catalog.importers.own import load_folder
from catalog.lookup import lookup
from catalog.query import CompiledQuery, GroupBy, QuerySpec
from catalog.reach import reachable_dimensions
from catalog.types import CatalogSnapshot, DimensionType, Status, TimeGranularity
from dataagent.management.catalog_observing import CountingObserver
from dataagent.sqlguard.guard import Bounds, GuardedQuery, guard
from dataagent.warehouse.postgres import PostgresWarehouse
from tests.warehouse.postgres_server import scratch_database

pytestmark = [pytest.mark.service, pytest.mark.suite]
FOLDER = Path(settings.SUITES) / "defog" / "db"
NAMES = ("academic", "atis", "broker", "car_dealership", "derm_treatment", "geography", "restaurants")


@pytest.fixture(params=NAMES)
def warehouse(request: pytest.FixtureRequest) -> Iterator[PostgresWarehouse]:
    file = FOLDER / f"{request.param}.sql"
    if not file.is_file():
        pytest.skip("the public suites are absent: set DATAAGENT_SUITES")
    with scratch_database() as server:
        server.run(file.read_text(encoding="utf-8"))
        server.grant("public")
        made = PostgresWarehouse(server.url)
        yield made
        made.close()


@pytest.mark.parametrize("observe", [False, True])
def test_a_draft_is_whole_and_everything_that_it_offers_runs(
    warehouse: PostgresWarehouse, tmp_path: Path, *, observe: bool
) -> None:
    told = warehouse.describe()
    made = draft(with_observed(told, CountingObserver(warehouse)) if observe else told)
    for name, text in files_of(made).items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    snapshot = load_folder(tmp_path)
    assert snapshot.digest == made.snapshot.digest
    assert [i.message for i in check(snapshot) if is_error(i)] == []
    assert {m.status for m in snapshot.models} == {m.status for m in snapshot.metrics} == {Status.DRAFT}
    assert len(snapshot.models) == len(warehouse.schema())
    asked = [ran(warehouse, snapshot, spec) for spec in specs(snapshot)]
    print(f"{len(snapshot.models)} models, {len(snapshot.metrics)} metrics, {len(asked)} queries ran")


def specs(snapshot: CatalogSnapshot) -> Iterator[QuerySpec]:
    """Every metric alone and by each dimension that it reaches."""
    for metric in snapshot.metrics:
        yield QuerySpec(metrics=(metric.name,))
        for name in sorted(reachable_dimensions(snapshot, metric.name)):
            yield QuerySpec(metrics=(metric.name,), group_by=(group(snapshot, name),))


def group(snapshot: CatalogSnapshot, name: str) -> GroupBy:
    held = lookup(snapshot).dimensions[name.rsplit("__", maxsplit=1)[-1]][0]
    is_time = held.dimension.type is DimensionType.TIME
    return GroupBy(dimension=name, granularity=TimeGranularity.MONTH if is_time else None)


def ran(warehouse: PostgresWarehouse, snapshot: CatalogSnapshot, spec: QuerySpec) -> int:
    found = compile_query(spec, snapshot)
    assert isinstance(found, CompiledQuery), (spec, found)
    guarded = guard(
        found.sql,
        dialect=found.dialect,
        parameters=found.parameters,
        scope=everything(warehouse),
        schema=warehouse.schema(),
        bounds=Bounds(timeout_s=20),
    )
    assert isinstance(guarded, GuardedQuery), (spec, guarded)
    return len(warehouse.execute(guarded, query_id="draft").rows)


def everything(warehouse: PostgresWarehouse) -> AccessScope:
    tables = tuple(TableAccess(table=t.name, columns=frozenset(c.name for c in t.columns)) for t in warehouse.schema())
    return AccessScope(workspace="w", principal="p", policy_version="1", digest=str(len(tables)), tables=tables)
