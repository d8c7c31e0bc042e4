"""Other meanings of words, and parts of earlier turns, are offered only as questions that mean exactly that."""

from __future__ import annotations

from dataclasses import replace

import pytest

from catalog.access import AccessScope
from catalog.query import MetricIntent
from catalog.terms import build_index
from catalog.types import CatalogSnapshot
from dataagent.answering.rewording import Asked, inherited_parts, word_choices
from dataagent.intent.types import Decision, Turn, Understanding
from dataagent.intent.understand import understand
from dataagent.intent.words import phrase_of
from tests.intent.library import READERS, SCOPE, SNAPSHOT, TODAY


class Reader:
    """Understands as one scope does in one catalog, and counts how often."""

    def __init__(self, scope: AccessScope = SCOPE, snapshot: CatalogSnapshot = SNAPSHOT) -> None:
        self.scope, self.snapshot, self.asked = scope, snapshot, 0
        self.index = build_index(snapshot, scope, {})

    def __call__(self, text: str, turns: tuple[Turn, ...] = ()) -> Understanding:
        self.asked += 1
        return understand(
            text, snapshot=self.snapshot, scope=self.scope, index=self.index, today=TODAY, turns=turns,
            denied_metrics=frozenset(),
        )  # fmt: skip

    def of(self, *questions: str) -> Asked:
        turns: tuple[Turn, ...] = ()
        for i, text in enumerate(questions[:-1]):
            turns = (*turns, Turn(question=text, intent=self(text, turns).intent, id=f"run-{i}"))
        found = self(questions[-1], turns)
        assert found.decision is Decision.ANSWER, found
        assert found.intent is not None
        return Asked(
            question=questions[-1],
            intent=found.intent,
            certificate=found.certificate,
            turns=turns,
            snapshot=self.snapshot,
            scope=self.scope,
            index=self.index,
            words=lambda intent: phrase_of(intent, self.snapshot),
            understands=self,
            in_context=lambda text: self(text, turns),
        )


def plan(reader: Reader, text: str) -> MetricIntent:
    found = reader(text)
    assert found.decision is Decision.ANSWER, text
    assert found.intent is not None
    return found.intent


def test_a_metric_a_dimension_and_a_period_have_others_that_are_alike() -> None:
    asked = Reader().of("late loans by loan channel last month")
    offered = {(asked.question[c.start : c.end], c.label) for c in word_choices(asked)}
    assert ("late loans", "loans") in offered
    assert ("late loans", "late rate") in offered
    assert ("loan channel", "reader channel") in offered
    assert ("last month", "1 Jun 2025 to 30 Jun 2025") in offered


def test_each_choice_changes_that_part_of_the_plan_alone() -> None:
    reader = Reader()
    asked = reader.of("loans by loan channel last month")
    for choice in word_choices(asked):
        other = plan(reader, choice.question)
        mine, theirs = asked.intent, other
        changed = [
            f for f in ("metrics", "dimensions", "time_range", "filters") if getattr(mine, f) != getattr(theirs, f)
        ]
        assert len(changed) == 1, choice


def test_a_member_of_two_dimensions_can_be_looked_for_in_the_other() -> None:
    channel = replace(READERS.dimensions[5], values=("poster", "desk"))
    readers = replace(READERS, dimensions=(*READERS.dimensions[:5], channel, *READERS.dimensions[6:]))
    models = tuple(readers if m.name == "readers" else m for m in SNAPSHOT.models)
    reader = Reader(snapshot=replace(SNAPSHOT, models=models))
    asked = reader.of("loans for desk last month")
    (choice,) = [c for c in word_choices(asked) if asked.question[c.start : c.end] == "desk"]
    assert choice.label == "reader channel desk"
    assert [f.field for f in plan(reader, choice.question).filters] == ["reader_channel"]


def test_after_an_earlier_turn_a_choice_is_a_question_of_its_own() -> None:
    reader = Reader()
    asked = reader.of("loans last month", "by loan channel")
    choices = word_choices(asked)
    assert choices
    for choice in choices:
        again = plan(reader, choice.question)
        assert (again.metrics, again.time_range and again.time_range.start) == (
            ("loans",), asked.intent.time_range and asked.intent.time_range.start,
        )  # fmt: skip


def test_what_an_earlier_turn_said_is_told_with_that_turn_and_can_be_left_out() -> None:
    reader = Reader()
    asked = reader.of("loans last month", "only genre crime", "by loan channel")
    parts = {p.label: p for p in inherited_parts(asked)}
    assert {(label, p.turn, p.run_id) for label, p in parts.items()} == {
        ("Loans", "loans last month", "run-0"),
        ("genre is crime", "only genre crime", "run-1"),
        ("1 May 2025 to 31 May 2025", "loans last month", "run-0"),
    }
    assert parts["Loans"].question == ""
    without = plan(reader, parts["genre is crime"].question)
    assert (without.filters, without.dimensions) == ((), ("loan_channel",))
    assert plan(reader, parts["1 May 2025 to 31 May 2025"].question).filters == asked.intent.filters


@pytest.mark.parametrize(
    ("last", "label"),
    [
        ("loans by genre this year", "by genre"),
        ("fines this year by genre", "1 Jan 2025 to 31 Dec 2025"),
        ("loans by genre last month", "Loans"),
    ],
)
def test_what_the_question_says_itself_is_not_told_as_inherited(last: str, label: str) -> None:
    asked = Reader().of("loans by genre last month", last)
    assert label not in {p.label for p in inherited_parts(asked)}


def test_a_first_question_inherits_nothing() -> None:
    assert inherited_parts(Reader().of("loans last month")) == ()


@pytest.mark.parametrize("hidden", ["late_rate", "late_loans"])
def test_a_hidden_metric_is_offered_to_nobody_and_changes_nothing_else(hidden: str) -> None:
    blind = Reader(replace(SCOPE, metrics=SCOPE.metrics - {hidden}))
    without = Reader(
        replace(SCOPE, metrics=SCOPE.metrics - {hidden}),
        replace(SNAPSHOT, metrics=tuple(m for m in SNAPSHOT.metrics if m.name not in {hidden, "late_rate"})),
    )
    seen, absent = blind.of("loans by genre last month"), without.of("loans by genre last month")
    labels = [c.label for c in word_choices(seen)]
    assert hidden.replace("_", " ") not in labels
    assert labels == [c.label for c in word_choices(absent)]


def test_few_questions_are_tried_for_a_word() -> None:
    reader = Reader()
    asked = reader.of("loans by loan channel last month")
    before = reader.asked
    word_choices(asked)
    assert reader.asked - before <= 6 * 3
