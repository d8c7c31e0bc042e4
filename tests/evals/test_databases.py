"""A folder of databases is drafted, frozen, asked and graded; what is missing is said."""

from __future__ import annotations

import contextlib
import json
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from django.core.management import CommandError, call_command

from dataagent.errors import ShownError
from evals.cases import CaseError
from evals.databases import cases_in, databases_in
from evals.management.commands.evals import Command
from evals.service.scratch import SERVER, answers, scratch_database
from evals.types import EvalOutcome, ReferenceFault

TODAY = date(2031, 2, 3)
SHOP = """
CREATE TABLE parcel (parcel_id int PRIMARY KEY, colour text, price_usd numeric(9, 2), sent date);
INSERT INTO parcel VALUES (1, 'green', 10, CURRENT_DATE), (2, 'green', 20, CURRENT_DATE - 1), (3, 'amber', 5, NULL);
"""
COUNTED = {"id": "q1", "db": "shop", "kind": "basic", "question": "number of parcels by colour"}
RIGHT = "SELECT {colour, colour AS hue}, count(*) FROM parcel GROUP BY {}"
LOST = "SELECT colour, count(*) FROM parcel WHERE parcel_id < 3 GROUP BY colour UNION ALL SELECT 'amber', 2"
NONE = {"id": "q2", "db": "shop", "kind": "idk", "question": "how many parcels weigh more than a grand piano"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "db").mkdir()
    (tmp_path / "db" / "shop.sql").write_text(SHOP, encoding="utf-8")
    ask(tmp_path, [{**COUNTED, "gold_sql": RIGHT}, NONE])
    return tmp_path


@pytest.fixture
def server() -> str:
    if not answers(SERVER):
        pytest.skip("no PostgreSQL answers on 127.0.0.1:5432")
    return SERVER


def ask(folder: Path, questions: list[dict[str, str]]) -> None:
    (folder / "questions.json").write_text(json.dumps(questions), encoding="utf-8")


def told(*arguments: str) -> list[dict[str, Any]]:
    out = StringIO()
    with contextlib.suppress(SystemExit):
        call_command(Command(), "run", *arguments, "--json", stdout=out, stderr=StringIO())
    return [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.mark.service
def test_a_folder_is_drafted_and_frozen_then_asked_and_graded(folder: Path, server: str) -> None:
    catalog, first, second, last = told("--defog", str(folder))
    summary = last["summary"]
    assert catalog["catalog"]["database"] == "shop"
    assert summary["catalogs"] == {"shop": catalog["catalog"]["digest"]}
    assert (first["outcome"], second["outcome"]) == ("right", "right")
    assert "parcel" in first["sql"]
    assert summary["by_slice"]["shop unanswerable"]["right"] == 1
    assert (summary["right"], summary["wrong"]) == (2, 0)


@pytest.mark.service
def test_one_database_is_drafted_from_names_alone_where_that_is_said(folder: Path, server: str) -> None:
    *_, last = told("--defog", str(folder), "--db", "shop", "--names-only")
    assert last["summary"]["drafted_by"] == "names, types, constraints"
    assert "counts" in told("--defog", str(folder), "--db", "shop")[-1]["summary"]["drafted_by"]


@pytest.mark.service
def test_a_result_that_no_gold_holds_is_silently_wrong(folder: Path, server: str) -> None:
    ask(folder, [{**COUNTED, "gold_sql": f"{LOST}; SELECT broken"}])
    *_, case, last = told("--defog", str(folder))
    assert case["outcome"] == EvalOutcome.WRONG
    assert last["summary"]["wrong"] == 1
    with pytest.raises(SystemExit):
        call_command(Command(), "run", "--defog", str(folder), stdout=StringIO(), stderr=StringIO())


@pytest.mark.service
def test_an_answer_to_what_cannot_be_answered_is_silently_wrong(folder: Path, server: str) -> None:
    ask(folder, [{**NONE, "question": COUNTED["question"]}])
    *_, case, _last = told("--defog", str(folder))
    assert case["outcome"] == EvalOutcome.WRONG


@pytest.mark.service
def test_the_clock_of_the_data_is_that_of_the_questions(folder: Path, server: str) -> None:
    gold = "SELECT count(*) FROM parcel WHERE sent >= CURRENT_DATE"
    ask(folder, [{**COUNTED, "question": "number of parcels today", "gold_sql": gold}])
    case = told("--defog", str(folder), "--today", TODAY.isoformat())[1]
    assert case["outcome"] == "right", case["detail"]
    assert "2031" not in gold


@pytest.mark.service
def test_a_database_that_does_not_load_is_named(folder: Path, server: str) -> None:
    (folder / "db" / "shop.sql").write_text("CREATE TABLE parcel (a nonsense)", encoding="utf-8")
    with pytest.raises(CommandError, match=r"The database shop does not load: .*nonsense"):
        told("--defog", str(folder))


@pytest.mark.service
def test_statements_run_without_power_over_the_server(server: str) -> None:
    with (
        pytest.raises(ShownError, match=r"permission denied|must be superuser"),
        scratch_database(server, "x", "COPY (SELECT 1) TO PROGRAM 'true'"),
    ):
        pass


@pytest.mark.service
def test_database_and_logins_are_gone_afterwards(server: str) -> None:
    with scratch_database(server, "shop", SHOP) as made:
        name, login = made.name, urlsplit(made.reader).username
    with psycopg.connect(server) as link:
        assert link.execute("SELECT FROM pg_database WHERE datname = %s", [name]).fetchall() == []
        assert link.execute("SELECT FROM pg_roles WHERE rolname = %s", [login]).fetchall() == []


@pytest.mark.service
def test_references_can_only_read(server: str) -> None:
    with scratch_database(server, "shop", SHOP) as made:
        assert isinstance(made.rows("DELETE FROM parcel"), ReferenceFault)
        assert isinstance(made.rows("CREATE TABLE more (a int)"), ReferenceFault)


def test_without_a_server_it_is_skipped_visibly(folder: Path) -> None:
    (only,) = told("--defog", str(folder), "--server", "postgresql://nobody@127.0.0.1:1/none")
    assert only["summary"]["skipped"] is True
    assert "no PostgreSQL answers" in only["summary"]["reason"]


@pytest.mark.parametrize(
    ("missing", "said"),
    [("db", "has no folder db"), ("db/shop.sql", "holds no database"), ("questions.json", "has no questions.json")],
)
def test_what_is_missing_is_said(folder: Path, missing: str, said: str) -> None:
    place = folder / missing
    if place.is_dir():
        (place / "shop.sql").unlink()
        place.rmdir()
    else:
        place.unlink()
    with pytest.raises(CaseError, match=said):
        databases_in(folder)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"db": "store"}, r"q1: there is no database db/store\.sql"),
        ({"gold_sql": " ; "}, "q1: it has no gold_sql"),
        ({"question": ""}, r"question 1\.question"),
    ],
)
def test_a_question_of_another_form_is_named(folder: Path, change: dict[str, str], said: str) -> None:
    ask(folder, [{**COUNTED, "gold_sql": RIGHT, **change}])
    with pytest.raises(CaseError, match=said):
        cases_in(folder, ("shop",), TODAY)


def test_one_of_a_suite_and_a_folder_is_named() -> None:
    with pytest.raises(CommandError, match="Name one suite"):
        told()
