"""Addresses of evals in the API."""

from __future__ import annotations

from django.urls import URLPattern, path

from evals.api import evals

urlpatterns: list[URLPattern] = [
    path("evals/suites", evals.suites, name="api-eval-suites"),
    path("evals/suites/<str:suite>/start", evals.start, name="api-eval-start"),
    path("evals/runs", evals.eval_runs, name="api-eval-runs"),
    path("evals/runs/<str:run_id>", evals.eval_run, name="api-eval-run"),
    path("evals/runs/<str:run_id>/cases/<str:case_id>", evals.eval_case, name="api-eval-case"),
]
