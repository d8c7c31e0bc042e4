"""Probes for those who run the product: whether this process lives, and whether it can serve.  They hold no secrets."""

from __future__ import annotations

import hmac
from collections.abc import Callable

import psycopg
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from dataagent.runs.service.watching import metrics_text


class _Tables:
    """Whether the tables were seen up to date: that does not change while a process runs."""

    up_to_date = False


@require_safe
def healthz(_request: HttpRequest) -> JsonResponse:
    """200 while this process answers; nothing else is asked, so that a database that is away restarts no web server."""
    return _told({"ok": True}, 200)


@require_safe
def readyz(_request: HttpRequest) -> JsonResponse:
    """200 where a question would be accepted now, else 503 with the name of what is missing."""
    missing = _missing()
    return _told({"ready": not missing, "missing": [missing] if missing else []}, 503 if missing else 200)


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Counts and times for monitoring, to whoever has its token; to all others there is no such page."""
    wanted = f"Bearer {settings.METRICS_TOKEN}".encode()
    given = request.headers.get("Authorization", "").encode("utf-8", "replace")
    if not settings.METRICS_TOKEN or not hmac.compare_digest(given, wanted):
        return HttpResponse("Not found\n", status=404, content_type="text/plain")
    kind = "text/plain; version=0.0.4; charset=utf-8"
    return HttpResponse(metrics_text(), content_type=kind, headers={"Cache-Control": "no-store"})


def _missing() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        if not _Tables.up_to_date:
            executor = MigrationExecutor(connection)
            _Tables.up_to_date = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    except (DatabaseError, InterfaceError, psycopg.Error, OSError, RuntimeError):
        connection.close()
        return "database"
    return "" if _Tables.up_to_date else "migrations"


def _told(body: dict[str, object], status: int) -> JsonResponse:
    return JsonResponse(body, status=status, headers={"Cache-Control": "no-store"})


PROBES: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "/healthz": healthz,
    "/readyz": readyz,
    "/metrics": metrics,
}
"""Addresses that load balancers and supervisors ask."""
