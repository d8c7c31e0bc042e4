"""Access: ask for it, decide on what was asked."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from dataagent.api import access_serializers as shapes
from dataagent.api.door import answers, door, numbered, principal_of
from dataagent.policy import service as policy
from dataagent.policy.access import AccessDecision, AccessRequest, Verdict
from dataagent.policy.principal import Capability
from dataagent.runs.service.preview import preview as preview_of


@extend_schema(operation_id="access_own", responses=answers(shapes.AccessRequest(many=True)))
@door("GET", Capability.REQUEST_ACCESS)
def own(request: Request) -> Response:
    """The caller's own requests for access, newest first."""
    return Response([_shown(found) for found in policy.own_requests(principal_of(request))])


@extend_schema(
    operation_id="access_request", request=shapes.Asked, responses=answers(shapes.AccessRequest, 409, status=201)
)
@door("POST", Capability.REQUEST_ACCESS)
def ask(request: Request) -> Response:
    """Ask the workspace's admins for access; nothing changes until one of them grants it."""
    asked = shapes.Asked(data=request.data)
    asked.is_valid(raise_exception=True)
    given = asked.validated_data
    return Response(_shown(policy.request_access(principal_of(request), given["note"], run=given["run"])), status=201)


@extend_schema(operation_id="access_waiting", responses=answers(shapes.AccessRequest(many=True)))
@door("GET", Capability.ADMINISTER)
def waiting(request: Request) -> Response:
    """The workspace's waiting and granted requests, newest first."""
    return Response([_shown(found) for found in policy.access_requests(principal_of(request))])


@extend_schema(operation_id="access_decide", request=shapes.Decided, responses=answers(shapes.AccessRequest, 404, 409))
@door("POST", Capability.ADMINISTER)
def decide(request: Request, request_id: str) -> Response:
    """Grant a role for some days, decline, or end what was granted.  Nobody grants their own request."""
    asked = shapes.Decided(data=request.data)
    asked.is_valid(raise_exception=True)
    given = asked.validated_data
    decision = AccessDecision(**{**given, "verdict": Verdict(given["verdict"])})
    return Response(
        _shown(policy.decide_request(principal_of(request), numbered(request_id, what="request"), decision))
    )


@extend_schema(
    operation_id="access_as",
    parameters=[OpenApiParameter("user", str, required=True, description="The name of a member.")],
    responses=answers(shapes.PersonAccess, 404),
)
@door("GET", Capability.ADMINISTER, takes=("user",))
def preview(request: Request) -> Response:
    """What a person of the workspace may do and see, and why; the look is in the audit."""
    found = preview_of(principal_of(request), request.query_params.get("user", ""))
    tables = [
        {
            "name": table.table,
            "columns": sorted(table.columns),
            "masked": sorted(m.column for m in table.masks),
            "limits": list(table.limits()),
        }
        for table in found.scope.tables
    ]
    return Response(
        {
            "user": found.person.user,
            "roles": list(found.person.roles),
            "policy": found.person.policy_version,
            "tables": tables,
            "reasons": [asdict(w) for w in found.reasons],
        }
    )


def _shown(found: AccessRequest) -> dict[str, Any]:
    return {**asdict(found), "state": found.state.value}
