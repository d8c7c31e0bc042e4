"""Other wordings of what is known: each is read to the plan of its plain form."""

from __future__ import annotations

import pytest

from dataagent.intent.decide import canonical
from dataagent.intent.planjson import plan_json
from dataagent.intent.types import Decision
from tests.intent.library import understood


@pytest.mark.parametrize(
    ("wording", "plain"),
    [
        ("which loan channel was used least in 2024", "least used loan channel in 2024"),
        ("readers with the most loans in 2024", "top 10 readers by loans in 2024"),
        ("branches with the lowest late rate last month", "bottom 10 branches by late rate last month"),
        ("in which month did we have the most loans in 2024", "which month had the most loans in 2024"),
        ("what are the loan states", "list loan states"),
        ("what portion of loans were overdue last month", "what share of loans were overdue last month"),
        ("loans that did not come from Lyon branches last month", "loans not from Lyon branches last month"),
        ("what rank is poetry by loans in 2024", "where does poetry rank by loans in 2024"),
        ("a line chart of loans by month in 2024", "loans by month in 2024 as a line chart"),
        ("bar chart of loans by genre in 2024", "loans by genre in 2024 as a bar chart"),
        ("are loans correlated with fines by month in 2024", "relationship between loans and fines by month in 2024"),
        ("what drove the drop in loans last month", "why did loans drop last month"),
        ("readers who borrowed from both crime and poetry", "readers who borrowed both crime and poetry"),
        ("shelf stock right now", "current shelf stock"),
        ("how much shelf stock do we have at the moment", "current shelf stock"),
        ("average late rate last month", "late rate last month"),
        ("can you break down loans by genre for 2024", "loans by genre in 2024"),
        ("list all overdue loan state loans from last week", "list overdue loans from last week"),
        ("list the top 5 genres by loans in 2024", "top 5 genres by loans in 2024"),
        ("which loan channel is the most popular", "most used loan channel"),
        ("shelf stock at the end of each month in 2024", "shelf stock by month in 2024"),
        ("late loans as a percentage of loans in 2024", "late rate in 2024"),
        ("loans of basic members vs premium members in 2024", "basic vs premium loans in 2024"),
        ("10 most borrowed books in 2024", "top 10 books by loans in 2024"),
        ("which branches borrowed the least in 2024", "bottom 10 branches by loans in 2024"),
    ],
)  # fmt: skip
def test_a_wording_means_its_plain_form(wording: str, plain: str) -> None:
    said, known = understood(wording), understood(plain)
    assert said.decision is known.decision is Decision.ANSWER, (wording, said)
    assert said.intent is not None
    assert known.intent is not None
    assert canonical(said.intent) == canonical(known.intent)


def test_a_wording_of_what_cannot_be_answered_stops_as_its_plain_form_does() -> None:
    said, known = understood("which genre was used most last month"), understood("most used genre last month")
    assert said.decision is known.decision is Decision.ABSTAIN
    assert said.limitation is not None
    assert known.limitation is not None
    assert said.limitation.code == known.limitation.code


@pytest.mark.parametrize(
    ("question", "start", "end", "base"),
    [
        ("why did loans drop between April and May 2025", "2025-05-01", "2025-06-01", "2025-04-01"),
        ("why did loans change from Q4 2024 to Q1 2025", "2025-01-01", "2025-04-01", "2024-10-01"),
        ("what drove the change in fines between 2023 and 2024", "2024-01-01", "2025-01-01", "2023-01-01"),
    ],
)
def test_a_change_between_two_periods_is_from_the_one_to_the_other(
    question: str, start: str, end: str, base: str
) -> None:
    found = understood(question)
    assert found.intent is not None, found
    plan = plan_json(found.intent)
    assert (plan["kind"], plan["time_range"]["start"], plan["time_range"]["end"]) == ("contribution", start, end)
    assert plan["comparison"]["range"]["start"] == base


@pytest.mark.parametrize(
    "question",
    [
        "why did loans drop between May and April 2025",
        "why did loans change from January to 15 March 2025",
        "why did loans drop between 3 April 2025 and May 2025",
    ],
)
def test_two_periods_of_unlike_length_or_order_are_not_explained(question: str) -> None:
    assert understood(question).decision in {Decision.ABSTAIN, Decision.CLARIFY}


def test_which_members_contributed_most_splits_by_them_alone_and_says_most() -> None:
    found = understood("which genres contributed most to the drop in loans last month")
    assert found.intent is not None, found
    plan = plan_json(found.intent)
    assert (plan["kind"], plan["dimensions"], plan["order"]) == (
        "contribution", ["genre"], [{"by": "contribution", "dir": "desc"}],
    )  # fmt: skip
    drove = understood("which genres drove the drop in loans last month")
    assert drove.intent is not None
    assert drove.intent.order == ()


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        ("readers who borrowed in Q1 but not in Q2 2024", "2024-01-01", "2024-04-01"),
        ("readers who borrowed in April 2024 but not in May", "2024-04-01", "2024-05-01"),
        ("readers who borrowed in April but not in May", "2025-04-01", "2025-05-01"),
    ],
)
def test_a_year_that_one_of_two_periods_names_is_that_of_both(question: str, first: str, second: str) -> None:
    found = understood(question)
    assert found.intent is not None, found
    windows = [s.time_range for s in found.intent.sets]
    assert [str(w.start) for w in windows if w is not None] == [first, second]


@pytest.mark.parametrize(
    ("question", "within", "over"),
    [
        ("share of loans by loan channel within each genre last month", "genre", "loan_channel"),
        ("percentage of fines by genre per branch name in 2024", "branch_name", "genre"),
    ],
)
def test_a_share_within_each_is_of_each_ones_own_whole(question: str, within: str, over: str) -> None:
    found = understood(question)
    assert found.intent is not None, found
    assert found.intent.dimensions == (within, over)
    assert dict(found.intent.transforms[0].arguments)["over"] == over


def test_on_a_weekday_is_the_most_recent_one_and_asked_on_that_day() -> None:
    found = understood("loans on Monday")
    assert found.intent is not None, found
    assert found.intent.time_range is not None
    assert str(found.intent.time_range.start) == "2025-06-16"
    assert "Monday is the most recent one." in [d.text for d in found.intent.defaults_used]
    asked = understood("loans on Wednesday")
    assert asked.decision is Decision.CLARIFY
    assert len(asked.options) == 2


def test_a_rolling_average_of_so_many_periods_is_a_moving_average() -> None:
    rolling, moving = (
        understood(q) for q in ("rolling 4-week average of loans in 2024", "4-week moving average of loans in 2024")
    )
    assert rolling.intent is not None, rolling
    assert moving.intent is not None
    assert canonical(rolling.intent) == canonical(moving.intent)
