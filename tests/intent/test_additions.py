"""Follow-ups that add or count back, and wordings that stay open: each stop has a twin that is answered."""

from __future__ import annotations

import pytest

from dataagent.intent.planjson import plan_json
from dataagent.intent.types import Decision
from tests.intent.library import understood

CRIME = ("crime loans in 2024",)
MARCH = ("loans in March 2024",)
SINCE = ("loans since January 2024",)
BOTH = [{"field": "genre", "op": "in", "value": ["crime", "poetry"]}]

STOPPED = [
    ("May too", MARCH),
    ("plus April", MARCH),
    ("also in April", MARCH),
    ("and also April 2024", MARCH),
    ("April 2024 as well", MARCH),
    ("poetry instead, also by membership", CRIME),
    ("fines instead, also by membership", MARCH),
    ("previous quarter", MARCH),
    ("previous year", MARCH),
    ("previous 3 months", MARCH),
    ("prior month", ("loans in 2024",)),
    ("fines in the previous month", MARCH),
    ("until June 2024", SINCE),
    ("through June 2024", SINCE),
    ("through May 2025", SINCE),
    ("before May 2025", MARCH),
    ("since May 2024", ("loans until June 2024",)),
    ("by year", ("loans in May",)),
    ("loans per genre and readers per city", ()),
    ("loans by genre and by readers", ()),
    ("sum of loans and fines", ()),
    ("the sum of fines and late loans last month", ()),
    ("loans in May by year", ()),
    ("fines in December by year", ()),
    ("loans in Q1 per year", ()),
    ("loans on christmas by year", ()),
]
ANSWERED = [
    ("poetry too", CRIME, {"filters": BOTH}),
    ("plus poetry", CRIME, {"filters": BOTH}),
    ("and also poetry", CRIME, {"filters": BOTH}),
    ("poetry", CRIME, {"filters": [{"field": "genre", "op": "=", "value": "poetry"}]}),
    ("fines as well", MARCH, {"metrics": ["loans", "fines"]}),
    ("by membership too", ("loans by genre in 2024",), {"dimensions": ["genre", "membership"]}),
    ("loans by genre and reader", (), {"dimensions": ["genre", "reader_name"]}),
    ("loans by readers", (), {"dimensions": ["reader_name"]}),
    ("loans and fines", (), {"metrics": ["loans", "fines"]}),
    ("sum of fines by genre and branch", (), {"metrics": ["fines"], "dimensions": ["genre", "branch_name"]}),
    ("loans in May 2024 by year", (), {"grain": "year"}),
    ("loans in May by month", (), {"grain": "month"}),
]
WINDOWS = [
    ("April 2024", MARCH, "2024-04-01", "2024-05-01"),
    ("previous month", MARCH, "2024-02-01", "2024-03-01"),
    ("what about the prior month", ("loans in January 2024",), "2023-12-01", "2024-01-01"),
    ("previous year", ("loans in 2023",), "2022-01-01", "2023-01-01"),
    ("previous day", ("loans on 2024-03-01",), "2024-02-29", "2024-03-01"),
    ("last month", MARCH, "2025-05-01", "2025-06-01"),
    ("previous month", ("loans this month",), "2025-05-01", "2025-06-01"),
    ("fines in the previous month", ("loans this month",), "2025-05-01", "2025-06-01"),
    ("fines last month", MARCH, "2025-05-01", "2025-06-01"),
    ("previous month", ("loans by genre",), "2025-05-01", "2025-06-01"),
    ("from January 2024 to May 2024", SINCE, "2024-01-01", "2024-06-01"),
]


@pytest.mark.parametrize(("question", "turns"), STOPPED)
def test_what_could_be_meant_in_two_ways_is_not_answered(question: str, turns: tuple[str, ...]) -> None:
    outcome = understood(question, turns=turns)
    assert outcome.decision in {Decision.ABSTAIN, Decision.CLARIFY}, outcome.intent
    assert outcome.prompt or (outcome.limitation is not None and outcome.limitation.message)


@pytest.mark.parametrize(("question", "turns", "expected"), ANSWERED)
def test_what_is_clear_is_answered(question: str, turns: tuple[str, ...], expected: dict[str, object]) -> None:
    outcome = understood(question, turns=turns)
    assert outcome.intent is not None, outcome
    plan = plan_json(outcome.intent)
    assert {key: plan[key] for key in expected} == expected


@pytest.mark.parametrize(("question", "turns", "start", "end"), WINDOWS)
def test_a_period_counts_from_the_earlier_one_where_it_says_so(
    question: str, turns: tuple[str, ...], start: str, end: str
) -> None:
    outcome = understood(question, turns=turns)
    assert outcome.intent is not None, outcome
    window = outcome.intent.time_range
    assert window is not None
    assert (str(window.start), str(window.end)) == (start, end)


def test_a_period_with_one_end_says_that_an_end_is_missing() -> None:
    outcome = understood("through June 2024", turns=SINCE)
    assert outcome.limitation is not None
    assert "one end" in outcome.limitation.message
