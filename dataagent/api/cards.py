"""Context cards: read them with their history, propose an edit, look at the difference, publish or reject."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from catalog.access import AccessScope
from contextcards import service as contextcards
from contextcards.slots import EDITABLE
from contextcards.types import Proposal
from dataagent.api import serializers
from dataagent.api.door import answers, door, numbered, principal_of
from dataagent.errors import ShownError
from dataagent.policy.decide import decide
from dataagent.policy.principal import Capability, Principal
from dataagent.runs import service


@extend_schema(operation_id="cards_list", responses=answers(serializers.Card(many=True), 503))
@door("GET", Capability.READ_CARDS)
def cards(request: Request) -> Response:
    """The context cards that the caller may read."""
    return Response([asdict(c) for c in service.cards(principal_of(request))])


@extend_schema(operation_id="cards_read", responses=answers(serializers.CardWithHistory, 404, 503))
@door("GET", Capability.READ_CARDS)
def card(request: Request, table: str) -> Response:
    """One table's current card with its facts, where they come from, and its versions."""
    return Response(_with_history(principal_of(request), table, None))


@extend_schema(operation_id="cards_read_version", responses=answers(serializers.CardWithHistory, 404, 503))
@door("GET", Capability.READ_CARDS)
def version(request: Request, table: str, version: str) -> Response:
    """One table's card as it was at a version."""
    return Response(_with_history(principal_of(request), table, numbered(version, what="card")))


@extend_schema(
    operation_id="proposals_create",
    request=serializers.Edit,
    responses=answers(serializers.Proposal, 404, 422, 503, status=201),
)
@door("POST", Capability.CURATE_CARDS)
def propose(request: Request, table: str) -> Response:
    """Propose a new text for one slot of a card; nothing changes until it is published."""
    asked = serializers.Edit(data=request.data)
    asked.is_valid(raise_exception=True)
    who, scope = _curator(request)
    slot, text = asked.validated_data["slot"], asked.validated_data["text"]
    made = contextcards.propose(who.workspace_id, table, slot, text, by=who.user, scope=scope)
    return Response(_with_lines(who, made, scope), status=201)


@extend_schema(operation_id="proposals_list", responses=answers(serializers.ProposalHead(many=True), 503))
@door("GET", Capability.CURATE_CARDS)
def proposals(request: Request) -> Response:
    """The open proposals, newest first."""
    who, scope = _curator(request)
    return Response([_head(p) for p in contextcards.open_proposals(who.workspace_id, scope=scope)])


@extend_schema(operation_id="proposals_read", responses=answers(serializers.Proposal, 404, 503))
@door("GET", Capability.CURATE_CARDS)
def proposal(request: Request, proposal_id: str) -> Response:
    """A proposal with its difference, line by line."""
    who, scope = _curator(request)
    return Response(_with_lines(who, numbered(proposal_id, what="proposal"), scope))


@extend_schema(operation_id="proposals_publish", request=None, responses=answers(serializers.Card, 404, 409, 503))
@door("POST", Capability.CURATE_CARDS)
def publish(request: Request, proposal_id: str) -> Response:
    """Make the proposal the card's next version; the next answers use it."""
    who, scope = _curator(request)
    number = numbered(proposal_id, what="proposal")
    return Response(asdict(contextcards.publish(who.workspace_id, number, by=who.user, scope=scope)))


@extend_schema(
    operation_id="proposals_reject",
    request=serializers.ReviewReason,
    responses=answers(serializers.ProposalHead, 404, 409, 422, 503),
)
@door("POST", Capability.CURATE_CARDS)
def reject(request: Request, proposal_id: str) -> Response:
    """Reject the proposal; the card stays as it is."""
    asked = serializers.ReviewReason(data=request.data)
    asked.is_valid(raise_exception=True)
    who, scope = _curator(request)
    number, reason = numbered(proposal_id, what="proposal"), asked.validated_data["reason"]
    return Response(_head(contextcards.reject(who.workspace_id, number, by=who.user, scope=scope, reason=reason)))


def _curator(request: Request) -> tuple[Principal, AccessScope]:
    who = principal_of(request)
    return who, service.sight(who)[1]


def _with_history(who: Principal, table: str, wanted: int | None) -> dict[str, Any]:
    scope = service.sight(who)[1]
    found = contextcards.card(who.workspace_id, table, scope, wanted)
    if found is None:
        raise ShownError("not_found", "There is no such card.")
    history = contextcards.versions(who.workspace_id, table, scope)
    current = any(note.current and note.version == found.version for note in history)
    return {
        **asdict(found),
        "versions": [asdict(note) for note in history],
        "editable": _editable(who) if current else [],
    }


def _editable(who: Principal) -> list[str]:
    """The slots for which the caller may propose a text."""
    return list(EDITABLE) if decide(who, Capability.CURATE_CARDS).allowed() else []


def _with_lines(who: Principal, number: int, scope: AccessScope) -> dict[str, Any]:
    found = contextcards.proposal(who.workspace_id, number, scope=scope)
    lines = contextcards.diff(who.workspace_id, number, scope=scope)
    return {**_head(found), "lines": [asdict(line) for line in lines]}


def _head(found: Proposal) -> dict[str, Any]:
    return asdict(found)
