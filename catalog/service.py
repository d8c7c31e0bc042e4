"""The door of the catalog: publish a folder, read the current or an earlier snapshot."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from django.db import transaction

from catalog import store
from catalog.checks import check, is_error
from catalog.compiler.prepare import prepared
from catalog.importers.formats import DEFAULT_SCHEMA, Format, load_any
from catalog.importers.own import load_folder
from catalog.issues import CatalogError
from catalog.types import CatalogSnapshot


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
    """The snapshot, now the workspace's current one."""
    with transaction.atomic():
        store.save_current(workspace_id, snapshot, created_by=by)
    return snapshot_by_digest(workspace_id, snapshot.digest)


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
