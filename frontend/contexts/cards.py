"""Context cards as pages: the list, a card, an edit with its difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from contextcards.slots import EDITABLE, LIST_SLOTS, SLOTS, slot_text
from contextcards.types import CardVersionNote, ConflictOutcome, ContextCard, DiffLine, Fact, Proposal, ProposalState
from frontend.values import clock, short_digest

SLOT_WORDS = {
    "purpose": "Purpose",
    "grain": "One row is",
    "keys": "Keys",
    "population": "Who and what is in it",
    "filters_upstream": "Filters applied upstream",
    "deduplication": "Deduplication",
    "freshness": "Freshness",
    "upstreams": "Made from",
    "downstreams": "Feeds",
    "safe_joins": "Safe joins",
    "similar_tables": "Similar tables",
    "status": "Status",
    "owner": "Owner",
    "caveats": "Caveats",
    "columns": "Columns",
}
CONFLICT_WORDS = {
    ConflictOutcome.RETAIN_BOTH: "Both are kept, each in its scope.",
    ConflictOutcome.SUPERSEDE: "One supersedes the other.",
    ConflictOutcome.VERIFY_LIVE: "A live check decides.",
    ConflictOutcome.CLARIFY: "An owner has to say.",
    ConflictOutcome.ABSTAIN: "Nothing is claimed.",
}
NAME_SLOTS = frozenset({"keys", "columns", "upstreams", "downstreams"})
STATUS_TONES = {"canonical": "ok", "deprecated": "bad", "experimental": "warn"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRow:
    """A card in the list."""

    table: str
    purpose: str
    grain: str
    status: str
    tone: str
    owner: str
    version: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalRow:
    """An open proposal in the list."""

    id: int
    table: str
    slot: str
    author: str
    when: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsPage:
    """The list of cards, and for curators the open proposals."""

    cards: tuple[CardRow, ...]
    proposals: tuple[ProposalRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactView:
    """One fact behind a slot."""

    text: str
    source: str
    authority: str
    pointer: str
    when: str
    confidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictView:
    """Two facts that disagree, both shown."""

    slot: str
    outcome: str
    reason: str
    kept: FactView
    other: FactView


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotView:
    """A slot of a card with its facts."""

    key: str
    label: str
    lines: tuple[str, ...]
    names: tuple[str, ...]
    facts: tuple[FactView, ...]
    editable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionRow:
    """One line of the history."""

    version: int
    by: str
    when: str
    note: str
    current: bool
    shown: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPage:
    """A card at one version."""

    table: str
    version: int
    status: str
    tone: str
    owner: str
    slots: tuple[SlotView, ...]
    conflicts: tuple[ConflictView, ...]
    versions: tuple[VersionRow, ...]
    digest: str
    is_current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EditPage:
    """A form for one slot."""

    table: str
    slot: str
    label: str
    text: str
    hint: str
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffRow:
    """A line side by side."""

    old: str
    new: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalPage:
    """A proposal with its difference."""

    id: int
    table: str
    slot: str
    author: str
    when: str
    state: str
    is_open: bool
    base_version: int
    next_version: int
    rows: tuple[DiffRow, ...]


def cards_page(cards: Sequence[ContextCard], proposals: Sequence[Proposal]) -> CardsPage:
    """The list in the given order."""
    return CardsPage(cards=tuple(map(_card_row, cards)), proposals=tuple(map(_proposal_row, proposals)))


def card_page(card: ContextCard, history: Sequence[CardVersionNote], *, may_edit: bool) -> CardPage:
    """A card; slots that are empty are shown only where they can be filled."""
    current = next((note.version for note in history if note.current), card.version)
    may_edit = may_edit and card.version == current
    slots = (_slot(card, key, may_edit=may_edit) for key in SLOTS)
    return CardPage(
        table=card.table,
        version=card.version,
        status=card.status,
        tone=STATUS_TONES.get(card.status, ""),
        owner=card.owner,
        slots=tuple(slot for slot in slots if slot.lines or slot.names or slot.editable),
        conflicts=tuple(
            ConflictView(
                slot=SLOT_WORDS.get(c.slot, c.slot),
                outcome=CONFLICT_WORDS[c.outcome],
                reason=c.reason,
                kept=_fact(c.kept),
                other=_fact(c.other),
            )
            for c in card.conflicts
        ),
        versions=tuple(_version(note, card.version) for note in history),
        digest=short_digest(card.digest),
        is_current=card.version == current,
    )


def edit_page(card: ContextCard, slot: str, *, text: str | None = None, error: str = "") -> EditPage | None:
    """The form for a slot; None for a slot that people do not edit."""
    if slot not in EDITABLE:
        return None
    return EditPage(
        table=card.table,
        slot=slot,
        label=SLOT_WORDS[slot],
        text=slot_text(card, slot) if text is None else text,
        hint="One item a line." if slot in LIST_SLOTS else "",
        error=error,
    )


def proposal_page(proposal: Proposal, lines: Sequence[DiffLine], card: ContextCard) -> ProposalPage:
    """A proposal against the card's current version."""
    return ProposalPage(
        id=proposal.id,
        table=proposal.table,
        slot=SLOT_WORDS.get(proposal.slot, proposal.slot),
        author=proposal.author,
        when=clock(proposal.created_at),
        state=proposal.state.value,
        is_open=proposal.state is ProposalState.OPEN,
        base_version=proposal.base_version,
        next_version=card.version + 1,
        rows=tuple(DiffRow(old=line.old, new=line.new, kind=line.kind.value) for line in lines),
    )


def _card_row(card: ContextCard) -> CardRow:
    return CardRow(
        table=card.table,
        purpose=card.purpose,
        grain=card.grain,
        status=card.status,
        tone=STATUS_TONES.get(card.status, ""),
        owner=card.owner,
        version=str(card.version),
        text=" ".join((card.table, card.purpose, card.grain, card.owner, card.status)),
    )


def _proposal_row(proposal: Proposal) -> ProposalRow:
    return ProposalRow(
        id=proposal.id,
        table=proposal.table,
        slot=SLOT_WORDS.get(proposal.slot, proposal.slot),
        author=proposal.author,
        when=clock(proposal.created_at),
    )


def _slot(card: ContextCard, key: str, *, may_edit: bool) -> SlotView:
    lines = tuple(slot_text(card, key).splitlines())
    return SlotView(
        key=key,
        label=SLOT_WORDS[key],
        lines=() if key in NAME_SLOTS else lines,
        names=lines if key in NAME_SLOTS else (),
        facts=tuple(_fact(fact) for fact in card.facts if fact.slot == key),
        editable=may_edit and key in EDITABLE,
    )


def _fact(fact: Fact) -> FactView:
    return FactView(
        text=fact.text,
        source=fact.source.value.replace("_", " "),
        authority=fact.authority.value,
        pointer=fact.pointer,
        when=clock(fact.observed_at),
        confidence=f"{fact.confidence:.0%}",
    )


def _version(note: CardVersionNote, shown: int) -> VersionRow:
    return VersionRow(
        version=note.version,
        by=note.by,
        when=clock(note.at),
        note=note.note,
        current=note.current,
        shown=note.version == shown,
    )
