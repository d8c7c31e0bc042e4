"""The insurance company's files load, and broken ones leave the old data in place."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import pytest
from django.conf import settings

from dataagent.errors import ShownError
from fixtures.acme.load import load

pytestmark = [
    pytest.mark.suite,
    pytest.mark.skipif(not (settings.SUITES / "acme").is_dir(), reason="../shared/suites/acme is absent"),
]


def copy_of(tmp_path: Path) -> Path:
    shutil.copytree(settings.SUITES / "acme" / "data", tmp_path / "acme" / "data")
    return tmp_path


def count(target: Path, table: str) -> int:
    with duckdb.connect(str(target), read_only=True) as connection:
        found = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
    return found[0] if found else -1


@pytest.mark.parametrize(("twin", "claims"), [(False, 2), (True, 890)])
def test_both_sets_of_files_load_with_every_claim_once(tmp_path: Path, twin: bool, claims: int) -> None:
    said: list[str] = []
    load(settings.SUITES, tmp_path / "acme.duckdb", twin=twin, progress=said.append)
    assert count(tmp_path / "acme.duckdb", "insurance.claims") == claims
    assert said[0].startswith("Loading Agreement (1 of 29)")


def test_a_missing_file_is_named_and_the_old_data_stay(tmp_path: Path) -> None:
    target = tmp_path / "a.duckdb"
    load(settings.SUITES, target)
    folder = copy_of(tmp_path)
    (folder / "acme" / "data" / "Premium.csv").unlink()
    with pytest.raises(ShownError, match=r"no premium\.csv"):
        load(folder, target)
    assert count(target, "insurance.premiums") == 6
    assert [p.name for p in tmp_path.glob("a.duckdb*")] == ["a.duckdb"]


def test_a_claim_on_two_policies_is_reported_instead_of_guessed(tmp_path: Path) -> None:
    folder = copy_of(tmp_path)
    with (folder / "acme" / "data" / "Claim_Coverage.csv").open("a") as file:
        file.write("\n1,2019-01-01,6\n")
    with pytest.raises(ShownError, match=r"more than one policy.* First case: 1\."):
        load(folder, tmp_path / "a.duckdb")
