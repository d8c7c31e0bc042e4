"""The words that questions left open, and what owners teach: from the log to an answer, and back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from catalog import service as catalog
from catalog.query import MetricIntent
from contextcards.types import EvidenceBundle
from dataagent.accounts import service as accounts
from dataagent.answering.types import Answer
from dataagent.intent.types import Decision, Limitation, Option, Understanding
from dataagent.runs.ports import Outcome
from dataagent.runs.service.working import claim_and_work
from dataagent.runs.types import Ask, RunState
from tests.api.conftest import Caller
from tests.api.test_pages_twin import TURNOVER, good, problem
from tests.runs.people import FakeWorld, answered

Cast = Callable[..., Caller]


def stopped(ask: Ask) -> Outcome:
    """Stops at the first word."""
    limitation = Limitation(code="unknown_term", message="?", unbound=(ask.question.split()[0],))
    return Outcome(
        state=RunState.ABSTAINED,
        reason="not_understood",
        answer=Answer(question=ask.question, decision=Decision.ABSTAIN, headline="?", limitation=limitation),
        understanding=Understanding(decision=Decision.ABSTAIN, limitation=limitation),
        evidence=EvidenceBundle(considered=()),
    )


def asked_back(ask: Ask) -> Outcome:
    """Asks what the first word means, until a choice is there."""
    if ask.choice is not None:
        return answered(ask)
    names = ("shop_amount", "margin")
    options = tuple(Option(label=n, question=n, intent=MetricIntent(metrics=(n,))) for n in names)
    return Outcome(
        state=RunState.WAITING_FOR_PERSON,
        reason="clarification",
        answer=Answer(question=ask.question, decision=Decision.CLARIFY, headline="Which?", options=options),
        understanding=Understanding(
            decision=Decision.CLARIFY, prompt="Which?", options=options, about=ask.question.split()[0]
        ),
        evidence=EvidenceBundle(considered=()),
    )


def ask(caller: Caller, question: str, how: Callable[[Ask], Outcome] = stopped, choice: int | None = None) -> None:
    started = good(caller.post("runs", {"question": question, "today": "2025-06-18"}), 202)
    claim_and_work("w", FakeWorld(outcome=how).machine())
    if choice is not None:
        caller.post(f"runs/{started['run_id']}/choose", {"option": choice})
        claim_and_work("w", FakeWorld(outcome=how).machine())


def test_a_word_that_is_not_known_is_logged_taught_and_taken_back(cast: Cast) -> None:
    analyst, curator = cast("analyst"), cast("curator")
    for question in ("turnover by region", "Turnover", "churnings"):
        ask(analyst, question)
    ask(curator, "turnover")
    log = good(curator.get("words/open"))
    assert [(w["word"], w["openness"], w["questions"], w["people"]) for w in log] == [
        ("turnover", "unbound", 3, 2),
        ("churnings", "unbound", 1, 1),
    ]
    made = good(curator.post("words/propose", TURNOVER), 201)
    assert made["sentence"] == "“turnover” is another word for Shop amount."
    own, *others = made["effects"]
    assert (own["question"], own["before"], own["after"]) == ("turnover", "abstain", "answer")
    assert {(e["question"], e["restatement"]) for e in others} == {("", "")}, "only its asker may read a question"
    assert [p["id"] for p in good(curator.get("words/proposals"))] == [made["id"]]
    assert good(curator.get("words/proposals?state=published")) == []

    assert good(curator.post(f"words/proposals/{made['id']}/publish"))["state"] == "published"
    assert [w["word"] for w in good(curator.get("words/open"))] == ["churnings"]
    assert good(analyst.get("catalog/metrics/shop_amount"))["synonyms"] == ["turnover"]
    assert problem(curator.post(f"words/proposals/{made['id']}/publish")) == (409, "conflict")

    assert good(curator.post(f"words/proposals/{made['id']}/withdraw", {"reason": "Too loose"}))["state"] == "withdrawn"
    assert good(analyst.get("catalog/metrics/shop_amount"))["synonyms"] == []
    assert "turnover" in [w["word"] for w in good(curator.get("words/open"))]


def test_a_word_with_several_meanings_shows_which_were_taken_as_far_as_the_reader_may_see(cast: Cast) -> None:
    analyst, curator = cast("analyst"), cast("curator")
    for choice in (1, 2, 2):
        ask(analyst, "revenue in May", asked_back, choice)
    (word,) = good(curator.get("words/open"))
    assert (word["word"], word["openness"], word["questions"]) == ("revenue", "asked", 3)
    assert [(m["change"]["target"], m["taken"]) for m in word["meanings"]] == [("margin", 2), ("shop_amount", 1)]

    narrow = cast("narrow_curator", roles=("analyst", "words_only"))
    (seen,) = good(narrow.get("words/open"))
    assert [m["change"]["target"] for m in seen["meanings"]] == ["shop_amount"]
    assert "margin" not in narrow.get("words/open").content.decode()


def test_a_word_that_means_only_what_is_hidden_is_not_in_the_log(cast: Cast) -> None:
    def hidden(ask: Ask) -> Outcome:
        outcome = asked_back(ask)
        names = ("margin", "margin_pct")
        options = tuple(Option(label=n, question=n, intent=MetricIntent(metrics=(n,))) for n in names)
        understood = Understanding(decision=Decision.CLARIFY, prompt="?", options=options, about="margin")
        return Outcome(
            state=outcome.state,
            reason=outcome.reason,
            answer=outcome.answer,
            understanding=understood,
            evidence=EvidenceBundle(considered=()),
        )

    ask(cast("curator"), "margin", hidden)
    assert good(cast("narrow_curator", roles=("analyst", "words_only")).get("words/open")) == []


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "synonym", "target_kind": "metric", "target": "NAME"},
        {"kind": "default", "target_kind": "metric", "target": "NAME"},
    ],
)
def test_a_hidden_target_fails_like_an_absent_one(cast: Cast, change: dict[str, str]) -> None:
    narrow = cast("narrow_curator", roles=("analyst", "words_only"))
    hidden, absent = (
        narrow.post("words/propose", {**change, "word": "earnings", "target": name}) for name in ("margin", "nothing")
    )
    assert problem(hidden) == (404, "not_found")
    assert hidden.content == absent.content


def test_a_proposal_about_something_hidden_looks_absent(cast: Cast) -> None:
    made = good(cast("curator").post("words/propose", {**TURNOVER, "word": "earnings", "target": "margin"}), 201)
    narrow = cast("narrow_curator", roles=("analyst", "words_only"))
    assert good(narrow.get("words/proposals")) == []
    for path in (f"words/proposals/{made['id']}", "words/proposals/999999"):
        assert problem(narrow.get(path)) == (404, "not_found")
    assert problem(narrow.post(f"words/proposals/{made['id']}/publish")) == (404, "not_found")
    assert problem(cast("curator", workspace="other").get(f"words/proposals/{made['id']}")) == (404, "not_found")


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("orders", "is a word for"),
        ("last week", "read as a period"),
        ("top", "questions use for themselves"),
        ("growing", "questions use for themselves"),
        ("!!", "at least one letter"),
    ],
)
def test_a_word_that_is_not_free_is_refused(cast: Cast, word: str, sentence: str) -> None:
    refused = cast("curator").post("words/propose", {**TURNOVER, "word": word})
    assert problem(refused) == (422, "invalid_input")
    assert sentence in refused.json()["title"] + refused.json().get("detail", "")


def test_what_a_text_can_mean_is_found_in_the_catalogs_words(cast: Cast) -> None:
    curator = cast("curator")
    found = good(curator.get("words/meant?word=turnover&means=shop+amount"))
    assert [(c["target_kind"], c["target"], c["word"]) for c in found] == [("metric", "shop_amount", "turnover")]
    assert good(cast("analyst", roles=("analyst", "words_only")).get("words/meant?word=x&means=zzzz")) == []


def test_words_outlive_the_next_catalog_of_the_engineers(cast: Cast, tmp_path: Path) -> None:
    curator = cast("curator")
    made = good(curator.post("words/propose", TURNOVER), 201)
    good(curator.post(f"words/proposals/{made['id']}/publish"))
    place = accounts.workspace("shop")
    assert place is not None
    file = tmp_path / "shop" / "catalog.yaml"
    written = file.read_text(encoding="utf-8")
    file.write_text(written.replace("label: Orders", "label: All orders"), encoding="utf-8")
    taught = catalog.publish_folder(place.id, file.parent)
    assert _synonyms(taught, "shop_amount") == ("turnover",)
    assert catalog.publish_folder(place.id, file.parent).digest == taught.digest

    file.write_text(written.replace("label: Orders", "label: Orders, synonyms: [turnover]"), encoding="utf-8")
    both = catalog.publish_folder(place.id, file.parent)
    assert _synonyms(both, "shop_amount") == ("turnover",), "two meanings are asked about, and the lint says so"

    file.write_text(written.replace("shop_amount", "shop_value"), encoding="utf-8")
    assert "turnover" not in str(catalog.publish_folder(place.id, file.parent).metrics)
    assert problem(curator.get(f"words/proposals/{made['id']}")) == (404, "not_found")


def _synonyms(snapshot: Any, metric: str) -> tuple[str, ...]:
    return next(m.synonyms for m in snapshot.metrics if m.name == metric)
