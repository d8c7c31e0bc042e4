"""Things that have none of what is counted, or any: what is listed, counted, and answered with yes or no."""

from __future__ import annotations

import pytest

from dataagent.intent.planjson import plan_json
from dataagent.intent.types import Decision
from tests.intent.library import understood


def plan(question: str) -> dict[str, object]:
    outcome = understood(question)
    assert outcome.decision is Decision.ANSWER, outcome
    assert outcome.intent is not None
    return plan_json(outcome.intent)


@pytest.mark.parametrize(
    ("question", "op"),
    [
        ("readers with no loans last month", "="),
        ("which readers had zero loans last month", "="),
        ("list readers without any loans last month", "="),
        ("readers who made no loans last month", "="),
        ("readers who never made a loan last month", "="),
        ("readers with loans last month", ">"),
    ],
)
def test_a_named_metric_is_shown_beside_its_condition(question: str, op: str) -> None:
    found = plan(question)
    assert (found["kind"], found["entity"], found["metrics"]) == ("entity_list", "reader", ["loans"])
    assert found["having"] == [{"metric": "loans", "op": op, "value": 0}]


@pytest.mark.parametrize(
    ("question", "kind", "op", "value"),
    [
        ("readers who never borrowed", "entity_list", "=", 0),
        ("which readers have not borrowed this year", "entity_list", "=", 0),
        ("which readers borrowed last month", "entity_list", ">", 0),
        ("how many readers did not borrow in May", "entity_count", "=", 0),
        ("how many readers borrowed at least twice in 2024", "entity_count", ">=", 2),
        ("how many readers borrowed more than 3 times in 2024", "entity_count", ">", 3),
        ("how many different books did we borrow in May", "entity_count", ">", 0),
        ("did any branch borrow nothing last week", "exists", "=", 0),
    ],
)
def test_a_verb_is_a_condition_and_no_figure(question: str, kind: str, op: str, value: int) -> None:
    found = plan(question)
    assert (found["kind"], found["metrics"]) == (kind, [])
    assert found["entity_condition"] == {"metric": "loans", "op": op, "value": value}


@pytest.mark.parametrize(
    ("question", "kind", "op", "value"),
    [
        ("are there any readers with more than 20 loans", "exists", ">", 20),
        ("is there any branch with less than 10 loans last month", "exists", "<", 10),
        ("do all branches have more than 100 loans", "boolean", ">", 100),
        ("did every branch have loans last week", "boolean", ">", 0),
        ("how many branches have no loans", "entity_count", "=", 0),
    ],
)
def test_a_yes_or_no_or_a_number_of_things_keeps_the_things(question: str, kind: str, op: str, value: int) -> None:
    found = plan(question)
    assert found["kind"] == kind
    assert found["entity"] in ("reader", "branch")
    assert found["having"] == [{"metric": "loans", "op": op, "value": value}]


def test_two_conditions_on_what_things_have_are_both_kept() -> None:
    assert plan("readers with late returns but no fines")["having"] == [
        {"metric": "late_loans", "op": ">", "value": 0},
        {"metric": "fines", "op": "=", "value": 0},
    ]
    assert plan("branches with late rate over 5% and at least 100 loans")["having"] == [
        {"metric": "late_rate", "op": ">", "value": 0.05},
        {"metric": "loans", "op": ">=", "value": 100},
    ]


@pytest.mark.parametrize(
    "question",
    [
        "readers with late rate",
        "readers with no late rate",
        "books out of loans",
        "do all branches have between 2 and 5 loans or fines",
        "readers who never borrowed fines",
        "did any branch borrow nothing but poetry",
    ],
)
def test_what_is_no_count_is_not_there_or_absent(question: str) -> None:
    assert understood(question).decision in (Decision.ABSTAIN, Decision.CLARIFY)


def test_only_a_level_is_out_of_something() -> None:
    found = plan("how many books are out of shelf stock")
    assert (found["kind"], found["entity"]) == ("entity_count", "book")
    assert found["having"] == [{"metric": "copies_on_shelf", "op": "=", "value": 0}]


def test_a_list_under_a_condition_lists_what_it_names() -> None:
    assert plan("list readers with more than 5 loans")["entity"] in (None, "reader")
    assert plan("list premium readers with at least 5 loans")["entity"] == "reader"


def test_a_yes_or_no_about_a_figure_can_ask_for_nothing() -> None:
    assert plan("were there loans in Lyon last week")["kind"] == "exists"
    found = plan("did we have no loans yesterday")
    assert (found["kind"], found["having"]) == ("boolean", [{"metric": "loans", "op": "=", "value": 0}])


@pytest.mark.parametrize("question", ["how many branches in May", "number of different branches last month"])
def test_things_of_a_period_without_a_condition_are_asked_about(question: str) -> None:
    assert understood(question).decision is Decision.CLARIFY


@pytest.mark.parametrize("question", ["how many branches do we have", "how many branches had no loans in May"])
def test_all_things_and_those_under_a_condition_are_counted(question: str) -> None:
    assert understood(question).decision is Decision.ANSWER


@pytest.mark.parametrize(
    ("question", "field", "values"),
    [
        ("branches in Ghent without loans in May", "branch_city", ("Ghent",)),
        ("readers in Lyon without loans", "reader_city", ("Lyon",)),
        ("list readers in Lyon or Turin with no loans", "reader_city", ("Lyon", "Turin")),
        ("how many readers in Lyon never borrowed", "reader_city", ("Lyon",)),
        ("readers without loans in Ghent", "branch_city", ("Ghent",)),
    ],
)
def test_where_the_things_are_is_no_place_of_what_they_lack(question: str, field: str, values: tuple[str, ...]) -> None:
    """ "readers in Lyon without loans" live there; "without loans in Ghent" borrowed nothing there."""
    found = understood(question)
    assert found.intent is not None, (question, found.limitation)
    assert [(f.field, f.values) for f in found.intent.filters] == [(field, values)]
    conditions = (*found.intent.having, *found.intent.entity_condition)
    assert [(c.metric, c.values) for c in conditions] == [("loans", (0,))]
