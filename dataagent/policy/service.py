"""The door of policy: principals, scopes and decisions from stored policy."""

from __future__ import annotations

from dataagent.policy.principal import Principal


def principal_of_request_user(user: object) -> Principal | None:
    """The principal of the signed-in user in the chosen workspace, or None."""
    raise NotImplementedError(user)
