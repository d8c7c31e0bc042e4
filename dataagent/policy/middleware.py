"""Puts the principal of the signed-in user on each request."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from dataagent.policy import service


def principal_middleware(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """A middleware: `request.principal` is the Principal, or None for a stranger."""

    def middleware(request: HttpRequest) -> HttpResponse:
        request.principal = service.principal_of_request_user(request.user)  # type: ignore[attr-defined]
        return get_response(request)

    return middleware
