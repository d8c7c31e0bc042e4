"""Keeps the members of each workspace fresh: reads them again when it is due, one process at a time.

How it went is noted; no failure ends the process, and each is followed by a longer rest.
"""

from __future__ import annotations

import logging
import os
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from catalog import service as catalog
from catalog.access import AccessScope
from catalog.types import CatalogSnapshot
from dataagent.accounts import service as accounts
from dataagent.accounts.types import Member, WorkspaceInfo
from dataagent.policy import service as policy
from dataagent.runs import store
from dataagent.runs.memberlists import MemberListFacts, UpkeepFacts, rest_s, sight_key
from dataagent.runs.service.memberbuild import build_members
from dataagent.runs.service.memberfiles import file_of, folder, forget_files
from dataagent.warehouse.pool import known, warehouse_for
from dataagent.warehouse.port import Warehouse, WarehouseFault

log = logging.getLogger(__name__)

LEASE_S = 150.0
CHUNK_BYTES = 1_000_000
MAX_SIGHTS = 64
"""Sights of a workspace whose members are kept, those of who asked last; the others know dimensions of few members."""
_TELL_EVERY_S = 1.0

Progress = Callable[[str, int], None]
"""Is told what is being read and how many members there are so far; may raise Ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Upkept:
    """How one reading went: "" as `fault` where well; `sights` is how many kinds of sight were read or found fresh."""

    workspace: str
    claimed: bool
    sights: int = 0
    members: int = 0
    fault: str = ""


class Ended(Exception):
    """The reading is not to go on, though nothing is wrong; the text says why, for people.

    It is due again after `rest_s` seconds.
    """

    def __init__(self, message: str, *, rest_s: float) -> None:
        super().__init__(message)
        self.rest_s = rest_s


class _TookTooLong(Exception):
    """The reading took longer than it may; the text says so."""


def due() -> tuple[str, ...]:
    """The workspaces whose members are to be read now, by name."""
    return tuple(place.slug for place, digest in _workspaces() if _is_due(store.upkeep(place.id), digest))


def upkeep_of(workspace_id: int) -> UpkeepFacts | None:
    """How the reading of a workspace's members goes; None where it was never begun."""
    return store.upkeep(workspace_id)


def lists_of(workspace_id: int) -> tuple[MemberListFacts, ...]:
    """The members that are kept, a version for each kind of sight."""
    return store.member_lists(workspace_id)


def ask(workspace_id: int) -> None:
    """Has the members read as soon as may be."""
    store.ask_upkeep(workspace_id)


def cancel(workspace_id: int) -> bool:
    """Whether a reading goes on that will now end; the members read before stay."""
    return store.cancel_upkeep(workspace_id)


def refresh_due(progress: Progress = lambda _doing, _members: None) -> tuple[Upkept, ...]:
    """Reads the members of every workspace for which it is due.  No failure of one keeps another from it."""
    return tuple(refresh(slug, progress=progress) for slug in due())


def refresh(
    slug: str, *, anyway: bool = False, progress: Progress = lambda _doing, _members: None, owner: str = ""
) -> Upkept:
    """Reads a workspace's members, unless somebody else does, or (without `anyway`) it is not due.

    Whatever goes wrong is noted, told in a sentence, and tried again after a rest.
    """
    owner = owner or f"{os.uname().nodename}/{os.getpid()}/{uuid.uuid4().hex[:8]}"
    place = accounts.workspace(slug)
    digest = catalog.current_digest(place.id) if place is not None else None
    if place is None or digest is None:
        return Upkept(workspace=slug, claimed=False, fault="There is no such workspace with a catalog.")
    before = store.upkeep(place.id)
    if not store.claim_upkeep(place.id, owner, catalog=digest, lease_s=LEASE_S, anyway=anyway):
        return Upkept(workspace=slug, claimed=False)
    done, fault = Upkept(workspace=slug, claimed=True), ""
    failures, rest = 0, settings.MEMBERS_EVERY_S
    try:
        done = _Reading(place, owner, progress).run(catalog.snapshot_by_digest(place.id, digest))
    except Ended as ended:
        fault, rest = str(ended), ended.rest_s
    except Exception as error:
        fault, failures = _sentence(error), (before.failures if before else 0) + 1
        rest = rest_s(failures)
    store.end_upkeep(place.id, owner, catalog=digest, fault=fault, failures=failures, rest_s=rest)
    return Upkept(workspace=slug, claimed=True, sights=done.sights, members=done.members, fault=fault)


def _sentence(error: Exception) -> str:
    if isinstance(error, _TookTooLong):
        return str(error)
    if isinstance(error, WarehouseFault):
        return f"The warehouse could not be read: {error}"
    if isinstance(error, OSError):
        return f"The data folder could not be written: {error.strerror}."
    log.exception("Members could not be read")
    return f"Members could not be read ({type(error).__name__}); the log has the details."


