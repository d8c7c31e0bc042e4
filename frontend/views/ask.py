"""Asking: the empty page, a new question, a chosen reading, a cancel, and the document of a run."""

from __future__ import annotations

from dataclasses import asdict

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dataagent.errors import ShownError
from dataagent.policy.decide import decide
from dataagent.policy.doors import requires
from dataagent.policy.principal import Capability, Principal
from dataagent.runs import service as runs
from dataagent.runs.types import Meanwhile, RunView
from frontend.contexts.completions import completion_items
from frontend.contexts.examples import examples
from frontend.contexts.run import AskPage, ConversationLink, RunDocument, conversations, run_document
from frontend.views.frame import page, principal_of

BACK_TO_PAGE = frozenset({"run_active", "invalid_input", "too_large"})
CONVERSATIONS = 40


@require_http_methods(["GET", "POST"])
@requires(Capability.ASK)
def ask(request: HttpRequest) -> HttpResponse:
    """The empty ask page, or the way to the run of the posted question."""
    principal = principal_of(request)
    if request.method == "POST":
        return _start(request, principal)
    context = AskPage(examples=_examples(principal), conversations=conversations_of(principal))
    return page(request, "ask/page.html", title="Ask", place="ask", page=context)


@require_POST
@requires(Capability.ASK)
def complete(request: HttpRequest) -> HttpResponse:
    """Ways to go on with the question as it stands, for the list under the box."""
    found = runs.complete(principal_of(request), request.POST.get("question", ""))
    return JsonResponse({"completions": [asdict(item) for item in completion_items(found)]})


@require_GET
@requires(Capability.READ_OWN_RUNS)
def run(request: HttpRequest, run_id: str) -> HttpResponse:
    """The document of a run, whatever its state."""
    principal = principal_of(request)
    found = runs.run(principal, run_id)
    return page(
        request,
        "run/page.html",
        title=found.question,
        place="ask",
        run=document_of(principal, found, chart=request.GET.get("chart", "")),
        conversations=conversations_of(principal, found),
    )


@require_GET
@requires(Capability.READ_OWN_RUNS)
def conversation(request: HttpRequest, session_id: str) -> HttpResponse:
    """The way to the last run of a conversation."""
    found = runs.session_runs(principal_of(request), session_id)
    return redirect("run", found[-1].id) if found else redirect("ask")


@require_POST
@requires(Capability.ASK)
def choose(request: HttpRequest, run_id: str) -> HttpResponse:
    """The way back to the run after its clarification was answered."""
    chosen = request.POST.get("choice", "")
    if not chosen.isdecimal():
        raise ShownError("invalid_input", "Please choose one of the readings.")
    started = runs.start_run(principal_of(request), "", choice_of=(run_id, int(chosen)))
    return redirect("run", started.id)


@require_POST
@requires(Capability.READ_OWN_RUNS)
def cancel(request: HttpRequest, run_id: str) -> HttpResponse:
    """The way back to the run after it was told to stop."""
    return redirect("run", runs.cancel(principal_of(request), run_id).id)


def document_of(principal: Principal, found: RunView, *, chart: str = "") -> RunDocument:
    """The document of a run for this principal."""
    own = found.asker == principal.user
    events = runs.events_after(principal, found.id, 0)
    past = runs.session_runs(principal, found.session_id)
    may_export = decide(principal, Capability.EXPORT).allowed()
    return run_document(found, events, past, chart=chart, own=own, may_export=may_export)


def conversations_of(principal: Principal, current: RunView | None = None) -> tuple[ConversationLink, ...]:
    """The left column for this principal."""
    turns = runs.session_runs(principal, current.session_id) if current else ()
    return conversations(runs.sessions(principal, CONVERSATIONS), turns, current)


def _start(request: HttpRequest, principal: Principal) -> HttpResponse:
    session_id = request.POST.get("session") or None
    try:
        started = runs.start_run(
            principal, request.POST.get("question", ""), session_id=session_id, meanwhile=_meanwhile(request)
        )
    except ShownError as error:
        if error.code not in BACK_TO_PAGE:
            raise
        messages.error(request, f"{error.message} {error.action}".strip())
        return redirect("conversation", session_id) if session_id else redirect("ask")
    return redirect("run", started.id)


def _meanwhile(request: HttpRequest) -> Meanwhile | None:
    """What the person says becomes of the question that is being worked on; None where it is not asked."""
    said = request.POST.get("meanwhile", "")
    return Meanwhile(said) if said in set(Meanwhile) else None


def _examples(principal: Principal) -> tuple[str, ...]:
    """Example questions; none where there is no catalog or no warehouse to tell from."""
    try:
        return examples(*runs.sight(principal))
    except ShownError:
        return ()
