"""Who somebody is now: for whatever goes on after the request in which they were recognised."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth import get_user
from django.http import HttpRequest
from django.utils import timezone

from dataagent.errors import ShownError
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


def _somebody(found: Principal | None) -> Principal:
    if found is None:
        raise ShownError("not_signed_in", "Your access has ended.", action="Sign in again.")
    return found
