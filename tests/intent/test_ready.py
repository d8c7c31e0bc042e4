"""A large vocabulary: nothing is built at the first question, and look-alikes are still offered."""

from __future__ import annotations

from datetime import date

import pytest

from catalog import terms
from catalog.terms import build_index
from catalog.types import CatalogSnapshot
from dataagent.intent import partial, typos, view
from dataagent.intent.ready import make_ready
from dataagent.intent.types import Decision
from dataagent.intent.understand import understand
from dataagent.management.large_vocabulary import Spoken, everyone, long_member, members, vocabulary, word

SIZE = Spoken(facts=30, subjects=8, of_subject=3, members=9_000)
TABLES = (typos._names, partial._metric_surfaces, view._event_stems, view._stems)


@pytest.fixture(scope="module")
def large() -> CatalogSnapshot:
    return vocabulary(SIZE)


def decision(question: str, snapshot: CatalogSnapshot) -> Decision:
    scope = everyone(snapshot)
    index = build_index(snapshot, scope, members(SIZE))
    return understand(question, snapshot=snapshot, scope=scope, index=index, today=date(2025, 6, 18)).decision


def test_the_first_question_builds_no_table_of_the_catalog(large: CatalogSnapshot) -> None:
    make_ready(large, everyone(large))
    built = [table.cache_info().misses for table in TABLES]
    decision(f"{word(1_000)} revenue for Nobody Knowsthis last month", large)
    assert [table.cache_info().misses for table in TABLES] == built


def test_a_member_of_thousands_is_bound_and_one_that_is_not_there_stops(large: CatalogSnapshot) -> None:
    metric = f"{word(1_000)} revenue"
    assert decision(f"{metric} for {long_member(2, 7)} last month", large) is Decision.ANSWER
    assert decision(f"{metric} for {word(299_000)} {word(299_001)} last month", large) is Decision.ABSTAIN


def test_a_member_that_looks_alike_is_offered_among_very_many(large: CatalogSnapshot) -> None:
    index = build_index(large, everyone(large), members(SIZE))
    member = long_member(2, 7)
    assert index.near(f"{member.lower()}x")[0].values == (member,)


def test_of_very_many_names_those_that_begin_alike_are_offered(
    large: CatalogSnapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = build_index(large, everyone(large), {})
    whole = [t.target for t in index.near(f"{word(1_003)} revenu", 1)]
    monkeypatch.setattr(terms, "_ALL_COMPARED", 20)
    assert [t.target for t in build_index(large, everyone(large), {}).near(f"{word(1_003)} revenu", 1)] == whole
    assert whole == [f"{word(1_003)}_revenue"]
