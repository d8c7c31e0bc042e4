"""Which date a time expression is about: where it need not be the metric's own, nothing is answered."""

from __future__ import annotations

import pytest

from dataagent.intent.types import Decision
from tests.intent.library import understood

TWINS = [
    ("loans by month and joined date month in 2025", Decision.ABSTAIN, "loans by joined date month in 2025"),
    ("loans by joined date month and month in 2025", Decision.ABSTAIN, "loans by month in 2025"),
    ("fines as of 3 May 2025", Decision.CLARIFY, "shelf stock as of 3 May 2025"),
    ("fines as at 3 May 2025", Decision.CLARIFY, "fines on 3 May 2025"),
    ("loans closed on 31 January 2025", Decision.ABSTAIN, "closed loans on 31 January 2025"),
    ("loans that were closed before 20 May 2025", Decision.ABSTAIN, "loans before 20 May 2025"),
    ("loans overdue in May 2025", Decision.ABSTAIN, "how many overdue loans in May 2025"),
    ("loans closed by month", Decision.ABSTAIN, "closed loans by month"),
    ("loans top-tier last month", Decision.ABSTAIN, "loans kiosk last month"),
    ("readers registered last month", Decision.ABSTAIN, "readers recorded last month"),
    ("readers registered in Lyon last month", Decision.ABSTAIN, "readers recorded in Lyon last month"),
]


@pytest.mark.parametrize(("question", "decision", "twin"), TWINS)
def test_a_doubtful_date_stops_and_its_plain_twin_is_answered(question: str, decision: Decision, twin: str) -> None:
    assert understood(question).decision is decision
    assert understood(twin).decision is Decision.ANSWER


def test_as_of_a_day_offers_that_day_and_everything_up_to_it() -> None:
    outcome = understood("fines as of 3 May 2025")
    assert [o.question for o in outcome.options] == ["fines on 2025-05-03", "fines before 2025-05-04"]


def test_a_member_within_a_name_leaves_no_part_of_it_as_a_condition() -> None:
    assert understood("closed kiosk borrowings last month").decision is Decision.ABSTAIN
    whole = understood("closed borrowings last month")
    assert whole.decision is Decision.ANSWER
    assert whole.intent is not None
    assert whole.intent.metrics == ("late_loans",)
    assert understood("closed kiosk loans last month").decision is Decision.ANSWER


def test_an_unfit_verb_is_named_with_its_member() -> None:
    limitation = understood("readers registered in Lyon last month").limitation
    assert limitation is not None
    assert "“registered … lyon”" in limitation.message
