"""DATABASE_URL → Django's database settings; unset, the embedded server."""

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
