"""Seals with fresh random texts and the product's key."""

from __future__ import annotations

import secrets

from dataagent.runs.sealing import Seal
from dataagent.runs.service import keys


def new_seal(draft: str, *, salt: str = "") -> Seal:
    """What signs a run that ends; `draft` is the manifest so far."""
    return Seal(key=keys.signing_key(), draft=draft, nonce=new_salt(), salt=salt or new_salt())


def new_salt() -> str:
    """A random text that nobody can guess."""
    return secrets.token_hex(16)
