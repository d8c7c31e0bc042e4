"""The only ORM code of this room; takes and returns types."""

from __future__ import annotations

from django.db import transaction

from dataagent.policy.models import PolicyVersion
from dataagent.policy.types import StoredPolicy


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


def _value(row: PolicyVersion) -> StoredPolicy:
    return StoredPolicy(
        number=row.number,
        version=row.version,
        digest=row.digest,
        source=row.source,
        file=row.file,
        created_at=row.created_at,
    )
