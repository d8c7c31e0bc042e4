"""The audit: what happened to whose authority, as entries of a hash chain per workspace.  Pure.

Entries hold names, ids, digests and codes, never a value of the data.  The personal part of an entry (who,
on what, details) goes into the chain as a digest of its own: when its time has come it can be erased, and
what stays is a tombstone with which the chain still holds.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

GENESIS = "sha256:" + "0" * 64
"""What the first entry of a workspace points back to."""


class AuditKind(StrEnum):
    """What an entry tells."""

    RUN_ENDED = "run_ended"
    RUN_OPERATED = "run_operated"
    DENIED = "denied"
    RUN_READ = "run_read"
    RECEIPT_READ = "receipt_read"
    MANIFEST_READ = "manifest_read"
    EXPORTED = "exported"
    POLICY_CHANGED = "policy_changed"
    ACCESS_REQUESTED = "access_requested"
    ACCESS_GRANTED = "access_granted"
    ACCESS_DECLINED = "access_declined"
    ACCESS_ENDED = "access_ended"
    ACCESS_PREVIEWED = "access_previewed"
    ERASED = "erased"


class Retention(StrEnum):
    """How long an entry keeps its personal part."""

    FOR_GOOD = "for_good"
    FOR_A_TIME = "for_a_time"


RETENTION: dict[AuditKind, Retention] = {
    AuditKind.RUN_ENDED: Retention.FOR_GOOD,
    AuditKind.RUN_OPERATED: Retention.FOR_GOOD,
    AuditKind.DENIED: Retention.FOR_A_TIME,
    AuditKind.RUN_READ: Retention.FOR_A_TIME,
    AuditKind.RECEIPT_READ: Retention.FOR_A_TIME,
    AuditKind.MANIFEST_READ: Retention.FOR_A_TIME,
    AuditKind.EXPORTED: Retention.FOR_A_TIME,
    AuditKind.POLICY_CHANGED: Retention.FOR_GOOD,
    AuditKind.ACCESS_REQUESTED: Retention.FOR_GOOD,
    AuditKind.ACCESS_GRANTED: Retention.FOR_GOOD,
    AuditKind.ACCESS_DECLINED: Retention.FOR_GOOD,
    AuditKind.ACCESS_ENDED: Retention.FOR_GOOD,
    AuditKind.ACCESS_PREVIEWED: Retention.FOR_A_TIME,
    AuditKind.ERASED: Retention.FOR_GOOD,
}
ERASABLE = tuple(kind.value for kind, retention in RETENTION.items() if retention is Retention.FOR_A_TIME)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEvent:
    """What is to be recorded: who did what on which thing.  `by` is empty for whoever runs the product."""

    workspace_id: int
    kind: AuditKind
    by: str = ""
    subject: str = ""
    details: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """A stored event: its place in the chain and its digests.  An erased one has no personal part."""

    sequence: int
    kind: str
    at: datetime
    by: str
    subject: str
    details: str
    content_digest: str
    previous_digest: str
    digest: str
    erased_at: datetime | None = None

    def facts(self) -> Mapping[str, str]:
        """The details by name; none of an erased entry, nor of one that cannot be read."""
        try:
            found = json.loads(self.details or "{}")
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFault:
    """The first entry that does not hold, and why."""

    position: int
    code: str
    message: str


def details_text(event: AuditEvent) -> str:
    """The details as they are stored: JSON with sorted names."""
    return _json(dict(event.details))


def content_digest(*, by: str, subject: str, details: str) -> str:
    """The digest of an entry's personal part."""
    return _digest({"by": by, "subject": subject, "details": details})


def entry_digest(*, workspace_id: int, sequence: int, kind: str, at: datetime, content: str, previous: str) -> str:
    """The digest of an entry: over its place, kind and time, its content's digest and the entry before."""
    place: dict[str, str] = {"workspace": str(workspace_id), "sequence": str(sequence), "kind": kind}
    return _digest({**place, "at": at.astimezone(UTC).isoformat(), "content": content, "previous": previous})


def verified(workspace_id: int, entries: Iterable[AuditEntry]) -> Iterator[AuditEntry | AuditFault]:
    """The entries in order as long as they hold; the first fault ends them."""
    previous, count, last_erased, told = GENESIS, 0, 0, 0
    for entry in entries:
        fault = _fault(workspace_id, entry, count + 1, previous)
        if fault is not None:
            yield fault
            return
        previous, count = entry.digest, count + 1
        if entry.erased_at is not None:
            last_erased = entry.sequence
        elif entry.kind == AuditKind.ERASED and entry.facts().get("through", "").isdecimal():
            told = max(told, int(entry.facts()["through"]))
        yield entry
    if last_erased > told:
        words = f"Entry {last_erased} of the audit was erased, and no entry says so."
        yield AuditFault(position=last_erased, code="audit_erased", message=words)


def _fault(workspace_id: int, entry: AuditEntry, sequence: int, previous: str) -> AuditFault | None:
    if entry.sequence != sequence:
        return AuditFault(position=sequence, code="audit_missing", message=f"Entry {sequence} of the audit is missing.")
    if entry.previous_digest != previous:
        words = f"Entry {sequence} of the audit does not point to the one before it."
        return AuditFault(position=sequence, code="audit_broken", message=words)
    told = content_digest(by=entry.by, subject=entry.subject, details=entry.details)
    expected = entry_digest(
        workspace_id=workspace_id,
        sequence=sequence,
        kind=entry.kind,
        at=entry.at,
        content=entry.content_digest,
        previous=previous,
    )
    if entry.digest != expected or (told != entry.content_digest and not _is_tombstone(entry)):
        words = f"Entry {sequence} of the audit was changed after it was written."
        return AuditFault(position=sequence, code="audit_changed", message=words)
    return None


def _is_tombstone(entry: AuditEntry) -> bool:
    """Whether nothing but the place of an entry is left, and its kind may be erased."""
    emptied = not (entry.by or entry.subject or entry.details)
    return emptied and entry.erased_at is not None and entry.kind in ERASABLE


def _digest(parts: Mapping[str, str]) -> str:
    return f"sha256:{hashlib.sha256(_json(parts).encode()).hexdigest()}"


def _json(parts: Mapping[str, str]) -> str:
    return json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
