"""Addresses of the product."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from dataagent.api.probes import PROBES

urlpatterns: list[URLPattern | URLResolver] = [
    *(path(address.strip("/"), probe) for address, probe in PROBES.items()),
    path("api/v1/", include("evals.urls")),
    path("api/v1/", include("dataagent.api.urls")),
    path("", include("frontend.urls")),
]

handler400 = "frontend.views.errors.bad_request"
handler404 = "frontend.views.errors.not_found"
handler403 = "frontend.views.errors.forbidden"
handler500 = "frontend.views.errors.broken"
