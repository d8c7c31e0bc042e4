"""Lets probes in before anything else looks at the request."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from dataagent.api.probes import PROBES


def probes_first(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """A middleware: probes come by address and without TLS, which the rest of the product rightly turns away."""

    def middleware(request: HttpRequest) -> HttpResponse:
        probe = PROBES.get(request.path)
        return probe(request) if probe else get_response(request)

    return middleware
