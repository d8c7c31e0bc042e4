"""Words: what questions left open, and what owners would have them mean: propose, look at the effect, publish."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from catalog.wordchanges import ChangeKind, ProposalState, TargetKind, WordChange, WordProposal, said
from dataagent.api import serializers, word_serializers
from dataagent.api.door import answers, door, numbered, principal_of
from dataagent.errors import ShownError
from dataagent.policy.principal import Capability, Principal
from dataagent.runs import service
from dataagent.runs.openwords import OpenWordView


@extend_schema(operation_id="words_open", responses=answers(word_serializers.OpenWord(many=True), 503))
@door("GET", Capability.CURATE_WORDS)
def open_words(request: Request) -> Response:
    """The words that questions left open and that nothing settles by now, those of most questions first."""
    return Response([_open(view) for view in service.word_log(principal_of(request))])


@extend_schema(
    operation_id="words_meant",
    parameters=[
        OpenApiParameter("word", required=True, description="The word to teach."),
        OpenApiParameter("means", required=True, description="What it shall stand for, in words."),
    ],
    responses=answers(word_serializers.Change(many=True), 503),
)
@door("GET", Capability.CURATE_WORDS, takes=("word", "means"))
def meant(request: Request) -> Response:
    """The changes that would make the word stand for what `means` names, or for what looks like it."""
    word, means = (request.query_params.get(name, "")[:200] for name in ("word", "means"))
    if not word or not means:
        raise ShownError("invalid_input", "“word” and “means” are both needed.")
    return Response([asdict(change) for change in service.meant_by(principal_of(request), word, means)])


@extend_schema(
    operation_id="words_propose",
    request=word_serializers.Proposed,
    responses=answers(word_serializers.WordProposal, 404, 409, 503, status=201),
)
@door("POST", Capability.CURATE_WORDS)
def propose(request: Request) -> Response:
    """Propose what a word shall stand for; nothing changes until it is published."""
    asked = word_serializers.Proposed(data=request.data)
    asked.is_valid(raise_exception=True)
    who = principal_of(request)
    return Response(_whole(who, service.propose_word(who, change_of(asked.validated_data))), status=201)


@extend_schema(
    operation_id="words_proposals",
    parameters=[OpenApiParameter("state", enum=[s.value for s in ProposalState], description="open, unless given.")],
    responses=answers(word_serializers.WordProposalHead(many=True), 503),
)
@door("GET", Capability.CURATE_WORDS, takes=("state",))
def proposals(request: Request) -> Response:
    """The proposals in a state, newest first.  Those in force stand in the order in which they came into it."""
    state = request.query_params.get("state", ProposalState.OPEN.value)
    if state not in set(ProposalState):
        raise ShownError("invalid_input", f"“state” is one of {', '.join(ProposalState)}.")
    who = principal_of(request)
    return Response(_heads(who, service.word_proposals(who, ProposalState(state))))


@extend_schema(operation_id="words_proposal", responses=answers(word_serializers.WordProposal, 404, 503))
@door("GET", Capability.CURATE_WORDS)
def proposal(request: Request, proposal_id: str) -> Response:
    """A proposal, and how the latest questions with the word would be read before and after."""
    who = principal_of(request)
    return Response(_whole(who, service.word_proposal(who, numbered(proposal_id, what="proposal"))))


@extend_schema(
    operation_id="words_publish", request=None, responses=answers(word_serializers.WordProposalHead, 404, 409, 503)
)
@door("POST", Capability.CURATE_WORDS)
def publish(request: Request, proposal_id: str) -> Response:
    """Bring the proposal into force: the next questions are read with it."""
    who = principal_of(request)
    return Response(_head(who, service.publish_word(who, numbered(proposal_id, what="proposal"))))


@extend_schema(
    operation_id="words_reject",
    request=serializers.ReviewReason,
    responses=answers(word_serializers.WordProposalHead, 404, 409, 503),
)
@door("POST", Capability.CURATE_WORDS)
def reject(request: Request, proposal_id: str) -> Response:
    """Reject the proposal; the word stays as it is."""
    who, number, reason = _reviewed(request, proposal_id)
    return Response(_head(who, service.reject_word(who, number, reason)))


@extend_schema(
    operation_id="words_withdraw",
    request=serializers.ReviewReason,
    responses=answers(word_serializers.WordProposalHead, 404, 409, 503),
)
@door("POST", Capability.CURATE_WORDS)
def withdraw(request: Request, proposal_id: str) -> Response:
    """Take a change that is in force out of it again."""
    who, number, reason = _reviewed(request, proposal_id)
    return Response(_head(who, service.withdraw_word(who, number, reason)))


def change_of(given: dict[str, Any]) -> WordChange:
    """The change in checked fields."""
    return WordChange(
        kind=ChangeKind(given["kind"]),
        word=given["word"].strip(),
        target_kind=TargetKind(given["target_kind"]),
        target=given["target"],
        member=given["member"],
        entity=given["entity"],
    )


def _reviewed(request: Request, proposal_id: str) -> tuple[Principal, int, str]:
    asked = serializers.ReviewReason(data=request.data)
    asked.is_valid(raise_exception=True)
    return principal_of(request), numbered(proposal_id, what="proposal"), asked.validated_data["reason"]


def _open(view: OpenWordView) -> dict[str, Any]:
    return {
        "word": view.word,
        "openness": view.openness.value,
        "questions": view.logged.runs,
        "people": view.logged.people,
        "last_at": view.logged.last_at,
        "meanings": [asdict(m) for m in view.meanings],
    }


def _heads(who: Principal, found: Sequence[WordProposal]) -> list[dict[str, Any]]:
    snapshot = service.sight(who)[0]
    in_force = any(p.state is ProposalState.PUBLISHED for p in found)
    unfit = service.unfit_words(who) if in_force else {}
    return [
        {
            **asdict(p),
            "sentence": said(p.change, snapshot),
            "unfit": unfit.get(p.change, "") if p.state is ProposalState.PUBLISHED else "",
        }
        for p in found
    ]


def _head(who: Principal, found: WordProposal) -> dict[str, Any]:
    return _heads(who, (found,))[0]


def _whole(who: Principal, found: WordProposal) -> dict[str, Any]:
    return {**_head(who, found), "effects": [asdict(e) for e in service.word_effects(who, found)]}
