"""The only ORM code of this room; takes and returns types."""

from __future__ import annotations

from datetime import datetime

from catalog.content import decode, encode
from catalog.models import CatalogVersion
from catalog.models import WordProposal as ProposalRow
from catalog.types import CatalogSnapshot
from catalog.wordchanges import ChangeKind, ProposalState, TargetKind, WordChange, WordProposal


def lock(workspace_id: int) -> None:
    """Makes two publishers wait for each other.  Runs inside a transaction."""
    list(CatalogVersion.rows.of(workspace_id).select_for_update().values_list("pk", flat=True))


def save_current(
    workspace_id: int, snapshot: CatalogSnapshot, *, created_by: int | None, base: CatalogSnapshot | None = None
) -> None:
    """Keep the snapshot (once per digest) and make it the workspace's current one.  Runs inside a transaction.

    `base` is the catalog as it was written, where the snapshot holds more than that; it is kept too.
    """
    mine = CatalogVersion.rows.of(workspace_id)
    lock(workspace_id)
    mine.filter(current=True).exclude(digest=snapshot.digest).update(current=False)
    base_digest = base.digest if base is not None and base.digest != snapshot.digest else ""
    if base is not None and base_digest:
        _keep(workspace_id, base, created_by)
    _keep(workspace_id, snapshot, created_by)
    mine.filter(digest=snapshot.digest).update(current=True, base_digest=base_digest)


def _keep(workspace_id: int, snapshot: CatalogSnapshot, created_by: int | None) -> None:
    if not CatalogVersion.rows.of(workspace_id).filter(digest=snapshot.digest).exists():
        CatalogVersion.rows.create(
            workspace_id=workspace_id, digest=snapshot.digest, content=encode(snapshot), created_by_id=created_by
        )


def base_digest(workspace_id: int) -> str | None:
    """The digest of the current catalog as it was written, or None where none was published."""
    found = CatalogVersion.rows.of(workspace_id).filter(current=True).values_list("base_digest", "digest").first()
    return None if found is None else str(found[0] or found[1])


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


def add_proposal(workspace_id: int, change: WordChange, *, by: str, at: datetime) -> int:
    """The id of a new open proposal."""
    row = ProposalRow.rows.create(
        workspace_id=workspace_id,
        kind=change.kind.value,
        word=change.word,
        target_kind=change.target_kind.value,
        target=change.target,
        member=change.member,
        entity=change.entity,
        author=by,
        created_at=at,
    )
    return int(row.pk)


def proposal(workspace_id: int, proposal_id: int) -> WordProposal | None:
    """A proposal, or None."""
    row = ProposalRow.rows.of(workspace_id).filter(pk=proposal_id).first()
    return None if row is None else _proposal(row)


def proposals(workspace_id: int, state: ProposalState, limit: int = 500) -> tuple[WordProposal, ...]:
    """The proposals in a state: what is in force in the order in which it was decided, all else newest first."""
    rows = ProposalRow.rows.of(workspace_id).filter(state=state.value)
    ordered = rows.order_by("reviewed_at", "pk") if state is ProposalState.PUBLISHED else rows.order_by("-pk")
    return tuple(map(_proposal, ordered[:limit]))


def decide_proposal(
    workspace_id: int, proposal_id: int, state: ProposalState, *, old: ProposalState, by: str, at: datetime, reason: str
) -> bool:
    """Compare-and-set of a proposal's state; whether it was in the old one."""
    rows = ProposalRow.rows.of(workspace_id).filter(pk=proposal_id, state=old.value)
    return bool(rows.update(state=state.value, reviewer=by, reviewed_at=at, reason=reason))


def _proposal(row: ProposalRow) -> WordProposal:
    change = WordChange(
        kind=ChangeKind(row.kind),
        word=row.word,
        target_kind=TargetKind(row.target_kind),
        target=row.target,
        member=row.member,
        entity=row.entity,
    )
    return WordProposal(
        id=row.pk,
        change=change,
        author=row.author,
        created_at=row.created_at,
        state=ProposalState(row.state),
        reviewer=row.reviewer,
        reviewed_at=row.reviewed_at,
        reason=row.reason,
    )
