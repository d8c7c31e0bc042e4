"""Sign in for a token."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, authentication_classes, permission_classes
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from dataagent.accounts import service as accounts
from dataagent.api import serializers
from dataagent.api.door import answers, door
from dataagent.errors import ShownError
from dataagent.policy import service as policy
from dataagent.policy.doors import permit
from dataagent.policy.principal import Capability

LIVES = timedelta(hours=12)


@extend_schema(
    operation_id="token_create", request=serializers.SignIn, responses=answers(serializers.Token, 422, 429, status=201)
)
@api_view(["POST"])
@authentication_classes([])
@permission_classes([AllowAny])
def sign_in(request: Request) -> Response:
    """A token for one workspace, for 12 hours.  Demo users need no password in demo mode."""
    asked = serializers.SignIn(data=request.data)
    asked.is_valid(raise_exception=True)
    name, slug = asked.validated_data["username"], asked.validated_data["workspace"]
    member = accounts.member(name, slug) if _may_enter(request, name, asked.validated_data["password"]) else None
    if member is None:
        raise ShownError("not_signed_in", "Name, password and workspace do not match.", action="Try again.")
    permit(policy.principal_of_member(member), Capability.SIGN_IN)
    minted = accounts.mint_token(
        member.workspace.id, member.account.id, name="API sign-in", expires_at=timezone.now() + LIVES
    )
    body = {"token": minted.plain, "workspace": slug, "expires_at": minted.token.expires_at}
    return Response(body, status=201)


@extend_schema(operation_id="token_revoke", request=None, responses=answers(serializers.Revoked))
@door("POST", Capability.SIGN_IN)
def sign_out(request: Request) -> Response:
    """End the token that this request carries."""
    plain = request.headers["Authorization"].partition(" ")[2].strip()
    return Response({"revoked": accounts.end_token(plain, now=timezone.now())})


def _may_enter(request: Request, name: str, password: str) -> bool:
    account = accounts.user(name)
    if settings.DEMO and account is not None and account.passwordless:
        return True
    return accounts.password_fits(request._request, name, password)
