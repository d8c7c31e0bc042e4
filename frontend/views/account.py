"""One's own sign-in: change the password, sign out everywhere, make and end tokens for programs."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from dataagent.accounts import service as accounts
from dataagent.errors import ShownError, http_status
from dataagent.policy.doors import requires
from dataagent.policy.principal import Capability, Principal
from frontend.contexts.account import account_page
from frontend.views.frame import page, principal_of


@require_GET
@requires(Capability.SIGN_IN)
def account(request: HttpRequest) -> HttpResponse:
    """The page of one's own sign-in."""
    return _account(request)


@require_POST
@requires(Capability.SIGN_IN)
def change_password(request: HttpRequest) -> HttpResponse:
    """The way back after the password was changed; the page with the reason where it was not."""
    given = request.POST
    try:
        if given.get("new", "") != given.get("again", ""):
            raise ShownError("invalid_input", "The new password is not the same both times.")
        accounts.change_password(request, given.get("old", ""), given.get("new", ""))
    except ShownError as error:
        words = f"{error.message} {error.action}".strip()
        return _account(request, password_error=words, status=http_status(error.code))
    messages.success(request, "Your password is changed. All other sign-ins and all tokens have ended.")
    return redirect("account")


@require_POST
@requires(Capability.SIGN_IN)
def sign_out_everywhere(request: HttpRequest) -> HttpResponse:
    """The sign-in page, after every session and token of one's own has ended."""
    accounts.sign_out_everywhere(request)
    return redirect("sign-in")


@require_POST
@requires(Capability.SIGN_IN)
def make_token(request: HttpRequest) -> HttpResponse:
    """The page with the new token, which is shown this once."""
    who, days = principal_of(request), request.POST.get("days", "")
    try:
        made = accounts.mint_own_token(
            who.workspace_id,
            _user_id(who),
            name=request.POST.get("name", ""),
            days=int(days) if days.isascii() and days.isdigit() and len(days) < 4 else 0,
            now=timezone.now(),
        )
    except ShownError as error:
        words = f"{error.message} {error.action}".strip()
        return _account(request, token_error=words, status=http_status(error.code))
    return _account(request, fresh=made.plain, status=201)


@require_POST
@requires(Capability.SIGN_IN)
def end_token(request: HttpRequest, token_id: int) -> HttpResponse:
    """The way back after one's own token has ended."""
    who = principal_of(request)
    if not accounts.revoke_token(who.workspace_id, _user_id(who), token_id, now=timezone.now()):
        raise ShownError("not_found", "There is no such token.")
    messages.success(request, "The token has ended.")
    return redirect("account")


def _account(
    request: HttpRequest, *, status: int = 200, fresh: str = "", password_error: str = "", token_error: str = ""
) -> HttpResponse:
    who = principal_of(request)
    found = accounts.user(who.user)
    context = account_page(
        accounts.tokens(who.workspace_id, _user_id(who)),
        now=timezone.now(),
        workspace=who.workspace,
        has_password=found is not None and not found.passwordless,
        fresh=fresh,
        password_error=password_error,
        token_error=token_error,
    )
    return page(request, "accounts/account.html", title="Your sign-in", status=status, page=context)


def _user_id(who: Principal) -> int:
    """The login's id.  Raises: ShownError(not_found) for the product's own principals, which have none."""
    if who.user_id is None:
        raise ShownError("not_found", "There is no such sign-in.")
    return who.user_id
