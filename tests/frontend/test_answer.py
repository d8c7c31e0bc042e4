"""The document of an answer: what is asked again, what is offered, how SQL is laid out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from catalog.query import Default
from dataagent.intent.types import Limitation
from frontend.contexts.answer import answer_document, asked_again
from frontend.contexts.sql import laid_out, sql_pieces
from tests.frontend.samples import SQL, abstain, by_month, one_number, refused


@pytest.mark.parametrize(
    ("question", "key", "alternative", "asked"),
    [
        ("orders?", "time_range", "last month", "orders last month"),
        ("orders by country", "country", "billing_country", "orders by billing country"),
        ("orders in Georgia", "value:Georgia", "store_country", "orders in store country Georgia"),
        ("orders", "null_rule", "orders with nulls as zero", "orders with nulls as zero"),
        ("orders by month", "time_range", "orders by month this year", "orders by month this year"),
    ],
)
def test_another_choice_for_a_default_is_a_question_of_its_own(
    question: str, key: str, alternative: str, asked: str
) -> None:
    assert asked_again(question, key, alternative) == asked


def test_a_default_shows_words_and_not_names() -> None:
    answer = replace(one_number(), defaults=(Default(key="time_range", value="all_time", text="No period was named."),))
    (control,) = answer_document(answer).defaults
    assert (control.name, control.value) == ("time range", "all time")


def test_a_near_term_takes_the_place_of_what_was_not_understood() -> None:
    limitation = Limitation(code="unknown_term", message="?", unbound=("employee",), suggestions=("customer_segment",))
    document = answer_document(replace(abstain(), limitation=limitation))
    assert document.limitation is not None
    assert [s.question for s in document.limitation.suggestions] == ["revenue per customer segment"]


def test_a_denial_offers_nothing_that_is_denied_and_does_not_mark_its_words() -> None:
    limitation = Limitation(code="permission", message="?", suggestions=("gross_margin",), ask_whom="finance_team")
    document = answer_document(replace(refused(), limitation=limitation))
    assert document.limitation is not None
    assert document.limitation.suggestions == ()
    assert "finance team" in document.limitation.ask_whom
    assert document.words == ()
    assert [segment.text for segment in document.segments] == [document.question]


def test_tables_with_the_same_state_stand_together() -> None:
    (state,) = by_month().data_states
    twice = replace(by_month(), data_states=(state, replace(state, table="warehouse.fct_refunds")))
    (view,) = answer_document(twice).data_states
    assert view.tables == ("warehouse.fct_orders", "warehouse.fct_refunds")
    assert view.late == "not arrived yet: 14 Jun 2025"


ONE_LINE = (
    "WITH a AS (SELECT DATE_TRUNC('MONTH', d) AS m, SUM(x) AS s FROM w.t AS t LEFT JOIN w.u ON t.k = u.k "
    "WHERE t.v = 'a, from b' GROUP BY 1, 2) SELECT m, s FROM a ORDER BY 1"
)


def test_a_statement_of_one_line_is_laid_out_by_white_space_alone() -> None:
    text = laid_out(ONE_LINE)
    assert "".join(text.split()) == "".join(ONE_LINE.split())
    assert "'a, from b'" in text
    lines = [line.strip() for line in text.splitlines()]
    assert "FROM w.t AS t" in lines
    assert "LEFT JOIN w.u ON t.k = u.k" in lines
    assert "SELECT DATE_TRUNC('MONTH', d) AS m," in lines


def test_a_statement_with_lines_stays_as_it_is() -> None:
    assert laid_out(SQL) == SQL


@pytest.mark.parametrize("sql", [SQL, ONE_LINE, "", "select '''' || \"a b\" -- c"])
def test_coloured_pieces_are_the_text_again(sql: str) -> None:
    assert "".join(piece.text for piece in sql_pieces(sql)) == sql
