"""A short run of the differential fuzzer, and proof that it would notice."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from dataagent.management.guard_policy import scope_for
from dataagent.sqlguard.guard import GuardedQuery, guard
from tests.sqlguard.fuzz import run
from tests.sqlguard.fuzz.engines import POLICY, DuckDBEngine, Found, postgres


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


@pytest.fixture(scope="module")
def engine(folder: Path) -> DuckDBEngine:
    return DuckDBEngine(folder)


def test_what_passes_shows_nothing_hidden_and_changes_nothing(engine: DuckDBEngine, folder: Path) -> None:
    report = run.fuzz(engine, 1500, 7, str(folder / "canary.txt"))
    assert report.holes == [], report
    assert report.counts["compared"] > 300


@pytest.mark.service
def test_what_passes_on_postgresql_shows_nothing_hidden_and_changes_nothing() -> None:
    with postgres() as engine:
        report = run.fuzz(engine, 800, 7, "/etc/hostname")
    assert report.holes == [], report
    assert report.counts["compared"] > 150


def test_the_same_seed_gives_the_same_statements() -> None:
    first, second = (list(run._statements("duckdb", 50, 3, "f")) for _ in range(2))
    assert first == second != list(run._statements("duckdb", 50, 4, "f"))


def test_a_guard_without_filters_and_masks_is_noticed(
    engine: DuckDBEngine, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = scope_for(POLICY, "duckdb")
    bare = replace(whole, tables=tuple(replace(t, row_filter=None, masks=()) for t in whole.tables))
    monkeypatch.setattr(run, "scope_for", lambda policy, dialect: bare)
    report = run.fuzz(engine, 300, 7, str(folder / "canary.txt"))
    assert {why.split()[0] for why, _ in report.holes} >= {"shows", "another"}


def test_what_changes_the_engine_is_noticed(engine: DuckDBEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    before = engine.picture()
    engine._whole.execute("SELECT nextval('tally')")
    assert engine.picture() != before


def test_a_value_of_a_file_in_the_result_is_noticed() -> None:
    found = Found(("c",), Counter([("PIN-IN-A-FILE",)]))
    assert run._shown("SELECT 1", found)
    assert not run._shown("SELECT 'PIN-IN-A-FILE'", found)


def test_the_grammar_is_mostly_honest(engine: DuckDBEngine) -> None:
    """Statements that are all refused would prove nothing."""
    scope = scope_for(POLICY, "duckdb")
    found = [
        guard(sql, dialect="duckdb", scope=scope, schema=engine.schema, default_schema="main")
        for sql in run._statements("duckdb", 300, 5, "f")
    ]
    passed = sum(isinstance(f, GuardedQuery) for f in found)
    assert 60 < passed < 240
