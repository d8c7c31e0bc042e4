"""Editing cards: propose, see the difference, publish or reject, roll back."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from catalog.access import AccessScope
from contextcards import store
from contextcards.service.cards import card as visible
from contextcards.slots import clean_text, diff_lines, edit_problem, slot_text, with_slot
from contextcards.types import (
    Authority,
    CardError,
    ContextCard,
    DiffLine,
    Fact,
    Proposal,
    ProposalState,
    SourceType,
)
from contextcards.visible import hidden_names, known_names, names_any, visible_card


def propose(workspace_id: int, table: str, slot: str, text: str, *, by: str, scope: AccessScope) -> int:
    """The id of a new proposal that gives one slot a new text (list slots: one item a line).

    Raises: CardError not_found for a hidden or absent table, invalid_input for a slot or text that cannot be.
    """
    current = _granted(workspace_id, table, scope)
    new = clean_text(text)
    if problem := edit_problem(slot, new):
        raise CardError("invalid_input", problem)
    old = slot_text(current, slot)
    if new == old:
        raise CardError("invalid_input", "Nothing has changed.")
    _refuse_partly_hidden(workspace_id, table, slot, old, scope)
    return store.add_proposal(workspace_id, current, slot=slot, old_text=old, new_text=new, by=by, at=timezone.now())


def proposal(workspace_id: int, proposal_id: int, *, scope: AccessScope) -> Proposal:
    """The proposal.  Raises: CardError not_found for a hidden or absent one."""
    found = store.proposal(workspace_id, proposal_id)
    if found is None or not _may_read(workspace_id, found, scope):
        raise CardError("not_found", "There is no such proposal.")
    return found


def open_proposals(workspace_id: int, *, scope: AccessScope) -> tuple[Proposal, ...]:
    """Open proposals on granted tables, newest first."""
    found = store.proposals(workspace_id, [t.table for t in scope.tables], ProposalState.OPEN)
    return tuple(p for p in found if _may_read(workspace_id, p, scope))


def diff(workspace_id: int, proposal_id: int, *, scope: AccessScope) -> tuple[DiffLine, ...]:
    """Old and new text side by side, line by line.  Raises: CardError not_found."""
    found = proposal(workspace_id, proposal_id, scope=scope)
    return diff_lines(found.old_text, found.new_text)


@transaction.atomic
def publish(workspace_id: int, proposal_id: int, *, by: str, scope: AccessScope) -> ContextCard:
    """The next version of the card, current from now on, with the proposal's text as an owner's fact.

    Raises: CardError not_found; conflict where the proposal is decided or the slot has changed since.
    """
    found = proposal(workspace_id, proposal_id, scope=scope)
    current = store.locked_card(workspace_id, found.table)
    if current is None:
        raise CardError("not_found", "There is no such proposal.")
    _refuse_stale(found, current)
    at = timezone.now()
    edited = with_slot(current, found.slot, found.new_text, _owner_fact(found, by, at))
    note = f"{found.slot} edited by {found.author}, reviewed by {by}"
    card = store.add_version(workspace_id, edited, by=by, at=at, note=note)
    decided = store.decide_proposal(
        workspace_id, proposal_id, state=ProposalState.PUBLISHED, by=by, at=at, published_version=card.version
    )
    if not decided:
        raise CardError("conflict", "The proposal has been decided meanwhile.")
    return _shown(workspace_id, card, scope)


def reject(workspace_id: int, proposal_id: int, *, by: str, scope: AccessScope, reason: str = "") -> Proposal:
    """The proposal as rejected.  Raises: CardError not_found, or conflict where it is decided already."""
    found = proposal(workspace_id, proposal_id, scope=scope)
    at = timezone.now()
    if not store.decide_proposal(
        workspace_id, found.id, state=ProposalState.REJECTED, by=by, at=at, reason=reason[:300]
    ):
        raise CardError("conflict", "The proposal has been decided already.")
    return replace(found, state=ProposalState.REJECTED, reviewer=by, reason=reason[:300])


@transaction.atomic
def rollback(workspace_id: int, table: str, version: int, *, by: str, scope: AccessScope) -> ContextCard:
    """A new version with an older version's content; the history stays whole.

    Raises: CardError not_found for a hidden or absent table or version, invalid_input for the current one.
    """
    _granted(workspace_id, table, scope)
    current = store.locked_card(workspace_id, table)
    older = store.card_at(workspace_id, table, version)
    if current is None or older is None:
        raise CardError("not_found", "There is no such version.")
    if current.version == version or current.digest == older.digest:
        raise CardError("invalid_input", "This is what the current version says already.")
    note = f"Rolled back to version {version} by {by}"
    card = store.add_version(workspace_id, older, by=by, at=timezone.now(), note=note)
    return _shown(workspace_id, card, scope)


def _shown(workspace_id: int, card: ContextCard, scope: AccessScope) -> ContextCard:
    shown = visible_card(card, scope, known_names(store.current_cards(workspace_id)))
    if shown is None:
        raise CardError("not_found", "There is no such card.")
    return shown


def _granted(workspace_id: int, table: str, scope: AccessScope) -> ContextCard:
    current = store.card_at(workspace_id, table, None) if scope.table(table) is not None else None
    if current is None:
        raise CardError("not_found", "There is no such card.")
    return current


def _may_read(workspace_id: int, found: Proposal, scope: AccessScope) -> bool:
    """Whether the proposal's table is granted and its texts name nothing that is hidden."""
    current = store.card_at(workspace_id, found.table, None)
    if current is None or scope.table(found.table) is None:
        return False
    hidden = hidden_names(current, scope, known_names(store.current_cards(workspace_id)))
    return not names_any(f"{found.old_text}\n{found.new_text}", hidden)


def _refuse_partly_hidden(workspace_id: int, table: str, slot: str, old: str, scope: AccessScope) -> None:
    """Stops an edit by someone who does not see all of the slot: it would delete what they cannot see."""
    seen = visible(workspace_id, table, scope)
    if seen is None or slot_text(seen, slot) != old:
        raise CardError("invalid_input", f"“{slot}” of this card is not yours to edit.")


def _refuse_stale(found: Proposal, current: ContextCard) -> None:
    if found.state is not ProposalState.OPEN:
        raise CardError("conflict", f"The proposal is {found.state} already.")
    if slot_text(current, found.slot) != found.old_text:
        raise CardError(
            "conflict",
            f"“{found.slot}” has changed since this was proposed.",
            action="Propose it again on the current version.",
        )


def _owner_fact(found: Proposal, by: str, at: datetime) -> Fact:
    return Fact(
        slot=found.slot,
        text=found.new_text,
        source=SourceType.OWNER_NOTE,
        authority=Authority.OWNER,
        pointer=f"proposal:{found.id} by {found.author}, reviewed by {by}",
        observed_at=at,
    )
