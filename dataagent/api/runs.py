"""Ask, follow, cancel, choose, and fetch the receipt."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import asdict

from django.http import HttpResponse, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import renderer_classes
from rest_framework.request import Request
from rest_framework.response import Response

from dataagent.api import serializers
from dataagent.api.door import answers, authority_of, door, principal_of, whole_number
from dataagent.api.renderers import CsvRenderer, EventStreamRenderer, ExactJSONRenderer
from dataagent.errors import ShownError
from dataagent.policy.principal import Capability
from dataagent.policy.service import Authority
from dataagent.runs import service
from dataagent.runs.document import document
from dataagent.runs.receipt import Audience
from dataagent.runs.types import Meanwhile, RunEvent

RUN = answers(serializers.Run, 404)
AFTER = OpenApiParameter("after", OpenApiTypes.INT, description="Only events with a greater number.")


@extend_schema(
    operation_id="runs_ask",
    request=serializers.Question,
    responses=answers(serializers.Run, 404, 409, 413, 422, 503, status=202),
)
@door("POST", Capability.ASK)
def ask(request: Request) -> Response:
    """Accept a question; follow the run that comes back."""
    asked = serializers.Question(data=request.data)
    asked.is_valid(raise_exception=True)
    given = asked.validated_data
    run = service.start_run(
        principal_of(request),
        given["question"],
        session_id=given.get("session_id"),
        today=given.get("today"),
        door="api",
        meanwhile=Meanwhile(given["meanwhile"]) if "meanwhile" in given else None,
    )
    return Response(document(run), status=202)


@extend_schema(
    operation_id="complete",
    request=serializers.Typed,
    responses=answers(serializers.Completion(many=True), 422),
)
@door("POST", Capability.ASK)
def complete(request: Request) -> Response:
    """Ways to go on with the beginning of a question, in words that the caller may use."""
    typed = serializers.Typed(data=request.data)
    typed.is_valid(raise_exception=True)
    found = service.complete(principal_of(request), typed.validated_data["text"])
    return Response([asdict(c) for c in found])


@extend_schema(operation_id="runs_read", responses=RUN)
@door("GET", Capability.READ_OWN_RUNS)
def read(request: Request, run_id: str) -> Response:
    """A run with its answer, as far as it is."""
    return Response(document(service.run(principal_of(request), run_id)))


@extend_schema(
    operation_id="runs_events", parameters=[AFTER], responses=answers(serializers.Event(many=True), 404, 422)
)
@door("GET", Capability.READ_OWN_RUNS, takes=("after",))
def events(request: Request, run_id: str) -> Response:
    """The run's events after a number, in order, for clients that poll."""
    after = whole_number(request.query_params.get("after"), name="after", default=0)
    return Response([asdict(e) for e in service.events_after(principal_of(request), run_id, after)])


@extend_schema(
    operation_id="runs_stream", parameters=[AFTER], responses=answers(str, 404, 422, media="text/event-stream")
)
@door("GET", Capability.READ_OWN_RUNS, takes=("after",))
@renderer_classes([EventStreamRenderer, ExactJSONRenderer])
def stream(request: Request, run_id: str) -> StreamingHttpResponse:
    """The run's events as they happen (server-sent events); goes on after `Last-Event-ID`.

    Where the caller's access ends meanwhile, the stream ends within a second with an event `problem`.
    """
    last = request.headers.get("Last-Event-ID") or request.query_params.get("after")
    after = whole_number(last, name="after", default=0)
    service.events_after(principal_of(request), run_id, after)  # a hidden run is told before the stream begins
    body = _lines(authority_of(request), run_id, after)
    headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(body, content_type="text/event-stream", headers=headers)


@extend_schema(operation_id="runs_cancel", request=None, responses=RUN)
@door("POST", Capability.READ_OWN_RUNS)
def cancel(request: Request, run_id: str) -> Response:
    """Stop a run; its query is ended in the engine."""
    return Response(document(service.cancel(principal_of(request), run_id)))


@extend_schema(
    operation_id="runs_choose",
    request=serializers.Choice,
    responses=answers(serializers.Run, 404, 409, 422, 503, status=202),
)
@door("POST", Capability.ASK)
def choose(request: Request, run_id: str) -> Response:
    """Answer a question that was asked back; the same run goes on."""
    asked = serializers.Choice(data=request.data)
    asked.is_valid(raise_exception=True)
    choice = (run_id, asked.validated_data["option"] - 1)
    return Response(document(service.start_run(principal_of(request), "", choice_of=choice, door="api")), status=202)


@extend_schema(
    operation_id="runs_receipt",
    parameters=[OpenApiParameter("audience", str, enum=[a.value for a in Audience], default=Audience.ASKER.value)],
    responses=answers(serializers.Envelope, 404, 422),
)
@door("GET", Capability.READ_OWN_RUNS, takes=("audience",))
def receipt(request: Request, run_id: str) -> HttpResponse:
    """The signed receipt, byte for byte as `manage.py receipts verify` wants it."""
    audience = request.query_params.get("audience", "asker")
    text = service.receipt_file(principal_of(request), run_id, audience)
    name = f"receipt-{run_id}-{audience}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(text, content_type="application/json", headers=headers)


@extend_schema(operation_id="runs_result", responses=answers(str, 404, media="text/csv"))
@door("GET", Capability.EXPORT)
@renderer_classes([CsvRenderer, ExactJSONRenderer])
def result_file(request: Request, run_id: str) -> HttpResponse:
    """The whole result of one's own answer as a CSV file, with every digit."""
    found = service.result_csv(principal_of(request), run_id)
    headers = {"Content-Disposition": f'attachment; filename="{found.name}"', "Cache-Control": "no-store"}
    return HttpResponse(found.text, content_type="text/csv; charset=utf-8; header=present", headers=headers)


@extend_schema(operation_id="runs_audiences", responses=answers(serializers.Audiences, 404))
@door("GET", Capability.READ_OWN_RUNS)
def audiences(request: Request, run_id: str) -> Response:
    """The audiences for which the caller may take this run's receipt."""
    return Response({"audiences": service.audiences(principal_of(request), run_id)})


async def _lines(authority: Authority, run_id: str, after: int) -> AsyncIterator[str]:
    try:
        async for batch in service.follow(authority, run_id, after):
            yield "".join(_line(e) for e in batch) or ": still here\n\n"
    except ShownError as ended:  # the access ended while the stream was open
        yield f"event: problem\ndata: {json.dumps({'code': ended.code, 'detail': ended.message})}\n\n"


def _line(event: RunEvent) -> str:
    data = {"number": event.number, "text": event.text, "at": event.at.isoformat(), **event.data}
    return f"id: {event.number}\nevent: {event.kind}\ndata: {json.dumps(data)}\n\n"
