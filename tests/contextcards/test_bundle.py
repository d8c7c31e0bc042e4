"""Assembling, ranking, chunking and hiding, without a database."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from contextcards.assemble import Budget, assemble
from contextcards.candidates import card_candidates
from contextcards.chunk import passages_of
from contextcards.contracts import contract_evidence, event_evidence, metrics_of, tables_of
from contextcards.papers import document_of
from contextcards.rank import AUTHORITY_FOR, Match, relevance
from contextcards.slots import clean_text, diff_lines, edit_problem
from contextcards.types import (
    Authority,
    CardError,
    ClaimKind,
    ContextCard,
    DiffKind,
    Disposition,
    Document,
    Evidence,
    Fact,
    SourceType,
)
from contextcards.visible import known_names, visible_card
from tests.contextcards.world import ANALYST, DATA, INTENT, OWNER, SEEN_AT, SNAPSHOT, TODAY, scope

METRICS = {m.name: m for m in SNAPSHOT.metrics}
CARD = ContextCard(
    table="warehouse.fct_orders",
    version=4,
    purpose="Orders.",
    grain="one row per order",
    keys=("order_id", "card_number"),
    columns=("order_id", "card_number"),
    similar_tables=("warehouse.orders_old", "warehouse.fct_margin"),
    caveats=("Refunds are elsewhere.", "See fct_margin for profit.", "card_number is stored as text."),
)
TWIN = ContextCard(
    table="warehouse.orders_old", version=1, purpose="Old.", grain="one row per order", status="deprecated"
)


def piece(name: str, **changes: object) -> Evidence:
    base = Evidence(
        id=name,
        type=SourceType.DOCUMENT,
        claim=ClaimKind.CAVEAT,
        authority=Authority.DOCUMENT,
        title=name,
        text="x" * 100,
        version="1",
        digest=name,
        pointer=name,
        why="",
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def test_authority_comes_before_relevance_and_relevance_before_the_name() -> None:
    weak_but_near = piece("a", relevance=0.9)
    strong = piece("z", authority=Authority.OWNER, relevance=0.1)
    far = piece("b", relevance=0.2)
    found = assemble((far, weak_but_near, strong), today=TODAY)
    assert [e.id for e in found.used()] == ["z", "a", "b"]


def test_a_contract_defines_and_a_live_check_tells_the_state() -> None:
    assert AUTHORITY_FOR[ClaimKind.METRIC_DEFINITION][0] is Authority.CONTRACT
    assert AUTHORITY_FOR[ClaimKind.DATA_STATE][0] is Authority.LIVE
    assert all(set(order) == set(Authority) for order in AUTHORITY_FOR.values())


@pytest.mark.parametrize(
    ("start", "end", "disposition"),
    [
        (None, None, Disposition.USED),
        (TODAY, TODAY, Disposition.USED),
        (date(2025, 6, 19), None, Disposition.REJECTED),
        (None, date(2025, 6, 17), Disposition.SUPERSEDED),
    ],
)
def test_only_what_is_in_force_today_is_used(start: date | None, end: date | None, disposition: Disposition) -> None:
    (found,) = assemble((piece("a", effective_from=start, effective_to=end),), today=TODAY).considered
    assert found.disposition is disposition
    assert bool(found.reason) is (disposition is not Disposition.USED)


def test_the_same_text_is_cited_once_from_its_strongest_source() -> None:
    found = assemble((piece("a", digest="d"), piece("b", digest="d", authority=Authority.OWNER)), today=TODAY)
    assert [(e.id, e.disposition) for e in found.considered] == [("b", Disposition.USED), ("a", Disposition.REJECTED)]


def test_what_does_not_fit_the_budget_is_kept_with_that_reason_and_room_stays_for_live_checks() -> None:
    pieces = tuple(piece(name, digest=name) for name in "abcd")
    found = assemble(pieces, today=TODAY, budget=Budget(characters=450, live_characters=150))
    assert [e.id for e in found.used()] == ["a", "b", "c"]
    assert found.considered[-1].reason == "It ranks below what fits the budget."


def test_a_good_meaning_beats_a_better_word_match() -> None:
    meant, worded = Match(words=0.0, cosine=0.8), Match(words=0.1, cosine=0.31)
    assert relevance(meant, 0.1) > relevance(worded, 0.1)
    assert relevance(Match(words=0.1, cosine=None), 0.1) > relevance(Match(words=0.05, cosine=None), 0.1) > 0


def test_a_card_says_nothing_of_hidden_tables_and_columns() -> None:
    tables = known_names((CARD, TWIN))
    seen = visible_card(CARD, ANALYST, tables)
    assert seen is not None
    assert "margin" not in repr(seen)
    assert "card_number" not in repr(seen)
    assert seen.caveats == ("Refunds are elsewhere.",)
    assert seen.similar_tables == ("warehouse.orders_old",)


def test_a_card_says_all_of_it_to_those_who_may_see_it() -> None:
    everything = scope(columns=frozenset({"order_id", "card_number"}))
    assert visible_card(CARD, everything, known_names((CARD, TWIN))) == CARD


def test_a_file_named_like_a_hidden_table_is_not_pointed_at() -> None:
    fact = Fact(
        slot="filters_upstream",
        text="Keeps rows where amount > 0",
        source=SourceType.PIPELINE_CODE,
        authority=Authority.CODE,
        pointer="models/fct_margin.sql:3",
        observed_at=SEEN_AT,
    )
    card = replace(CARD, facts=(fact,))
    seen = visible_card(card, ANALYST, known_names((card, TWIN)))
    assert seen is not None
    assert [(f.text, f.pointer) for f in seen.facts] == [(fact.text, "the pipeline's code")]


def test_another_tables_hidden_column_is_not_named_and_a_granted_one_is() -> None:
    people = ContextCard(
        table="warehouse.dim_customer", version=1, purpose="", grain="", columns=("tax_number", "created_at")
    )
    card = replace(CARD, caveats=("Joined by tax_number.", "Compare created_at."))
    seen = visible_card(card, ANALYST, known_names((card, people)))
    assert seen is not None
    assert seen.caveats == ("Compare created_at.",)


def test_a_hidden_tables_card_does_not_exist() -> None:
    assert visible_card(CARD, scope("warehouse.fct_orders"), frozenset()) is None


def test_a_deprecated_twin_is_rejected_with_its_reason() -> None:
    found = {e.id: e for e in card_candidates((CARD, TWIN), ("warehouse.fct_orders",))}
    twin = found["card:warehouse.orders_old"]
    assert twin.disposition is Disposition.REJECTED
    assert twin.reason == "warehouse.orders_old is deprecated; warehouse.fct_orders is used instead."
    assert found["card:warehouse.fct_orders"].disposition is Disposition.USED


def test_a_twin_of_another_grain_says_which() -> None:
    daily = replace(TWIN, status="canonical", grain="one row per day")
    reasons = [e.reason for e in card_candidates((CARD, daily), ("warehouse.fct_orders",)) if e.reason]
    assert reasons == ["warehouse.orders_old has another grain (one row per day); warehouse.fct_orders is used."]


def test_a_metric_contract_carries_its_definition_version_owner_and_caveats() -> None:
    found = contract_evidence(METRICS["orders"], SNAPSHOT, ANALYST)
    assert found.version == "3"
    assert found.text.splitlines() == [
        "Definition: Orders placed.",
        "Calculation: order_count",
        "Owner: Commerce data",
        "Caveat: A day is final the next morning.",
    ]


def test_a_formula_with_a_hidden_part_is_not_told() -> None:
    assert "amount" not in contract_evidence(METRICS["aov"], SNAPSHOT, ANALYST).text
    assert "Calculation: amount / orders" in contract_evidence(METRICS["aov"], SNAPSHOT, OWNER).text


def test_a_hidden_metric_brings_neither_contract_nor_table() -> None:
    asked = replace(INTENT, metrics=("margin",))
    assert metrics_of(asked, SNAPSHOT, ANALYST) == ()
    assert tables_of(asked, metrics_of(asked, SNAPSHOT, ANALYST), SNAPSHOT, ANALYST) == ()
    assert tables_of(asked, metrics_of(asked, SNAPSHOT, OWNER), SNAPSHOT, OWNER) == ("warehouse.fct_margin",)


def test_events_inside_the_window_are_evidence() -> None:
    assert [e.title for e in event_evidence(INTENT, SNAPSHOT)] == ["May sale"]
    assert event_evidence(replace(INTENT, time_range=None), SNAPSHOT) == ()


def test_passages_keep_every_word_in_order_and_stay_small() -> None:
    text = "# Title\n\nFirst part. " + "Another sentence here. " * 60 + "\n\n# Next\n\nLast."
    document = Document(name="d", title="D", text=text, owner="o", claim=ClaimKind.CAVEAT)
    found = passages_of(document, 300)
    assert [p.position for p in found] == list(range(len(found)))
    assert " ".join(p.text for p in found).split() == text.split()
    assert max(len(p.text) for p in found) <= 300 + len("# Title\n\n")
    assert found[-1].text == "# Next\n\nLast."


def test_a_document_file_is_read_and_a_wrong_one_named() -> None:
    found = document_of("docs/launch.md", (DATA / "docs" / "launch.md").read_text())
    assert (found.name, found.claim, found.effective_from) == ("launch", ClaimKind.EVENT, date(2025, 3, 1))
    with pytest.raises(CardError, match=r"docs/x\.md: owner: Field required"):
        document_of("docs/x.md", "---\ntitle: X\n---\ntext")
    with pytest.raises(CardError, match=r"docs/x\.md:1: a document starts with front matter"):
        document_of("docs/x.md", "text only")


def test_the_difference_is_told_line_by_line() -> None:
    found = diff_lines("one\ntwo\nthree", "one\n2\nthree\nfour")
    assert [(d.old, d.new, d.kind) for d in found] == [
        ("one", "one", DiffKind.SAME),
        ("two", "2", DiffKind.CHANGED),
        ("three", "three", DiffKind.SAME),
        ("", "four", DiffKind.ADDED),
    ]


@pytest.mark.parametrize(
    ("slot", "text", "fine"),
    [
        ("caveats", "Mind the gap.", True),
        ("caveats", "a\x00b", False),
        ("caveats", "x" * 5000, False),
        ("status", "deprecated", True),
        ("status", "gone", False),
        ("filters_upstream", "none", False),
        ("digest", "x", False),
    ],
)
def test_an_edit_fits_its_slot_or_says_why_not(slot: str, text: str, fine: bool) -> None:
    assert (edit_problem(slot, text) == "") is fine
    assert clean_text(" a \r\n\r\n b ") == "a\n b"
