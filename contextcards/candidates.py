"""Cards, pipeline facts and documents as candidates for a bundle.  Pure; only permitted things come in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from catalog.types import Status
from contextcards.digests import text_digest
from contextcards.rank import Match, relevance
from contextcards.slots import table_named
from contextcards.types import (
    Authority,
    ClaimKind,
    ContextCard,
    Disposition,
    Document,
    Evidence,
    Fact,
    SourceType,
)

RELEVANT = 0.2
"""Relevance under which a document is about something else and is no candidate."""
CITED = 0.35
"""Relevance from which a document is cited that is about none of the tables read; below it is only considered."""


def card_candidates(cards: tuple[ContextCard, ...], tables: tuple[str, ...]) -> Iterator[Evidence]:
    """Cards of the tables that are read, their pipeline facts, and their twins as rejected ones."""
    by_table = {card.table: card for card in cards}
    read = [by_table[t] for t in tables if t in by_table]
    for card in read:
        yield card_evidence(card, why="The question reads this table.", relevance=0.9)
        yield from _code_facts(card)
    for twin, of in _twins(read, cards):
        yield card_evidence(twin, why=f"It looks like {of.table}.", relevance=0.4, rejected=_twin_reason(twin, of))


def card_evidence(card: ContextCard, *, why: str, relevance: float, rejected: str = "") -> Evidence:
    """A card as evidence; `rejected` is the reason why it is not used, if it is not."""
    text = "\n".join(card_lines(card))
    return Evidence(
        id=f"card:{card.table}",
        type=SourceType.CARD,
        claim=ClaimKind.TABLE_MEANING,
        authority=Authority.OWNER,
        title=f"Card of {card.table}",
        text=text,
        version=str(card.version),
        digest=text_digest(card.table, text),
        pointer=f"card {card.table} version {card.version}",
        why=why,
        relevance=relevance,
        disposition=Disposition.REJECTED if rejected else Disposition.USED,
        reason=rejected,
    )


def card_lines(card: ContextCard) -> Iterator[str]:
    """A card as lines of text, empty slots left out."""
    single = {
        "Purpose": card.purpose,
        "One row": card.grain,
        "Population": card.population,
        "Freshness": card.freshness,
        "Status": card.status,
        "Owner": card.owner,
        "Keys": ", ".join(card.keys),
        "Similar tables": ", ".join(card.similar_tables),
    }
    yield from (f"{name}: {value}" for name, value in single.items() if value)
    yield from (f"Safe join: {join}" for join in card.safe_joins)
    yield from (f"Caveat: {caveat}" for caveat in card.caveats)
    yield from (f"Disagreement about {c.slot}: {c.reason}" for c in card.conflicts)


def _code_facts(card: ContextCard) -> Iterator[Evidence]:
    """What the pipeline's code does to the table: filters and deduplication, each with file and line."""
    slots = {"filters_upstream", "deduplication"}
    facts = [f for f in card.facts if f.slot in slots and f.authority is Authority.CODE]
    yield from (_code_fact(card, fact) for fact in facts)


def _code_fact(card: ContextCard, fact: Fact) -> Evidence:
    return Evidence(
        id=f"code:{card.table}:{text_digest(fact.slot, fact.text, fact.pointer)[:12]}",
        type=SourceType.PIPELINE_CODE,
        claim=ClaimKind.CODE_BEHAVIOUR,
        authority=Authority.CODE,
        title=f"Code behind {card.table}",
        text=fact.text,
        version=str(card.version),
        digest=text_digest(card.table, fact.slot, fact.text),
        pointer=fact.pointer,
        why="The pipeline's code decides which rows the table has.",
        relevance=round(0.7 * fact.confidence, 4),
    )


def _twins(read: list[ContextCard], cards: tuple[ContextCard, ...]) -> Iterator[tuple[ContextCard, ContextCard]]:
    seen = {card.table for card in read}
    for twin in cards:
        near = [c for c in read if twin.table in _similar(c) or c.table in _similar(twin)]
        if twin.table not in seen and near:
            yield twin, near[0]


def twins_of(tables: tuple[str, ...], cards: tuple[ContextCard, ...]) -> frozenset[str]:
    """The tables that look like one of `tables`, by either card's word."""
    read = [card for card in cards if card.table in tables]
    return frozenset(twin.table for twin, _ in _twins(read, cards))


def _similar(card: ContextCard) -> frozenset[str]:
    return frozenset(table_named(item) for item in card.similar_tables)


def _twin_reason(twin: ContextCard, of: ContextCard) -> str:
    if twin.status != Status.CANONICAL:
        return f"{twin.table} is {twin.status}; {of.table} is used instead."
    if twin.grain and twin.grain != of.grain:
        return f"{twin.table} has another grain ({twin.grain}); {of.table} is used."
    return f"{twin.table} is similar, but the metric is defined on {of.table}."


def document_candidates(
    documents: Iterable[Document], matches: Mapping[str, tuple[tuple[str, Match], ...]], tables: tuple[str, ...]
) -> Iterator[Evidence]:
    """Documents that bear on the question, each by its best passage.

    `matches` holds, per document, its passages with their match.  A document that its
    owner has marked as superseded stays in the list with that reason.
    """
    known = {d.name: d for d in documents}
    best_words = max((m.words for found in matches.values() for _, m in found), default=0.0)
    for name in sorted(known):
        linked = bool(set(known[name].tables) & set(tables))
        scored = [
            (relevance(Match(words=m.words, cosine=m.cosine, linked=linked), best_words), -i, text)
            for i, (text, m) in enumerate(matches.get(name, ()))
        ]
        if scored and max(scored)[0] >= RELEVANT:
            score, _, text = max(scored)
            yield _document(known[name], text, score, linked, known)


def _document(document: Document, text: str, score: float, linked: bool, known: Mapping[str, Document]) -> Evidence:
    reason = _superseded(document, known)
    distant = not linked and score < CITED
    disposition = Disposition.REJECTED if distant else Disposition.USED
    return Evidence(
        id=f"document:{document.name}",
        type=SourceType.DOCUMENT,
        claim=document.claim,
        authority=Authority.DOCUMENT,
        title=document.title,
        text=text,
        version=str(document.version),
        digest=text_digest(text),
        pointer=f"document {document.name} version {document.version}",
        why="It is about a table that the question reads." if linked else "Its text fits the question.",
        relevance=score,
        effective_from=document.effective_from,
        effective_to=document.effective_to,
        disposition=Disposition.SUPERSEDED if reason else disposition,
        reason=reason or ("It is not close enough to the question." if distant else ""),
    )


def _superseded(document: Document, known: Mapping[str, Document]) -> str:
    """Why the document no longer counts; the newer one is named only to those who may see it."""
    if not document.superseded_by:
        return ""
    newer = known.get(document.superseded_by)
    return f"Superseded by “{newer.title}”." if newer else "Its owner has marked it as superseded."
