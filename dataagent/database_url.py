"""Addresses in settings: the database of the product, and the warehouses of workspaces."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit


def database_settings(url: str, home: Path) -> dict[str, Any]:
    """Django settings of one PostgreSQL database.

    Raises: ValueError with a plain sentence where the URL is not a PostgreSQL one.
    """
    common: dict[str, Any] = {"CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": True, "OPTIONS": {"prepare_threshold": None}}
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
        found[workspace] = url
    return found
