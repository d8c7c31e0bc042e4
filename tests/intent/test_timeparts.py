"""Questions by what comes back in time, by hours, and by the company's own periods."""

from __future__ import annotations

from dataclasses import replace

import pytest

from catalog.terms import build_index
from catalog.types import SemanticModel, TimeGranularity, TimeSpine
from dataagent.intent.planjson import plan_json
from dataagent.intent.types import Decision, Understanding
from dataagent.intent.understand import understand
from tests.intent.library import SCOPE, SNAPSHOT, TODAY, understood


def grain(outcome: Understanding) -> object:
    assert outcome.intent is not None, outcome
    return plan_json(outcome.intent)["grain"]


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("loans by day of the week", "day_of_week"),
        ("loans by weekday last month", "day_of_week"),
        ("fines by month of the year", "month_of_year"),
        ("fines by month across years", "month_of_year"),
        ("loans by quarter of the year in 2024", "quarter_of_year"),
        ("loans by day of the month", "day_of_month"),
        ("loans by fiscal quarter", "fiscal_quarter"),
        ("which weekday has the most loans", "day_of_week"),
        ("top 3 weekdays by loans in 2024", "day_of_week"),
        ("loans by weekday and genre", "day_of_week"),
    ],
)
def test_what_comes_back_in_time_is_something_to_group_by(question: str, part: str) -> None:
    outcome = understood(question)
    assert outcome.decision is Decision.ANSWER, outcome
    assert grain(outcome) == part


def test_a_follow_up_takes_the_place_of_a_weekday() -> None:
    outcome = understood("by genre instead", turns=("loans by weekday in May",))
    assert outcome.intent is not None
    assert plan_json(outcome.intent)["dimensions"] == ["genre"]


def test_a_level_has_no_weekday() -> None:
    outcome = understood("shelf stock by weekday")
    assert outcome.decision is Decision.ABSTAIN
    assert outcome.limitation is not None
    assert "day of the week" in outcome.limitation.message


@pytest.mark.parametrize(
    "question",
    ["loans by hour yesterday", "hourly loans yesterday", "loans by hour of the day", "loans by time of day"],
)
def test_hours_need_a_time_that_is_kept_by_hours(question: str) -> None:
    assert asked(question, TimeGranularity.HOUR).decision is Decision.ANSWER
    by_day = asked(question, TimeGranularity.DAY)
    assert by_day.decision is Decision.ABSTAIN
    assert by_day.limitation is not None
    assert "kept by day" in by_day.limitation.message


def asked(question: str, kept: TimeGranularity) -> Understanding:
    """The question on the library with all its times kept so finely, and tables behind it."""

    def timed(model: SemanticModel) -> SemanticModel:
        return replace(
            model,
            dimensions=tuple(replace(d, granularity=kept) if d.type == "time" else d for d in model.dimensions),
        )

    snapshot = replace(SNAPSHOT, models=tuple(timed(m) for m in SNAPSHOT.models))
    index = build_index(snapshot, SCOPE, {})
    scope = replace(SCOPE, without_warehouse=False)
    return understand(question, snapshot=snapshot, scope=scope, index=index, today=TODAY)


def test_a_period_of_a_spine_is_named_by_its_own_word() -> None:
    spine = TimeSpine(
        table="lib.days", column="day", granularity=TimeGranularity.DAY, custom=(("school_term", "term_no"),)
    )
    snapshot = replace(SNAPSHOT, time_spines=(spine,))
    index = build_index(snapshot, SCOPE, {})
    outcome = understand("loans by school term", snapshot=snapshot, scope=SCOPE, index=index, today=TODAY)
    assert grain(outcome) == "school_term"
    assert understood("loans by school term").decision is Decision.ABSTAIN
