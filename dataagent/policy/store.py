"""The only ORM code of this room; takes and returns types."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.db import connection, transaction

from dataagent.policy import access, audit
from dataagent.policy.access import AccessDecision, RequestState
from dataagent.policy.audit import ERASABLE, AuditEvent
from dataagent.policy.models import AccessRequest, AuditEntry, PolicyVersion, RunAuthority
from dataagent.policy.types import StoredPolicy

AUDIT_LOCK = 0x0DA7B
"""Writers of one workspace's audit wait for each other: a chain has one end."""


def current(workspace_id: int) -> StoredPolicy | None:
    """The workspace's current policy, or None."""
    row = PolicyVersion.rows.of(workspace_id).filter(is_current=True).first()
    return None if row is None else _value(row)


def current_digest(workspace_id: int) -> str | None:
    """The digest of the workspace's current policy, or None."""
    found: str | None = (
        PolicyVersion.rows.of(workspace_id).filter(is_current=True).values_list("digest", flat=True).first()
    )
    return found


def versions(workspace_id: int) -> tuple[StoredPolicy, ...]:
    """All versions, newest first."""
    return tuple(_value(row) for row in PolicyVersion.rows.of(workspace_id).order_by("-number"))


@transaction.atomic
def add_current(
    workspace_id: int, *, version: str, digest: str, source: str, file: str, by: int | None
) -> StoredPolicy:
    """The new current policy; the one before stays as history.  Writers of one workspace wait for each other."""
    mine = PolicyVersion.rows.of(workspace_id)
    last = mine.select_for_update().order_by("-number").first()
    mine.filter(is_current=True).update(is_current=False)
    row = PolicyVersion.rows.create(
        workspace_id=workspace_id,
        number=1 if last is None else last.number + 1,
        version=version,
        digest=digest,
        source=source,
        file=file,
        is_current=True,
        created_by_id=by,
    )
    return _value(row)


@transaction.atomic
def append(event: AuditEvent, *, at: datetime) -> int:
    """The sequence of the new entry, written in the caller's transaction where there is one."""
    _lock_audit(event.workspace_id)
    mine = AuditEntry.rows.of(event.workspace_id)
    last = mine.order_by("-sequence").values_list("sequence", "digest").first()
    sequence, previous = (last[0] + 1, last[1]) if last else (1, audit.GENESIS)
    by, subject, details = event.by[:150], event.subject[:300], audit.details_text(event)
    content = audit.content_digest(by=by, subject=subject, details=details)
    digest = audit.entry_digest(
        workspace_id=event.workspace_id,
        sequence=sequence,
        kind=event.kind.value,
        at=at,
        content=content,
        previous=previous,
    )
    AuditEntry.rows.create(
        workspace_id=event.workspace_id,
        sequence=sequence,
        kind=event.kind.value,
        at=at,
        by=by,
        subject=subject,
        details=details,
        content_digest=content,
        previous_digest=previous,
        digest=digest,
    )
    return sequence


def recorded_since(event: AuditEvent, since: datetime) -> bool:
    """Whether the same person's same event on the same thing has been recorded since then."""
    same = AuditEntry.rows.of(event.workspace_id).filter(
        kind=event.kind.value, by=event.by[:150], subject=event.subject[:300], at__gte=since
    )
    return bool(same.filter(details=audit.details_text(event)).exists())


def audit_entries(workspace_id: int) -> Iterator[audit.AuditEntry]:
    """The whole audit of a workspace in order, read in pieces."""
    rows = AuditEntry.rows.of(workspace_id).order_by("sequence")
    return (_entry(row) for row in rows.iterator(chunk_size=500))


def audited_workspaces() -> tuple[str, ...]:
    """Names of the workspaces of which the audit tells anything, in order."""
    slugs = AuditEntry.rows.of_every_workspace().values_list("workspace__slug", flat=True)
    return tuple(slugs.distinct().order_by("workspace__slug"))


def latest_entries(workspace_id: int, *, before: int | None, limit: int) -> tuple[audit.AuditEntry, ...]:
    """The last entries before a sequence number, newest first."""
    rows = AuditEntry.rows.of(workspace_id)
    rows = rows if before is None else rows.filter(sequence__lt=before)
    return tuple(_entry(row) for row in rows.order_by("-sequence")[:limit])


@transaction.atomic
def erase(workspace_id: int, *, older_than: datetime, at: datetime) -> tuple[int, int]:
    """How many entries lost their personal part, and the last one's sequence: only of kinds that may."""
    _lock_audit(workspace_id)
    old = AuditEntry.rows.of(workspace_id).filter(kind__in=ERASABLE, at__lt=older_than, erased_at=None)
    last = old.order_by("-sequence").values_list("sequence", flat=True).first()
    return old.update(by="", subject="", details="", erased_at=at), last or 0


