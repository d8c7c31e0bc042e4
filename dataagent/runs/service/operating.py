"""For admins: which runs of their workspace need somebody, and what can be done about each.  All of it is audited."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence

from django.db import transaction

from dataagent.accounts import service as accounts
from dataagent.errors import ShownError
from dataagent.policy import service as policy
from dataagent.policy.audit import AuditEvent, AuditKind
from dataagent.policy.decide import decide
from dataagent.policy.doors import permit
from dataagent.policy.principal import Capability, Principal
from dataagent.runs import store
from dataagent.runs.service.ending import close
from dataagent.runs.service.reading import not_found
from dataagent.runs.service.sealed import new_seal
from dataagent.runs.service.upkeep import hand_over, is_clear
from dataagent.runs.states import SENTENCES, TERMINAL, Move, Reason
from dataagent.runs.troubles import ActionOutcome, Done, Limits, RunAction, TroubleKind, TroubleList
from dataagent.runs.types import RunFacts, RunState

LIMITS = Limits()
TRIES = 3
MOST_AT_ONCE = 100


def troubles(principal: Principal, kind: TroubleKind | None = None, *, start: int = 0) -> TroubleList:
    """The workspace's runs that may need somebody, a hundred at a time.  Raises: ShownError(not_permitted)."""
    permit(principal, Capability.ADMINISTER)
    return store.troubles(principal.workspace_id, LIMITS, kind=kind, start=start)


def kind_of(text: str) -> TroubleKind | None:
    """The kind of that name, None for none.  Raises: ShownError(invalid_input)."""
    if not text:
        return None
    if text not in set(TroubleKind):
        raise ShownError("invalid_input", f"Choose one of: {', '.join(TroubleKind)}.")
    return TroubleKind(text)


def elsewhere(principal: Principal) -> tuple[tuple[str, int], ...]:
    """The other workspaces that the same person administers, each with how many of its runs are pressing."""
    permit(principal, Capability.ADMINISTER)
    if principal.user_id is None:
        return ()
    mine = {member.workspace.slug for member in accounts.memberships(principal.user_id)}
    held = [policy.principal(principal.user, slug) for slug in sorted(mine - {principal.workspace})]
    admins = [who for who in held if decide(who, Capability.ADMINISTER).allowed()]
    return tuple((who.workspace, store.troubles(who.workspace_id, LIMITS, limit=1).pressing()) for who in admins)


def act(principal: Principal, action: RunAction, run_ids: Sequence[str]) -> tuple[Done, ...]:
    """What came of the action on each run, in their order; the audit names who did it.

    Each stands for itself: one that has moved on meanwhile does not hold up the others.
    Raises: ShownError(not_permitted, invalid_input); ShownError(not_found), before anything is done, where one of
    them is no run of this workspace.
    """
    permit(principal, Capability.ADMINISTER)
    chosen = tuple(dict.fromkeys(run_ids))
    if not 1 <= len(chosen) <= MOST_AT_ONCE:
        raise ShownError("invalid_input", f"Choose from 1 to {MOST_AT_ONCE} runs.")
    for run_id in chosen:
        _run(principal, run_id)
    return tuple(Done(run_id=run_id, outcome=ACTIONS[action](principal, run_id)) for run_id in chosen)


def end_run(principal: Principal, run_id: str) -> bool:
    """Whether an open run of the workspace, whoever asked it, was ended now; its query is ended in the engine.

    Raises: ShownError(not_permitted, not_found).
    """
    return act(principal, RunAction.END, (run_id,))[0].outcome is ActionOutcome.DONE


def _end(principal: Principal, run_id: str) -> ActionOutcome:
    reason = Reason.ENDED_BY_ADMIN
    for _ in range(TRIES):  # the run may move on between reading and writing
        facts = _run(principal, run_id)
        if facts.state in TERMINAL:
            return ActionOutcome.TOO_LATE
        ending = store.Ending(
            move=Move.CANCEL, reason=reason.value, text=SENTENCES[reason], abandoned=True, by=principal.user
        )
        if close(facts, ending, new_seal(facts.draft)):
            return ActionOutcome.DONE
    raise ShownError("conflict", "The run moves on just now.", action="Try again.")


def _hand_over(principal: Principal, run_id: str) -> ActionOutcome:
    """Takes the lease from whoever holds it: that worker sees so at its next heartbeat, and ends its query."""
    with transaction.atomic():
        facts = _run(principal, run_id)
        if facts.state is not RunState.RUNNING or not hand_over(facts):
            return ActionOutcome.TOO_LATE
        _tell(principal, run_id, RunAction.HAND_OVER)
        cancelled = _run(principal, run_id).state in TERMINAL  # its person had cancelled it: then that is its end
    return ActionOutcome.TOO_LATE if cancelled else ActionOutcome.DONE


def _reconcile(principal: Principal, run_id: str) -> ActionOutcome:
    """Asks the engine of each attempt of which nothing is known, and cancels there what still runs."""
    left = store.lapsed_of(principal.workspace_id, run_id)
    if not left:
        return ActionOutcome.TOO_LATE
    _tell(principal, run_id, RunAction.RECONCILE)
    gone = [lapsed for lapsed in left if is_clear(lapsed)]
    for lapsed in gone:
        store.cleared(lapsed)
    return ActionOutcome.DONE if len(gone) == len(left) else ActionOutcome.UNKNOWN


ACTIONS: dict[RunAction, Callable[[Principal, str], ActionOutcome]] = {
    RunAction.END: _end,
    RunAction.HAND_OVER: _hand_over,
    RunAction.RECONCILE: _reconcile,
}


def _run(principal: Principal, run_id: str) -> RunFacts:
    found = store.run(principal.workspace_id, run_id) if _is_id(run_id) else None
    if found is None:
        raise not_found("run")
    return found


def _tell(principal: Principal, run_id: str, action: RunAction) -> None:
    """The end of a run tells of itself; this tells of the rest."""
    policy.record(
        AuditEvent(
            workspace_id=principal.workspace_id,
            kind=AuditKind.RUN_OPERATED,
            by=principal.user,
            subject=run_id,
            details=(("action", action.value),),
        )
    )


def _is_id(text: str) -> bool:
    try:
        return str(uuid.UUID(text)) == text.lower()
    except ValueError:
        return False
