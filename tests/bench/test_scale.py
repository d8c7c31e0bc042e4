"""The bench of size: every kind compiles on both catalogs, with what a load has made."""

from __future__ import annotations

import gc
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from catalog import paths
from catalog.compiler import compile_query, prepare
from catalog.compiler.prepare import prepared
from catalog.importers.own import load_folder
from catalog.lookup import FEW, lookup
from catalog.query import CompiledQuery, GroupBy, QuerySpec
from dataagent.management import bench_scale
from dataagent.management.bench_scale import FORMS, SHAPES
from dataagent.management.large_catalog import SMALL, Made, Size, write_own

TINY = Size(facts=34, subjects=60, of_subject=2)


@pytest.fixture
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_scale, "_LARGE", Size(facts=80, subjects=60, of_subject=2))
    monkeypatch.setattr(bench_scale, "_ROUNDS", 2)
    monkeypatch.setattr(bench_scale, "_LOADS", 1)


@pytest.mark.usefixtures("_short")
def test_loads_first_and_later_compiles_of_every_kind_are_told_apart() -> None:
    out = StringIO()
    call_command("bench", "scale", json=True, stdout=out)
    found = json.loads(out.getvalue())
    names = [r["name"] for r in found["results"]]
    for form in (f.name for f in FORMS):
        assert names[:3] == [f"{form}: {n}" for n in ("load the files", "load what was published", "first after load")]
        for phase in ("first of a metric", "warm"):
            assert {f"{form}: {phase}: {shape}" for shape in SHAPES} < set(names)
        names = names[3 + 2 * len(SHAPES) :]
    assert all(r["ours_p50_ms"] > 0 for r in found["results"])


def test_the_made_catalog_has_as_many_metrics_and_dimensions_as_it_says(tmp_path: Path) -> None:
    write_own(tmp_path, SMALL)
    snapshot = load_folder(tmp_path)
    assert (len(snapshot.metrics), sum(len(m.dimensions) for m in snapshot.models)) == (SMALL.metrics, SMALL.dimensions)


def test_the_first_compile_after_a_load_builds_no_index(tmp_path: Path) -> None:
    write_own(tmp_path, TINY)
    snapshot = prepared(load_folder(tmp_path))
    built = [index.cache_info().misses for index in prepare.INDEXES]
    assert isinstance(compile_query(_sum_by("subject_4_part_1"), snapshot), CompiledQuery)
    assert [index.cache_info().misses for index in prepare.INDEXES] == built


def test_a_search_towards_a_table_visits_none_that_nothing_leads_to(tmp_path: Path) -> None:
    write_own(tmp_path, TINY)
    snapshot = load_folder(tmp_path)
    assert isinstance(compile_query(_sum_by("subject_4_part_1"), snapshot), CompiledQuery)
    before = paths._distances_to(paths.Whole(snapshot), "subject_4")
    assert not [name for name in before if name.startswith("fact_")]


def test_a_name_that_very_many_tables_use_is_looked_for_within_reach_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_own(tmp_path, TINY)
    snapshot = load_folder(tmp_path)
    assert len(lookup(snapshot).dimensions["happened_on"]) == TINY.facts > FEW
    asked: list[Any] = []
    real = paths.ways_between
    monkeypatch.setattr(
        "catalog.compiler.references.ways_between", lambda *given: (asked.append(given), real(*given))[1]
    )
    assert isinstance(compile_query(_sum_by("happened_on"), snapshot), CompiledQuery)
    assert {target for _, _, target, _ in asked} == {"fact_4"}


def test_loading_and_compiling_leave_the_collector_as_it_was(tmp_path: Path) -> None:
    write_own(tmp_path, Size(facts=2, subjects=2, of_subject=1))
    compile_query(QuerySpec(metrics=("sum_0",)), load_folder(tmp_path))
    assert gc.isenabled()
    gc.disable()
    try:
        compile_query(QuerySpec(metrics=("sum_0",)), load_folder(tmp_path))
        assert not gc.isenabled()
    finally:
        gc.enable()


def _sum_by(dimension: str) -> QuerySpec:
    return QuerySpec(metrics=(f"{Made.SUM}_4",), group_by=(GroupBy(dimension=dimension),))
