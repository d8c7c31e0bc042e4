"""For admins: which runs of their workspace need somebody, and the end of one."""

from __future__ import annotations

import uuid

from dataagent.errors import ShownError
from dataagent.policy.doors import permit
from dataagent.policy.principal import Capability, Principal
from dataagent.runs import store
from dataagent.runs.service.ending import close
from dataagent.runs.service.reading import not_found
from dataagent.runs.service.sealed import new_seal
from dataagent.runs.states import SENTENCES, TERMINAL, Move, Reason
from dataagent.runs.troubles import Trouble

WAITS_S, SILENT_S, SLOW_S = 30.0, 10.0, 60.0
TRIES = 3


def troubles(principal: Principal) -> tuple[Trouble, ...]:
    """The workspace's runs that need somebody.  Raises: ShownError(not_permitted)."""
    permit(principal, Capability.ADMINISTER)
    return store.troubles(principal.workspace_id, waits_s=WAITS_S, silent_s=SILENT_S, slow_s=SLOW_S)


def end_run(principal: Principal, run_id: str) -> bool:
    """Whether an open run of the workspace, whoever asked it, was ended now; its query is ended in the engine.

    The audit names who did it.  Raises: ShownError(not_permitted, not_found).
    """
    permit(principal, Capability.ADMINISTER)
    reason = Reason.ENDED_BY_ADMIN
    for _ in range(TRIES):  # the run may move on between reading and writing
        facts = store.run(principal.workspace_id, run_id) if _is_id(run_id) else None
        if facts is None:
            raise not_found("run")
        if facts.state in TERMINAL:
            return False
        ending = store.Ending(
            move=Move.CANCEL, reason=reason.value, text=SENTENCES[reason], abandoned=True, by=principal.user
        )
        if close(facts, ending, new_seal(facts.draft)):
            return True
    raise ShownError("conflict", "The run moves on just now.", action="Try again.")


def _is_id(text: str) -> bool:
    try:
        return str(uuid.UUID(text)) == text.lower()
    except ValueError:
        return False
