"""Conversations: the caller's own list, and the runs of one."""

from __future__ import annotations

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from dataagent.api import serializers
from dataagent.api.door import answers, door, principal_of, whole_number
from dataagent.policy.principal import Capability
from dataagent.runs import service
from dataagent.runs.document import document

LIMIT = OpenApiParameter("limit", OpenApiTypes.INT, description="At most so many; 100 where it is absent.")


@extend_schema(
    operation_id="conversations_list",
    parameters=[LIMIT],
    responses=answers(serializers.Conversation(many=True), 422),
)
@door("GET", Capability.READ_OWN_RUNS, takes=("limit",))
def conversations(request: Request) -> Response:
    """The caller's conversations, newest first."""
    limit = whole_number(request.query_params.get("limit"), name="limit", default=100)
    found = service.sessions(principal_of(request), limit)
    return Response([{"session_id": s.id, "title": s.title, "created_at": s.created_at} for s in found])


@extend_schema(operation_id="conversations_runs", responses=answers(serializers.Run(many=True), 404))
@door("GET", Capability.READ_OWN_RUNS)
def conversation(request: Request, session_id: str) -> Response:
    """The runs of a conversation with their answers, oldest first."""
    return Response([document(run) for run in service.session_runs(principal_of(request), session_id)])
