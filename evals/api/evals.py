"""Evals for programs: start a suite, follow it, look at a case."""

from __future__ import annotations

from dataclasses import asdict

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from dataagent.api.door import answers, door, principal_of, whole_number
from dataagent.errors import ShownError
from dataagent.policy.principal import Capability
from evals import service
from evals.api import serializers
from evals.document import case_document, run_document, run_head

LIMIT = OpenApiParameter("limit", OpenApiTypes.INT, description="At most so many; 30 where it is absent.")


@extend_schema(operation_id="evals_suites", responses=answers(serializers.EvalSuite(many=True)))
@door("GET", Capability.RUN_EVALS)
def suites(request: Request) -> Response:
    """The suites of the workspace."""
    return Response([asdict(s) for s in service.suites(principal_of(request))])


@extend_schema(
    operation_id="evals_start",
    request=None,
    responses=answers(serializers.EvalStarted, 404, 422, 503, status=202),
)
@door("POST", Capability.RUN_EVALS)
def start(request: Request, suite: str) -> Response:
    """Start a suite; it works in the background, follow it by its id."""
    return Response({"id": service.start(principal_of(request), suite)}, status=202)


@extend_schema(
    operation_id="evals_runs", parameters=[LIMIT], responses=answers(serializers.EvalRunHead(many=True), 422)
)
@door("GET", Capability.RUN_EVALS, takes=("limit",))
def eval_runs(request: Request) -> Response:
    """The newest eval runs of the workspace."""
    limit = whole_number(request.query_params.get("limit"), name="limit", default=30)
    return Response([run_head(run) for run in service.eval_runs(principal_of(request), limit)])


@extend_schema(operation_id="evals_run", responses=answers(serializers.EvalRun, 404))
@door("GET", Capability.RUN_EVALS)
def eval_run(request: Request, run_id: str) -> Response:
    """An eval run with its matrix, also while it works."""
    return Response(run_document(service.eval_run(principal_of(request), run_id)))


@extend_schema(operation_id="evals_case", responses=answers(serializers.EvalCase, 404))
@door("GET", Capability.RUN_EVALS)
def eval_case(request: Request, run_id: str, case_id: str) -> Response:
    """One graded case in full."""
    found = case_document(service.eval_run(principal_of(request), run_id), case_id)
    if found is None:
        raise ShownError("not_found", "There is no such case in this run.")
    return Response(found)
