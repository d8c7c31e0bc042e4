"""Who somebody is now: for whatever goes on after the request in which they were recognised."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.contrib.auth import get_user
from django.http import HttpRequest
from django.utils import timezone

from dataagent.errors import ShownError
from dataagent.policy import store
from dataagent.policy.envelope import Envelope, EnvelopeFault, envelope_of, opened, sealed
from dataagent.policy.principal import Principal
from dataagent.policy.service.policies import principal_for_token, principal_of_request_user

Authority = Callable[[], Principal]
"""The principal as it is at the moment of each call.  Raises: ShownError(not_signed_in) where nobody is left."""


def authority_of_session(request: HttpRequest, workspace: str) -> Authority:
    """Whoever the browser's session belongs to, read anew at each call.

    A sign-out, another password, a login that was closed and a membership that ended leave nobody.
    """
    kind, key = type(request.session), request.session.session_key

    def now() -> Principal:
        fresh = HttpRequest()
        fresh.session = kind(key)
        return _somebody(principal_of_request_user(get_user(fresh), workspace))

    return now


def authority_of_token(plain: str) -> Authority:
    """Whoever the API token opens for, read anew at each call: a token that is revoked or too old opens for nobody."""
    return lambda: _somebody(principal_for_token(plain, now=timezone.now()))


def issue_authority(principal: Principal, run_id: str, key: Ed25519PrivateKey) -> None:
    """Signs and keeps what the principal may now, for one run; kept or lost with the caller's transaction."""
    now = timezone.now()
    text = sealed(envelope_of(principal, run_id, now=now), key)
    store.put_authority(principal.workspace_id, run_id, text, at=now)


def authority_of_run(
    workspace_id: int, run_id: str, *, asker_id: int, keys: Mapping[str, Ed25519PublicKey]
) -> Envelope | EnvelopeFault:
    """The run's authority, where it was signed for this asker and holds now; or why it does not."""
    text = store.authority(workspace_id, run_id)
    return opened(text, keys, asker_id=asker_id, workspace_id=workspace_id, trace_id=run_id, now=timezone.now())


def _somebody(found: Principal | None) -> Principal:
    if found is None:
        raise ShownError("not_signed_in", "Your access has ended.", action="Sign in again.")
    return found
