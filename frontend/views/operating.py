"""Runs that may need somebody, and what an admin does about them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from dataagent.errors import ShownError
from dataagent.policy.doors import requires
from dataagent.policy.principal import Capability
from dataagent.runs.service import operating
from dataagent.runs.troubles import RunAction
from frontend.contexts.operating import operate_page, told
from frontend.views.frame import page, principal_of


@require_GET
@requires(Capability.ADMINISTER)
def operate(request: HttpRequest) -> HttpResponse:
    """The runs of one kind or all, a hundred at a time."""
    principal = principal_of(request)
    kind, start = operating.kind_of(request.GET.get("kind", "")), _number(request.GET.get("start", ""))
    found = operating.troubles(principal, kind, start=start)
    context = operate_page(found, kind, operating.elsewhere(principal), start=start)
    return page(request, "operate/page.html", title="Operate", place="operate", page=context)


@require_POST
@requires(Capability.ADMINISTER)
def act(request: HttpRequest) -> HttpResponse:
    """The list after the action: of a run's own button (`end:RUN`), or on all that were chosen (`end`)."""
    given = request.POST
    name, _, one = given.get("do", "").partition(":")
    if name not in set(RunAction):
        raise ShownError("invalid_input", f"Choose one of: {', '.join(RunAction)}.")
    chosen = [one] if one else given.getlist("run")
    if not chosen:
        messages.info(request, "No run was chosen. Tick some, then press the button again.")
    else:
        for words in told(RunAction(name), operating.act(principal_of(request), RunAction(name), chosen)):
            messages.success(request, words)
    kind = operating.kind_of(given.get("kind", ""))
    return redirect(f"{reverse('operate')}?kind={kind.value}" if kind else "operate")


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 6 else 0
