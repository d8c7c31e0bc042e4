"""Yes or no to a change, ranks, things under a condition, and follow-ups that calculate."""

from __future__ import annotations

import pytest

from catalog.calculated import ASKED_DIRECTION
from dataagent.intent.planjson import plan_json
from dataagent.intent.types import Decision
from tests.intent.library import understood


def plan(question: str, *earlier: str) -> dict[str, object]:
    found = understood(question, turns=earlier)
    assert found.decision is Decision.ANSWER, found
    assert found.intent is not None
    return plan_json(found.intent)


@pytest.mark.parametrize(
    ("question", "asked", "base"),
    [
        ("did loans grow in March 2025", "up", "previous_period"),
        ("did loans fall last month", "down", "previous_period"),
        ("have loans dropped in May 2025", "down", "previous_period"),
        ("did loans rise in May 2025 compared with May 2024", "up", "year_ago"),
        ("did loans grow this month", "up", "previous_period"),
    ],
)
def test_growth_is_a_yes_or_no_against_a_period_that_is_told(question: str, asked: str, base: str) -> None:
    found = understood(question)
    assert found.intent is not None
    written = plan(question)
    assert (written["kind"], written["comparison"]) == ("boolean", {"type": base, "calc": ["diff", "pct"]})
    assert dict(found.intent.notes)[ASKED_DIRECTION] == asked
    assert ("comparison_base" in {d.key for d in found.intent.defaults_used}) is ("compared" not in question)


def test_growth_in_every_month_looks_at_each() -> None:
    written = plan("did loans grow in every month of 2024")
    assert (written["kind"], written["grain"]) == ("boolean", "month")


def test_growth_of_an_open_period_is_asked_back() -> None:
    found = understood("did loans grow")
    assert found.decision is Decision.CLARIFY
    assert len(found.options) > 1


def test_everything_is_ranked_without_a_number() -> None:
    written = plan("rank genres by loans last month")
    assert (written["transform"], written["limit"]) == ([{"type": "rank"}], None)
    assert written["order"] == [{"by": "loans", "dir": "desc"}]


@pytest.mark.parametrize(
    ("question", "op", "value"),
    [
        ("how many readers have more than 5 loans in 2024", ">", 5),
        ("how many readers made fewer than 3 loans in 2024", "<", 3),
        ("number of readers with at least 2 loans in 2024", ">=", 2),
    ],
)
def test_things_are_counted_by_what_they_have(question: str, op: str, value: int) -> None:
    written = plan(question)
    assert (written["kind"], written["entity"]) == ("entity_count", "reader")
    assert written["having"] == [{"metric": "loans", "op": op, "value": value}]


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("loans this month vs previous period", "2025-06-01", "2025-06-19"),
        ("loans this month vs same period last year", "2025-06-01", "2025-06-19"),
        ("loans month to date compared with the whole month before", "2025-06-01", "2025-06-19"),
    ],
)
def test_a_running_period_is_cut_at_today_before_it_is_compared(question: str, start: str, end: str) -> None:
    window = plan(question)["time_range"]
    assert isinstance(window, dict)
    assert (window["start"], window["end"]) == (start, end)


def test_the_whole_period_before_is_read_as_its_own_window() -> None:
    comparison = plan("loans month to date compared with the whole month before")["comparison"]
    assert isinstance(comparison, dict)
    assert comparison["range"] == {"expr": "previous_period", "start": "2025-05-01", "end": "2025-06-01"}
    whole = plan("loans in May 2025 compared with the whole month before")["comparison"]
    assert isinstance(whole, dict)
    assert whole["type"] == "previous_period"


def test_last_year_beside_a_month_is_the_same_month_a_year_ago() -> None:
    comparison = plan("loans in May 2025 vs last year")["comparison"]
    assert isinstance(comparison, dict)
    assert comparison["type"] == "year_ago"


def test_a_follow_up_compares_and_shares() -> None:
    compared = plan("and compared with last year?", "loans last month")
    assert compared["comparison"] == {"type": "year_ago", "calc": ["diff", "pct"]}
    assert plan("as a share", "loans by genre last month")["transform"] == [{"type": "share_of_total", "over": "genre"}]
    assert understood("as a share", turns=("loans last month",)).decision is Decision.ABSTAIN
