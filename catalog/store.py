"""The only ORM code of this room; takes and returns types."""

from __future__ import annotations

from catalog.content import decode, encode
from catalog.models import CatalogVersion
from catalog.types import CatalogSnapshot


def save_current(workspace_id: int, snapshot: CatalogSnapshot, *, created_by: int | None) -> None:
    """Keep the snapshot (once per digest) and make it the workspace's current one.  Runs inside a transaction."""
    mine = CatalogVersion.rows.of(workspace_id)
    # the row locks make two publishers wait for each other instead of both clearing the flag
    list(mine.select_for_update().values_list("pk", flat=True))
    mine.filter(current=True).exclude(digest=snapshot.digest).update(current=False)
    known = mine.filter(digest=snapshot.digest)
    if not known.update(current=True):
        CatalogVersion.rows.create(
            workspace_id=workspace_id,
            digest=snapshot.digest,
            content=encode(snapshot),
            current=True,
            created_by_id=created_by,
        )


def current_digest(workspace_id: int) -> str | None:
    """The digest of the workspace's current catalog, or None where none was published."""
    found: str | None = (
        CatalogVersion.rows.of(workspace_id).filter(current=True).values_list("digest", flat=True).first()
    )
    return found


def load(workspace_id: int, digest: str) -> CatalogSnapshot | None:
    """The workspace's catalog of that digest, or None."""
    content = CatalogVersion.rows.of(workspace_id).filter(digest=digest).values_list("content", flat=True).first()
    return None if content is None else decode(content)
