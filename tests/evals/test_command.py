"""The command line says what it did, what it skipped and what is wrong."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from evals.management.commands.evals import Command
from evals.run import EvalPorts
from evals.service import registry, running
from evals.types import GoldenCase, Reply, ResultRows
from tests.evals.test_service import workspace

RIGHT = ResultRows(columns=("n",), rows=((2,),))
WRONG = ResultRows(columns=("n",), rows=((3,),))


def told(*arguments: str) -> str:
    out = StringIO()
    call_command("evals", "run", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_a_public_suite_without_its_data_is_skipped_visibly(settings: Any, tmp_path: Path) -> None:
    settings.SUITES = tmp_path / "nowhere"
    assert told("acme").startswith("Skipped acme: its data are not on this machine")
    assert json.loads(told("acme", "--json"))["summary"]["skipped"] is True


def test_an_unknown_suite_names_those_that_exist() -> None:
    with pytest.raises(CommandError, match=r"no suite \"nope\".*acme_twin"):
        told("nope")


@pytest.fixture
def demo(db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    workspace("demo", tmp_path)
    monkeypatch.setattr(registry, "own_files", lambda: (tmp_path / "demo.yaml",))
    monkeypatch.setattr(registry, "prepare", lambda _found, _progress: None)
    return monkeypatch


def answering(monkeypatch: pytest.MonkeyPatch, result: ResultRows) -> None:
    def ask(case: GoldenCase) -> Reply:
        return Reply(decision=case.decision, result=result, sql="SELECT 2")

    ports = EvalPorts(ask=ask, run_reference=lambda _, __: RIGHT)
    monkeypatch.setattr(running, "product_ports", lambda _: ports)


def test_json_has_one_object_per_case_and_the_summary_last(demo: pytest.MonkeyPatch) -> None:
    answering(demo, RIGHT)
    *cases, last = [json.loads(line) for line in told("demo", "--json").splitlines()]
    assert [(c["id"], c["outcome"], c["stage"], c["sql"]) for c in cases] == [
        ("one", "right", None, "SELECT 2"),
        ("two", "right", None, "SELECT 2"),
    ]
    assert (last["summary"]["right"], last["summary"]["wrong"]) == (2, 0)
    assert last["summary"]["by_slice"]["count"]["cases"] == 1


def test_a_wrong_answer_makes_the_command_fail(demo: pytest.MonkeyPatch) -> None:
    answering(demo, WRONG)
    with pytest.raises(SystemExit) as ended:
        call_command(Command(), "run", "demo", stdout=StringIO(), stderr=StringIO())
    assert ended.value.code == 1