@transaction.atomic
def add_request(workspace_id: int, user_id: int, *, note: str, run: str, most: int) -> access.AccessRequest | None:
    """The new waiting request, or None where `most` of that login's wait already."""
    _lock_audit(workspace_id)  # the entry of the audit follows in the same transaction: one lock serves both
    waiting = AccessRequest.rows.of(workspace_id).filter(user_id=user_id, state=RequestState.WAITING.value)
    if waiting.count() >= most:
        return None
    row = AccessRequest.rows.create(workspace_id=workspace_id, user_id=user_id, note=note, run=run)
    return _request(row)


def request(workspace_id: int, request_id: int) -> access.AccessRequest | None:
    """One request of a workspace, or None."""
    row = AccessRequest.rows.of(workspace_id).select_related("user").filter(pk=request_id).first()
    return None if row is None else _request(row)


def requests_of(workspace_id: int, user_id: int, limit: int = 50) -> tuple[access.AccessRequest, ...]:
    """A login's last requests, newest first."""
    rows = AccessRequest.rows.of(workspace_id).filter(user_id=user_id).select_related("user")
    return tuple(map(_request, rows.order_by("-pk")[:limit]))


def open_requests(workspace_id: int, limit: int = 200) -> tuple[access.AccessRequest, ...]:
    """The waiting and granted requests of a workspace, newest first."""
    rows = AccessRequest.rows.of(workspace_id).filter(state__in=["waiting", "granted"]).select_related("user")
    return tuple(map(_request, rows.order_by("-pk")[:limit]))


def granted_to(workspace_id: int, user_id: int) -> tuple[access.AccessRequest, ...]:
    """What was granted to a login and not ended by anybody, in order."""
    rows = AccessRequest.rows.of(workspace_id).filter(user_id=user_id, state=RequestState.GRANTED.value)
    return tuple(map(_request, rows.select_related("user").order_by("pk")))


def move_request(
    workspace_id: int,
    old: access.AccessRequest,
    state: RequestState,
    *,
    by: str,
    decision: AccessDecision,
    expires_at: datetime | None,
) -> access.AccessRequest | None:
    """Compare-and-set of a request's state: the request as it is now, or None where it has moved meanwhile."""
    values: dict[str, object] = {
        "state": state.value,
        "decided_by": by,
        "reason": decision.reason[:500],
        "expires_at": expires_at,
    }
    if state is RequestState.GRANTED:
        values |= {"role": decision.role, "in_place": decision.in_place}
    rows = AccessRequest.rows.of(workspace_id).filter(pk=old.id, state=old.state.value)
    return request(workspace_id, old.id) if rows.update(**values) == 1 else None


def put_authority(workspace_id: int, run_id: str, envelope: str, *, at: datetime) -> None:
    """Keeps the run's authority in place of an earlier one."""
    RunAuthority.rows.update_or_create(
        workspace_id=workspace_id, run=run_id, defaults={"envelope": envelope, "issued_at": at}
    )


def authority(workspace_id: int, run_id: str) -> str:
    """The signed text of a run's authority; empty where there is none."""
    found: str | None = RunAuthority.rows.of(workspace_id).filter(run=run_id).values_list("envelope", flat=True).first()
    return found or ""


def _request(row: AccessRequest) -> access.AccessRequest:
    return access.AccessRequest(
        id=row.pk,
        user_id=row.user_id,
        user=row.user.username,
        note=row.note,
        run=row.run,
        state=RequestState(row.state),
        asked_at=row.asked_at,
        role=row.role,
        in_place=row.in_place,
        expires_at=row.expires_at,
        decided_by=row.decided_by,
        reason=row.reason,
    )


def _lock_audit(workspace_id: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [AUDIT_LOCK, workspace_id])


def _entry(row: AuditEntry) -> audit.AuditEntry:
    return audit.AuditEntry(
        sequence=row.sequence,
        kind=row.kind,
        at=row.at,
        by=row.by,
        subject=row.subject,
        details=row.details,
        content_digest=row.content_digest,
        previous_digest=row.previous_digest,
        digest=row.digest,
        erased_at=row.erased_at,
    )


def _value(row: PolicyVersion) -> StoredPolicy:
    return StoredPolicy(
        number=row.number,
        version=row.version,
        digest=row.digest,
        source=row.source,
        file=row.file,
        created_at=row.created_at,
    )
