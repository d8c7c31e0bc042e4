"""Facts → a card, with the conflicts among them and their outcome.  Nothing is averaged, nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from contextcards.digests import card_digest
from contextcards.extract.behaviour import Behaviour
from contextcards.extract.claims import SLOT_OF, claims_in, contradiction
from contextcards.slots import LIST_SLOTS, TEXT_SLOTS
from contextcards.types import Authority, Conflict, ConflictOutcome, ContextCard, Fact, SourceType

_A = Authority
INTENT = (_A.CONTRACT, _A.OWNER, _A.LIVE, _A.CODE, _A.DOCUMENT, _A.HISTORY)
"""Owners and contracts beat code about what was intended."""
BEHAVIOUR = (_A.CODE, _A.LIVE, _A.CONTRACT, _A.OWNER, _A.DOCUMENT, _A.HISTORY)
"""Code beats everyone, its own comments first, about what it does."""
BEHAVIOUR_SLOTS = frozenset({"filters_upstream", "deduplication", "upstreams", "downstreams", "keys", "columns"})
UNITED_SLOTS = frozenset({"safe_joins", "similar_tables", "caveats", "upstreams", "downstreams"})
"""List slots where every source adds; in the others the strongest source speaks alone."""


def reconcile(table: str, facts: tuple[Fact, ...], behaviour: Behaviour | None = None) -> ContextCard:
    """The table's card from its facts; its conflicts show both sides, which one counts, and why."""
    facts = tuple(dict.fromkeys(facts))
    conflicts = tuple(dict.fromkeys((*_against_code(facts, behaviour), *_among_equals(facts))))
    beaten = {c.other for c in conflicts if c.outcome is ConflictOutcome.SUPERSEDE}
    standing = tuple(f for f in facts if f not in beaten)
    texts = {slot: "; ".join(_texts(standing, slot)) for slot in TEXT_SLOTS}
    lists = {slot: _texts(standing, slot) for slot in LIST_SLOTS}
    blank = ContextCard(table=table, version=0, purpose="", grain="", facts=facts, conflicts=conflicts)
    card = replace(blank, **{**texts, **lists, "status": texts["status"] or "canonical"})  # type: ignore[arg-type]
    return replace(card, digest=card_digest(card))


def _order(slot: str) -> tuple[Authority, ...]:
    return BEHAVIOUR if slot in BEHAVIOUR_SLOTS else INTENT


def _texts(facts: tuple[Fact, ...], slot: str) -> tuple[str, ...]:
    """The slot's texts: those of its strongest authority, or of all where sources add to each other.

    Words about code fill no slot about behaviour: there, silence of the code is the answer.
    """
    order = _order(slot)
    speaking = order if slot not in BEHAVIOUR_SLOTS else order[: order.index(Authority.DOCUMENT)]
    mine = [f for f in facts if f.slot == slot and f.text and f.authority in speaking]
    ranked = sorted(mine, key=lambda f: order.index(f.authority))
    if ranked and slot not in UNITED_SLOTS:
        ranked = [f for f in ranked if f.authority is ranked[0].authority]
    return tuple(dict.fromkeys(f.text for f in ranked))


def _against_code(facts: tuple[Fact, ...], behaviour: Behaviour | None) -> Iterator[Conflict]:
    """Words, of comments, descriptions and owners, that the code contradicts."""
    if behaviour is None:
        return
    for fact in facts:
        if fact.authority is Authority.CODE:
            continue
        text = f"one row per {fact.text}" if fact.slot == "grain" and " row" not in fact.text else fact.text
        for claim in claims_in(text):
            if reason := contradiction(claim, behaviour):
                yield _judged(fact, _code_side(facts, behaviour, fact, SLOT_OF[claim.form]), reason)


def _code_side(facts: tuple[Fact, ...], behaviour: Behaviour, against: Fact, slot: str) -> Fact:
    """The code's own fact of the slot, or the statement that its code has none."""
    own = next((f for f in facts if f.slot == slot and f.authority is Authority.CODE), None)
    return own or Fact(
        slot=slot,
        text="The code does nothing of the kind.",
        source=SourceType.PIPELINE_CODE,
        authority=Authority.CODE,
        pointer=behaviour.pointer,
        observed_at=against.observed_at,
    )


def _judged(said: Fact, code: Fact, reason: str) -> Conflict:
    if said.authority in (Authority.OWNER, Authority.CONTRACT):
        kept, other = (code, said) if code.slot in BEHAVIOUR_SLOTS else (said, code)
        return Conflict(
            slot=code.slot,
            outcome=ConflictOutcome.RETAIN_BOTH,
            reason=f"{reason} The {said.authority} says what is intended, the code says what happens.",
            kept=kept,
            other=other,
        )
    return Conflict(
        slot=code.slot,
        outcome=ConflictOutcome.SUPERSEDE,
        reason=f"{reason} The code counts, not the words about it.",
        kept=code,
        other=said,
    )


def _among_equals(facts: tuple[Fact, ...]) -> Iterator[Conflict]:
    """Facts of a one-text slot that say different things."""
    for slot in TEXT_SLOTS:
        if slot in BEHAVIOUR_SLOTS or slot == "purpose":
            continue
        order = _order(slot)
        mine = sorted((f for f in facts if f.slot == slot), key=lambda f: order.index(f.authority))
        for other in mine[1:]:
            if _plain(other.text) != _plain(mine[0].text):
                yield from _unlike(slot, mine[0], other)


def _unlike(slot: str, first: Fact, other: Fact) -> Iterator[Conflict]:
    """The outcome for two unlike texts: weaker words give way, equal ones are asked, checked or left open."""
    equal = first.authority is other.authority
    if slot == "grain" and not equal:
        return  # held against the code itself, by meaning rather than by wording
    if slot == "freshness":
        outcome, reason = ConflictOutcome.VERIFY_LIVE, "Only a look at the data can tell."
    elif not equal:
        outcome, reason = ConflictOutcome.SUPERSEDE, f"The {first.authority} counts before the {other.authority}."
    elif first.authority is Authority.CODE:
        outcome, reason = ConflictOutcome.ABSTAIN, "Two places in the code say different things."
    else:
        outcome, reason = ConflictOutcome.CLARIFY, "Two notes of equal standing differ; the owner must say which holds."
    yield Conflict(slot=slot, outcome=outcome, reason=reason, kept=first, other=other)


def _plain(text: str) -> str:
    return " ".join(text.lower().split()).rstrip(".")
