"""Secrets of the embedded mode: generated once into the data folder, readable by its owner only."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from pathlib import Path


class MissingSecretError(RuntimeError):
    """A secret that this mode requires was not given."""


def secret_key(home: Path, given: str, *, may_create: bool) -> str:
    """The Django secret key: the given one, else the generated one of the data folder.

    Raises: MissingSecretError where none was given and none may be made.
    """
    if given:
        return given
    if not may_create:
        raise MissingSecretError("Set SECRET_KEY: it is required when DATABASE_URL is set.")
    return read_or_create(home / "secret_key", lambda: secrets.token_urlsafe(48))


def read_or_create(path: Path, make: Callable[[], str]) -> str:
    """The text of `path`; where it is absent, what `make()` returns, written with mode 0600 first."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
    text = make()
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="utf-8")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    return text


def new_key() -> str:
    """A fresh random key as text."""
    return secrets.token_urlsafe(48)
