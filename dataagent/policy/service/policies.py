"""Principals, scopes and decisions from stored policy."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from catalog.access import AccessScope, Mask, MaskKind, TableAccess
from dataagent import secrets_file
from dataagent.accounts import service as accounts
from dataagent.accounts.types import Account, Member
from dataagent.errors import ShownError
from dataagent.policy import store
from dataagent.policy.access import effective_roles
from dataagent.policy.audit import AuditEvent, AuditKind
from dataagent.policy.decide import TableShape, capabilities_of, scope_of
from dataagent.policy.document import PolicyDocument, parse_policy
from dataagent.policy.principal import Principal
from dataagent.policy.service.auditing import record
from dataagent.policy.types import StoredPolicy


def load_policy(workspace_id: int, path: Path, *, by: int | None = None) -> StoredPolicy:
    """The workspace's current policy after loading `path`; the same content again changes nothing.

    Raises: PolicyError with file and line where the file cannot be used.
    """
    source = path.read_text(encoding="utf-8")
    document = parse_policy(source, file=path.name)
    digest = document.digest()
    before = store.current(workspace_id)
    if before is not None and before.digest == digest:
        return before
    with transaction.atomic():
        stored = store.add_current(
            workspace_id, version=document.version, digest=digest, source=source, file=path.name, by=by
        )
        changes = (("before", before.digest if before else ""), ("after", digest), ("number", str(stored.number)))
        who = accounts.username_of(by) if by is not None else ""
        record(AuditEvent(workspace_id=workspace_id, kind=AuditKind.POLICY_CHANGED, by=who, details=changes))
    return stored


def document(workspace_id: int) -> PolicyDocument | None:
    """The workspace's current policy, or None: then everything is denied."""
    digest = store.current_digest(workspace_id)
    return None if digest is None else _document(workspace_id, digest)


def principal(user: str | Account, workspace_slug: str) -> Principal:
    """Who `user` is in that workspace, under its current policy.

    Raises: ShownError(not_found), alike for an unknown user, workspace or membership.
    """
    name = user if isinstance(user, str) else user.username
    found = accounts.member(name, workspace_slug)
    if found is None:
        raise ShownError("not_found", "There is no such user in this workspace.")
    return principal_of_member(found)


def principal_of_member(member: Member) -> Principal:
    """The principal of a membership under the workspace's current policy, with the roles that are lent to it now."""
    policy = document(member.workspace.id)
    lent = store.granted_to(member.workspace.id, member.account.id)
    roles = effective_roles(member.roles, lent, timezone.now())
    return Principal(
        user=member.account.username,
        workspace=member.workspace.slug,
        workspace_id=member.workspace.id,
        roles=roles,
        capabilities=capabilities_of(policy, roles),
        attributes=member.attributes,
        user_id=member.account.id,
        policy_version=policy.label() if policy is not None else "",
    )


def principal_of_request_user(user: object, chosen: str | None = None) -> Principal | None:
    """The principal of the signed-in user in the workspace `chosen` in the session, else in the first; or None."""
    user_id = getattr(user, "pk", None) if getattr(user, "is_authenticated", False) else None
    if not isinstance(user_id, int):
        return None
    mine = accounts.memberships(user_id)
    found = next((m for m in mine if m.workspace.slug == chosen), mine[0] if mine and chosen is None else None)
    return None if found is None else principal_of_member(found)


def principal_for_token(plain: str, *, now: datetime) -> Principal | None:
    """The principal behind a live API token, or None."""
    found = accounts.verify_token(plain, now=now)
    return None if found is None else principal_of_member(found)


def scope(asker: Principal, schema: Sequence[TableShape], metrics: Sequence[str]) -> AccessScope:
    """What the principal may see under the workspace's current policy; nothing where there is no policy."""
    digest = store.current_digest(asker.workspace_id)
    if digest is None:
        return AccessScope(workspace=asker.workspace, principal=asker.user, policy_version="", digest="")
    return _scope(digest, asker, _Tables(tuple(schema)), tuple(metrics))


class _Tables:
    """A warehouse's tables as a key: all their columns would be walked at each question for a hash."""

    def __init__(self, tables: tuple[TableShape, ...]) -> None:
        self.tables = tables

    def __hash__(self) -> int:
        return hash(tuple(t.name for t in self.tables))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Tables) and self.tables == other.tables


@lru_cache(maxsize=64)
def _document(workspace_id: int, digest: str) -> PolicyDocument:
    stored = store.current(workspace_id)
    if stored is None or stored.digest != digest:
        raise ShownError("conflict", "The policy changed meanwhile.", action="Try again.")
    return parse_policy(stored.source, file=stored.file or "policy")


@lru_cache(maxsize=256)
def _scope(digest: str, asker: Principal, schema: _Tables, metrics: tuple[str, ...]) -> AccessScope:
    made = scope_of(_document(asker.workspace_id, digest), asker, schema.tables, metrics)
    return replace(made, tables=tuple(_keyed(table, asker.workspace) for table in made.tables))


def _keyed(table: TableAccess, workspace: str) -> TableAccess:
    """The table with the workspace's key in its hash masks: without a key, hashes of guesses would match."""
    if not any(m.kind is MaskKind.HASH for m in table.masks):
        return table
    return replace(table, masks=tuple(_keyed_mask(m, workspace) for m in table.masks))


def _keyed_mask(mask: Mask, workspace: str) -> Mask:
    return replace(mask, argument=_mask_key(workspace)) if mask.kind is MaskKind.HASH else mask


def _mask_key(workspace: str) -> str:
    master = secrets_file.read_or_create(Path(settings.HOME) / "mask_key", secrets_file.new_key)
    return hmac.new(master.encode(), workspace.encode(), hashlib.sha256).hexdigest()
