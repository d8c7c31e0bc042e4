"""Shares: over what they are taken, what their whole is, and what a follow-up does to them."""

from __future__ import annotations

import pytest

from dataagent.intent.planjson import plan_json
from dataagent.intent.typefilter.shares import SHARE_WHOLE
from dataagent.intent.types import Decision
from tests.intent.library import understood

GENRE = [{"type": "share_of_total", "over": "genre"}]


def plan(question: str, *earlier: str) -> dict[str, object]:
    found = understood(question, turns=earlier)
    assert found.decision is Decision.ANSWER, found
    assert found.intent is not None
    return plan_json(found.intent)


@pytest.mark.parametrize(
    ("question", "over", "grouped"),
    [
        ("share of loans by genre last month", "genre", ["genre"]),
        ("loans by genre as a share of the total last month", "genre", ["genre"]),
        ("share of loans from poetry last month", "genre", []),
        ("loans by month in 2024 as a share of total", "metric_time", []),
        ("share of loans by month in 2024", "metric_time", []),
        ("share of loans from poetry by month in 2024", "genre", []),
    ],
)
def test_a_share_is_over_one_thing(question: str, over: str, grouped: list[str]) -> None:
    written = plan(question)
    assert (written["transform"], written["dimensions"]) == ([{"type": "share_of_total", "over": over}], grouped)


def test_a_share_over_a_word_of_two_meanings_is_asked_back() -> None:
    found = understood("share of loans by channel last month")
    assert found.decision is Decision.CLARIFY
    overs = [plan_json(o.intent)["transform"] for o in found.options if o.intent is not None]
    assert [[t["over"] for t in made] for made in overs] == [["loan_channel"], ["reader_channel"]]


def test_a_whole_without_what_is_left_out_is_told_and_can_be_changed() -> None:
    found = understood("share of loans by genre without poetry last month")
    assert found.intent is not None
    (told,) = [d for d in found.intent.defaults_used if d.key == SHARE_WHOLE]
    assert told.text.startswith("The whole of the share leaves out what the question leaves out: ")
    written = plan("share of all loans by genre without poetry last month")
    assert written["transform"] == [{"type": "share_of_total", "over": "genre", "whole": "all"}]
    assert plan("share of all loans by genre last month")["transform"] == GENRE


def test_of_all_stops_where_it_could_take_away_other_conditions() -> None:
    found = understood("share of all loans by genre without poetry with membership premium last month")
    assert found.decision is not Decision.ANSWER


def test_a_share_of_what_is_not_a_member_stops() -> None:
    assert understood("as a share", turns=("loans without poetry last month",)).decision is Decision.ABSTAIN


def test_a_share_and_a_running_total_do_not_mix() -> None:
    found = understood("as a share", turns=("running total of loans by month in 2024",))
    assert found.decision is Decision.ABSTAIN


def test_another_grouping_takes_the_share_with_it() -> None:
    earlier = "share of loans by genre last month"
    written = plan("by month instead", "share of loans by genre in 2024")
    assert (written["grain"], written["transform"]) == ("month", GENRE)
    assert plan("without poetry", earlier)["transform"] == GENRE
    assert plan("only poetry", earlier)["transform"] == GENRE
    assert plan("top 3 only", earlier)["transform"] == GENRE


def test_another_member_of_the_same_kind_takes_the_place_of_the_first() -> None:
    written = plan("what about crime", "what percentage of loans came from poetry last month")
    assert written["transform"] == GENRE
    assert written["filters"] == [{"field": "genre", "op": "=", "value": "crime"}]


def test_a_member_of_another_kind_is_the_new_part_or_a_condition() -> None:
    found = understood("what about premium", turns=("what percentage of loans came from poetry last month",))
    assert found.decision is Decision.CLARIFY
    plans = [plan_json(o.intent) for o in found.options if o.intent is not None]
    assert [p["transform"][0]["over"] for p in plans] == ["membership", "genre"]
    assert [sorted(f["field"] for f in p["filters"]) for p in plans] == [["membership"], ["genre", "membership"]]