def _workspaces() -> Iterator[tuple[WorkspaceInfo, str]]:
    """Workspaces that have data and a catalog, with its digest."""
    for slug in known():
        place = accounts.workspace(slug)
        digest = catalog.current_digest(place.id) if place is not None else None
        if place is not None and digest is not None:
            yield place, digest


def _is_due(facts: UpkeepFacts | None, digest: str) -> bool:
    if facts is None:
        return True
    changed = facts.catalog != digest and not facts.failures
    return not facts.going and (changed or facts.due_at <= timezone.now())


class _Reading:
    """One reading of a workspace's members, under a lease."""

    def __init__(self, place: WorkspaceInfo, owner: str, progress: Progress) -> None:
        self.place, self.owner, self.progress = place, owner, progress
        self.begun_s = time.monotonic()
        self.told_s = 0.0
        self.before = 0

    def run(self, snapshot: CatalogSnapshot) -> Upkept:
        """What was read.  Raises: WarehouseFault, OSError, Ended, and what a broken part of the product raises."""
        for left in folder(self.place.id).glob("*.building"):
            left.unlink(missing_ok=True)
        warehouse = warehouse_for(self.place.slug)
        sights = dict(self._sights(snapshot, warehouse))
        for key, scope in sights.items():
            facts = self._fresh(key, warehouse) or self._read(key, scope, snapshot, warehouse)
            self.before += facts.members
        store.forget_member_lists(self.place.id, kept=frozenset(sights))
        forget_files(self.place.id)
        return Upkept(workspace=self.place.slug, claimed=True, sights=len(sights), members=self.before)

    def _sights(self, snapshot: CatalogSnapshot, warehouse: Warehouse) -> Iterator[tuple[str, AccessScope]]:
        """The different sights of the workspace's people, of who asked last first, at most MAX_SIGHTS."""
        schema, metrics = warehouse.schema(), tuple(m.name for m in snapshot.metrics)
        asked = store.last_asked(self.place.id)
        found: set[str] = set()
        for member in sorted(accounts.members(self.place.id), key=lambda m: _recent(m, asked), reverse=True):
            scope = policy.scope(policy.principal_of_member(member), schema, metrics)
            key = sight_key(snapshot, scope)
            if key not in found and len(found) < MAX_SIGHTS:
                found.add(key)
                yield key, scope

    def _fresh(self, key: str, warehouse: Warehouse) -> MemberListFacts | None:
        """The members as they are kept, where the warehouse says that its data have not changed since."""
        self._tell("looking", 0)
        kept, version = store.member_list(self.place.id, key), warehouse.data_version()[:200]
        if kept is None or not version or kept.data_version != version:
            return None
        store.touch_member_list(self.place.id, kept.id, data_version=version, read_at=timezone.now())
        return kept

    def _read(self, key: str, scope: AccessScope, snapshot: CatalogSnapshot, warehouse: Warehouse) -> MemberListFacts:
        version, read_at = warehouse.data_version()[:200], timezone.now()
        path = folder(self.place.id) / f"{uuid.uuid4().hex}.building"
        try:
            built = build_members(warehouse, snapshot, scope, path=path, tell=self._tell)
            kept = store.member_list(self.place.id, key)
            if kept is not None and kept.digest == built.digest:
                store.touch_member_list(self.place.id, kept.id, data_version=version, read_at=read_at)
                return kept
            facts = MemberListFacts(
                id=0,
                sight=key,
                digest=built.digest,
                data_version=version,
                size_bytes=built.size_bytes,
                members=built.members,
                left_out=built.left_out,
                read_at=read_at,
            )
            saved = store.save_member_list(self.place.id, facts, snapshot.digest, self._chunks(path, built.members))
            path.replace(file_of(self.place.id, built.digest))
            return saved
        finally:
            path.unlink(missing_ok=True)

    def _chunks(self, path: Path, members: int) -> Iterator[bytes]:
        with path.open("rb") as file:
            while chunk := file.read(CHUNK_BYTES):
                self._tell("keeping", members)
                yield chunk

    def _tell(self, doing: str, members: int) -> None:
        """Tells how far it is, not too often, and ends what should not go on."""
        now_s = time.monotonic()
        if now_s - self.told_s < _TELL_EVERY_S:
            return
        self.told_s = now_s
        self.progress(doing, self.before + members)
        standing = store.tell_upkeep(
            self.place.id, self.owner, doing=doing, done_members=self.before + members, lease_s=LEASE_S
        )
        if not standing.held:
            raise Ended("Another process took the reading over.", rest_s=0)
        if standing.cancelled:
            message = "The reading was cancelled; the members read before are used."
            raise Ended(message, rest_s=settings.MEMBERS_EVERY_S)
        if now_s - self.begun_s > settings.MEMBERS_TIMEOUT_S:
            raise _TookTooLong(f"Reading took longer than {settings.MEMBERS_TIMEOUT_S:.0f} seconds and was ended.")


def _recent(member: Member, asked: dict[int, datetime]) -> tuple[datetime, int]:
    return asked.get(member.account.id, datetime.min.replace(tzinfo=UTC)), -member.account.id
