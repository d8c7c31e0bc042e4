"""Which words of a question are kept as open, and what they could mean."""

from __future__ import annotations

import pytest

from dataagent.intent.types import Decision, Limitation, Understanding
from dataagent.runs.openwords import Meaning, Openness, OpenWord, open_words
from tests.intent.library import understood


def stopped(code: str, *unbound: str) -> Understanding:
    limitation = Limitation(code=code, message="?", unbound=unbound)
    return Understanding(decision=Decision.ABSTAIN, limitation=limitation)


def test_a_word_with_several_meanings_comes_with_them() -> None:
    question = "Income by genre in May"
    (word,) = open_words(question, understood(question))
    metrics = tuple(Meaning(kind="metric", target=m) for m in ("fines", "average_fine"))
    assert word == OpenWord(surface="income", openness=Openness.ASKED, meanings=metrics)


def test_a_dimension_is_kept_with_the_metric_that_it_splits() -> None:
    question = "loans by channel in May"
    (word,) = open_words(question, understood(question))
    dimensions = tuple(Meaning(kind="dimension", target=d, metric="loans") for d in ("loan_channel", "reader_channel"))
    assert (word.surface, word.meanings) == ("channel", dimensions)


def test_a_word_that_the_catalog_does_not_know_is_unbound_even_where_something_is_offered() -> None:
    for question, word in (("check-outs by genre in May", "check outs"), ("zorblax", "zorblax")):
        (found,) = open_words(question, understood(question))
        assert (found.surface, found.openness) == (word, Openness.UNBOUND)


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("growth of loans in May", "the choice is a period"),
        ("loans in May", "it is answered"),
        ("delete all loans", "it is refused"),
        ("loans next year", "it is in the future"),
    ],
)
def test_what_is_no_matter_of_words_is_not_kept(question: str, about: str) -> None:
    assert all(not w.meanings for w in open_words(question, understood(question))), about


def test_only_words_that_could_be_taught_are_kept_and_only_so_many() -> None:
    long = "x" * 61
    said = ("12", long, "and", "tables; drop", *(f"word{n}" for n in range(12)))
    words = open_words(" ".join(said), stopped("unknown_term", *said))
    assert [w.surface for w in words] == [f"word{n}" for n in range(8)]
    assert open_words("zorblax", stopped("unsupported", "zorblax")) == ()
    assert open_words("loans", stopped("unknown_term", "zorblax")) == (), "only what the question says"
