"""Our own corpus: each statement judged on live engines, against a database that holds only what may be seen.

A line of `corpus/*.tsv` is an engine (or both), the verdict that is right, and
the statement.  The judge also compares results and looks for canaries.
"""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

CORPUS = Path(__file__).parent / "corpus"
ENGINES = {"both": ("duckdb", "postgres"), "duckdb": ("duckdb",), "postgres": ("postgres",)}


def cases() -> list[dict[str, Any]]:
    found = []
    for file in sorted(CORPUS.glob("*.tsv")):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            engines, verdict, sql = line.split("\t")
            accept = ["allow", "rewrite"] if verdict == "allow" else [verdict]
            case = {"sql": sql, "verdict": verdict, "accept": accept, "benign": verdict != "deny"}
            found += [{"id": f"{file.stem}:{number}:{e}", "dialect": e, **case} for e in ENGINES[engines]]
    return found


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    file = tmp_path_factory.mktemp("corpus") / "cases.jsonl"
    file.write_text("\n".join(json.dumps(case) for case in cases()), encoding="utf-8")
    out = StringIO()
    files = {"schema": CORPUS / "schema.sql", "policy": CORPUS / "policy.json"}
    try:
        call_command("guard", file, json=True, stdout=out, **files)
    except SystemExit as ended:
        assert ended.code == 1  # noqa: PT017 (a wrong case; the tests below say which)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_every_statement_is_judged_right(judged: list[dict[str, Any]]) -> None:
    texts = {case["id"]: case["sql"] for case in cases()}
    wrong = [(line["id"], texts[line["id"]], line["verdict"], line["reason"]) for line in judged[:-1] if not line["ok"]]
    assert wrong == []


def test_both_engines_ran_what_was_passed(judged: list[dict[str, Any]]) -> None:
    summary = judged[-1]["summary"]
    assert summary["cases"] == len(cases()) > 600
    ran = {name: counts["executed"] for name, counts in summary["by_dialect"].items()}
    if not ran.get("postgres"):
        pytest.skip("no PostgreSQL could be started here")
    assert all(count > 100 for count in ran.values())
