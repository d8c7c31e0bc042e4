"""Read runs: one's own whole, others' without data, hidden ones not at all."""

from __future__ import annotations

import uuid

from dataagent.errors import ShownError
from dataagent.policy import service as policy
from dataagent.policy.audit import AuditEvent, AuditKind
from dataagent.policy.decide import decide
from dataagent.policy.doors import permit
from dataagent.policy.principal import Capability, Principal
from dataagent.runs import shown, store
from dataagent.runs.types import RunEvent, RunFacts, RunView, SessionView


def run(principal: Principal, run_id: str) -> RunView:
    """The run as this principal may see it.

    Raises: ShownError(not_found) for an absent, foreign or hidden run alike.
    """
    facts = visible_run(principal, run_id)
    tell_reading(principal, facts)
    return _view(principal, facts)


def sessions(principal: Principal, limit: int = 100) -> tuple[SessionView, ...]:
    """The principal's conversations, newest first."""
    permit(principal, Capability.READ_OWN_RUNS)
    if principal.user_id is None:
        return ()
    return store.sessions_of(principal.workspace_id, principal.user_id, limit)


def session_runs(principal: Principal, session_id: str) -> tuple[RunView, ...]:
    """The runs of a conversation, oldest first.

    Raises: ShownError(not_found) for an absent, foreign or hidden conversation alike.
    """
    permit(principal, Capability.READ_OWN_RUNS)
    found = store.session(principal.workspace_id, session_id) if _is_id(session_id) else None
    if found is None or not _may_see(principal, found.owner_id):
        raise not_found("conversation")
    if found.owner_id != principal.user_id:
        policy.record_once(_reading(principal, AuditKind.RUN_READ, f"conversation {session_id.lower()}"))
    return tuple(_view(principal, f) for f in store.runs_of_session(principal.workspace_id, session_id))


def events_after(principal: Principal, run_id: str, number: int) -> tuple[RunEvent, ...]:
    """The run's events with a greater number, in order; none is skipped.

    Raises: ShownError(not_found) for an absent, foreign or hidden run alike.
    """
    facts = visible_run(principal, run_id)
    tell_reading(principal, facts)
    return store.events_after(facts.workspace_id, facts.id, max(number, 0))


def visible_run(principal: Principal, run_id: str) -> RunFacts:
    """The stored run, where the principal may see it.  Raises: ShownError(not_found)."""
    permit(principal, Capability.READ_OWN_RUNS)
    facts = store.run(principal.workspace_id, run_id) if _is_id(run_id) else None
    if facts is None or not _may_see(principal, facts.asker_id):
        raise not_found("run")
    return facts


def own_run(principal: Principal, run_id: str) -> RunFacts:
    """The stored run, where the principal asked it.  Raises: ShownError(not_found)."""
    facts = visible_run(principal, run_id)
    if facts.asker_id != principal.user_id:
        raise not_found("run")
    return facts


def own_session(principal: Principal, session_id: str) -> SessionView | None:
    """The principal's own conversation, or None."""
    found = store.session(principal.workspace_id, session_id) if _is_id(session_id) else None
    return found if found and found.owner_id == principal.user_id else None


def tell_reading(principal: Principal, facts: RunFacts, kind: AuditKind = AuditKind.RUN_READ, what: str = "") -> None:
    """Tells the audit that somebody else's run was read, or what of it was taken."""
    if facts.asker_id != principal.user_id:
        policy.record_once(_reading(principal, kind, facts.id, what))


def _reading(principal: Principal, kind: AuditKind, subject: str, what: str = "") -> AuditEvent:
    details = (("what", what),) if what else ()
    return AuditEvent(
        workspace_id=principal.workspace_id, kind=kind, by=principal.user, subject=subject, details=details
    )


def not_found(what: str) -> ShownError:
    """The one error for what is absent and for what is hidden."""
    return ShownError("not_found", f"There is no such {what}.")


def _may_see(principal: Principal, owner_id: int) -> bool:
    return owner_id == principal.user_id or decide(principal, Capability.READ_ALL_RUNS).allowed()


def _view(principal: Principal, facts: RunFacts) -> RunView:
    steps = tuple(step for step, *_ in store.steps(facts.workspace_id, facts.id))
    return shown.view(facts, steps, whole=facts.asker_id == principal.user_id)


def _is_id(text: str) -> bool:
    try:
        return str(uuid.UUID(text)) == text.lower()
    except (ValueError, AttributeError):
        return False
