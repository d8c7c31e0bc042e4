"""Things that did two things, or one and not the other; several periods; which of two is more; short wordings."""

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


APRIL = {"expr": "2025-04", "start": "2025-04-01", "end": "2025-05-01"}
MAY = {"expr": "2025-05", "start": "2025-05-01", "end": "2025-06-01"}


def some(**more: object) -> dict[str, object]:
    return {"metric": "loans", "op": ">", "value": 0, **more}


def genre(name: str, op: str = "=") -> list[dict[str, object]]:
    return [{"field": "genre", "op": op, "value": name}]


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        (
            "list readers who borrowed in April but not in May",
            {"op": "difference", "a": some(time_range=APRIL), "b": some(time_range=MAY)},
        ),
        (
            "readers with loans in April but not in May",
            {"op": "difference", "a": some(time_range=APRIL), "b": some(time_range=MAY)},
        ),
        (
            "which readers borrowed both crime and poetry?",
            {"op": "intersection", "a": some(filters=genre("crime")), "b": some(filters=genre("poetry"))},
        ),
        (
            "readers who borrowed crime but never poetry in May",
            {
                "op": "difference",
                "a": some(filters=genre("crime"), time_range=MAY),
                "b": some(filters=genre("poetry"), time_range=MAY),
            },
        ),
        (
            "readers who only borrowed crime",
            {"op": "difference", "a": some(filters=genre("crime")), "b": some(filters=genre("crime", "!="))},
        ),
    ],
)
def test_two_things_done_are_two_sets(question: str, wanted: dict[str, object]) -> None:
    found = plan(question)
    assert (found["kind"], found["entity"], found["metrics"]) == ("entity_list", "reader", [])
    assert found["set_op"] == wanted


def test_two_things_done_can_be_counted_and_narrowed_to_the_things_themselves() -> None:
    found = plan("how many premium readers borrowed both in April and in May")
    assert found["kind"] == "entity_count"
    assert found["filters"] == [{"field": "membership", "op": "=", "value": "premium"}]
    assert found["set_op"]["op"] == "intersection"


@pytest.mark.parametrize(
    "question",
    [
        "readers who borrowed crime but not poetry by genre",
        "readers who borrowed in April but not in May via the app",
        "readers who borrowed crime but not in May",
        "readers who borrowed crime but not crime",
        "readers who borrowed crime but not kiosk",
        "how many readers borrowed in April and in May",
        "readers who borrowed in April but not next month",
    ],
)
def test_sets_that_are_not_certain_are_not_listed(question: str) -> None:
    outcome = understood(question)
    assert outcome.decision is not Decision.ANSWER or outcome.intent is None or not outcome.intent.sets


@pytest.mark.parametrize(
    ("question", "grain", "names"),
    [
        ("loans in April and May", "month", ["2025-04", "2025-05"]),
        ("loans 2023 2024", "year", ["2023", "2024"]),
        ("monthly loans for 2023 and 2024", "month", ["2023", "2024"]),
    ],
)
def test_periods_in_a_row_are_each_shown(question: str, grain: str, names: list[str]) -> None:
    found = plan(question)
    assert (found["grain"], found["time_range"]) == (grain, None)
    assert [r["expr"] for r in found["time_ranges"]] == names


@pytest.mark.parametrize(
    "question",
    ["loans in April and June", "loans in May 2024 and May 2025", "top 3 books by loans in April and May",
     "loans in May and 2024"],
)  # fmt: skip
def test_periods_that_do_not_follow_on_stop(question: str) -> None:
    assert understood(question).decision is not Decision.ANSWER


@pytest.mark.parametrize(
    "question",
    [
        "did Lyon have more loans than Turin last month?",
        "which had more loans last month, Lyon or Turin?",
        "are loans higher in Lyon or Turin",
        "how do Lyon and Turin loans compare",
        "difference between Lyon and Turin loans",
    ],
)
def test_which_of_two_is_more_shows_both(question: str) -> None:
    found = plan(question)
    assert found["comparison"]["type"] == "values"
    assert found["comparison"]["values"] == ["Lyon", "Turin"]


def test_which_of_two_is_less_is_not_read_as_more() -> None:
    assert understood("did Lyon have fewer loans than Turin last month?").decision is not Decision.ANSWER


def test_three_members_are_compared_side_by_side() -> None:
    found = plan("compare loans of crime, poetry and science fiction last month")
    assert (found["dimensions"], found["comparison"]) == (["genre"], None)
    assert found["filters"] == [{"field": "genre", "op": "in", "value": ["crime", "poetry", "science fiction"]}]


def test_higher_and_lower_ask_for_another_direction() -> None:
    higher, lower = (plan(f"were loans {word} this week than last week?") for word in ("higher", "lower"))
    assert (higher["asked"], lower["asked"]) == ("up", "down")
    assert higher["comparison"]["type"] == "previous_period"


@pytest.mark.parametrize(
    ("question", "grain"),
    [
        ("average daily loans last month", "day"),
        ("mean weekly loans in 2024", "week"),
        ("how many loans do we get per day on average", "day"),
        ("on average, loans per month in 2024", "month"),
    ],
)
def test_an_average_per_period_keeps_the_period(question: str, grain: str) -> None:
    assert plan(question)["transform"] == [{"type": "average_per", "grain": grain}]


@pytest.mark.parametrize(
    ("question", "filters"),
    [
        ("loans that weren't loaned via the app", [{"field": "loan_channel", "op": "!=", "value": "app"}]),
        ("non-overdue loans last month", [{"field": "loan_state", "op": "!=", "value": "overdue"}]),
        ("loans without a genre last month", [{"field": "genre", "op": "is null", "value": None}]),
        ("loans with a genre last month", [{"field": "genre", "op": "is not null", "value": None}]),
    ],
)
def test_members_that_are_denied_or_missing_are_kept_out(question: str, filters: list[dict[str, object]]) -> None:
    assert plan(question)["filters"] == filters


@pytest.mark.parametrize(
    ("question", "limit", "by"),
    [
        ("top 3 months for loans in 2024", 3, "loans"),
        ("top 3 books loans", 3, "loans"),
        ("peak day for loans in May", 1, "loans"),
        ("which month is it that we made less loans in 2024", 1, "loans"),
        ("when were loans highest in 2024", 1, "loans"),
        ("tpo 5 books by loans", 5, "loans"),
    ],
)
def test_short_and_loose_rankings_keep_number_and_metric(question: str, limit: int, by: str) -> None:
    found = plan(question)
    assert (found["limit"], found["order"][0]["by"]) == (limit, by)


def test_less_without_than_looks_for_the_least() -> None:
    assert plan("which month is it that we made less loans in 2024")["order"] == [{"by": "loans", "dir": "asc"}]
    assert plan("which month is it that we made more loans in 2024")["order"] == [{"by": "loans", "dir": "desc"}]


def test_things_that_no_metric_counts_are_counted_from_their_own_table() -> None:
    found = plan("how many branches do we have")
    assert (found["kind"], found["entity"], found["metrics"]) == ("entity_count", "branch", [])
    assert plan("how many loans do we have")["metrics"] == ["loans"]
    assert plan("which readers are premium")["entity"] == "reader"


@pytest.mark.parametrize(
    "lead", ["so ", "may I see ", "my boss wants to know ", "would it be possible to see ", "just curious, "]
)
def test_polite_and_chatty_leads_add_nothing(lead: str) -> None:
    assert plan(f"{lead}loans by genre last month") == plan("loans by genre last month")
