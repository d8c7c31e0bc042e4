"""Bearer tokens: who calls, in which workspace."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from dataagent.policy import service as policy
from dataagent.policy.principal import Principal

SCHEME = "Bearer"


@dataclass(frozen=True, slots=True)
class Caller:
    """The login behind a token, as the framework wants it."""

    principal: Principal
    is_authenticated: bool = True


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer dat_…`.  The token says the workspace; a cookie opens nothing here."""

    def authenticate(self, request: Request) -> tuple[Caller, None] | None:
        """The caller, or None without a token.  Raises: AuthenticationFailed for one that opens nothing."""
        # A browser session must not lend its authority to an API call (cross-site requests).
        request._request.principal = None  # type: ignore[attr-defined]
        scheme, _, plain = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != SCHEME.lower():
            return None
        principal = policy.principal_for_token(plain.strip(), now=timezone.now())
        if principal is None:
            raise AuthenticationFailed("This token is unknown, revoked or too old.")
        request._request.principal = principal  # type: ignore[attr-defined]
        request._request.authority = policy.authority_of_token(plain.strip())  # type: ignore[attr-defined]
        return Caller(principal), None

    def authenticate_header(self, _request: Request) -> str:
        """What a refused caller is asked for."""
        return SCHEME


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Describes the token in OpenAPI."""

    target_class = "dataagent.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, _auto_schema: object) -> dict[str, str]:
        """The scheme's entry."""
        return {"type": "http", "scheme": "bearer", "description": "A token from POST /api/v1/token."}
