"""The authority of a run: signed when it is asked, opened when it is worked on."""

from __future__ import annotations

from dataagent.errors import ShownError
from dataagent.policy import service as policy
from dataagent.policy.envelope import Envelope, EnvelopeFault
from dataagent.policy.principal import Principal
from dataagent.runs.service.keys import public_keys, signing_key
from dataagent.runs.states import SENTENCES, Reason
from dataagent.runs.types import RunFacts

_REASONS = {
    EnvelopeFault.MISSING: Reason.AUTHORITY_MISSING,
    EnvelopeFault.TAMPERED: Reason.AUTHORITY_TAMPERED,
    EnvelopeFault.EXPIRED: Reason.AUTHORITY_EXPIRED,
    EnvelopeFault.FOREIGN: Reason.AUTHORITY_FOREIGN,
}


class AuthorityError(ShownError):
    """A run may not begin or go on.  `reason` is what it ends with."""

    def __init__(self, reason: Reason) -> None:
        super().__init__("not_permitted", SENTENCES[reason])
        self.reason = reason


def issue(principal: Principal, run_id: str) -> None:
    """Signs what the principal may now as the run's authority, in the caller's transaction."""
    policy.issue_authority(principal, run_id, signing_key())


def authority_of(run: RunFacts) -> tuple[Envelope, Principal]:
    """What the run was given, and the asker as of now with no more than that.

    Raises: AuthorityError where it is missing, tampered with, expired or another's, and where the asker has gone.
    """
    found = policy.authority_of_run(run.workspace_id, run.id, asker_id=run.asker_id, keys=public_keys())
    if isinstance(found, EnvelopeFault):
        raise AuthorityError(_REASONS[found])
    try:
        now = policy.principal(run.asker, run.workspace)
    except ShownError as gone:
        raise AuthorityError(Reason.ACCESS_CHANGED) from gone
    return found, found.narrowed(now)
