"""Members and periods side by side, and parts of a whole, in the words that people use for them."""

from __future__ import annotations

import pytest

from dataagent.intent.planjson import plan_json
from dataagent.intent.types import Decision
from tests.intent.library import understood

MEMBERS = {"type": "values", "calc": ["diff", "pct"], "field": "branch_city", "values": ["Lyon", "Turin"]}
BEFORE = {"type": "previous_period", "calc": ["diff", "pct"]}
YEAR_AGO = {"type": "year_ago", "calc": ["diff", "pct"]}
SHARE = [{"type": "share_of_total", "over": "genre"}]


@pytest.mark.parametrize(
    "question",
    [
        "loans in Lyon vs Turin last month",
        "compare loans in Lyon and Turin last month",
        "compare loans between Lyon and Turin last month",
        "the difference between Lyon and Turin in loans last month",
        "how does Lyon compare to Turin in loans last month",
    ],
)
def test_two_members_are_set_side_by_side(question: str) -> None:
    found = understood(question)
    assert found.decision is Decision.ANSWER
    assert found.intent is not None
    plan = plan_json(found.intent)
    assert plan["comparison"] == MEMBERS
    assert plan["dimensions"] == ["branch_city"]


@pytest.mark.parametrize(
    ("question", "comparison", "window"),
    [
        ("how much did loans change from April to May 2025", BEFORE, ("2025-05-01", "2025-06-01")),
        ("how did loans change between April and May 2025", BEFORE, ("2025-05-01", "2025-06-01")),
        ("how much did loans grow from 2023 to 2024", BEFORE, ("2024-01-01", "2025-01-01")),
        ("by how much did loans fall from Q1 2024 to Q1 2025", YEAR_AGO, ("2025-01-01", "2025-04-01")),
        ("how much did loans grow in May", BEFORE, ("2025-05-01", "2025-06-01")),
        ("how did loans change in May vs a year ago", YEAR_AGO, ("2025-05-01", "2025-06-01")),
        ("year over year growth of loans in May", YEAR_AGO, ("2025-05-01", "2025-06-01")),
        ("loans growth in May vs a year ago", YEAR_AGO, ("2025-05-01", "2025-06-01")),
        ("loans month to date vs last month", BEFORE, ("2025-06-01", "2025-06-19")),
        ("year to date loans vs last year", YEAR_AGO, ("2025-01-01", "2025-06-19")),
        ("loans this week vs same week last year", YEAR_AGO, ("2025-06-16", "2025-06-19")),
    ],
)
def test_two_periods_are_set_side_by_side_over_equally_many_days(
    question: str, comparison: dict[str, object], window: tuple[str, str]
) -> None:
    found = understood(question)
    assert found.decision is Decision.ANSWER
    assert found.intent is not None
    plan = plan_json(found.intent)
    assert plan["comparison"] == comparison
    assert (plan["time_range"]["start"], plan["time_range"]["end"]) == window


@pytest.mark.parametrize(
    "question", ["what share of loans does poetry have last month", "loans by genre as a share of the total last month"]
)
def test_a_part_of_the_whole_is_asked_for(question: str) -> None:
    found = understood(question)
    assert found.decision is Decision.ANSWER
    assert found.intent is not None
    assert plan_json(found.intent)["transform"] == SHARE
