"""The benches of members: read, kept and found end to end, and hidden ones beside those that do not exist."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from dataagent.accounts import service as accounts
from dataagent.management import bench_hidden
from dataagent.management.bench_hidden import rank_test


def measured(name: str, members: int) -> dict[str, Any]:
    out = StringIO()
    call_command("bench", name, members=members, json=True, stdout=out)
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def test_members_are_read_kept_fetched_and_found_and_nothing_is_left(db: None, settings: Any, tmp_path: Path) -> None:
    settings.HOME = tmp_path
    found = measured("members", 3_000)
    assert {"read and keep", "fetch from the database", "check and map the file", "look-up, no member"} <= {
        r["name"] for r in found["results"]
    }
    assert found["notes"][0].startswith("3000 members. 3000 kept")
    assert accounts.workspace("bench-members") is None
    assert not list((tmp_path / "warehouse").iterdir())


def test_hidden_names_end_as_absent_ones_do_in_every_way_of_asking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_hidden, "_EACH", 40)
    found = measured("hidden", 2_000)
    assert len(found["results"]) == 5
    assert all(hidden == absent for hidden, absent in (r["outcomes"] for r in found["results"]))
    assert {tuple(r["outcomes"][0]) for r in found["results"][:4]} == {("abstain",)}
    assert "40 hidden names and 40 absent ones" in found["notes"][0]


def test_the_rank_test_tells_apart_what_differs_and_nothing_else() -> None:
    same = tuple(float(n % 97) for n in range(400))
    assert rank_test(same, same) == pytest.approx(1.0)
    assert rank_test(same, tuple(v + 10 for v in same)) < 0.001
    # 1, 3, 5 against 2, 4, 6: U = 3, its spread √(9·7/12) = 2.291, so z = 0.655
    assert rank_test((1.0, 3.0, 5.0), (2.0, 4.0, 6.0)) == pytest.approx(0.5127, abs=1e-3)
