"""Asking back and stopping: every option is a plan that can be computed, every sentence is true."""

from __future__ import annotations

import pytest

from catalog.query import MetricIntent, QuerySpec
from catalog.resolve import resolve
from catalog.restate import range_text
from dataagent.intent.planjson import plan_json
from dataagent.intent.types import Decision, Understanding
from tests.intent.library import SCOPE, SNAPSHOT, understood
from tests.intent.parcels import posted


def message_of(outcome: Understanding) -> str:
    assert outcome.limitation is not None, outcome
    return outcome.limitation.message


@pytest.mark.parametrize(
    "question",
    [
        "income by genre",
        "by genre",
        "top 3 books",
        "large loans",
        "loans year over year",
        "loans last month vs this month",
        "why did fines drop",
        "break down loans",
        "average per branch",
        "loans in Lyon in Turin",
        "fines by channel",
        "loans on 03/04/2025",
    ],
)
def test_whoever_is_asked_gets_at_least_one_plan_that_can_be_computed(question: str) -> None:
    outcome = understood(question)
    assert outcome.decision is Decision.CLARIFY
    assert outcome.options
    for option in outcome.options:
        assert option.intent is not None
        assert option.intent.metrics
        if option.intent.comparison is None and not option.intent.transforms:
            assert isinstance(resolve(option.intent, SNAPSHOT, SCOPE), QuerySpec)


def test_where_no_complete_plan_exists_there_is_no_question_back() -> None:
    assert understood("overdue by genre").decision is Decision.CLARIFY
    assert posted("overdue by van").decision is Decision.ABSTAIN


def test_a_bare_number_is_asked_about_with_the_number_in_the_option() -> None:
    outcome = understood("loans over 100 last month")
    assert outcome.decision is Decision.CLARIFY
    assert [o.intent.filters[0].values for o in outcome.options if o.intent] == [(100,)]


def test_a_number_about_nothing_that_is_measured_stops() -> None:
    assert "open" in message_of(understood("shelf stock over 5"))


def test_a_word_that_no_option_takes_up_is_said_to_be_left_out() -> None:
    assert {o.detail for o in understood("large loans").options} == {"leaves out: large"}
    assert {o.detail for o in understood("income last month").options} == {""}


def test_options_that_would_be_called_alike_are_told_apart() -> None:
    labels = [o.label for o in understood("income by channel").options]
    assert len(labels) == len(set(labels)) > 1


@pytest.mark.parametrize(
    ("question", "known"),
    [
        ("branches", "branches"),
        ("genre", "genre"),
        ("book fair", "book fair"),
        ("weekend loans", "weekend"),
    ],
)
def test_a_known_word_is_never_called_unknown(question: str, known: str) -> None:
    said = message_of(understood(question))
    assert known in said
    assert "do not know" not in said


def test_an_unknown_word_is_called_unknown_and_a_known_one_beside_it_is_not() -> None:
    said = message_of(understood("genre zorblax branches"))
    assert said.startswith("I do not know “zorblax”")


def test_a_member_out_of_reach_is_not_said_to_contradict_itself() -> None:
    assert message_of(understood("shelf stock in Ghent")) == (
        "I do not know “ghent” as something that copies on shelf can be narrowed down to."
    )


def test_an_open_side_and_a_period_are_read_together() -> None:
    outcome = understood("loans before the book fair this year")
    assert outcome.intent is not None
    window = plan_json(outcome.intent)["time_range"]
    assert (window["start"], window["end"]) == ("2025-01-01", "2025-04-02")
    apart = understood("loans before the book fair in May")
    assert apart.limitation is not None
    assert apart.limitation.code == "contradiction"


@pytest.mark.parametrize(
    "question", ["\ufeffloans last month", "lo\u00adans la\u200bst month", "loans\u2060 last month"]
)
def test_invisible_characters_change_nothing_and_the_certificate_still_fits(question: str) -> None:
    outcome = understood(question)
    assert outcome.decision is Decision.ANSWER
    assert all(question[b.start : b.end] == b.text for b in outcome.certificate)


def test_an_invisible_character_does_not_hide_a_wish_to_delete() -> None:
    assert understood("del\u200bete all loans").decision is Decision.DENY


