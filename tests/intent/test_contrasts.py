"""Members and periods side by side, and parts of a whole, in the words that people use for them."""

from __future__ import annotations

import pytest

from catalog.query import MetricIntent
from catalog.types import Calendar
from catalog.windows import period_before
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


@pytest.mark.parametrize(
    ("question", "windows"),
    [
        ("loans in Q1 vs Q2 2024", {("2024-04-01", "2024-01-01")}),
        ("compare loans in January and February 2024", {("2024-02-01", "2024-01-01")}),
        ("loans in April vs May 2024 by genre", {("2024-05-01", "2024-04-01")}),
        ("loans on 1 May vs 2 May 2024", {("2024-05-02", "2024-05-01")}),
        ("loans in May vs April 2024", {("2024-05-01", "2024-04-01"), ("2025-05-01", "2024-04-01")}),
        ("loans in the first half vs the second half of 2024", {("2024-07-01", "2024-01-01")}),
        ("loans in Q1 2024 vs Q2", {("2024-04-01", "2024-01-01"), ("2024-01-01", "2023-04-01")}),
    ],
)
def test_a_year_that_one_of_two_periods_names_is_that_of_both_or_asked_about(
    question: str, windows: set[tuple[str, str]]
) -> None:
    found = understood(question)
    plans = [o.intent for o in found.options] or [found.intent]
    assert {_sides(p) for p in plans if p is not None} >= windows, [o.label for o in found.options]
    assert found.decision is Decision.CLARIFY


def _sides(plan: MetricIntent) -> tuple[str, str]:
    """The first days of the asked period and of the one that it is compared with."""
    window, comparison = plan.time_range, plan.comparison
    assert window is not None
    assert window.start is not None
    assert comparison is not None
    if comparison.range is not None:
        return str(window.start), str(comparison.range.start)
    before = period_before(window, Calendar())
    assert before is not None
    return str(window.start), str(before.window.start)


@pytest.mark.parametrize(
    ("question", "start", "base"),
    [
        ("loans in January 2024 vs December", "2024-01-01", "2023-12-01"),
        ("loans in May vs May 2023", "2025-05-01", "2023-05-01"),
    ],
)
def test_months_that_follow_each_other_and_the_same_month_need_no_question(
    question: str, start: str, base: str
) -> None:
    found = understood(question)
    assert found.decision is Decision.ANSWER
    assert found.intent is not None
    assert _sides(found.intent) == (start, base)


@pytest.mark.parametrize("question", ["loans in January vs December 2024", "loans in Q1 vs Q4 2024"])
def test_a_year_behind_the_later_part_of_it_asks_whether_both_are_of_it(question: str) -> None:
    found = understood(question)
    assert found.decision is Decision.CLARIFY
    starts = {o.intent.time_range.start.year for o in found.options if o.intent and o.intent.time_range}  # type: ignore[union-attr]
    compared = [o.intent.comparison for o in found.options if o.intent]
    assert len(compared) == 2
    assert starts == {2024, 2025}


@pytest.mark.parametrize("question", ["loans in May and June 2024", "loans for May 2024 and June"])
def test_periods_side_by_side_share_the_year_that_one_of_them_names(question: str) -> None:
    found = understood(question)
    assert found.intent is not None, found.limitation
    window = found.intent.time_range
    assert window is not None
    assert (str(window.start), str(window.end)) == ("2024-05-01", "2024-07-01")
    assert "Both periods are read in 2024." in [d.text for d in found.intent.defaults_used]
