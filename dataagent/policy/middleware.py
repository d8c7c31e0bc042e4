"""Puts the principal of the signed-in user on each request."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from dataagent.accounts.service import SESSION_WORKSPACE
from dataagent.policy import service


def principal_middleware(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """A middleware: `request.principal` is the Principal in the chosen workspace, or None for a stranger."""

    def middleware(request: HttpRequest) -> HttpResponse:
        chosen = request.session.get(SESSION_WORKSPACE)
        request.principal = service.principal_of_request_user(request.user, chosen)  # type: ignore[attr-defined]
        return get_response(request)

    return middleware
