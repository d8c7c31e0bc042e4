"""The bench of execution: every shape compiles, and agrees with what a person wrote for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from catalog.importers.own import load_folder
from dataagent.management import bench_execute
from dataagent.management.bench_execute import DifferentRows, compiled, opened, same_rows
from dataagent.management.bench_report import BenchOptions
from dataagent.management.bench_shapes import CASES

FOLDER = Path(settings.BASE_DIR) / "fixtures" / "bench" / "execute"
ROWS = 20_000


@pytest.fixture(scope="module")
def tables() -> Iterator[Any]:
    with opened(ROWS) as connection:
        yield connection


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_a_shape_gives_the_rows_that_a_person_would_get(case: Any, tables: Any) -> None:
    query = compiled(case, load_folder(FOLDER))
    ours = tables.execute(query.sql, {p.name: p.value for p in query.parameters} or None).fetchall()
    assert len(ours) > 1
    same_rows(case, ours, tables.execute(case.by_hand).fetchall())


def test_the_bench_tells_both_ways_and_its_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_execute, "_ROUNDS", 1)
    report = bench_execute.measure(FOLDER, BenchOptions(rows=ROWS))
    assert [r["name"] for r in report.results] == [c.name for c in CASES]
    assert all(r["ratio"] and r["ratio_of_cpu"] for r in report.results)
    assert "2 threads, 1GB of memory" in report.notes[0]


def test_different_rows_end_the_bench(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_execute, "_ROUNDS", 1)
    wrong = replace(CASES[0], by_hand=CASES[0].by_hand.replace("sum(amount)", "sum(cost)"))
    monkeypatch.setattr(bench_execute, "CASES", (wrong,))
    with pytest.raises(DifferentRows, match="different rows"):
        bench_execute.measure(FOLDER, BenchOptions(rows=ROWS))
