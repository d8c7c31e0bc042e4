"""A workspace's stored policy as a value."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPolicy:
    """One version of a policy: its running number, the owner's name for it, the text and its digest."""

    number: int
    version: str
    digest: str
    source: str
    file: str
    created_at: datetime
