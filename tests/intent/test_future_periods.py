"""A period that lies in the future is one expression: no part of it is read instead."""

from __future__ import annotations

import pytest

from dataagent.intent.types import Decision
from tests.intent.library import understood


@pytest.mark.parametrize(
    "period",
    [
        "since 1 July 2025",
        "after 10 August 2025",
        "since August 2025",
        "since 20 June 2025",
        "by branch city since 2025-07-01",
        "since 1 March 2026",
    ],
)
def test_a_future_start_with_its_year_stops_and_does_not_become_another_period(period: str) -> None:
    outcome = understood(f"loans {period}")
    assert outcome.decision is Decision.ABSTAIN
    assert outcome.limitation is not None
    assert outcome.limitation.code == "forecast"


@pytest.mark.parametrize("period", ["since 1 May 2025", "since 17 June 2025", "after March 2025", "since 1 March"])
def test_a_start_that_is_past_is_read(period: str) -> None:
    assert understood(f"loans {period}").decision is Decision.ANSWER
