"""What one may see and why, asking for access, and deciding on what was asked."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from catalog.access import AccessScope
from dataagent.errors import ShownError
from dataagent.policy import service as policy
from dataagent.policy.access import AccessDecision, Verdict
from dataagent.policy.decide import decide as may
from dataagent.policy.doors import requires
from dataagent.policy.principal import Capability, Principal
from dataagent.runs import service as runs
from dataagent.runs.service.preview import people as people_of
from dataagent.runs.service.preview import preview as preview_of
from frontend.contexts.access import Draft, access_page, preview_page, waiting_page
from frontend.views.frame import page, principal_of


@require_http_methods(["GET", "POST"])
@requires(Capability.REQUEST_ACCESS)
def access(request: HttpRequest) -> HttpResponse:
    """One's own access and requests; posted, a new request."""
    principal = principal_of(request)
    given = request.POST if request.method == "POST" else request.GET
    draft = Draft(run=given.get("run", "")[:36], note=given.get("note", ""))
    if request.method == "POST":
        try:
            policy.request_access(principal, draft.note, run=draft.run)
        except ShownError as refused:
            draft = Draft(run=draft.run, note=draft.note, error=f"{refused.message} {refused.action}".strip())
        else:
            messages.success(request, "Your request waits for an admin of this workspace.")
            return redirect("access")
    context = access_page(
        principal,
        _scope(principal),
        policy.own_requests(principal),
        draft,
        now=timezone.now(),
        decides=may(principal, Capability.ADMINISTER).allowed(),
    )
    status = 422 if draft.error else 200
    return page(request, "access/page.html", title="Your access", place="access", status=status, page=context)


@require_GET
@requires(Capability.ADMINISTER)
def waiting(request: HttpRequest) -> HttpResponse:
    """The requests that wait, and what is lent."""
    principal = principal_of(request)
    context = waiting_page(policy.access_requests(principal), policy.role_names(principal), now=timezone.now())
    return page(request, "access/waiting.html", title="Requests for access", place="access", page=context)


@require_GET
@requires(Capability.ADMINISTER)
def preview(request: HttpRequest) -> HttpResponse:
    """What a person of the workspace may see and why; the look is in the audit."""
    principal = principal_of(request)
    user = request.GET.get("user", "")
    context = preview_page(people_of(principal), preview_of(principal, user) if user else None)
    return page(request, "access/preview.html", title="Access of a person", place="access", page=context)


@require_POST
@requires(Capability.ADMINISTER)
def decide(request: HttpRequest, request_id: int) -> HttpResponse:
    """The list after the decision."""
    given = request.POST
    if given.get("verdict") not in set(Verdict):
        raise ShownError("invalid_input", f"Choose one of: {', '.join(Verdict)}.")
    days = given.get("days", "")
    decision = AccessDecision(
        verdict=Verdict(given["verdict"]),
        role=given.get("role", ""),
        days=int(days) if days.isascii() and days.isdigit() and len(days) < 4 else 0,
        in_place="in_place" in given,
        reason=given.get("reason", ""),
    )
    made = policy.decide_request(principal_of(request), request_id, decision)
    messages.success(request, f"The request of {made.user} is {made.state.value}.")
    return redirect("access-waiting")


def _scope(principal: Principal) -> AccessScope | None:
    """What the principal may look up; None for those who may not, and where there is nothing yet."""
    if not may(principal, Capability.READ_CATALOG).allowed():
        return None
    try:
        return runs.sight(principal)[1]
    except ShownError:
        return None
