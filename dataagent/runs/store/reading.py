"""Rows → values: sessions, runs, events, manifests and receipts as they are stored."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Exists, OuterRef, Q

from dataagent.runs import chain
from dataagent.runs.models import TERMINAL_VALUES, Manifest, Receipt, Run, Session
from dataagent.runs.models import RunEvent as EventRow
from dataagent.runs.states import ACTIVE
from dataagent.runs.types import UNLISTED_DOORS, Meanwhile, RunEvent, RunFacts, RunState, SessionView


def session(workspace_id: int, session_id: str) -> SessionView | None:
    """A conversation, or None."""
    row = Session.rows.of(workspace_id).filter(id=session_id).first()
    return _session_view(row) if row else None


def sessions_of(workspace_id: int, owner_id: int, limit: int) -> tuple[SessionView, ...]:
    """A person's conversations, newest first, without those of the evaluations and measurements."""
    unlisted = Run.rows.of(workspace_id).filter(session=OuterRef("pk"), door__in=UNLISTED_DOORS)
    rows = Session.rows.of(workspace_id).filter(~Exists(unlisted), owner_id=owner_id).order_by("-created_at")
    return tuple(_session_view(r) for r in rows[:limit])


def run(workspace_id: int, run_id: str) -> RunFacts | None:
    """A run, or None."""
    row = Run.rows.of(workspace_id).select_related("workspace", "asker").filter(id=run_id).first()
    return facts(row) if row else None


def runs_of_session(workspace_id: int, session_id: str) -> tuple[RunFacts, ...]:
    """The runs of a conversation, oldest first."""
    rows = Run.rows.of(workspace_id).select_related("workspace", "asker").filter(session_id=session_id)
    return tuple(facts(r) for r in rows.order_by("created_at"))


def active_run(workspace_id: int, session_id: str) -> RunFacts | None:
    """The session's active run, or None."""
    return next((r for r in runs_of_session(workspace_id, session_id) if r.state in ACTIVE), None)


def turns_of_session(workspace_id: int, session_id: str) -> tuple[RunFacts, ...]:
    """The session's runs that wait for others to end, in order."""
    return tuple(r for r in runs_of_session(workspace_id, session_id) if r.state is RunState.WAITING_FOR_TURN)


def events_after(workspace_id: int, run_id: str, number: int) -> tuple[RunEvent, ...]:
    """Events of a run with a greater number, in order."""
    rows = EventRow.rows.of(workspace_id).filter(run_id=run_id, number__gt=number).order_by("number")
    return tuple(RunEvent(number=r.number, kind=r.kind, text=r.text, at=r.at, data=r.data) for r in rows)


def manifest(workspace_id: int, run_id: str) -> chain.Link | None:
    """A run's manifest as a link of the chain, or None while it is unfinished."""
    row = Manifest.rows.of(workspace_id).select_related("workspace").filter(run_id=run_id).first()
    return _link(row) if row else None


def receipt(workspace_id: int, run_id: str) -> str | None:
    """The asker's receipt as it was issued, or None."""
    row = Receipt.rows.of(workspace_id).filter(run_id=run_id, audience="asker").first()
    return str(row.envelope) if row else None


def links(workspace_id: int) -> Iterator[chain.Link]:
    """The whole chain of a workspace in order, read in pieces."""
    rows = Manifest.rows.of(workspace_id).select_related("workspace").order_by("sequence")
    return (_link(r) for r in rows.iterator(chunk_size=200))


def digests(workspace_id: int) -> Iterator[tuple[int, str]]:
    """(sequence, digest) of every manifest of a workspace in order."""
    rows = Manifest.rows.of(workspace_id).order_by("sequence").values_list("sequence", "digest")
    return rows.iterator(chunk_size=2000)


def receipts_in_order(workspace_id: int) -> Iterator[tuple[int, str, str]]:
    """(sequence, manifest digest, envelope) of every issued receipt, in order of the chain."""
    rows = Receipt.rows.of(workspace_id).select_related("run__manifest").order_by("run__manifest__sequence")
    return ((r.run.manifest.sequence, r.run.manifest.digest, r.envelope) for r in rows.iterator(chunk_size=200))


def ended_without_proof(workspace_id: int) -> str | None:
    """The id of a run that has ended but has no manifest or no receipt, or None."""
    issued = Receipt.rows.of(workspace_id).filter(run=OuterRef("pk"))
    rows = Run.rows.of(workspace_id).filter(state__in=TERMINAL_VALUES)
    row = rows.filter(Q(manifest__isnull=True) | ~Exists(issued)).order_by("finished_at").first()
    return str(row.id) if row else None


def workspaces_with_runs() -> tuple[str, ...]:
    """Names of the workspaces in which anything was asked, in order."""
    slugs = Run.rows.of_every_workspace().values_list("workspace__slug", flat=True)
    return tuple(slugs.distinct().order_by("workspace__slug"))


def _session_view(row: Session) -> SessionView:
    return SessionView(
        id=str(row.id),
        title=row.title,
        created_at=row.created_at,
        owner_id=row.owner_id,
        meanwhile=Meanwhile(row.meanwhile),
    )


def _link(row: Manifest) -> chain.Link:
    return chain.Link(
        workspace=row.workspace.slug,
        sequence=row.sequence,
        run=str(row.run_id),
        content=row.content,
        previous_digest=row.previous_digest,
        digest=row.digest,
    )


def facts(row: Run, *, workspace: str = "", asker: str = "") -> RunFacts:
    """The stored run as a value; names that are not given are read."""
    return RunFacts(
        id=str(row.id),
        workspace_id=row.workspace_id,
        workspace=workspace or row.workspace.slug,
        session_id=str(row.session_id),
        asker_id=row.asker_id,
        asker=asker or row.asker.username,
        roles=tuple(row.roles),
        door=row.door,
        thread=row.thread,
        question=row.question,
        today=row.today,
        state=RunState(row.state),
        reason=row.reason,
        choice=row.choice,
        round_number=row.round_number,
        attempt=row.attempt,
        lease_owner=row.lease_owner,
        query_id=row.query_id,
        intent=row.intent,
        answer=row.answer,
        draft=row.draft,
        receipt_digest=row.receipt_digest,
        created_at=row.created_at,
        finished_at=row.finished_at,
    )
