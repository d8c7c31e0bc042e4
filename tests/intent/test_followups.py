"""Follow-ups as edits of the earlier plan, each with a twin that is asked back or stopped."""

from __future__ import annotations

import pytest

from dataagent.intent.planjson import plan_json
from dataagent.intent.types import Decision
from tests.intent.library import understood

BASE = ("fines by genre in 2024",)
EDITED = [
    ("now add loans", {"metrics": ["fines", "loans"]}),
    ("and loans", {"metrics": ["fines", "loans"]}),
    ("switch to loans", {"metrics": ["loans"], "dimensions": ["genre"]}),
    ("swap genre for membership", {"dimensions": ["membership"]}),
    ("by membership instead", {"dimensions": ["membership"]}),
    ("also by membership", {"dimensions": ["genre", "membership"]}),
    ("remove the breakdown", {"dimensions": []}),
    ("only crime", {"filters": [{"field": "genre", "op": "=", "value": "crime"}], "dimensions": ["genre"]}),
    ("excluding poetry", {"filters": [{"field": "genre", "op": "!=", "value": "poetry"}]}),
    (
        "what about last month?",
        {"dimensions": ["genre"], "time_range": {"expr": "last_month", "start": "2025-05-01", "end": "2025-06-01"}},
    ),
    ("by month", {"grain": "month", "dimensions": ["genre"]}),
    ("top 3 only", {"limit": 3, "order": [{"by": "fines", "dir": "desc"}]}),
    ("with more than 200", {"having": [{"metric": "fines", "op": ">", "value": 200}]}),
    ("compared with the same period last year", {"comparison": {"type": "year_ago", "calc": ["diff", "pct"]}}),
    ("start over", {"kind": "reset"}),
    ("are you sure?", {"kind": "explain_last"}),
]


@pytest.mark.parametrize(("question", "expected"), EDITED, ids=[q for q, _ in EDITED])
def test_a_follow_up_changes_what_it_names_and_keeps_the_rest(question: str, expected: dict[str, object]) -> None:
    outcome = understood(question, turns=BASE)
    assert outcome.decision is Decision.ANSWER, outcome
    assert outcome.intent is not None
    plan = plan_json(outcome.intent)
    assert {key: plan[key] for key in expected} == expected
    if "metrics" not in expected and "kind" not in expected:
        assert plan["metrics"] == ["fines"]


UNDECIDED = [
    ("by membership", Decision.CLARIFY),
    ("and income", Decision.CLARIFY),
    ("by weight", Decision.ABSTAIN),
    ("and next month?", Decision.ABSTAIN),
    ("and yearly budget", Decision.DENY),
    ("switch to readers", Decision.ABSTAIN),
    ("remove membership", Decision.ABSTAIN),
    ("what about loans?", Decision.CLARIFY),
    ("loans", Decision.CLARIFY),
    ("in May", Decision.CLARIFY),
    ("thanks", Decision.ABSTAIN),
    ("by", Decision.ABSTAIN),
]


@pytest.mark.parametrize(("question", "decision"), UNDECIDED, ids=[q for q, _ in UNDECIDED])
def test_a_follow_up_that_is_not_derivable_is_asked_back_or_stopped(question: str, decision: Decision) -> None:
    assert understood(question, turns=BASE).decision is decision


@pytest.mark.parametrize(
    ("question", "earlier"),
    [
        ("top 3 by loans", "fines by genre in 2024"),
        ("bottom 3 by loans", "fines by genre in 2024"),
        ("weekly", "average daily loans in May"),
        ("by month", "average daily loans in 2024"),
        ("not by genre", "fines by genre in 2024"),
        ("excluding genre", "fines by genre in 2024"),
        ("not genre", "fines by genre in 2024"),
    ],
)
def test_a_word_that_the_earlier_plan_has_no_place_for_is_never_dropped(question: str, earlier: str) -> None:
    assert understood(earlier).decision is Decision.ANSWER
    assert understood(question, turns=(earlier,)).decision is not Decision.ANSWER


def test_the_first_ones_are_those_by_the_metric_that_is_named() -> None:
    outcome = understood("top 3 by loans", turns=("fines and loans by genre in 2024",))
    assert outcome.intent is not None
    assert [(o.by, o.direction.value) for o in outcome.intent.order] == [("loans", "desc")]
    assert outcome.intent.metrics == ("fines", "loans")


def test_a_question_of_its_own_inherits_nothing() -> None:
    outcome = understood("loans last month", turns=BASE)
    assert outcome.intent is not None
    assert outcome.intent.dimensions == ()


def test_after_a_reset_nothing_is_left_to_edit() -> None:
    assert understood("by membership", turns=(*BASE, "start over")).decision is Decision.CLARIFY


def test_a_reply_chooses_among_what_was_asked() -> None:
    outcome = understood("fines", turns=("income last month",))
    assert outcome.intent is not None
    assert outcome.intent.metrics == ("fines",)
    assert outcome.intent.time_range is not None
    assert outcome.intent.time_range.expr == "last_month"


def test_a_reply_may_refine_at_once() -> None:
    outcome = understood("loan channel, and only crime", turns=("fines by channel",))
    assert outcome.intent is not None
    assert (outcome.intent.dimensions, outcome.intent.filters[0].values) == (("loan_channel",), ("crime",))


