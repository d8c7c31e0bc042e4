"""Subjects and stated sums: whose it is, and what the asker adds up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from catalog.content import with_digest
from catalog.specs import EACH_OF
from catalog.terms import build_index
from catalog.types import Metric, MetricInput, MetricType
from dataagent.intent.types import Decision, Understanding
from dataagent.intent.understand import understand
from tests.intent.library import SCOPE, SNAPSHOT, TODAY, understood

INCOME = Metric(
    name="all_income",
    type=MetricType.DERIVED,
    expr="fines + fees",
    inputs=(MetricInput(metric="fines"), MetricInput(metric="fees")),
    label="All income",
)
FEES = replace(next(m for m in SNAPSHOT.metrics if m.name == "fines"), name="fees", synonyms=())
TAKINGS = replace(FEES, name="takings")
WIDER = with_digest(replace(SNAPSHOT, metrics=(*SNAPSHOT.metrics, FEES, TAKINGS, INCOME)))


def wider(question: str) -> Understanding:
    scope = replace(SCOPE, metrics=SCOPE.metrics | {"fees", "takings", "all_income"})
    index = build_index(WIDER, scope, {})
    return understand(question, snapshot=WIDER, scope=scope, index=index, today=TODAY)


def test_each_subject_is_a_group_and_what_has_none_is_left_out_and_said() -> None:
    found = understood("how many loans does each branch have?")
    assert found.intent is not None
    assert found.intent.dimensions == ("branch_name",)
    assert [name for name, _ in found.intent.notes if name == EACH_OF] == [EACH_OF]
    assert "What belongs to no branch is left out." in [d.text for d in found.intent.defaults_used]


def test_a_plain_grouping_leaves_nothing_out() -> None:
    found = understood("loans by branch")
    assert found.intent is not None
    assert found.intent.dimensions == ("branch_name",)
    assert found.intent.notes == ()


@pytest.mark.parametrize(
    "question",
    [
        "all income, which is the sum of fines and fees",
        "all income, which is the sum of fees, fines by genre",
    ],
)
def test_a_stated_sum_that_agrees_is_its_metric(question: str) -> None:
    found = wider(question)
    assert found.decision is Decision.ANSWER
    assert found.intent is not None
    assert found.intent.metrics == ("all_income",)
    assert "definition" not in {d.key for d in found.intent.defaults_used}


def test_a_stated_sum_under_another_name_is_taken_as_stated_and_said() -> None:
    found = wider("takings, which is the sum of fines and fees")
    assert found.intent is not None
    assert found.intent.metrics == ("all_income",)
    assert [d.text for d in found.intent.defaults_used if d.key == "definition"] == [
        "“takings” is what you defined; the catalog calls that sum All income."
    ]


@pytest.mark.parametrize("parts", ["fines and loans", "fines, fees and loans", "fines and fines"])
def test_a_stated_sum_that_no_metric_makes_is_not_answered(parts: str) -> None:
    assert wider(f"all income, which is the sum of {parts}").decision is Decision.ABSTAIN
