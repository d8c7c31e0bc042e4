"""The bench of the guard gives the figures that it promises."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from dataagent.management import bench_guard


def test_the_bench_reports_both_sides_of_each_case(monkeypatch: Any) -> None:
    monkeypatch.setattr(bench_guard, "_ROUNDS", 1)
    monkeypatch.setattr(bench_guard, "_DIMENSIONS_PER_METRIC", 0)
    out = StringIO()
    call_command("bench", "guard", json=True, stdout=out)
    report = json.loads(out.getvalue())
    assert report["bench"] == "guard"
    assert all(r["ours_p50_ms"] > 0 and r["peer_p50_ms"] > 0 and r["ratio"] > 0 for r in report["results"])


def test_an_unknown_bench_names_the_known_ones() -> None:
    with pytest.raises(CommandError, match="guard"):
        call_command("bench", "no-such-bench")
