"""What is refused before it is parsed, and words that only look like it."""

from __future__ import annotations

import pytest

from dataagent.intent.gate import refused


@pytest.mark.parametrize("question", ["order a pizza", "Please order the blue one for me", "order this week's stock"])
def test_an_order_to_buy_is_no_question(question: str) -> None:
    found = refused(question)
    assert found is not None
    assert found.code == "unsupported_action"


@pytest.mark.parametrize(
    "question", ["items per order this week", "net revenue by order the last month", "value of each order this month"]
)
def test_an_order_that_is_counted_over_is_none(question: str) -> None:
    assert refused(question) is None
