"""The command line gives the same answer and says by its exit code how it ended."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tests.demo.conftest import Asking


def asked(question: str, user: str = "analyst") -> tuple[int, dict[str, Any]]:
    out = io.StringIO()
    with pytest.raises(SystemExit) as stop:
        call_command("ask", question, user=user, json=True, stdout=out)
    return int(stop.value.code or 0), json.loads(out.getvalue())


@pytest.mark.parametrize(
    ("question", "code", "decision"),
    [
        ("units sold last month", 0, "answer"),
        ("revenue last month", 2, "clarify"),
        ("revenue per employee", 3, "abstain"),
        ("gross margin last month", 4, "deny"),
    ],
)
def test_the_exit_code_tells_the_decision(demo: Path, question: str, code: int, decision: str) -> None:
    status, printed = asked(question)
    assert (status, printed["decision"]) == (code, decision)


def test_an_unknown_user_is_a_failure_in_one_sentence(demo: Path) -> None:
    status, printed = asked("units sold last month", user="somebody")
    assert (status, printed["decision"]) == (5, "failure")
    assert printed["headline"]


def test_the_command_prints_the_same_rows_as_the_service(ask: Asking) -> None:
    _, printed = asked("units sold last month")
    run = ask("analyst", "units sold last month")
    assert [[str(v) for v in row] for row in printed["rows"]] == [[str(v) for v in row] for row in run.answer.rows]  # type: ignore[union-attr]
