"""What can be taken away of a run: its receipt, to read as well, and its result."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods

from dataagent.policy import service as policy
from dataagent.policy.doors import requires
from dataagent.policy.principal import Capability
from dataagent.runs import service as runs
from dataagent.runs.receipt import Audience
from frontend.contexts.receipt import audit_page, receipt_page
from frontend.views.frame import page, principal_of


@require_GET
@requires(Capability.READ_OWN_RUNS)
def receipt(request: HttpRequest, run_id: str) -> HttpResponse:
    """The receipt as a page, for the asked audience or the reader's first one."""
    principal = principal_of(request)
    audiences = tuple(a.value for a in runs.audiences(principal, run_id))
    wanted = request.GET.get("for") or next(iter(audiences), Audience.ASKER.value)
    payload = runs.receipt_view(principal, run_id, wanted)
    return page(request, "receipt/page.html", title="Receipt", place="ask", page=receipt_page(payload, audiences))


@require_GET
@requires(Capability.READ_OWN_RUNS)
def receipt_file(request: HttpRequest, run_id: str) -> HttpResponse:
    """The signed file, byte for byte, as a download."""
    audience = request.GET.get("for", Audience.ASKER.value)
    content = runs.receipt_file(principal_of(request), run_id, audience)
    name = f"receipt-{run_id[:8]}-{Audience(audience).value}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type="application/json", headers=headers)


@require_GET
@requires(Capability.EXPORT)
def result_file(request: HttpRequest, run_id: str) -> HttpResponse:
    """The whole result of one's own answer, as a download."""
    found = runs.result_csv(principal_of(request), run_id)
    headers = {"Content-Disposition": f'attachment; filename="{found.name}"', "Cache-Control": "no-store"}
    return HttpResponse(found.text, content_type="text/csv; charset=utf-8; header=present", headers=headers)


@require_http_methods(["GET", "POST"])
@requires(Capability.VERIFY_AUDIT)
def audit(request: HttpRequest) -> HttpResponse:
    """The audit page: what happened, verify the chain, or go to the receipt of a run."""
    principal = principal_of(request)
    wanted = request.GET.get("run", "").strip()
    if wanted:
        return redirect("receipt", runs.run(principal, wanted).id)
    verdict = runs.verify_chain(principal) if request.method == "POST" else None
    return page(
        request,
        "receipt/audit.html",
        title="Audit",
        place="audit",
        page=audit_page(verdict, policy.audit_log(principal)),
    )
