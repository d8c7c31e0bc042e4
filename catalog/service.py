"""The door of the catalog: publish a folder, read the current or an earlier snapshot, teach it words."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from catalog import store
from catalog.checks import check, is_error
from catalog.compiler.prepare import prepared
from catalog.importers.formats import DEFAULT_SCHEMA, Format, load_any
from catalog.importers.own import load_folder
from catalog.issues import CatalogError
from catalog.types import CatalogSnapshot
from catalog.wordchanges import ProposalState, UnfitChange, WordChange, WordProposal, changed, with_changes


class NoCatalog(LookupError):
    """The workspace has no catalog of that kind."""


def publish_folder(workspace_id: int, folder: Path, *, by: int | None = None) -> CatalogSnapshot:
    """The folder's catalog, checked and now the workspace's current one.  `by` is the user's id.

    Publishing the same content again changes nothing.

    Raises:
        CatalogError: what is wrong, with file and line; nothing was changed.
    """
    return _publish_checked(workspace_id, load_folder(folder), by)


def publish_any(
    workspace_id: int, path: Path, *, written_as: Format, schema: str = DEFAULT_SCHEMA, by: int | None = None
) -> CatalogSnapshot:
    """The catalog of a file or folder in any format, checked and now the workspace's current one.

    Raises:
        CatalogError: what is wrong, with file and line; nothing was changed.
    """
    return _publish_checked(workspace_id, load_any(path, written_as=written_as, schema=schema), by)


def _publish_checked(workspace_id: int, snapshot: CatalogSnapshot, by: int | None) -> CatalogSnapshot:
    broken = tuple(i for i in check(snapshot) if is_error(i))
    if broken:
        raise CatalogError(broken)
    return publish(workspace_id, snapshot, by=by)


def publish(workspace_id: int, snapshot: CatalogSnapshot, *, by: int | None = None) -> CatalogSnapshot:
    """The snapshot with what owners have taught about its words, now the workspace's current one."""
    with transaction.atomic():
        store.lock(workspace_id)
        taught, _ = with_changes(snapshot, _in_force(workspace_id))
        store.save_current(workspace_id, taught, created_by=by, base=snapshot)
    return snapshot_by_digest(workspace_id, taught.digest)


def current_snapshot(workspace_id: int) -> CatalogSnapshot:
    """The workspace's current catalog; the same object while it stays current.

    Raises:
        NoCatalog: nothing was published yet.
    """
    digest = store.current_digest(workspace_id)
    if digest is None:
        raise NoCatalog("This workspace has no catalog yet.")
    return snapshot_by_digest(workspace_id, digest)


def current_digest(workspace_id: int) -> str | None:
    """The digest of the workspace's current catalog, or None where none was published."""
    return store.current_digest(workspace_id)


@lru_cache(maxsize=64)
def snapshot_by_digest(workspace_id: int, digest: str) -> CatalogSnapshot:
    """An earlier (or the current) catalog of the workspace.

    Raises:
        NoCatalog: the workspace never had a catalog of that digest.
    """
    found = store.load(workspace_id, digest)
    if found is None:
        raise NoCatalog("This workspace has no such catalog version.")
    return prepared(found)


# -- words ---------------------------------------------------------------------------------


class ProposalConflict(Exception):
    """The proposal was decided meanwhile; its text is one sentence."""


def propose_word(workspace_id: int, change: WordChange, *, by: str) -> int:
    """The id of a new proposal; nothing changes until it is published.

    Raises: UnfitChange where the catalog could not take it, NoCatalog.
    """
    changed(current_snapshot(workspace_id), change)
    waiting = store.proposals(workspace_id, ProposalState.OPEN)
    if any(p.change == change for p in waiting):
        raise UnfitChange("This is proposed already and waits for a review.")
    return store.add_proposal(workspace_id, change, by=by, at=timezone.now())


def word_proposal(workspace_id: int, proposal_id: int) -> WordProposal | None:
    """The proposal, or None."""
    return store.proposal(workspace_id, proposal_id)


def word_proposals(workspace_id: int, state: ProposalState) -> tuple[WordProposal, ...]:
    """The proposals in a state: what is in force in its order, all else newest first."""
    return store.proposals(workspace_id, state)


def unfit_words(workspace_id: int) -> dict[WordChange, str]:
    """The changes in force that the catalog as it is now written cannot take, each with its sentence."""
    return dict(with_changes(_written(workspace_id), _in_force(workspace_id))[1])


def publish_word(workspace_id: int, proposal_id: int, *, by: str) -> CatalogSnapshot:
    """The catalog with the proposal's change, current from now on.

    Raises: ProposalConflict where it was decided already, UnfitChange where it no longer fits, NoCatalog.
    """
    with transaction.atomic():
        store.lock(workspace_id)
        _decide(workspace_id, proposal_id, ProposalState.PUBLISHED, old=ProposalState.OPEN, by=by)
        found = store.proposal(workspace_id, proposal_id)
        if found is not None:
            changed(current_snapshot(workspace_id), found.change)
        return _again(workspace_id)


def reject_word(workspace_id: int, proposal_id: int, *, by: str, reason: str = "") -> None:
    """Rejects an open proposal.  Raises: ProposalConflict where it was decided already."""
    _decide(workspace_id, proposal_id, ProposalState.REJECTED, old=ProposalState.OPEN, by=by, reason=reason)


def withdraw_word(workspace_id: int, proposal_id: int, *, by: str, reason: str = "") -> CatalogSnapshot:
    """The catalog without a change that was in force.  Raises: ProposalConflict where it was not, NoCatalog."""
    with transaction.atomic():
        store.lock(workspace_id)
        _decide(workspace_id, proposal_id, ProposalState.WITHDRAWN, old=ProposalState.PUBLISHED, by=by, reason=reason)
        return _again(workspace_id)


def _decide(
    workspace_id: int, proposal_id: int, state: ProposalState, *, old: ProposalState, by: str, reason: str = ""
) -> None:
    at = timezone.now()
    if not store.decide_proposal(workspace_id, proposal_id, state, old=old, by=by, at=at, reason=reason[:300]):
        raise ProposalConflict("The proposal has been decided already.")


def _again(workspace_id: int) -> CatalogSnapshot:
    """The catalog as it was written, published again under the changes that are now in force."""
    return publish(workspace_id, _written(workspace_id))


def _written(workspace_id: int) -> CatalogSnapshot:
    digest = store.base_digest(workspace_id)
    if digest is None:
        raise NoCatalog("This workspace has no catalog yet.")
    return snapshot_by_digest(workspace_id, digest)


def _in_force(workspace_id: int) -> tuple[WordChange, ...]:
    return tuple(p.change for p in store.proposals(workspace_id, ProposalState.PUBLISHED))
