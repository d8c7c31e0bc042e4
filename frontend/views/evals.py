"""Evals: start a suite, watch it, look at a case."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from dataagent.errors import ShownError
from dataagent.policy.doors import requires
from dataagent.policy.principal import Capability
from evals import service as evals
from frontend.contexts.evals import case_page, eval_run_page, evals_page
from frontend.views.frame import page, principal_of


@require_GET
@requires(Capability.RUN_EVALS)
def evals_list(request: HttpRequest) -> HttpResponse:
    """The suites and the newest runs."""
    principal = principal_of(request)
    context = evals_page(evals.suites(principal), evals.eval_runs(principal, 30))
    return page(request, "evals/page.html", title="Evals", place="evals", page=context)


@require_POST
@requires(Capability.RUN_EVALS)
def start(request: HttpRequest, suite: str) -> HttpResponse:
    """The way to the new run of a suite."""
    return redirect("eval-run", evals.start(principal_of(request), suite))


@require_GET
@requires(Capability.RUN_EVALS)
def eval_run(request: HttpRequest, run_id: str) -> HttpResponse:
    """The run with its matrix; htmx asks for the part alone while it works."""
    context = eval_run_page(evals.eval_run(principal_of(request), run_id))
    if request.headers.get("HX-Request"):
        return render(request, "frontend/evals/_part.html", {"page": context})
    return page(request, "evals/run.html", title=f"Eval of {context.suite}", place="evals", page=context)


@require_GET
@requires(Capability.RUN_EVALS)
def eval_case(request: HttpRequest, run_id: str, case_id: str) -> HttpResponse:
    """One case in full."""
    context = case_page(evals.eval_run(principal_of(request), run_id), case_id)
    if context is None:
        raise ShownError("not_found", "There is no such case in this run.")
    return page(request, "evals/case.html", title=context.id, place="evals", page=context)
