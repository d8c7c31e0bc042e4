"""Typed metric queries beside independent check queries, on public manifests and tables."""

from __future__ import annotations

from collections import Counter

import pytest
from django.conf import settings

from catalog.management.metricflow.cases import run_suite
from catalog.management.metricflow.engines import EngineError
from catalog.management.metricflow.other_engines import missing_package

SUITE = settings.SUITES / "metricflow"
FLOOR = 236

pytestmark = [
    pytest.mark.suite,
    pytest.mark.skipif(not SUITE.is_dir(), reason="../shared/suites/metricflow is absent"),
    pytest.mark.django_db,
]


@pytest.mark.parametrize("engine", ["duckdb", "postgres"])
def test_no_query_gives_another_result_than_its_check_and_few_are_refused(engine: str) -> None:
    results = list(run_suite(SUITE, engine=engine))
    kinds = Counter(r.kind for r in results)
    assert [(r.file, r.name, r.detail) for r in results if r.kind in {"differs", "failed"}] == []
    assert all(r.code and r.detail for r in results if r.kind == "unsupported")
    assert kinds["ok"] + kinds["ok_by_order"] >= FLOOR


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["mysql", "clickhouse", "spark"])
def test_other_engines_give_what_duckdb_gives_for_the_check_queries(engine: str) -> None:
    missing = missing_package(engine)
    if missing:
        pytest.skip(f"{missing} is not installed")
    try:
        results = list(run_suite(SUITE, engine=engine))
    except EngineError as absent:
        pytest.skip(f"{engine} does not answer: {absent}")
    assert [(r.file, r.name, r.detail) for r in results if r.kind in {"differs", "failed"}] == []
    assert sum(r.kind.startswith("ok") for r in results) >= FLOOR
