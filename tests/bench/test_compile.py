"""The bench of the compiler: every kind of metric compiles, peers are asked as processes of their own."""

from __future__ import annotations

import json
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.core.management import CommandError, call_command

from dataagent.management import bench_compile
from dataagent.management.bench_calculations import CALCULATED, Calculated
from dataagent.management.bench_compile import numbered
from dataagent.management.peers import PeerFailed, peer

FOLDER = Path(settings.BASE_DIR) / "fixtures" / "bench"
ECHO = """
import json, sys
print(json.dumps({"peer": "echo 1"}), flush=True)
for line in sys.stdin:
    print(json.dumps({"ms": [float(q) for q in json.loads(line)]}), flush=True)
"""


@pytest.fixture(autouse=True)
def _short(monkeypatch: Any) -> None:
    monkeypatch.setattr(bench_compile, "_ROUNDS", 1)
    monkeypatch.setattr(bench_compile, "_WARM_UP", 0)
    monkeypatch.setattr(bench_compile, "_IN_A_TURN", 2)


def report(**options: Any) -> dict[str, Any]:
    out = StringIO()
    call_command("bench", "compile", json=True, stdout=out, **options)
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def test_every_kind_is_compiled_and_absent_peers_are_told() -> None:
    found = report()
    kinds = [q["kind"] for q in yaml.safe_load((FOLDER / "queries.yaml").read_text(encoding="utf-8"))]
    assert [r["name"] for r in found["results"]] == [*kinds, *(c.kind for c in CALCULATED)]
    assert [r["name"] for r in found["results"] if r["peer"]] == [c.kind for c in CALCULATED]
    assert all(r["ours_p50_ms"] > 0 for r in found["results"])
    assert any("requirements/bench.lock" in note for note in found["notes"])
    assert any("load" in note and "garbage collector on" in note for note in found["notes"])


def test_a_peer_that_cannot_start_ends_the_bench_with_a_sentence(tmp_path: Path) -> None:
    script = tmp_path / "python"
    script.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    script.chmod(0o755)
    with pytest.raises(CommandError, match="ended without an answer"):
        report(peer_python=script)


def test_a_peer_tells_its_name_and_a_time_for_each_query() -> None:
    with peer(sys.executable, "-c", ECHO) as echo:
        assert echo.name == "echo 1"
        assert echo.compile_ms([1, 2.5]) == [1.0, 2.5]


def test_a_peer_that_fails_on_a_query_is_told() -> None:
    with peer(sys.executable, "-c", ECHO) as echo, pytest.raises(PeerFailed):
        echo.compile_ms(["no number"])


def test_the_number_makes_each_text_a_new_one() -> None:
    assert numbered({"where": ["a = 'c$round'"], "limit": 3}, 7) == {"where": ["a = 'c7'"], "limit": 3}


@pytest.mark.parametrize("case", CALCULATED, ids=lambda c: c.kind)
def test_no_two_numbers_give_one_query_of_a_calculation(case: Calculated) -> None:
    assert len({case.spec(number) for number in range(85)}) == 85