@pytest.mark.parametrize(
    ("question", "metric"),
    [("latest shelf stock", "copies_on_shelf"), ("current shelf stock by genre", "copies_on_shelf")],
)
def test_the_latest_level_is_that_of_the_last_complete_day(question: str, metric: str) -> None:
    outcome = understood(question)
    assert outcome.intent is not None
    assert outcome.intent.metrics == (metric,)
    assert [d.key for d in outcome.intent.defaults_used] == ["snapshot"]


def test_what_is_no_level_has_no_latest() -> None:
    assert "latest" in message_of(understood("latest fines"))
    assert understood("latest shelf stock last month").decision is Decision.ABSTAIN


def test_distinct_adds_nothing_to_what_is_counted_once_and_stops_elsewhere() -> None:
    assert posted("distinct parcels sent").decision is Decision.ANSWER
    assert posted("distinct copies sent").decision is Decision.ABSTAIN


def test_things_that_no_metric_counts_are_counted_in_all_and_not_by_group() -> None:
    assert plan_json(understood("how many branches do we have").intent or MetricIntent())["entity"] == "branch"
    assert understood("how many branches by genre").decision is Decision.ABSTAIN
    assert understood("how many readers do we have").decision is Decision.ANSWER


@pytest.mark.parametrize(
    ("question", "field"),
    [("loans from readers in Lyon", "reader_city"), ("loans from branches in Lyon", "branch_city")],
)
def test_where_things_are_is_looked_for_among_their_own_facts(question: str, field: str) -> None:
    outcome = understood(question)
    assert outcome.intent is not None
    assert [f.field for f in outcome.intent.filters] == [field]


def test_where_things_are_is_not_looked_for_elsewhere() -> None:
    assert understood("loans from readers in Ghent").decision is Decision.ABSTAIN


@pytest.mark.parametrize(
    ("question", "first"), [("loans vs last month", "2025-06-01"), ("loans vs last week", "2025-06-16")]
)
def test_where_one_period_alone_goes_with_the_rest_nothing_is_asked_and_it_is_told(question: str, first: str) -> None:
    outcome = understood(question)
    assert outcome.decision is Decision.ANSWER
    assert outcome.intent is not None
    window = outcome.intent.time_range
    assert window is not None
    assert (str(window.start), str(window.end)) == (first, "2025-06-19")
    assert [d.text for d in outcome.intent.defaults_used if d.key == "time_range"] == [
        f"No period was named: took {range_text(window)}, the only one that goes with the comparison."
    ]


def test_a_single_reading_is_asked_for_as_such() -> None:
    outcome = understood("large loans")
    assert outcome.decision is Decision.CLARIFY
    assert len(outcome.options) == 1
    assert outcome.prompt.startswith("There is one reading")


def test_a_growth_without_a_period_offers_the_usual_ones_in_plain_words() -> None:
    labels = [o.label for o in understood("loans growth").options]
    assert labels == [
        "from 2025-06-09 to 2025-06-15, against the week before (week over week)",
        "from 2025-05-01 to 2025-05-31, against the month before (month over month)",
        "from 2025-05-01 to 2025-05-31, against the same days a year before (year over year)",
        "from 2024-01-01 to 2024-12-31, against the year before (year over year)",
    ]
    named = understood("loans growth in Q1 2025").options
    assert [o.label.partition(", ")[2] for o in named] == [
        "against the quarter before (quarter over quarter)",
        "against the same days a year before (year over year)",
    ]


@pytest.mark.parametrize(
    ("question", "dimensions", "values"),
    [
        ("why did loans in Lyon fall in May", (), ("Lyon",)),
        ("why did loans from the app in May fall", (), ("app",)),
        ("why did loans by genre fall in May", ("genre",), ()),
        ("why did loans excluding crime fall in May", (), ("crime",)),
    ],
)
def test_a_change_may_be_asked_about_with_its_condition_in_the_middle(
    question: str, dimensions: tuple[str, ...], values: tuple[str, ...]
) -> None:
    found = understood(question)
    assert found.intent is not None, found.limitation
    assert found.intent.kind == "contribution"
    assert found.intent.dimensions == dimensions
    assert tuple(v for f in found.intent.filters for v in f.values) == values


@pytest.mark.parametrize("question", ["why did fines per loan fall in May", "why did fines fall in May per loan"])
def test_the_change_of_an_average_of_each_is_not_taken_apart_by_single_rows(question: str) -> None:
    assert understood(question).decision is not Decision.ANSWER
