"""The run's events as they happen: server-sent events that end with the finished document."""

from __future__ import annotations

from collections.abc import AsyncIterator

from asgiref.sync import sync_to_async
from django.http import HttpRequest, StreamingHttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_GET

from dataagent.errors import ShownError
from dataagent.policy.doors import requires
from dataagent.policy.principal import Capability
from dataagent.policy.service import Authority, authority_of_session
from dataagent.runs import service as runs
from dataagent.runs.types import RunEvent, RunView
from frontend.contexts.run import is_working, step_line
from frontend.views.ask import conversations_of, document_of
from frontend.views.frame import principal_of


@require_GET
@requires(Capability.READ_OWN_RUNS)
def events(request: HttpRequest, run_id: str) -> StreamingHttpResponse:
    """The events after `Last-Event-ID` (or `?after=`), then the document of the ended run."""
    principal = principal_of(request)
    after = _number(request.headers.get("Last-Event-ID") or request.GET.get("after", ""))
    runs.run(principal, run_id)  # a hidden or absent run is a missing page, not an empty stream
    authority = authority_of_session(request, principal.workspace)
    response = StreamingHttpResponse(_stream(request, authority, run_id, after), content_type="text/event-stream")
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


async def _stream(request: HttpRequest, authority: Authority, run_id: str, after: int) -> AsyncIterator[bytes]:
    yield b"retry: 1000\n\n"
    try:
        async for number, part in _parts(request, authority, run_id, after):
            after = number
            yield part
    except ShownError:  # the access ended while the page was open
        gone = await sync_to_async(render_to_string)("frontend/run/_gone.html")
        yield message("document", gone, number=after)
    yield message("end", "", number=after)


async def _parts(
    request: HttpRequest, authority: Authority, run_id: str, after: int
) -> AsyncIterator[tuple[int, bytes]]:
    """Each part with the number to go on after, read under the authority of its own moment."""
    found, new = await sync_to_async(_look)(authority, run_id, after)
    for event in new:
        after = event.number
        yield after, _step(event)
    if is_working(found):
        async for batch in runs.follow(authority, run_id, after):
            for event in batch:
                after = event.number
                yield after, _step(event)
            if not batch:
                yield after, b": still working\n\n"
    yield after, message("document", await sync_to_async(_document)(request, authority, run_id), number=after)


def message(kind: str, content: str, *, number: int) -> bytes:
    """One server-sent event with its id, its kind and its lines."""
    lines = "".join(f"data: {line}\n" for line in content.splitlines() or [""])
    return f"id: {number}\nevent: {kind}\n{lines}\n".encode()


def _look(authority: Authority, run_id: str, after: int) -> tuple[RunView, tuple[RunEvent, ...]]:
    """The run first, its events second: no event of an ended run is missed."""
    principal = authority()
    found = runs.run(principal, run_id)
    return found, runs.events_after(principal, run_id, after)


def _step(event: RunEvent) -> bytes:
    content = render_to_string("frontend/run/_step.html", {"step": step_line(event)})
    return message("step", content, number=event.number)


def _document(request: HttpRequest, authority: Authority, run_id: str) -> str:
    principal = authority()
    found = runs.run(principal, run_id)
    context = {"run": document_of(principal, found), "conversations": conversations_of(principal, found)}
    return render_to_string("frontend/run/_finished.html", context, request=request)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
