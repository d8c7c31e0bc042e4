"""Marks that a browser keeps after a sign-in, so that its owner is not locked out when strangers guess.  Pure."""

from __future__ import annotations

import hashlib
import hmac
from datetime import datetime, timedelta

KEPT = timedelta(days=180)
_DIGITS = 12


def new_mark(key: str, name_digest: str, device: str, *, now: datetime) -> str:
    """A signed mark for the browser in which that name has just signed in.  It opens nothing.

    `device` is a random name for the browser, without a point.
    """
    body = f"{device}.{int(now.timestamp())}"
    return f"{body}.{_seal(key, name_digest, body)}"


def device_in(key: str, mark: str, name_digest: str, *, now: datetime) -> str:
    """What names the browser, where the mark is ours, of that name and not too old; empty for any other."""
    body, _, seal = mark.rpartition(".")
    device, _, made = body.partition(".")
    if not hmac.compare_digest(seal.encode(), _seal(key, name_digest, body).encode()):
        return ""
    young = (
        made.isascii() and made.isdigit() and len(made) <= _DIGITS and now.timestamp() - int(made) < KEPT.days * 86400
    )
    return f"device {device}" if young else ""


def _seal(key: str, name_digest: str, body: str) -> str:
    text = f"dataagent.accounts.devices\n{name_digest}\n{body}"
    return hmac.new(key.encode(), text.encode("utf-8", "replace"), hashlib.sha256).hexdigest()
