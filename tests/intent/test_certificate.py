"""The certificate covers every word once, and every part of the plan has a source."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from dataagent.intent.types import BoundTo, Decision
from tests.intent.library import understood

_HEADS = ("loans", "fines", "late rate", "how many loans", "top 3 books by loans", "share of loans from poetry")
_PARTS = (
    "by genre",
    "in Lyon",
    "last month",
    "for crime",
    "not via the app",
    "by month",
    "with more than 3 loans",
    "please",
)
_NOISE = ("blue", "own", "only", "net", "sustainable", "still", "?", "the")

questions = st.tuples(
    st.sampled_from(_HEADS), st.lists(st.sampled_from(_PARTS), max_size=3), st.sampled_from((*_NOISE, "", "", ""))
).map(lambda t: " ".join((t[0], *t[1], t[2])).strip())


@given(questions)
@settings(max_examples=120, deadline=None)
def test_bindings_are_disjoint_ordered_and_cover_every_word(question: str) -> None:
    bindings = understood(question).certificate
    position = 0
    for binding in bindings:
        assert question[position : binding.start].strip() == ""
        assert question[binding.start : binding.end] == binding.text
        position = binding.end
    assert question[position:].strip() == ""


@given(questions)
@settings(max_examples=120, deadline=None)
def test_an_answer_leaves_no_word_unbound(question: str) -> None:
    outcome = understood(question)
    if outcome.decision is Decision.ANSWER:
        assert all(b.kind is not BoundTo.UNBOUND for b in outcome.certificate)


def test_every_part_of_a_plan_has_a_word_or_a_default_behind_it() -> None:
    outcome = understood("top 3 books by loans for crime last month")
    assert outcome.intent is not None
    written = {path for b in outcome.certificate for path in b.paths}
    assert {"metrics", "dimensions", "order", "limit", "filters", "time_range"} <= written


def test_a_silent_period_is_disclosed_and_has_no_word() -> None:
    outcome = understood("loans by genre")
    assert outcome.intent is not None
    assert [d.key for d in outcome.intent.defaults_used] == ["time_range"]
    assert all("time_range" not in b.paths for b in outcome.certificate)
