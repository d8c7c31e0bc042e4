"""Public question files become golden cases; their SQL is translated and its tables qualified."""

from __future__ import annotations

import json

import pytest

from evals.cases import CaseError
from evals.questions import duckdb_reference, suite_of_questions
from evals.types import Suite

TABLES = {"claim": "raw.Claim", "policy": "raw.Policy"}


def suite(*questions: object) -> Suite:
    return suite_of_questions(json.dumps(questions), name="acme", workspace="acme", tables=TABLES)


def test_snowflake_dates_become_duckdbs() -> None:
    sql = duckdb_reference('SELECT DATEDIFF("day", open_date, close_date) FROM claim', TABLES).sql
    assert "DATE_DIFF('DAY'," in sql
    assert 'raw."Claim" AS claim' in sql


def test_a_cte_that_is_named_like_a_table_stays_itself() -> None:
    sql = duckdb_reference("WITH policy AS (SELECT 1 AS x FROM claim) SELECT x FROM policy", TABLES).sql
    assert "FROM policy" in sql
    assert 'raw."Claim"' in sql


def test_one_query_or_several_are_read() -> None:
    cases = suite(
        {"question": "a", "gold_sql": "SELECT 1"},
        {"id": "own", "question": "b", "gold_sql": ["SELECT 1", "SELECT 2"], "too_many_hops": True},
    ).cases
    assert [(c.id, len(c.references), c.tags) for c in cases] == [("acme-01", 1, ()), ("own", 2, ("many_hops",))]


@pytest.mark.parametrize(
    ("question", "complaint"),
    [
        ({"question": "a"}, "Question 1.gold_sql: Field required."),
        ({"question": "a", "gold_sql": "SELECT FROM WHERE ("}, "Question 1: a gold query cannot be read as SQL."),
    ],
)
def test_a_broken_question_is_named(question: object, complaint: str) -> None:
    with pytest.raises(CaseError) as caught:
        suite(question)
    assert caught.value.complaints == (complaint,)


def test_a_file_that_is_not_json_is_named() -> None:
    with pytest.raises(CaseError, match="not JSON"):
        suite_of_questions("{", name="acme", workspace="acme", tables={})
