"""Addresses of the API."""

from __future__ import annotations

from django.urls import URLPattern, path
from drf_spectacular.views import SpectacularAPIView

from dataagent.api import catalog, runs, tokens

urlpatterns: list[URLPattern] = [
    path("token", tokens.sign_in, name="api-token"),
    path("runs", runs.ask, name="api-runs"),
    path("runs/<str:run_id>", runs.read, name="api-run"),
    path("runs/<str:run_id>/events", runs.events, name="api-run-events"),
    path("runs/<str:run_id>/stream", runs.stream, name="api-run-stream"),
    path("runs/<str:run_id>/cancel", runs.cancel, name="api-run-cancel"),
    path("runs/<str:run_id>/choose", runs.choose, name="api-run-choose"),
    path("runs/<str:run_id>/receipt", runs.receipt, name="api-run-receipt"),
    path("catalog/search", catalog.search, name="api-catalog-search"),
    path("cards", catalog.cards, name="api-cards"),
    path("cards/<str:table>", catalog.card, name="api-card"),
    path("schema", SpectacularAPIView.as_view(), name="api-schema"),
]
