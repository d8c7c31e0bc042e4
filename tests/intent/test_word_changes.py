"""What owners teach about words: applied, taken back, and what the planner then makes of a question."""

from __future__ import annotations

from dataclasses import replace

import pytest

from catalog.access import AccessScope
from catalog.terms import build_index
from catalog.types import CatalogSnapshot, TermDefault
from catalog.wordchanges import ChangeKind, TargetKind, UnfitChange, WordChange, changed, said, with_changes
from dataagent.intent.types import Decision, Understanding
from dataagent.intent.understand import understand
from tests.intent import library


def synonym(word: str, kind: TargetKind, target: str, member: str = "") -> WordChange:
    """Another word for a thing."""
    return WordChange(kind=ChangeKind.SYNONYM, word=word, target_kind=kind, target=target, member=member)


def default(word: str, kind: TargetKind, target: str, entity: str = "") -> WordChange:
    """One of a word's meanings."""
    return WordChange(kind=ChangeKind.DEFAULT, word=word, target_kind=kind, target=target, entity=entity)


def outcome(question: str, snapshot: CatalogSnapshot, scope: AccessScope = library.SCOPE) -> Understanding:
    """What the planner makes of the question under a catalog."""
    index = build_index(snapshot, scope, {})
    return understand(question, snapshot=snapshot, scope=scope, index=index, today=library.TODAY)


@pytest.mark.parametrize(
    ("question", "same_as", "change"),
    [
        ("check-outs by genre in May", "loans by genre in May", synonym("check-outs", TargetKind.METRIC, "loans")),
        ("a checkout by genre in May", "loans by genre in May", synonym("checkout", TargetKind.METRIC, "loans")),
        ("loans by subject in May", "loans by genre in May", synonym("subject", TargetKind.DIMENSION, "genre")),
        (
            "loans of whodunits in May",
            "loans of crime in May",
            synonym("whodunits", TargetKind.MEMBER, "genre", "crime"),
        ),
        ("number of patrons", "number of readers", synonym("patrons", TargetKind.ENTITY, "reader")),
    ],
)
def test_a_taught_word_is_read_as_what_it_stands_for(question: str, same_as: str, change: WordChange) -> None:
    assert outcome(question, library.SNAPSHOT).decision is not Decision.ANSWER
    taught = outcome(question.removeprefix("a "), changed(library.SNAPSHOT, change))
    assert taught.decision is Decision.ANSWER, taught.limitation
    assert taught.intent is not None
    meant = outcome(same_as, library.SNAPSHOT).intent
    assert meant is not None
    assert replace(taught.intent, defaults_used=()) == replace(meant, defaults_used=())


def test_a_word_with_several_meanings_takes_its_owners_and_says_so() -> None:
    assert outcome("income by genre in May", library.SNAPSHOT).decision is Decision.CLARIFY
    snapshot = changed(library.SNAPSHOT, default("income", TargetKind.METRIC, "fines"))
    taught = outcome("income by genre in May", snapshot)
    assert taught.intent is not None
    assert taught.intent.metrics == ("fines",)
    told = [d for d in taught.intent.defaults_used if d.key == "income"]
    assert [(d.value, d.alternatives) for d in told] == [("fines", ("average_fine",))]
    assert "as its owner declared" in told[0].text


def test_who_may_not_see_the_owners_meaning_is_asked_as_before() -> None:
    snapshot = changed(library.SNAPSHOT, default("income", TargetKind.METRIC, "fines"))
    blind = library.scope("budget", "fines")
    before, after = (outcome("income by genre in May", s, blind) for s in (library.SNAPSHOT, snapshot))
    assert before == after


def test_a_word_that_several_metrics_share_can_be_settled() -> None:
    shared = changed(
        changed(library.SNAPSHOT, synonym("takings", TargetKind.METRIC, "fines")),
        synonym("takings", TargetKind.METRIC, "average_fine"),
    )
    assert outcome("takings in May", shared).decision is Decision.CLARIFY
    settled = outcome("takings in May", changed(shared, default("takings", TargetKind.METRIC, "average_fine")))
    assert settled.intent is not None
    assert settled.intent.metrics == ("average_fine",)


def test_a_default_of_a_dimension_holds_for_the_metrics_of_its_entity() -> None:
    assert outcome("loans by channel in May", library.SNAPSHOT).decision is Decision.CLARIFY
    snapshot = changed(library.SNAPSHOT, default("channel", TargetKind.DIMENSION, "reader_channel", "loan"))
    taught = outcome("loans by channel in May", snapshot)
    assert taught.intent is not None
    assert taught.intent.dimensions == ("reader_channel",)
    assert outcome("channel", snapshot).decision is not Decision.ANSWER


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (synonym("total", TargetKind.METRIC, "loans"), "common word"),
        (synonym("show me the", TargetKind.METRIC, "loans"), "common word"),
        (synonym("42", TargetKind.METRIC, "loans"), "at least one letter"),
        (synonym("a b c d e f", TargetKind.METRIC, "loans"), "at most 5 parts"),
        (synonym("x; drop", TargetKind.METRIC, "loans"), "letters, digits"),
        (synonym("borrowing", TargetKind.METRIC, "loans"), "already"),
        (synonym("checkouts", TargetKind.METRIC, "checkouts"), "There is no metric"),
        (synonym("whodunits", TargetKind.DIMENSION, "genres"), "There is no dimension"),
        (synonym("Jane", TargetKind.MEMBER, "reader_name", "J. Doe"), "not named in questions"),
        (default("borrowings", TargetKind.METRIC, "loans"), "make it a synonym"),
        (default("city", TargetKind.DIMENSION, "branch_city", "loan"), "already"),
        (default("income", TargetKind.METRIC, "loans"), "make it a synonym"),
        (default("income", TargetKind.MEMBER, "genre"), "A default is"),
    ],
)
def test_what_cannot_be_taught_is_refused_with_a_sentence(change: WordChange, sentence: str) -> None:
    with pytest.raises(UnfitChange, match=sentence):
        changed(library.SNAPSHOT, change)


def test_a_change_that_no_longer_fits_is_left_out_and_named() -> None:
    fits, gone = synonym("subject", TargetKind.DIMENSION, "genre"), synonym("x-loans", TargetKind.METRIC, "gone")
    taught, left = with_changes(library.SNAPSHOT, (gone, fits))
    assert taught == changed(library.SNAPSHOT, fits)
    assert [change for change, _ in left] == [gone]
    assert with_changes(library.SNAPSHOT, ())[0] is library.SNAPSHOT


def test_a_newer_default_of_the_same_word_takes_the_place_of_the_older() -> None:
    first = changed(library.SNAPSHOT, default("income", TargetKind.METRIC, "fines"))
    second = changed(first, default("income", TargetKind.METRIC, "average_fine"))
    assert [d for d in second.term_defaults if d.metric] == [TermDefault(term="income", metric="average_fine")]


def test_a_change_is_said_in_words() -> None:
    text = said(synonym("whodunits", TargetKind.MEMBER, "genre", "crime"), library.SNAPSHOT)
    assert text == "“whodunits” is another word for crime (genre)."
    told = said(default("channel", TargetKind.DIMENSION, "reader_channel", "loan"), library.SNAPSHOT)
    assert told == "“channel” means Reader channel where loan figures are asked for, and every answer says so."
