"""Words that are cut off, and misspelt ones, are mended only towards one plan, and the mending is told."""

from __future__ import annotations

import pytest

from dataagent.intent.types import Decision
from tests.intent.library import understood


@pytest.mark.parametrize(
    ("question", "metric", "note"),
    [
        ("late rat by genre last month", "late_rate", "short for rate"),
        ("loans by loan chan last month", "loans", "short for channel"),
        ("lons by genre last month", "loans", "typo of loans"),
    ],
)
def test_a_cut_off_word_beside_its_name_is_read_and_told(question: str, metric: str, note: str) -> None:
    found = understood(question)
    assert found.decision is Decision.ANSWER
    assert found.intent is not None
    assert found.intent.metrics == (metric,)
    assert note in {binding.note for binding in found.certificate}


@pytest.mark.parametrize("question", ["loans by gxy last month", "late xat by genre", "lo by genre last month"])
def test_what_no_name_begins_with_is_not_read(question: str) -> None:
    assert understood(question).decision is not Decision.ANSWER


def test_an_english_word_alone_is_never_lengthened() -> None:
    assert understood("loans by boo last month").decision is not Decision.ANSWER


@pytest.mark.parametrize("lead", ["last", "this", "previous", "past"])
def test_a_month_is_no_misspelt_day(lead: str) -> None:
    found = understood(f"loans {lead} May")
    assert found.decision is not Decision.ANSWER or (
        found.intent is not None and found.intent.time_range is not None and "05" in found.intent.time_range.expr
    )
