"""A year after less than a year: the same months of it or all of it, asked and never guessed."""

from __future__ import annotations

import pytest

from dataagent.intent.planjson import plan_json
from dataagent.intent.types import Decision
from tests.intent.library import understood

MAY, YEAR = ("2023-05-01", "2023-06-01"), ("2023-01-01", "2024-01-01")


def _windows(question: str, earlier: str) -> list[tuple[str, str]]:
    found = understood(question, turns=(earlier,))
    assert found.decision is Decision.CLARIFY
    ranges = [plan_json(o.intent)["time_range"] for o in found.options if o.intent is not None]
    return [(r["start"], r["end"]) for r in ranges]


@pytest.mark.parametrize("question", ["and 2023", "in 2023", "what about 2023?", "how about in 2023", "2023"])
@pytest.mark.parametrize("earlier", ["fines in May 2024", "fines by genre in May 2024", "fines in May"])
def test_a_year_after_a_month_of_another_is_asked_about(question: str, earlier: str) -> None:
    assert _windows(question, earlier) == [MAY, YEAR]


def test_a_quarter_and_a_half_keep_their_months() -> None:
    assert _windows("and 2023", "fines in Q1 2024") == [("2023-01-01", "2023-04-01"), YEAR]
    assert _windows("and last year", "fines in the first half of 2025") == [
        ("2024-01-01", "2024-07-01"),
        ("2024-01-01", "2025-01-01"),
    ]


@pytest.mark.parametrize("earlier", ["fines on Black Friday 2024", "fines in week 12 2024"])
def test_days_that_lie_elsewhere_in_another_year_are_not_moved(earlier: str) -> None:
    assert understood(earlier).decision is Decision.ANSWER
    assert understood("and 2023", turns=(earlier,)).decision is Decision.ABSTAIN


@pytest.mark.parametrize("earlier", ["fines in 2024", "fines yesterday", "fines by genre", "fines in May 2023"])
def test_a_year_after_a_year_or_around_the_period_or_after_none_is_that_year(earlier: str) -> None:
    found = understood("in 2023", turns=(earlier,))
    assert found.decision is Decision.ANSWER
    assert (
        plan_json(found.options[0].intent if found.intent is None else found.intent)["time_range"]["start"] == YEAR[0]
    )
