"""Conditions on changes and rankings by them: each reading beside the twin that asks or stops."""

from __future__ import annotations

import pytest

from dataagent.intent.planjson import plan_json
from dataagent.intent.types import Decision
from tests.intent.library import understood

PREVIOUS = {"type": "previous_period", "calc": ["diff", "pct"]}


def plan(question: str) -> dict[str, object]:
    outcome = understood(question)
    assert outcome.decision is Decision.ANSWER, outcome
    assert outcome.intent is not None
    return plan_json(outcome.intent)


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("branches whose loans fell last month", ("loans__difference", "<", 0)),
        ("which branches had falling loans last month", ("loans__difference", "<", 0)),
        ("list branches where loans rose last month", ("loans__difference", ">", 0)),
        ("branches whose loans did not fall last month", ("loans__difference", ">=", 0)),
        ("branches whose loans dropped by more than 10% last month", ("loans__percent_change", "<", -0.1)),
        ("branches whose loans dropped by at least 10% last month", ("loans__percent_change", "<=", -0.1)),
        ("branches whose loans dropped by 10% last month", ("loans__percent_change", "<=", -0.1)),
        ("branches with loans down 10% last month", ("loans__percent_change", "<=", -0.1)),
        ("branches whose loans rose by more than 20 last month", ("loans__difference", ">", 20)),
        ("branches whose fines grew by between 5 and 9 dollars last month", ("fines__difference", "between", [5, 9])),
        ("branches whose late rate rose by more than 2 percentage points last month", ("late_rate__points", ">", 2)),
        ("branches whose late rate improved last month", ("late_rate__points", "<", 0)),
        ("which genres saw a decline in loans last month", ("loans__difference", "<", 0)),
        ("which genres saw a drop of more than 5% in loans last month", ("loans__percent_change", "<", -0.05)),
    ],
)
def test_a_condition_on_a_change_stands_on_the_column_of_the_change(
    question: str, condition: tuple[str, str, object]
) -> None:
    found = plan(question)
    metric, op, value = condition
    assert found["having"] == [{"metric": metric, "op": op, "value": value}]
    assert found["comparison"] == PREVIOUS
    assert len(found["dimensions"]) == 1  # type: ignore[arg-type]


def test_less_than_so_much_is_still_a_fall() -> None:
    assert plan("branches whose loans fell by less than 10% last month")["having"] == [
        {"metric": "loans__percent_change", "op": "<", "value": 0},
        {"metric": "loans__percent_change", "op": ">", "value": -0.1},
    ]


@pytest.mark.parametrize(
    ("question", "by", "direction", "limit"),
    [
        ("which genres lost the most loans last month", "loans__difference", "asc", 10),
        ("which genre gained the most loans last month", "loans__difference", "desc", 1),
        ("biggest drop in loans by genre last month", "loans__difference", "asc", None),
        ("largest percentage increase in loans by genre last month", "loans__percent_change", "desc", None),
        ("top 3 genres by percentage growth in loans last month", "loans__percent_change", "desc", 3),
        ("top 3 genres by loans growth rate last month", "loans__percent_change", "desc", 3),
        ("top 3 branches with the largest increase in loans last month", "loans__difference", "desc", 3),
        ("which 2 branches had the biggest decline in late rate last month", "late_rate__points", "asc", 2),
        ("fastest growing genres by loans last month", "loans__percent_change", "desc", 10),
        ("bottom 3 genres by change in loans last month", "loans__difference", "asc", 3),
        ("which branch improved its late rate the most last month", "late_rate__points", "asc", 1),
        ("where did loans increase the most by genre last month", "loans__difference", "desc", None),
        ("which month of 2024 had the biggest drop in loans", "loans__difference", "asc", 1),
    ],
)
def test_a_ranking_by_change_orders_by_the_column_of_the_change(
    question: str, by: str, direction: str, limit: int | None
) -> None:
    found = plan(question)
    assert (found["order"], found["limit"]) == ([{"by": by, "dir": direction}], limit)
    assert found["comparison"] == PREVIOUS


def test_only_what_moved_that_way_is_ranked_unless_the_change_itself_is() -> None:
    assert plan("biggest drop in loans by genre last month")["having"] == [
        {"metric": "loans__difference", "op": "<", "value": 0}
    ]
    assert plan("top 3 genres by change in loans last month")["having"] == []


def test_growth_alone_may_be_an_amount_or_a_percentage() -> None:
    outcome = understood("top 3 genres by growth in loans last month")
    assert outcome.decision is Decision.CLARIFY
    assert [o.intent.order[0].by for o in outcome.options if o.intent] == ["loans__difference", "loans__percent_change"]
    assert all(o.question for o in outcome.options)


@pytest.mark.parametrize(
    "question", ["branches whose loans fell by 10%", "branches whose loans grew", "which genres lost the most loans"]
)
def test_a_change_without_a_period_asks_for_it(question: str) -> None:
    outcome = understood(question)
    assert outcome.decision is Decision.CLARIFY
    assert [o.intent.time_range.expr for o in outcome.options if o.intent and o.intent.time_range] == [
        "last_week", "last_month", "last_quarter", "last_year",
    ]  # fmt: skip
    assert all(o.question for o in outcome.options)


@pytest.mark.parametrize("question", ["which branch is growing fastest?", "which genres grew last month"])
def test_a_change_of_nothing_named_asks_for_the_metric(question: str) -> None:
    outcome = understood(question)
    assert outcome.decision is Decision.CLARIFY
    assert len({o.intent.metrics for o in outcome.options if o.intent}) > 1


@pytest.mark.parametrize(
    "question",
    [
        "branches whose late rate rose by 2% last month",
        "branches whose loans rose by 2 percentage points last month",
        "branches whose fines rose by 3 hours last month",
        "how many branches saw a drop in loans last month",
        "branches whose budget fell last month",
        "which branch improved its loans the most last month",
        "branches whose loans did not fall by 10% last month",
    ],
)
def test_a_change_that_is_not_certain_stops(question: str) -> None:
    assert understood(question).decision in (Decision.ABSTAIN, Decision.DENY)


def test_a_year_behind_a_verb_of_change_is_no_amount() -> None:
    found = plan("in which months of 2024 did loans fall")
    assert found["having"] == [{"metric": "loans__difference", "op": "<", "value": 0}]
    assert found["grain"] == "month"
    assert found["time_range"] == {"expr": "2024", "start": "2024-01-01", "end": "2025-01-01"}


def test_a_yes_or_no_about_the_size_of_a_change_keeps_the_size() -> None:
    found = plan("did loans drop by more than 10% last month?")
    assert (found["kind"], found["having"]) == (
        "boolean",
        [{"metric": "loans__percent_change", "op": "<", "value": -0.1}],
    )


def test_a_way_beside_two_periods_is_not_passed_over() -> None:
    assert plan("month over month growth of loans last month")["metrics"] == ["loans"]
    assert understood("month over month growing loans last month").decision is not Decision.ANSWER
