"""Write to the audit, read it, erase what may be erased."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from dataagent.errors import ShownError
from dataagent.policy import audit, store
from dataagent.policy.audit import AuditEntry, AuditEvent, AuditFault, AuditKind
from dataagent.policy.doors import NotPermittedError, permit
from dataagent.policy.principal import Capability, Principal

QUIET = timedelta(seconds=60)
"""How long the same person's same reading or refused attempt is told once: pages poll, and attackers repeat."""
MOST = 200
SHORTEST_DAYS = 30


def record(event: AuditEvent) -> int:
    """The sequence of the new entry.  It is kept or lost with the caller's transaction."""
    return store.append(event, at=timezone.now())


def record_once(event: AuditEvent) -> None:
    """As `record`, but the same again within a minute adds nothing."""
    now = timezone.now()
    if not store.recorded_since(event, now - QUIET):
        store.append(event, at=now)


def record_refusal(principal: Principal | None, error: ShownError, *, route: str) -> None:
    """Tells the audit of a refused attempt.  `route` is the address's pattern: never what was typed into it.

    Strangers are told nowhere: they have no workspace, and anybody could fill the audit.
    """
    if principal is None or error.code != "not_permitted":
        return
    details: tuple[tuple[str, str], ...] = ()
    if isinstance(error, NotPermittedError):
        decision = error.decision
        details = (
            ("capability", error.capability.value),
            ("rule", decision.rule),
            ("reason", decision.reason),
            ("policy", decision.policy_version),
        )
    record_once(
        AuditEvent(
            workspace_id=principal.workspace_id,
            kind=AuditKind.DENIED,
            by=principal.user,
            subject=route,
            details=details,
        )
    )


@contextmanager
def refusals_told(principal: Principal | None, *, route: str) -> Iterator[None]:
    """Tells the audit of what is refused within; for doors that are no pages.  The refusal itself goes on."""
    try:
        yield
    except ShownError as error:
        record_refusal(principal, error, route=route)
        raise


def audit_log(principal: Principal, *, before: int | None = None, limit: int = MOST) -> tuple[AuditEntry, ...]:
    """The audit's last entries before a sequence number, newest first.  Raises: ShownError(not_permitted)."""
    permit(principal, Capability.VERIFY_AUDIT)
    return store.latest_entries(principal.workspace_id, before=before, limit=min(limit, MOST))


def audited_workspaces() -> tuple[str, ...]:
    """Names of the workspaces of which the audit tells anything, for whoever runs the product."""
    return store.audited_workspaces()


def verified_entries(workspace_id: int) -> Iterator[AuditEntry | AuditFault]:
    """The audit of a workspace in order as long as it holds; the first fault ends it."""
    return audit.verified(workspace_id, store.audit_entries(workspace_id))


def erase_entries(workspace_id: int, *, older_than_days: int, by: str = "") -> int:
    """How many old entries lost who, on what and details; the erasing is itself in the audit, in one transaction.

    Raises: ShownError(invalid_input) for a time too short to look into anything.
    """
    if older_than_days < SHORTEST_DAYS:
        raise ShownError("invalid_input", f"Entries of the audit are kept for at least {SHORTEST_DAYS} days.")
    now: datetime = timezone.now()
    with transaction.atomic():
        count, through = store.erase(workspace_id, older_than=now - timedelta(days=older_than_days), at=now)
        if count:
            details = (("count", str(count)), ("through", str(through)), ("older_than_days", str(older_than_days)))
            record(AuditEvent(workspace_id=workspace_id, kind=AuditKind.ERASED, by=by, details=details))
    return count
