"""A sentence after the question says which columns are wanted; nothing that it names is passed over."""

from __future__ import annotations

import pytest

from dataagent.intent.planjson import plan_json
from dataagent.intent.types import Decision, Understanding
from tests.intent.library import understood


def plan(outcome: Understanding) -> dict[str, object]:
    assert outcome.intent is not None, outcome
    return plan_json(outcome.intent)


@pytest.mark.parametrize(
    "tail",
    [
        "Return the genre and number of loans.",
        "Give me the genre and loans",
        "Show both genre and number of loans",
        "Return the genre.",
    ],
)
def test_columns_that_are_shown_anyway_change_nothing(tail: str) -> None:
    alone = understood("What are the top 2 genres by number of loans?")
    assert plan(understood(f"What are the top 2 genres by number of loans? {tail}")) == plan(alone)


def test_a_further_figure_stands_beside_the_one_that_ranks() -> None:
    found = plan(understood("top 2 genres by number of loans. Return the genre, fines and loans."))
    assert found["metrics"] == ["loans", "fines"]
    assert found["order"] == [{"by": "loans", "dir": "desc"}]


@pytest.mark.parametrize(
    "question",
    [
        "top 2 genres by number of loans. Return the genre and branch.",
        "top 2 genres by number of loans. Return the genre and month.",
        "top 2 genres by number of loans. Return the genre and mood.",
        "number of loans by genre. Return the total.",
    ],
)
def test_a_column_that_is_not_grouped_by_is_not_passed_over(question: str) -> None:
    assert understood(question).decision is not Decision.ANSWER


def test_a_period_that_is_shown_is_confirmed() -> None:
    asked = "loans by month in 2024"
    assert plan(understood(f"{asked}. Return the month and loans.")) == plan(understood(asked))


def test_a_wish_for_columns_alone_is_no_tail() -> None:
    assert understood(". Return the genre.").decision is not Decision.ANSWER


def test_the_order_of_results_is_no_order_for_goods() -> None:
    found = plan(understood("number of loans by genre. Order the results by the number of loans in descending order."))
    assert found["order"] == [{"by": "loans", "dir": "desc"}]
    assert understood("order the new chairs for the branch").decision is Decision.DENY


def test_superlatives_that_agree_rank_and_others_do_not() -> None:
    assert plan(understood("top 2 genres with the most loans"))["limit"] == 2
    assert understood("top 2 genres with the fewest loans").decision is not Decision.ANSWER
