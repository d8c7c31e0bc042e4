"""The catalog: what can be asked for."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from dataagent.errors import ShownError
from dataagent.policy.decide import decide
from dataagent.policy.doors import requires
from dataagent.policy.principal import Capability, Principal
from dataagent.runs import service as runs
from frontend.contexts.catalog import Steps, catalog_page, dimension_page, metric_page, steps_of
from frontend.views.frame import page, principal_of


@require_GET
@requires(Capability.READ_CATALOG)
def catalog(request: HttpRequest) -> HttpResponse:
    """The list of metrics and dimensions that the principal may see."""
    principal = principal_of(request)
    context = catalog_page(*runs.sight(principal), request.GET.get("q", "").strip()[:200])
    return page(request, "catalog/page.html", title="Catalog", place="catalog", page=context)


@require_GET
@requires(Capability.READ_CATALOG)
def metric(request: HttpRequest, name: str) -> HttpResponse:
    """A metric's contract."""
    principal = principal_of(request)
    steps = _steps(principal, name, request.GET.get("by", "")[:200], request.GET.get("where", "")[:200].strip())
    context = metric_page(*runs.sight(principal), name, cards=_cards(principal), steps=steps)
    if context is None:
        raise ShownError("not_found", "There is no such metric.")
    return page(request, "catalog/metric.html", title=context.label, place="catalog", page=context)


@require_GET
@requires(Capability.READ_CATALOG)
def dimension(request: HttpRequest, name: str) -> HttpResponse:
    """A dimension."""
    principal = principal_of(request)
    context = dimension_page(*runs.sight(principal), name)
    if context is None:
        raise ShownError("not_found", "There is no such dimension.")
    return page(request, "catalog/dimension.html", title=context.label, place="catalog", page=context)


def _steps(principal: Principal, name: str, by: str, where: str) -> Steps:
    parts = runs.Parts(by=(by,) if by else (), where=(where,) if where else ())
    try:
        found = runs.explanation(principal, name, parts)
    except ShownError as error:
        if error.code != "invalid_input":
            raise
        return Steps(by=by, where=where, problem=error.message)
    return steps_of(found, by, where)


def _cards(principal: Principal) -> frozenset[str]:
    """Tables whose card the principal may open."""
    if not decide(principal, Capability.READ_CARDS).allowed():
        return frozenset()
    return frozenset(card.table for card in runs.cards(principal))
