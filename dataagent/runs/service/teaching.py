"""Owners teach the catalog words: propose, review, publish, withdraw.  What somebody may not see, nobody can name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from catalog import service as catalog
from catalog.access import AccessScope
from catalog.lookup import lookup
from catalog.surfaces import normalise_surface
from catalog.terms import Term, TermIndex, TermKind
from catalog.types import CatalogSnapshot
from catalog.visible import entity_visible, metric_visible, values_visible, visible_dimensions
from catalog.wordchanges import (
    ChangeKind,
    ProposalState,
    TargetKind,
    UnfitChange,
    WordChange,
    WordProposal,
    word_problem,
)
from dataagent.errors import ShownError
from dataagent.intent.taught import names_now, own_word
from dataagent.intent.view import shown
from dataagent.policy.doors import permit
from dataagent.policy.principal import Capability, Principal
from dataagent.runs.service.asking import today_of
from dataagent.runs.service.reading import not_found
from dataagent.runs.service.sight import sight
from dataagent.runs.service.words import term_index

MOST_MEANT = 8
Made = TypeVar("Made")


def meant_by(principal: Principal, word: str, text: str) -> tuple[WordChange, ...]:
    """What `text` names, each as the change that makes `word` another word for it; what looks alike where nothing does.

    Raises: ShownError(not_permitted, unavailable).
    """
    permit(principal, Capability.CURATE_WORDS)
    snapshot, scope = sight(principal)
    index = term_index(principal.workspace, snapshot, scope)
    surface = normalise_surface(text)
    terms = index.lookup(surface) or index.near(surface, MOST_MEANT)
    changes = (c for t in terms for c in _synonyms(word, t))
    return tuple(dict.fromkeys(changes))[:MOST_MEANT]


def propose_word(principal: Principal, change: WordChange) -> WordProposal:
    """The new proposal; nothing changes until it is published.

    Raises: ShownError(not_permitted, not_found, invalid_input, conflict, unavailable).
    """
    permit(principal, Capability.CURATE_WORDS)
    snapshot, scope = sight(principal)
    index = term_index(principal.workspace, snapshot, scope)
    if not _visible(change, snapshot, scope, index):
        raise not_found(_THINGS[change.target_kind])
    _refuse_taken(principal, change, snapshot, index)
    made = _decided(lambda: catalog.propose_word(principal.workspace_id, change, by=principal.user))
    return word_proposal(principal, made)


def word_proposal(principal: Principal, proposal_id: int) -> WordProposal:
    """The proposal.  Raises: ShownError(not_found) for an absent one and for one about something hidden alike."""
    permit(principal, Capability.CURATE_WORDS)
    found = catalog.word_proposal(principal.workspace_id, proposal_id)
    if found is None or not _may_read(principal, (found,)):
        raise not_found("proposal")
    return found


def word_proposals(principal: Principal, state: ProposalState) -> tuple[WordProposal, ...]:
    """The proposals in a state that are about what the principal may see.  Raises: ShownError."""
    permit(principal, Capability.CURATE_WORDS)
    return _may_read(principal, catalog.word_proposals(principal.workspace_id, state))


def unfit_words(principal: Principal) -> dict[WordChange, str]:
    """Of what is in force, what the catalog as it is now written cannot take, each with its sentence."""
    permit(principal, Capability.CURATE_WORDS)
    return catalog.unfit_words(principal.workspace_id)


def publish_word(principal: Principal, proposal_id: int) -> WordProposal:
    """The proposal, now in force.  Raises: ShownError(not_permitted, not_found, conflict, invalid_input)."""
    found = word_proposal(principal, proposal_id)
    _decided(lambda: catalog.publish_word(principal.workspace_id, found.id, by=principal.user))
    return _again(principal, proposal_id)


def reject_word(principal: Principal, proposal_id: int, reason: str = "") -> WordProposal:
    """The proposal, rejected.  Raises: ShownError(not_permitted, not_found, conflict)."""
    found = word_proposal(principal, proposal_id)
    _decided(lambda: catalog.reject_word(principal.workspace_id, found.id, by=principal.user, reason=reason))
    return _again(principal, proposal_id)


def withdraw_word(principal: Principal, proposal_id: int, reason: str = "") -> WordProposal:
    """The proposal, no longer in force.  Raises: ShownError(not_permitted, not_found, conflict)."""
    found = word_proposal(principal, proposal_id)
    _decided(lambda: catalog.withdraw_word(principal.workspace_id, found.id, by=principal.user, reason=reason))
    return _again(principal, proposal_id)


def _again(principal: Principal, proposal_id: int) -> WordProposal:
    found = catalog.word_proposal(principal.workspace_id, proposal_id)
    if found is None:
        raise not_found("proposal")
    return found


def _decided(decide: Callable[[], Made]) -> Made:
    try:
        return decide()
    except UnfitChange as unfit:
        raise ShownError("invalid_input", str(unfit)) from unfit
    except catalog.ProposalConflict as late:
        raise ShownError("conflict", str(late), action="Reload the page.") from late
    except catalog.NoCatalog as error:
        raise ShownError("unavailable", "This workspace has no catalog yet.") from error


_THINGS = {
    TargetKind.METRIC: "metric",
    TargetKind.DIMENSION: "dimension",
    TargetKind.ENTITY: "entity",
    TargetKind.MEMBER: "member",
}


def _refuse_taken(principal: Principal, change: WordChange, snapshot: CatalogSnapshot, index: TermIndex) -> None:
    """Stops a word that questions use for themselves, and a synonym that names something else already."""
    if problem := word_problem(change.word) or own_word(change.word, snapshot.calendar, today_of(principal)):
        raise ShownError("invalid_input", problem, action="Choose another word.")
    if change.kind is not ChangeKind.SYNONYM:
        return
    taken = next((t for t in names_now(index, change.word) if t.target != change.target), None)
    if taken is not None:
        raise ShownError(
            "invalid_input",
            f"“{change.word}” is a word for {shown(taken.target)} already: it would have two meanings.",
            action="Choose another word.",
        )


def _may_read(principal: Principal, found: tuple[WordProposal, ...]) -> tuple[WordProposal, ...]:
    if not found:
        return ()
    snapshot, scope = sight(principal)
    index = term_index(principal.workspace, snapshot, scope)
    return tuple(p for p in found if _visible(p.change, snapshot, scope, index))


def _visible(change: WordChange, snapshot: CatalogSnapshot, scope: AccessScope, index: TermIndex) -> bool:
    """Whether the principal may see what the word shall stand for."""
    if change.target_kind is TargetKind.METRIC:
        return metric_visible(snapshot, scope, change.target)
    if change.target_kind is TargetKind.ENTITY:
        return any(e.name == change.target and entity_visible(snapshot, scope, e) for e in snapshot.entities)
    if not visible_dimensions(snapshot, scope, change.target):
        return False
    if change.target_kind is TargetKind.DIMENSION:
        return True
    held = lookup(snapshot).held_by(change.target)
    members = {v for t in _of_member(change, index) for v in t.values}
    return held is not None and values_visible(snapshot, scope, held) and change.member in members


def _of_member(change: WordChange, index: TermIndex) -> tuple[Term, ...]:
    terms = index.lookup(normalise_surface(change.member))
    return tuple(t for t in terms if t.kind is TermKind.VALUE and t.target == change.target)


def _synonyms(word: str, term: Term) -> tuple[WordChange, ...]:
    kind = _KINDS.get(term.kind)
    if kind is None:
        return ()
    members = term.values if kind is TargetKind.MEMBER else ("",)
    return tuple(
        WordChange(kind=ChangeKind.SYNONYM, word=word, target_kind=kind, target=term.target, member=member)
        for member in members
    )


_KINDS = {
    TermKind.METRIC: TargetKind.METRIC,
    TermKind.DIMENSION: TargetKind.DIMENSION,
    TermKind.ENTITY: TargetKind.ENTITY,
    TermKind.VALUE: TargetKind.MEMBER,
}