def test_both_takes_every_metric_that_was_offered() -> None:
    outcome = understood("both", turns=("income last month",))
    assert outcome.intent is not None
    assert set(outcome.intent.metrics) == {"fines", "average_fine"}


@pytest.mark.parametrize("question", ["only crime and poetry", "crime and poetry", "what about crime and poetry"])
def test_of_two_named_members_none_takes_the_place_of_the_other(question: str) -> None:
    outcome = understood(question, turns=("fines for crime in 2024",))
    plans = [o.intent for o in outcome.options] if outcome.decision is Decision.CLARIFY else [outcome.intent]
    assert plans
    for plan in plans:
        assert plan is not None
        assert [set(f.values) for f in plan.filters] == [{"crime", "poetry"}]


def test_two_periods_of_one_follow_up_contradict_each_other() -> None:
    outcome = understood("in April and March", turns=BASE)
    assert outcome.decision is Decision.ABSTAIN


def test_a_ranking_that_gets_a_grouping_says_what_is_ranked() -> None:
    outcome = understood("and by membership", turns=("top 3 genres by fines in 2024",))
    assert outcome.decision is Decision.CLARIFY
    found = [(o.intent.dimensions, o.intent.per_group) for o in outcome.options if o.intent is not None]
    assert found == [(("genre", "membership"), "membership"), (("genre", "membership"), None)]
    assert [o.label.split(" from ")[0] for o in outcome.options] == [
        "top 3 genre by fines per membership",
        "top 3 combinations of genre and membership by fines",
    ]


@pytest.mark.parametrize(
    ("first", "question"),
    [
        ("top 3 genres by fines in 2024", "by month"),
        ("rank genres by fines in 2024", "and by membership"),
        ("top 3 genres per membership by fines in 2024", "and by loan channel"),
    ],
)
def test_what_is_ranked_after_a_further_grouping_is_never_guessed(first: str, question: str) -> None:
    assert understood(question, turns=(first,)).decision is Decision.ABSTAIN


def test_another_grouping_of_a_ranking_ranks_its_own_members() -> None:
    outcome = understood("by membership instead", turns=("top 3 genres by fines in 2024",))
    assert outcome.intent is not None
    assert (outcome.intent.dimensions, outcome.intent.limit) == (("membership",), 3)


def test_a_member_named_after_an_exclusion_is_left_out_too_or_wanted_alone() -> None:
    outcome = understood("and poetry", turns=("fines without crime in 2024",))
    assert outcome.decision is Decision.CLARIFY
    found = [[(f.op.value, f.values) for f in o.intent.filters] for o in outcome.options if o.intent is not None]
    assert found == [[("=", ("poetry",))], [("not in", ("crime", "poetry"))]]


def test_options_that_differ_never_read_alike() -> None:
    outcome = understood("share of loans from poetry by membership last month")
    assert outcome.decision is Decision.CLARIFY
    labels = [o.label for o in outcome.options]
    assert len(set(labels)) == len(labels) > 1


@pytest.mark.parametrize(
    ("question", "values", "compares"),
    [
        ("without poetry", ("crime",), False),
        ("only science fiction", ("science fiction",), False),
        ("in Lyon", None, True),
    ],
)
def test_a_comparison_of_two_members_ends_where_others_are_picked(
    question: str, values: tuple[str, ...] | None, compares: bool
) -> None:
    outcome = understood(question, turns=("fines for crime vs poetry in 2024",))
    plans = [o.intent for o in outcome.options] if outcome.decision is Decision.CLARIFY else [outcome.intent]
    assert plans
    for plan in plans:
        assert plan is not None
        assert (plan.comparison is not None) is compares
        genre = next(f for f in plan.filters if f.field == "genre")
        assert set(genre.values) == set(values or ("crime", "poetry"))


@pytest.mark.parametrize("question", ["what about premium", "and how about premium?"])
def test_what_is_set_beside_a_member_of_another_kind_takes_its_place_or_joins_it(question: str) -> None:
    outcome = understood(question, turns=("fines for crime in 2024",))
    assert outcome.decision is Decision.CLARIFY
    found = [sorted(f.field for f in o.intent.filters) for o in outcome.options if o.intent is not None]
    assert found == [["membership"], ["genre", "membership"]]


def test_each_of_several_members_may_be_the_one_whose_place_is_taken() -> None:
    outcome = understood("what about premium", turns=("fines for crime with loan state overdue in 2024",))
    assert outcome.decision is Decision.CLARIFY
    found = [sorted(f.field for f in o.intent.filters) for o in outcome.options if o.intent is not None]
    assert sorted(found) == [
        ["genre", "loan_state", "membership"],
        ["genre", "membership"],
        ["loan_state", "membership"],
    ]


def test_a_member_of_what_is_grouped_by_is_one_of_the_rows() -> None:
    outcome = understood("what about crime", turns=("fines for premium by genre in 2024",))
    assert outcome.decision is Decision.ANSWER
    assert outcome.intent is not None
    assert sorted(f.field for f in outcome.intent.filters) == ["genre", "membership"]


@pytest.mark.parametrize("question", ["what about last month", "what about poetry", "only premium"])
def test_other_follow_ups_stay_decided(question: str) -> None:
    assert understood(question, turns=("fines for crime in 2024",)).decision is Decision.ANSWER
