"""The audit: entries hold together, changes to them are seen, and names can be erased without a gap."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from dataagent.policy.audit import (
    GENESIS,
    RETENTION,
    AuditEntry,
    AuditEvent,
    AuditFault,
    AuditKind,
    content_digest,
    details_text,
    entry_digest,
    verified,
)

START = datetime(2025, 6, 18, 9, tzinfo=UTC)
ERASED = {"by": "", "subject": "", "details": "", "erased_at": START}


def chain_of(*events: AuditEvent) -> tuple[AuditEntry, ...]:
    def made() -> Iterator[AuditEntry]:
        previous = GENESIS
        for number, event in enumerate(events, 1):
            details, at = details_text(event), START + timedelta(minutes=number)
            content = content_digest(by=event.by, subject=event.subject, details=details)
            digest = entry_digest(
                workspace_id=1, sequence=number, kind=event.kind, at=at, content=content, previous=previous
            )
            yield AuditEntry(
                sequence=number,
                kind=event.kind.value,
                at=at,
                by=event.by,
                subject=event.subject,
                details=details,
                content_digest=content,
                previous_digest=previous,
                digest=digest,
            )
            previous = digest

    return tuple(made())


def event(kind: AuditKind, *details: tuple[str, str]) -> AuditEvent:
    return AuditEvent(workspace_id=1, kind=kind, by="analyst", subject="GET /runs/<str:run_id>", details=details)


THREE = chain_of(
    event(AuditKind.POLICY_CHANGED, ("after", "d")),
    event(AuditKind.DENIED, ("capability", "export")),
    event(AuditKind.ERASED, ("through", "2")),
)


def code_of(*entries: AuditEntry, workspace_id: int = 1) -> tuple[str, int] | None:
    faults = [f for f in verified(workspace_id, entries) if isinstance(f, AuditFault)]
    return (faults[0].code, faults[0].position) if faults else None


def test_an_untouched_chain_holds() -> None:
    assert code_of(*THREE) is None


@pytest.mark.parametrize(
    "change",
    [
        {"by": "nobody"},
        {"subject": "POST /ask/"},
        {"details": "{}"},
        {"kind": "exported"},
        {"at": START},
        {"content_digest": GENESIS},
        {"by": "", "subject": "", "details": ""},
        {"by": "", "erased_at": START},
    ],
)
def test_any_change_to_an_entry_is_seen_at_its_place(change: dict[str, str]) -> None:
    assert code_of(THREE[0], replace(THREE[1], **change), THREE[2]) == ("audit_changed", 2)  # type: ignore[arg-type]


def test_a_removed_a_moved_and_a_foreign_entry_are_seen() -> None:
    assert code_of(THREE[0], THREE[2]) == ("audit_missing", 2)
    assert code_of(THREE[0], replace(THREE[1], previous_digest=GENESIS)) == ("audit_broken", 2)
    assert code_of(*THREE, workspace_id=2) == ("audit_changed", 1)


def test_an_erased_entry_leaves_a_tombstone_that_a_later_entry_accounts_for() -> None:
    tombstone = replace(THREE[1], **ERASED)  # type: ignore[arg-type]
    assert code_of(THREE[0], tombstone, THREE[2]) is None
    assert code_of(THREE[0], tombstone) == ("audit_erased", 2)


def test_a_change_of_policy_cannot_be_erased() -> None:
    assert code_of(replace(THREE[0], **ERASED), *THREE[1:]) == ("audit_changed", 1)  # type: ignore[arg-type]


def test_every_kind_has_a_retention() -> None:
    assert set(RETENTION) == set(AuditKind)
