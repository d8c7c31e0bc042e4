"""Completing a question: names that begin so, what fits the place first, nothing that the asker may not use."""

from __future__ import annotations

from dataclasses import replace

import pytest

from catalog.access import AccessScope
from catalog.terms import build_index
from dataagent.intent.completion import Completion, CompletionKind, completions
from tests.intent.library import SCOPE, SNAPSHOT, TODAY


def going_on(text: str, scope: AccessScope = SCOPE) -> tuple[Completion, ...]:
    index = build_index(SNAPSHOT, scope, {})
    return completions(text, snapshot=SNAPSHOT, index=index, today=TODAY)


def words(text: str, scope: AccessScope = SCOPE) -> list[str]:
    return [c.words for c in going_on(text, scope)]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("lo", "loans"),
        ("late", "late rate"),
        ("loans by g", "genre"),
        ("loans by mo", "month"),
        ("loans in Ly", "Lyon"),
        ("loans in Lyon la", "last week"),
        ("loans la", "last week"),
        ("loans of the k", "The Kiosk"),
    ],
)
def test_what_fits_the_place_comes_first(text: str, first: str) -> None:
    assert words(text)[0] == first


def test_a_completion_is_the_whole_question() -> None:
    assert going_on("loans in Ly")[0] == Completion(
        question="loans in Lyon", words="Lyon", kind=CompletionKind.VALUE, detail="branch city"
    )


def test_after_by_come_the_dimensions_that_divide_the_metric() -> None:
    assert "genre" in words("loans by ")
    assert words("nonsense by ") == []


@pytest.mark.parametrize("text", ["", "   ", "qqq", "loans in Zzz", 'loans of "The K'])
def test_nothing_is_offered_where_nothing_fits(text: str) -> None:
    assert words(text) == []


def test_at_most_the_limit_and_no_line_twice() -> None:
    found = going_on("l")
    assert len(found) <= 8
    assert len({(c.kind, c.words) for c in found}) == len(found)


def test_a_hidden_metric_is_like_one_that_does_not_exist() -> None:
    blind = replace(SCOPE, digest="blind", metrics=SCOPE.metrics - {"fines"})
    without = replace(SNAPSHOT, metrics=tuple(m for m in SNAPSHOT.metrics if m.name != "fines"))
    index = build_index(without, SCOPE, {})
    for text in ("f", "fi", "fines by ", "loans and fi"):
        absent = completions(text, snapshot=without, index=index, today=TODAY)
        assert going_on(text, blind) == absent
