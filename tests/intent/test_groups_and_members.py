"""A member that several dimensions have, where the question groups by one of them."""

from __future__ import annotations

import pytest

from catalog.types import Operator
from dataagent.intent.types import Decision, Understanding
from tests.intent.library import understood


def filters(outcome: Understanding) -> list[tuple[str, Operator, tuple[object, ...]]]:
    assert outcome.decision is Decision.ANSWER, outcome.prompt
    assert outcome.intent is not None
    return [(f.field, f.op, f.values) for f in outcome.intent.filters]


@pytest.mark.parametrize(
    "question",
    [
        "loans by reader city excluding Lyon last month",
        "loans by reader city last month without Lyon",
        "top 2 reader cities by loans excluding Lyon",
    ],
)
def test_what_is_left_out_is_one_of_the_groups_and_this_is_told(question: str) -> None:
    outcome = understood(question)
    assert filters(outcome) == [("reader_city", Operator.NE, ("Lyon",))]
    assert outcome.intent is not None
    told = next(d for d in outcome.intent.defaults_used if d.value == "reader_city")
    assert (told.text, told.alternatives) == (
        "Read “lyon” as reader city, by which the answer is grouped.",
        ("branch_city",),
    )


def test_two_members_pick_two_of_the_groups() -> None:
    outcome = understood("loans by reader city last month for Lyon and Turin")
    assert filters(outcome) == [("reader_city", Operator.IN, ("Lyon", "Turin"))]


def test_a_follow_up_leaves_out_one_of_the_groups_before_it() -> None:
    outcome = understood("excluding Lyon", turns=("loans by reader city last month",))
    assert filters(outcome) == [("reader_city", Operator.NE, ("Lyon",))]


@pytest.mark.parametrize(
    "question",
    ["loans excluding Lyon last month", "loans by genre excluding Lyon", "loans by branch city excluding Lyon"],
)
def test_elsewhere_the_owners_reading_stays(question: str) -> None:
    assert filters(understood(question)) == [("branch_city", Operator.NE, ("Lyon",))]


def test_one_member_beside_a_group_of_another_kind_stays_the_owners_reading() -> None:
    assert filters(understood("loans by reader city for Lyon")) == [("branch_city", Operator.EQ, ("Lyon",))]


@pytest.mark.parametrize(
    ("question", "field", "member", "note"),
    [
        ("loans from desks last month", "loan_channel", "desk", "plural of desk"),
        ("loans in apps last month", "loan_channel", "app", "plural of app"),
        ("loans via kiosks last month", "loan_channel", "kiosk", "plural of kiosk"),
    ],
)
def test_a_member_in_the_plural_is_read_and_told(question: str, field: str, member: str, note: str) -> None:
    outcome = understood(question)
    assert filters(outcome) == [(field, Operator.EQ, (member,))]
    assert note in {binding.note for binding in outcome.certificate}


@pytest.mark.parametrize("question", ["loans in Lyons last month", "loans in Turins last month", "loans from “desks”"])
def test_a_place_and_what_is_quoted_have_no_plural(question: str) -> None:
    assert understood(question).decision is not Decision.ANSWER
