"""Limits that figures reach, periods under conditions, what was done most, conversions, and stops with a reason."""

from __future__ import annotations

from typing import Any

import pytest

from dataagent.intent.planjson import plan_json
from dataagent.intent.types import Decision
from tests.intent.library import understood


def plan(question: str) -> dict[str, Any]:
    outcome = understood(question)
    assert outcome.decision is Decision.ANSWER, outcome
    assert outcome.intent is not None
    return plan_json(outcome.intent)


@pytest.mark.parametrize(
    ("question", "grain", "op", "value"),
    [
        ("days with more than 100 loans last month", "day", ">", 100),
        ("months in 2024 with fines above 500", "month", ">", 500),
        ("which weeks had fewer than 20 loans this year", "week", "<", 20),
    ],
)
def test_periods_under_a_condition_are_listed_by_period(question: str, grain: str, op: str, value: int) -> None:
    found = plan(question)
    assert found["grain"] == grain
    assert [(c["op"], c["value"]) for c in found["having"]] == [(op, value)]


@pytest.mark.parametrize(
    ("question", "op", "value"),
    [
        ("have we reached 1000 loans this month?", ">=", 1000),
        ("did we have more than 50 loans yesterday", ">", 50),
        ("did we borrow at least 5 borrowings yesterday", ">=", 5),
    ],
)
def test_whether_a_figure_reaches_a_limit_is_a_yes_or_no(question: str, op: str, value: int) -> None:
    found = plan(question)
    assert (found["kind"], found["having"]) == ("boolean", [{"metric": "loans", "op": op, "value": value}])


def test_what_was_done_most_is_ranked_by_what_the_verb_counts() -> None:
    found = plan("which 5 books were borrowed most last month")
    assert (found["limit"], found["order"]) == (5, [{"by": "loans", "dir": "desc"}])


def test_most_of_something_is_of_that_alone() -> None:
    assert plan("which readers borrowed most often last month")["order"] == [{"by": "loans", "dir": "desc"}]
    of_poetry = plan("which readers borrowed the most poetry last month")
    assert of_poetry["filters"] == [{"field": "genre", "op": "=", "value": "poetry"}]
    assert of_poetry["order"] == [{"by": "loans", "dir": "desc"}]
    assert understood("which readers borrowed the most fines last month").decision is not Decision.ANSWER


@pytest.mark.parametrize("period", ["in the month of May", "for the year 2024"])
def test_a_period_that_says_its_length_has_that_length(period: str) -> None:
    assert plan(f"loans {period}")["metrics"] == ["loans"]


@pytest.mark.parametrize("period", ["in the month of 2024", "in the week of May", "for the year May"])
def test_a_period_of_another_length_than_it_says_stops(period: str) -> None:
    assert understood(f"loans {period}").decision is not Decision.ANSWER


def test_a_change_over_another_period_than_the_ranked_one_stops() -> None:
    assert plan("which month of 2024 had the biggest drop in loans over the previous month")["limit"] == 1
    outcome = understood("which month of 2024 had the biggest drop in loans over the previous week")
    assert outcome.decision is not Decision.ANSWER


def test_any_and_every_are_different_questions() -> None:
    assert plan("do all branches have more than 100 loans")["quantifier"] == "all"
    assert "quantifier" not in plan("are there any branches with more than 100 loans")


@pytest.mark.parametrize(
    "question",
    [
        "branches loans > 100 last month",
        "list the branches with over 100 in fines",
        "give me branches with more as 100 loans",
    ],
)
def test_short_and_loose_conditions_are_kept(question: str) -> None:
    assert [c["value"] for c in plan(question)["having"]] == [100]


@pytest.mark.parametrize(
    ("question", "filters"),
    [
        ("how many loans came from Lyon last month", [{"field": "branch_city", "op": "=", "value": "Lyon"}]),
        ("loans from outside Lyon last month", [{"field": "branch_city", "op": "!=", "value": "Lyon"}]),
    ],
)
def test_where_something_came_from_is_a_condition(question: str, filters: list[dict[str, object]]) -> None:
    assert plan(question)["filters"] == filters


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("median number of loans", "median"),
        ("how many branches saw a drop in loans last month", "each is listed"),
    ],
)
def test_what_no_metric_is_stops_with_what_can_be_asked(question: str, words: str) -> None:
    outcome = understood(question)
    assert outcome.limitation is not None
    assert words in outcome.limitation.message


def test_why_says_which_way_it_went() -> None:
    fell, rose = (plan(f"why did fines {verb} last month") for verb in ("drop", "increase"))
    assert fell["transform"] == [{"type": "contribution", "direction": "decrease"}]
    assert rose["transform"] == [{"type": "contribution", "direction": "increase"}]


def test_members_that_there_are_can_be_listed() -> None:
    assert plan("what genres do we have") == plan("what are the available genres?")


def test_a_drop_off_is_no_order_to_drop() -> None:
    assert understood("drop-off between all orders and loans").decision is not Decision.DENY
    assert understood("drop all orders").decision is Decision.DENY


@pytest.mark.parametrize("question", ["turnover last month", "takings last month"])
def test_a_business_word_for_another_is_only_asked_about(question: str) -> None:
    assert understood(question).decision is not Decision.ANSWER


@pytest.mark.parametrize(
    "question",
    [
        "where does poetry rank by loans in 2024",
        "where does poetry rank among genres by loans in 2024",
        "what position is poetry among the genres by loans in 2024",
        "what is the rank of poetry by loans in 2024",
    ],
)
def test_the_place_of_a_member_is_taken_among_all_of_them(question: str) -> None:
    found = plan(question)
    assert (found["dimensions"], found["filters"], found["limit"]) == (["genre"], [], None)
    assert found["transform"] == [{"type": "rank", "of": {"field": "genre", "value": "poetry"}}]


def test_a_member_is_not_placed_among_things_that_it_is_none_of() -> None:
    assert understood("where does poetry rank among branches by loans").decision is not Decision.ANSWER
