"""Ask for access, grant it for a time, end it.  Each step is in the audit, in its own transaction."""

from __future__ import annotations

import uuid
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from dataagent.errors import ShownError
from dataagent.policy import store
from dataagent.policy.access import MOST_WAITING, MOVES, AccessDecision, AccessRequest, RequestState, Verdict, fault_of
from dataagent.policy.audit import AuditEvent, AuditKind
from dataagent.policy.doors import permit
from dataagent.policy.principal import Capability, Principal
from dataagent.policy.service.auditing import record
from dataagent.policy.service.policies import document

LONGEST = 500
_KINDS = {
    Verdict.GRANT: AuditKind.ACCESS_GRANTED,
    Verdict.DECLINE: AuditKind.ACCESS_DECLINED,
    Verdict.END: AuditKind.ACCESS_ENDED,
}


def request_access(principal: Principal, note: str, *, run: str = "") -> AccessRequest:
    """The waiting request, for the workspace's admins; `run` is the question that met a limit.

    Raises: ShownError(not_permitted), ShownError(invalid_input), ShownError(conflict) where too many wait.
    """
    user_id = _user_id(permit(principal, Capability.REQUEST_ACCESS))
    text = " ".join(note.split())
    if not text or len(text) > LONGEST or "\0" in text:
        raise ShownError("invalid_input", f"Say in up to {LONGEST} letters what you need and why.")
    if run and not _is_id(run):
        raise ShownError("invalid_input", "“run” is the id of a run.")
    with transaction.atomic():
        made = store.add_request(principal.workspace_id, user_id, note=text, run=run.lower(), most=MOST_WAITING)
        if made is None:
            raise ShownError("conflict", f"{MOST_WAITING} of your requests wait already.", action="Wait for an answer.")
        record(_event(principal, AuditKind.ACCESS_REQUESTED, made, (("run", made.run),)))
    return made


def own_requests(principal: Principal) -> tuple[AccessRequest, ...]:
    """The principal's own requests, newest first."""
    return store.requests_of(principal.workspace_id, _user_id(permit(principal, Capability.REQUEST_ACCESS)))


def access_requests(principal: Principal) -> tuple[AccessRequest, ...]:
    """The workspace's waiting and granted requests, newest first.  Raises: ShownError(not_permitted)."""
    permit(principal, Capability.ADMINISTER)
    return store.open_requests(principal.workspace_id)


def role_names(principal: Principal) -> tuple[str, ...]:
    """The roles of the workspace's policy, for admins."""
    permit(principal, Capability.ADMINISTER)
    found = document(principal.workspace_id)
    return tuple(sorted(found.roles)) if found is not None else ()


def decide_request(principal: Principal, request_id: int, decision: AccessDecision) -> AccessRequest:
    """The request after the decision, which takes effect with the person's next step.

    Raises: ShownError(not_permitted); ShownError(not_found) for an absent or foreign request alike;
    ShownError(invalid_input); ShownError(conflict) where it was decided meanwhile, or is the admin's own.
    """
    permit(principal, Capability.ADMINISTER)
    found = store.request(principal.workspace_id, request_id)
    if found is None:
        raise ShownError("not_found", "There is no such request.")
    if fault := fault_of(decision, role_names(principal)):
        raise ShownError("invalid_input", fault)
    # Whoever may grant could otherwise lend themselves whatever the policy keeps from them.
    if found.user_id == principal.user_id and decision.verdict is Verdict.GRANT:
        raise ShownError("conflict", "Nobody grants their own request.", action="Ask another admin.")
    return _carried_out(principal, found, decision)


def _carried_out(principal: Principal, found: AccessRequest, decision: AccessDecision) -> AccessRequest:
    state = MOVES.get((found.state, decision.verdict))
    granted = state is RequestState.GRANTED
    expires_at = timezone.now() + timedelta(days=decision.days) if granted else found.expires_at
    with transaction.atomic():
        made = None
        if state is not None:
            made = store.move_request(
                principal.workspace_id,
                found,
                state,
                by=principal.user,
                decision=decision,
                expires_at=expires_at,
            )
        if made is None:
            raise ShownError("conflict", "This request was decided meanwhile.", action="Look at it again.")
        until = made.expires_at.isoformat() if made.expires_at else ""
        details = (
            ("for", made.user),
            ("role", made.role),
            ("until", until),
            ("in_place", str(made.in_place).lower()),
            ("reason", made.reason),
        )
        record(_event(principal, _KINDS[decision.verdict], made, details))
    return made


def _event(
    principal: Principal, kind: AuditKind, about: AccessRequest, details: tuple[tuple[str, str], ...]
) -> AuditEvent:
    return AuditEvent(
        workspace_id=principal.workspace_id,
        kind=kind,
        by=principal.user,
        subject=f"access request {about.id}",
        details=tuple((name, text) for name, text in details if text),
    )


def _user_id(principal: Principal) -> int:
    if principal.user_id is None:
        raise ShownError("not_permitted", "Only somebody with a login can ask for access.")
    return principal.user_id


def _is_id(text: str) -> bool:
    try:
        return str(uuid.UUID(text)) == text.lower()
    except ValueError:
        return False
