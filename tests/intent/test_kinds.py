"""Kinds of questions that were once read wrongly without a word: each stopped twin beside an answered one."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from catalog.access import TableAccess
from catalog.terms import build_index
from dataagent.intent.planjson import plan_json
from dataagent.intent.typefilter.exclusions import adds_up_over
from dataagent.intent.types import Decision, Understanding
from dataagent.intent.understand import understand
from tests.intent.library import SCOPE, SNAPSHOT, TODAY, understood
from tests.intent.parcels import posted


def plan(outcome: Understanding) -> dict[str, object]:
    assert outcome.intent is not None, outcome
    return plan_json(outcome.intent)


@pytest.mark.parametrize(
    "question",
    [
        "2nd highest genre by loans",
        "3rd best branch by loans in May",
        "the 2nd lowest membership by fines",
        "second most loaned genre by loans",
        "the fourth lowest branch by loans",
        "which branch has the 2nd highest late rate",
    ],
)
def test_a_place_in_a_ranking_is_never_read_as_a_count(question: str) -> None:
    assert understood(question).decision is Decision.ABSTAIN


@pytest.mark.parametrize("question", ["2 highest genres by loans", "top 2 genres by loans"])
def test_a_count_in_a_ranking_is_still_a_count(question: str) -> None:
    assert plan(understood(question))["limit"] == 2


def test_a_percentile_still_takes_an_ordinal() -> None:
    assert plan(understood("90th percentile of loan days"))["transform"] == [
        {"type": "percentile", "field": "loan_days", "p": 90}
    ]


@pytest.mark.parametrize(
    "question",
    [
        "parcels sent without poetry",
        "parcels sent not in crime",
        "parcels sent excluding damaged books",
        "copies per parcel excluding poetry",
        "served readers without poetry",
        "served readers not by bike",
        "boxes used not by bike",
    ],
)
def test_leaving_out_what_a_counted_thing_can_have_several_of_is_not_answered(question: str) -> None:
    outcome = posted(question)
    assert outcome.decision is Decision.ABSTAIN
    assert outcome.limitation is not None
    assert "counted once" in outcome.limitation.message


@pytest.mark.parametrize(
    ("question", "field"),
    [
        ("copies sent excluding poetry", "genre"),
        ("parcels sent not by bike", "carrier"),
        ("copies per parcel excluding bike", "carrier"),
        ("served readers without staff accounts", "is_staff"),
        ("parcels sent with poetry", "genre"),
    ],
)
def test_leaving_out_what_each_counted_thing_has_one_of_is_answered(question: str, field: str) -> None:
    filters = plan(posted(question))["filters"]
    assert isinstance(filters, list)
    assert [f["field"] for f in filters] == [field]


def test_an_exclusion_is_checked_again_when_a_follow_up_changes_the_metric() -> None:
    assert posted("parcels sent instead", turns=("copies sent excluding poetry",)).decision is Decision.ABSTAIN
    assert posted("parcels sent instead", turns=("copies sent excluding bike",)).decision is Decision.ANSWER


def test_a_bare_metric_that_does_not_go_with_the_earlier_plan_does_not_drop_it_without_asking() -> None:
    outcome = posted("parcels sent", turns=("copies sent excluding poetry last month",))
    assert outcome.decision is Decision.CLARIFY
    assert [o.detail for o in outcome.options] == ["leaves out: what was said before"]
    named = posted("parcels sent this year", turns=("copies sent excluding poetry last month",))
    assert named.decision is Decision.ANSWER


@pytest.mark.parametrize("second", ["excluding app", "not the app", "and without the app"])
def test_a_second_exclusion_adds_to_the_first(second: str) -> None:
    outcome = understood(second, turns=("loans excluding desk",))
    assert plan(outcome)["filters"] == [{"field": "loan_channel", "op": "not in", "value": ["desk", "app"]}]


def test_an_exclusion_takes_away_from_what_was_wanted() -> None:
    outcome = understood("excluding app", turns=("loans via the app or desk",))
    assert plan(outcome)["filters"] == [{"field": "loan_channel", "op": "=", "value": "desk"}]


def test_an_exclusion_of_what_was_not_wanted_anyway_asks() -> None:
    assert understood("excluding kiosk", turns=("loans via the app",)).decision is Decision.CLARIFY


def test_a_wanted_member_still_replaces_another() -> None:
    outcome = understood("only the app", turns=("loans via the desk",))
    assert plan(outcome)["filters"] == [{"field": "loan_channel", "op": "=", "value": "app"}]


@pytest.mark.parametrize(
    "period",
    [
        "between June and May",
        "between May and January",
        "between Q2 and Q1 2025",
        "from 2025 to 2024",
        "from June 10 to June 5",
        "between 2025-05-10 and 2025-05-01",
    ],
)
def test_a_range_that_ends_before_it_begins_never_wraps(period: str) -> None:
    outcome = understood(f"loans {period}")
    assert outcome.limitation is not None
    assert (outcome.decision, outcome.limitation.code) == (Decision.ABSTAIN, "contradiction")


@pytest.mark.parametrize(
    ("period", "start", "end"),
    [
        ("between January and March", "2025-01-01", "2025-04-01"),
        ("from November to February", "2024-11-01", "2025-03-01"),
        ("from June 2024 to May 2025", "2024-06-01", "2025-06-01"),
    ],
)
def test_a_range_the_right_way_round_is_answered(period: str, start: str, end: str) -> None:
    window = plan(understood(f"loans {period}"))["time_range"]
    assert isinstance(window, dict)
    assert (window["start"], window["end"]) == (start, end)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("99999999999999999999999999999999", 99999999999999999999999999999999),
        ("12345678901234567890123456789012.5", Decimal("12345678901234567890123456789012.5")),
        ("1.5k", 1500),
    ],
)
def test_a_number_keeps_all_its_digits(written: str, value: object) -> None:
    outcome = understood(f"loans with loan days over {written}")
    assert outcome.intent is not None
    assert outcome.intent.filters[0].values == (value,)


def seen_by(question: str, hidden: dict[str, set[str]], denied: set[str] = frozenset()) -> Understanding:  # type: ignore[assignment]
    """The outcome for somebody from whom these columns and metrics are hidden."""
    tables = tuple(
        TableAccess(
            table=m.table,
            columns=frozenset(
                {d.expr for d in m.dimensions} | {e.expr for e in m.entities} | {"fine", "late", "copies"}
            )
            - hidden.get(m.name, set()),
        )
        for m in SNAPSHOT.models
    )
    scope = replace(SCOPE, tables=tables, metrics=SCOPE.metrics - denied)
    index = build_index(SNAPSHOT, scope, {})
    return understand(question, snapshot=SNAPSHOT, scope=scope, index=index, today=TODAY)


def test_a_declared_default_that_is_hidden_is_not_replaced_without_asking() -> None:
    assert plan(seen_by("loans by city", {}))["dimensions"] == ["branch_city"]
    outcome = seen_by("loans by city", {"branches": {"branch_city"}})
    assert outcome.decision is Decision.CLARIFY
    assert [o.intent.dimensions for o in outcome.options if o.intent] == [("reader_city",)]


def test_a_member_of_a_hidden_default_is_not_looked_for_elsewhere_without_asking() -> None:
    assert plan(seen_by("loans in Lyon", {}))["filters"] == [{"field": "branch_city", "op": "=", "value": "Lyon"}]
    assert seen_by("loans in Lyon", {"branches": {"branch_city"}}).decision is Decision.CLARIFY


def test_an_ambiguous_word_with_one_visible_meaning_says_what_it_is_taken_for() -> None:
    assert seen_by("income last month", {}).decision is Decision.CLARIFY
    outcome = seen_by("income last month", {}, {"average_fine"})
    assert outcome.intent is not None
    assert [(d.key, d.value) for d in outcome.intent.defaults_used if d.key == "income"] == [("income", "fines")]


def test_a_thing_whose_label_is_hidden_is_unknown() -> None:
    assert plan(seen_by("loans by reader", {}))["dimensions"] == ["reader_name"]
    outcome = seen_by("loans by reader", {"readers": {"reader_name"}})
    assert outcome.decision is Decision.ABSTAIN
    assert "reader_name" not in str(outcome)


def test_a_member_out_of_reach_reads_like_an_unknown_value() -> None:
    outcome = understood("list branches in Turin")
    assert outcome.decision is Decision.ANSWER
    beyond = seen_by("list branches in Turin", {"branches": {"branch_city"}})
    assert beyond.limitation is not None
    assert beyond.limitation.code == "unknown_value"


def test_what_is_counted_in_several_parts_has_no_shares() -> None:
    assert posted("share of parcels sent from poetry").decision is Decision.ABSTAIN


def test_an_unknown_metric_is_no_proof_that_parts_add_up() -> None:
    assert adds_up_over(SNAPSHOT, "fines", "genre")
    assert not adds_up_over(SNAPSHOT, "no_such_metric", "genre")


@pytest.mark.parametrize(
    ("question", "restart"),
    [
        ("running total of loans by week this year restarting each month", "month"),
        ("running total of loans by month since 2023, starting over every year", "year"),
        ("running total of late rate by month in 2024 restarting every fiscal year", "fiscal_year"),
    ],
)
def test_a_running_total_starts_anew_where_that_is_asked(question: str, restart: str) -> None:
    asked = plan(understood(question))
    assert asked["transform"] == [{"type": "running_total", "restart": restart}]
    assert asked["grain"] == ("week" if "week" in question else "month")


def test_without_a_running_total_nothing_starts_anew() -> None:
    outcome = understood("loans by month restarting each year")
    assert outcome.decision is Decision.ABSTAIN
    assert outcome.limitation is not None
    assert "running total" in outcome.limitation.message


@pytest.mark.parametrize(
    "question",
    [
        "share of parcels sent from bike",
        "share of copies sent from poetry",
        "running total of parcels sent by month",
        "running total of served readers by month",
    ],
)
def test_what_is_counted_in_one_part_has_shares_and_anything_counted_a_running_total(question: str) -> None:
    assert posted(question).decision is Decision.ANSWER


@pytest.mark.parametrize("limits", ["between 20 and 5", "from 20 to 5"])
def test_numbers_the_wrong_way_round_are_never_answered_with_nothing(limits: str) -> None:
    assert understood(f"loans with loan days {limits}").decision is Decision.ABSTAIN


def test_numbers_the_right_way_round_are_answered() -> None:
    assert plan(understood("loans with loan days between 5 and 20"))["filters"] == [
        {"field": "loan_days", "op": "between", "value": [5, 20]}
    ]


def test_two_open_sides_make_one_period() -> None:
    window = plan(understood("loans after March and before June"))["time_range"]
    assert isinstance(window, dict)
    assert (window["start"], window["end"]) == ("2025-04-01", "2025-06-01")
    assert understood("loans after May 10 and before May 2").decision is not Decision.ANSWER


def test_a_second_limit_on_the_other_side_asks() -> None:
    outcome = understood("with loan days under 20", turns=("loans with loan days over 5",))
    assert outcome.decision is Decision.CLARIFY
    assert sorted(len(o.intent.filters) for o in outcome.options if o.intent) == [1, 2]


def test_a_number_too_long_to_be_compared_stops() -> None:
    assert understood(f"loans with loan days over {'9' * 40}").decision is Decision.ABSTAIN
    assert understood(f"loans with loan days over {'9' * 38}").decision is Decision.ANSWER


def test_naming_the_term_does_not_make_a_hidden_default_another_dimension() -> None:
    assert seen_by("loans in city Lyon", {"branches": {"branch_city"}}).decision is Decision.CLARIFY
    assert seen_by("loans in reader city Lyon", {"branches": {"branch_city"}}).decision is Decision.ANSWER


def test_what_stands_behind_a_comma_after_an_exclusion_may_be_left_out_too() -> None:
    outcome = understood("fines excluding poetry, basic")
    assert outcome.decision is Decision.CLARIFY
    ops = [{f.field: f.op.value for f in o.intent.filters} for o in outcome.options if o.intent]
    assert ops == [{"genre": "!=", "membership": "="}, {"genre": "!=", "membership": "!="}]
    assert understood("fines excluding poetry with membership basic").decision is Decision.ANSWER
    assert understood("fines for poetry, basic").decision is Decision.ANSWER


def test_two_exclusions_of_one_dimension_are_offered_as_one() -> None:
    outcome = understood("fines excluding poetry excluding crime")
    assert [plan_json(o.intent)["filters"] for o in outcome.options if o.intent] == [
        [{"field": "genre", "op": "not in", "value": ["poetry", "crime"]}]
    ]


@pytest.mark.parametrize("day", ["2025-05-31", "June 1"])
def test_from_a_day_is_that_day_or_the_days_since(day: str) -> None:
    outcome = understood(f"loans from {day}")
    assert outcome.decision is Decision.CLARIFY
    assert len(outcome.options) == 2
    assert understood(f"loans on {day}").decision is Decision.ANSWER
    assert understood(f"loans since {day}").decision is Decision.ANSWER
