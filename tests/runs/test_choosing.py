"""A choice turns a clarification into an answer's meaning."""

from __future__ import annotations

import pytest

from catalog.query import MetricIntent
from dataagent.intent.types import Binding, BoundTo, Decision, Option, Understanding
from dataagent.runs.choosing import chosen

NET = MetricIntent(metrics=("net_revenue",))
ASKED = Understanding(
    decision=Decision.CLARIFY,
    certificate=(
        Binding(start=0, end=7, text="revenue", kind=BoundTo.METRIC, target="gross_revenue/net_revenue"),
        Binding(start=8, end=18, text="last month", kind=BoundTo.TIME, target="last_month"),
    ),
    prompt="Which?",
    options=(
        Option(label="help", question="help", intent=None),
        Option(label="net revenue", question="net revenue in May 2025", intent=NET),
    ),
)


def test_the_chosen_option_is_what_is_meant() -> None:
    settled = chosen(ASKED, 1)
    assert (settled.decision, settled.intent, settled.options) == (Decision.ANSWER, NET, ())
    assert [(b.target, b.note) for b in settled.certificate] == [("net revenue", "your choice"), ("last_month", "")]


@pytest.mark.parametrize("choice", [None, 0, 2, -1])
def test_what_was_not_a_choice_changes_nothing(choice: int | None) -> None:
    assert chosen(ASKED, choice) is ASKED


def test_a_choice_does_not_touch_a_question_that_was_clear() -> None:
    clear = Understanding(decision=Decision.ANSWER, intent=NET)
    assert chosen(clear, 0) is clear
