"""Averages, medians and spreads over things, cohorts, and whether each of several things moved."""

from __future__ import annotations

from typing import Any

import pytest

from dataagent.intent.planjson import plan_json
from dataagent.intent.types import Decision
from tests.intent.library import understood


def plan(question: str) -> dict[str, Any]:
    found = understood(question)
    assert found.intent is not None, found
    return plan_json(found.intent)


def _transform(question: str) -> dict[str, object]:
    found = understood(question)
    assert found.decision is Decision.ANSWER, found
    assert found.intent is not None
    (made,) = found.intent.transforms
    return {"type": made.type, **dict(made.arguments)}


@pytest.mark.parametrize(
    ("question", "transform"),
    [
        ("average loans per reader in 2024", {"type": "average_per", "entity": "reader"}),
        ("average number of loans per branch in 2024", {"type": "average_per", "entity": "branch"}),
        ("loans per reader on average in 2024", {"type": "average_per", "entity": "reader"}),
        ("on average, how many loans per reader in 2024", {"type": "average_per", "entity": "reader"}),
        ("average loans per genre in 2024", {"type": "average_per", "dimension": "genre"}),
        ("median number of loans per reader in 2024", {"type": "median_per", "entity": "reader"}),
        ("distribution of loans per reader in 2024", {"type": "histogram", "entity": "reader"}),
        ("distribution of readers by number of loans in 2024", {"type": "histogram", "entity": "reader"}),
        ("histogram of loan days in 2024", {"type": "histogram", "field": "loan_days"}),
    ],
)
def test_what_is_taken_over_each_thing_is_a_part_of_the_plan(question: str, transform: dict[str, object]) -> None:
    assert _transform(question) == transform


@pytest.mark.parametrize("question", ["average late rate per branch in 2024", "median late rate per branch in 2024"])
def test_a_rate_is_not_averaged_over_things(question: str) -> None:
    assert understood(question).decision is not Decision.ANSWER


@pytest.mark.parametrize(
    "question", ["average loans per reader per month in 2024", "average loans per month per branch in 2024"]
)
def test_per_one_thing_per_another_asks_what_the_average_is_over(question: str) -> None:
    assert understood(question).decision is Decision.CLARIFY


def test_an_average_of_a_sum_without_what_it_is_over_says_so() -> None:
    found = understood("average loans in 2024")
    assert found.decision is Decision.ABSTAIN
    assert found.limitation is not None
    assert "Say over what" in found.limitation.message


@pytest.mark.parametrize(
    "question", ["fines as a percentage of loans in 2024", "loans at the end of each month in 2024"]
)
def test_what_is_no_percentage_and_no_level_is_not_read_as_one(question: str) -> None:
    found = understood(question)
    assert found.intent is None or found.intent.metrics == ("fines", "loans")


def test_right_now_is_about_levels_only() -> None:
    assert understood("loans right now").decision is Decision.ABSTAIN


@pytest.mark.parametrize("other", ["average", "median", "distribution of"])
def test_what_is_taken_changes_the_plan(other: str) -> None:
    plain = understood("loans per reader in 2024")
    taken = understood(f"{other} loans per reader in 2024")
    assert taken.intent is None or plain.intent is None or taken.intent.transforms != plain.intent.transforms


@pytest.mark.parametrize(
    ("question", "asked", "some"),
    [
        ("did loans grow in every branch city last month", "up", False),
        ("did loans grow in any branch city last month", "up", True),
        ("did every branch city grow in loans last month", "up", False),
        ("did any branch city decline in loans last month", "down", True),
    ],
)
def test_each_and_any_are_told_apart(question: str, asked: str, some: bool) -> None:
    found = plan(question)
    assert found["asked"] == asked
    assert found["dimensions"] == ["branch_city"]
    assert (found.get("quantifier") == "any") is some


def test_whether_every_thing_grew_asks_for_a_metric_that_is_not_named() -> None:
    assert understood("did every branch city grow last month").decision is Decision.CLARIFY


def test_per_another_thing_after_an_average_asks_too() -> None:
    assert understood("and per branch", turns=("average loans per reader in 2024",)).decision is Decision.CLARIFY
    by_branch = understood("by branch", turns=("average loans per reader in 2024",))
    assert by_branch.intent is not None
    assert by_branch.intent.dimensions == ("branch_name",)


@pytest.mark.parametrize(
    ("question", "aspect"),
    [("what does it mean", "definition"), ("who owns it", "owner"), ("where does it come from", "lineage")],
)
def test_what_the_earlier_figure_is_can_be_asked(question: str, aspect: str) -> None:
    found = understood(question, turns=("late rate last month",))
    assert found.decision is Decision.DEFINE
    assert found.intent is not None
    assert (found.intent.subject, found.intent.aspect) == ("late_rate", aspect)
    assert understood(question, turns=("loans and fines last month",)).decision is Decision.ABSTAIN
