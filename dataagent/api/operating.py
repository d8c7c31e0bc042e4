"""Operate: the runs that may need somebody, and what is done about them."""

from __future__ import annotations

from dataclasses import asdict

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from dataagent.api import operating_serializers as shapes
from dataagent.api.door import answers, door, principal_of, whole_number
from dataagent.policy.principal import Capability
from dataagent.runs.service import operating
from dataagent.runs.troubles import RunAction, TroubleKind, trouble_facts


@extend_schema(
    operation_id="operate_runs",
    parameters=[
        OpenApiParameter("kind", str, enum=[k.value for k in TroubleKind], description="Only runs of that kind."),
        OpenApiParameter("start", int, description="How many to leave out at the beginning."),
    ],
    responses=answers(shapes.Troubles),
)
@door("GET", Capability.ADMINISTER, takes=("kind", "start"))
def runs(request: Request) -> Response:
    """The workspace's stuck, unknown, slow, waiting and spent runs, a hundred at a time; no question, no answer."""
    start = whole_number(request.query_params.get("start"), name="start", default=0)
    kind = operating.kind_of(request.query_params.get("kind", ""))
    found = operating.troubles(principal_of(request), kind, start=start)
    return Response(
        {
            "counts": {kind.value: count for kind, count in found.counts},
            "runs": [trouble_facts(t) for t in found.troubles],
            "more": found.more,
        }
    )


@extend_schema(
    operation_id="operate_act", request=shapes.Acted, responses=answers(shapes.ActionDone(many=True), 404, 409)
)
@door("POST", Capability.ADMINISTER)
def act(request: Request) -> Response:
    """End runs, hand them to another worker, or cancel the queries that dead workers left; in the audit."""
    asked = shapes.Acted(data=request.data)
    asked.is_valid(raise_exception=True)
    done = operating.act(principal_of(request), RunAction(asked.validated_data["action"]), asked.validated_data["runs"])
    return Response([asdict(d) for d in done])
