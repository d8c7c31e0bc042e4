"""Addresses in settings: the database of the product, and the warehouses of workspaces."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from dataagent.warehouse.address import target_of

CONNECT_S = 5
"""How long a database that does not answer is waited for; whoever needs it tries again."""
KEPT_ALIVE = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
"""A line that went silent is noticed within half a minute: a worker that waits on it would hold its run."""


def database_settings(url: str, home: Path) -> dict[str, Any]:
    """Django settings of one PostgreSQL database.

    Raises: ValueError with a plain sentence where the URL is not a PostgreSQL one.
    """
    options = {"prepare_threshold": None, "connect_timeout": CONNECT_S}
    common: dict[str, Any] = {"CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": True, "OPTIONS": options}
    if not url:
        return {
            **common,
            "ENGINE": "dataagent.embedded",
            "NAME": "dataagent",
            "USER": "postgres",
            "OPTIONS_DATA_FOLDER": str(home / "postgres"),
        }
    parts = urlsplit(url)
    if parts.scheme not in ("postgres", "postgresql") or not parts.path.strip("/"):
        raise ValueError("DATABASE_URL must look like postgresql://user:password@host:5432/name.")
    return {
        **common,
        "OPTIONS": {**options, **KEPT_ALIVE},
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.strip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": str(parts.port or ""),
    }


def warehouse_urls(text: str) -> dict[str, str]:
    """The warehouse's address by workspace, from pairs `workspace=postgresql://…` with spaces between.

    Raises: ValueError with a plain sentence that repeats no password.
    """
    found: dict[str, str] = {}
    for pair in text.split():
        workspace, separator, url = pair.partition("=")
        if not separator or not url.startswith(("postgres://", "postgresql://")) or workspace in found:
            raise ValueError(
                "DATAAGENT_WAREHOUSES must name each workspace once, as"
                " workspace=postgresql://user:password@host:5432/name, with spaces between."
            )
        target_of(url)
        found[workspace] = url
    return found
