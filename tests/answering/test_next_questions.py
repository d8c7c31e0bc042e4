"""Only questions that are read back to their own plan are offered."""

from __future__ import annotations

from catalog.query import MetricIntent
from catalog.types import Dimension, DimensionType
from dataagent.answering.next_questions import next_questions
from dataagent.intent.types import Decision, Understanding

DIMENSIONS = tuple(Dimension(name=n, type=DimensionType.CATEGORICAL, expr=n) for n in ("brand", "region", "tier"))
ASKED = MetricIntent(metrics=("orders",), dimensions=("brand",))


def words(intent: MetricIntent) -> str:
    return f"{intent.metrics[0]} by {', '.join(intent.dimensions)}"


def understands(text: str) -> Understanding:
    if text == "orders by region":
        return Understanding(decision=Decision.ABSTAIN)
    return Understanding(
        decision=Decision.ANSWER, intent=MetricIntent(metrics=("orders",), dimensions=(text.rpartition(" ")[2],))
    )


def test_a_neighbour_that_is_understood_is_offered_and_another_is_not() -> None:
    assert next_questions(ASKED, DIMENSIONS, words, understands) == ("orders by tier",)


def test_a_neighbour_that_is_read_differently_is_not_offered() -> None:
    def misread(_: str) -> Understanding:
        return Understanding(decision=Decision.ANSWER, intent=MetricIntent(metrics=("refunds",)))

    assert next_questions(ASKED, DIMENSIONS, words, misread) == ()
