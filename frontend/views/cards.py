"""Context cards: read, propose an edit, look at the difference, publish or reject."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from catalog.access import AccessScope
from contextcards import service as cards
from contextcards.types import CardError, ContextCard
from dataagent.errors import ShownError
from dataagent.policy.decide import decide
from dataagent.policy.doors import requires
from dataagent.policy.principal import Capability, Principal
from dataagent.runs import service as runs
from frontend.contexts.cards import card_page, cards_page, edit_page, proposal_page
from frontend.views.frame import page, principal_of


@require_GET
@requires(Capability.READ_CARDS)
def card_list(request: HttpRequest) -> HttpResponse:
    """The cards of the tables that are granted."""
    principal = principal_of(request)
    scope = _scope(principal)
    waiting = cards.open_proposals(principal.workspace_id, scope=scope) if _may_curate(principal) else ()
    context = cards_page(cards.cards(principal.workspace_id, scope), waiting)
    return page(request, "cards/page.html", title="Cards", place="cards", page=context)


@require_GET
@requires(Capability.READ_CARDS)
def card(request: HttpRequest, table: str, version: int | None = None) -> HttpResponse:
    """A card at its current or an earlier version."""
    principal = principal_of(request)
    found = _card(principal, table, version)
    history = cards.versions(principal.workspace_id, table, _scope(principal))
    context = card_page(found, history, may_edit=_may_curate(principal))
    return page(request, "cards/card.html", title=table, place="cards", page=context)


@require_http_methods(["GET", "POST"])
@requires(Capability.CURATE_CARDS)
def edit(request: HttpRequest, table: str, slot: str) -> HttpResponse:
    """A form for one slot; posted, the way to the proposal's difference."""
    principal = principal_of(request)
    found = _card(principal, table)
    text, error = request.POST.get("text"), ""
    if text is not None:
        try:
            made = cards.propose(principal.workspace_id, table, slot, text, by=principal.user, scope=_scope(principal))
            return redirect("proposal", made)
        except CardError as refused:
            error = refused.message
    context = edit_page(found, slot, text=text, error=error)
    if context is None:
        raise ShownError("not_found", "There is no such part of a card to edit.")
    return page(request, "cards/edit.html", title=f"Edit {table}", place="cards", page=context)


@require_GET
@requires(Capability.CURATE_CARDS)
def proposal(request: HttpRequest, proposal_id: int) -> HttpResponse:
    """The difference of a proposal, side by side."""
    principal = principal_of(request)
    scope = _scope(principal)
    found = cards.proposal(principal.workspace_id, proposal_id, scope=scope)
    lines = cards.diff(principal.workspace_id, proposal_id, scope=scope)
    context = proposal_page(found, lines, _card(principal, found.table))
    return page(request, "cards/proposal.html", title=f"Proposal for {found.table}", place="cards", page=context)


@require_POST
@requires(Capability.CURATE_CARDS)
def publish(request: HttpRequest, proposal_id: int) -> HttpResponse:
    """The card after the proposal became its next version."""
    principal = principal_of(request)
    made = cards.publish(principal.workspace_id, proposal_id, by=principal.user, scope=_scope(principal))
    messages.success(request, f"Version {made.version} is published. The next answers use it.")
    return redirect("card", made.table)


@require_POST
@requires(Capability.CURATE_CARDS)
def reject(request: HttpRequest, proposal_id: int) -> HttpResponse:
    """The card after the proposal was rejected."""
    principal = principal_of(request)
    reason = request.POST.get("reason", "")
    found = cards.reject(principal.workspace_id, proposal_id, by=principal.user, scope=_scope(principal), reason=reason)
    messages.info(request, "The proposal is rejected; the card stays as it is.")
    return redirect("card", found.table)


def _scope(principal: Principal) -> AccessScope:
    return runs.sight(principal)[1]


def _may_curate(principal: Principal) -> bool:
    return decide(principal, Capability.CURATE_CARDS).allowed()


def _card(principal: Principal, table: str, version: int | None = None) -> ContextCard:
    found = cards.card(principal.workspace_id, table, _scope(principal), version)
    if found is None:
        raise ShownError("not_found", "There is no such card.")
    return found
