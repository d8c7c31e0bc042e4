"""The corpus judge itself: it must notice what it is there to notice."""

from __future__ import annotations

import contextlib
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

SCHEMA = """
CREATE TABLE t (id INTEGER, region TEXT, secret TEXT);
CREATE TABLE hidden (id INTEGER);
INSERT INTO t VALUES (1, 'EMEA', 'CANARY'), (2, 'APAC', 'CANARY');
"""
POLICY = {
    "principal": "p",
    "tables": {"t": {"columns": ["id", "region"], "row_filter": "{b}.region = 'EMEA'", "denied_columns": ["secret"]}},
    "not_granted": ["hidden"],
    "canaries": ["CANARY", "APAC"],
}


@pytest.fixture
def run(tmp_path: Path) -> Any:
    def run_cases(*cases: dict[str, Any]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        (tmp_path / "schema.sql").write_text(SCHEMA, encoding="utf-8")
        (tmp_path / "policy.json").write_text(json.dumps(POLICY), encoding="utf-8")
        lines = [json.dumps({"id": str(n), "dialect": "duckdb", **case}) for n, case in enumerate(cases)]
        (tmp_path / "cases.jsonl").write_text("\n".join(lines), encoding="utf-8")
        out = StringIO()
        files = {"schema": tmp_path / "schema.sql", "policy": tmp_path / "policy.json"}
        with contextlib.suppress(SystemExit):
            call_command("guard", tmp_path / "cases.jsonl", json=True, stdout=out, **files)
        *found, last = [json.loads(line) for line in out.getvalue().splitlines()]
        return found, last["summary"]

    return run_cases


def test_rows_of_an_allowed_case_are_given_and_hidden_ones_are_not(run: Any) -> None:
    (found,), summary = run({"sql": "SELECT id, region FROM t", "verdict": "rewrite"})
    assert (found["verdict"], found["rows"], found["ok"]) == ("rewrite", [["1", "EMEA"]], True)
    assert summary["ok"] == summary["executed"] == 1


def test_a_denied_case_and_its_reason_are_given(run: Any) -> None:
    (found,), summary = run({"sql": "SELECT secret FROM t", "verdict": "deny"})
    assert (found["verdict"], found["reason"], summary["ok"]) == ("deny", "column_not_available", 1)


def test_running_what_should_be_denied_counts_as_a_false_allow(run: Any) -> None:
    _, summary = run({"sql": "SELECT id FROM t", "verdict": "deny"})
    assert (summary["false_allows"], summary["ok"]) == (1, 0)


def test_stopping_what_should_run_counts_as_a_false_block(run: Any) -> None:
    _, summary = run({"sql": "SELECT id FROM hidden", "verdict": "allow", "benign": True})
    assert (summary["false_blocks"], summary["benign_blocked"]) == (1, 1)


def test_another_number_of_rows_than_promised_counts_as_wrong(run: Any) -> None:
    _, summary = run({"sql": "SELECT id FROM t", "verdict": "rewrite", "expect": {"rows": 2}})
    assert summary["wrong_results"] == 1


def test_a_canary_in_a_cell_counts_as_a_leak(run: Any) -> None:
    _, summary = run({"sql": "SELECT 'CAN' || 'ARY' AS x", "verdict": "allow"})
    assert summary["leaks"] == 1


def test_the_command_fails_when_a_case_is_wrong(run: Any, tmp_path: Path) -> None:
    run({"sql": "SELECT id FROM t", "verdict": "deny"})
    files = {"schema": tmp_path / "schema.sql", "policy": tmp_path / "policy.json"}
    with pytest.raises(SystemExit) as ended:
        call_command("guard", tmp_path / "cases.jsonl", stdout=StringIO(), **files)
    assert ended.value.code == 1
