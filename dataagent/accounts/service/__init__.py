"""Sign-in, memberships and tokens.  What a member may do is made by policy."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta

from django.conf import settings
from django.contrib.auth import authenticate, login, logout, update_session_auth_hash
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from catalog.types import Scalar
from dataagent.accounts import devices, store, throttle
from dataagent.accounts.models import User
from dataagent.accounts.types import Account, Member, MintedToken, TokenInfo, WorkspaceInfo
from dataagent.errors import ShownError

SESSION_WORKSPACE = "workspace"
"""Session key that holds the slug of the chosen workspace."""
DEMO_WORKSPACE = "demo"
"""The workspace in which the demo's sign-in begins."""
LONGEST_NAME = 150
LONGEST_TOKEN_NAME = 100
MOST_TOKENS = 20
MOST_DAYS = 90
LONGEST_PASSWORD = 1000
_BACKEND = "django.contrib.auth.backends.ModelBackend"
_TOKEN_PREFIX = "dat"  # noqa: S105 (a mark that says what the string is, not a secret)


def create_user(username: str, *, password: str | None = None, name: str = "", email: str = "") -> Account:
    """The login of that name; without a password it can be used in demo mode only."""
    return store.add_account(username, password=password, name=name, email=email)


def user(username: str) -> Account | None:
    """The active login of that name, or None."""
    return store.account_by_name(username) if can_be_name(username) else None


def username_of(user_id: int) -> str:
    """The name of the login with that id; empty where there is none."""
    return store.username_of(user_id)


def names_without_password() -> tuple[str, ...]:
    """Names of the active logins that have no password, in order."""
    return store.names_without_password()


def create_workspace(slug: str, *, name: str, today: date | None = None) -> WorkspaceInfo:
    """The workspace of that slug, made where it was absent."""
    return store.add_workspace(slug, name=name, today=today)


def workspace(slug: str) -> WorkspaceInfo | None:
    """The workspace of that slug, or None."""
    return store.workspace_by_slug(slug)


def set_member(
    workspace_id: int, user_id: int, *, roles: Sequence[str], attributes: Mapping[str, Scalar] | None = None
) -> Member:
    """The membership as it is now stored."""
    with transaction.atomic():
        store.put_member(workspace_id, user_id, roles=roles, attributes=attributes or {})
        stored = store.member(workspace_id, user_id)
    if stored is None:
        raise ShownError("not_found", "There is no such user.")
    return stored


def remove_member(workspace_id: int, user_id: int) -> bool:
    """Whether a membership was there; its tokens and sessions open nothing from now on."""
    return store.remove_member(workspace_id, user_id)


def member(username: str, workspace_slug: str) -> Member | None:
    """The login's membership in that workspace; None alike for an unknown user, workspace or membership."""
    account, place = store.account_by_name(username), store.workspace_by_slug(workspace_slug)
    return None if account is None or place is None else store.member(place.id, account.id)


def memberships(user_id: int) -> tuple[Member, ...]:
    """All workspaces of one login, by slug."""
    return store.memberships(user_id)


def members(workspace_id: int) -> tuple[Member, ...]:
    """A workspace's members whose logins are active, by name: for the product's own upkeep."""
    return store.members(workspace_id)


def demo_members(workspace_slug: str = DEMO_WORKSPACE) -> tuple[Member, ...]:
    """Who can be chosen on the demo sign-in page; nobody outside demo mode."""
    place = store.workspace_by_slug(workspace_slug) if settings.DEMO else None
    return () if place is None else store.members_without_password(place.id)


def sign_in_demo(request: HttpRequest, username: str) -> Account:
    """The demo login that the session now belongs to.

    Raises: ShownError(not_found) outside demo mode, and for a login with a password:
    a real account is never opened without it.
    """
    account = user(username) if settings.DEMO else None
    if account is None or not account.passwordless:
        raise ShownError("not_found", "There is no such demo user.", action="Choose one of the listed users.")
    return _open_session(request, store.model_of(account), first=DEMO_WORKSPACE)


def sign_in(request: HttpRequest, username: str, password: str) -> Account:
    """The login that the session now belongs to.

    Raises: ShownError(not_signed_in), in the same words for an unknown name and a wrong password;
    ShownError(too_many_requests) after too many failures.
    """
    found = _authenticated(request, username, password)
    if found is None:
        raise ShownError("not_signed_in", "That name and password do not match.", action="Try again.")
    return _open_session(request, found)


def password_fits(request: HttpRequest, username: str, password: str) -> bool:
    """Whether an active login has that name and password.  Raises: ShownError(too_many_requests)."""
    return _authenticated(request, username, password) is not None


def device_mark(username: str) -> str:
    """The mark for the browser in which that name has just signed in with its password."""
    device = secrets.token_hex(8)
    return devices.new_mark(settings.SECRET_KEY, _digest(username.casefold()), device, now=timezone.now())


def sign_out(request: HttpRequest) -> None:
    """End the session and forget what it held."""
    logout(request)


def sign_out_everywhere(request: HttpRequest) -> None:
    """End every session and every API token of whoever sends the request, in every workspace."""
    if not request.user.is_authenticated:
        raise ShownError("not_signed_in", "Please sign in first.")
    with transaction.atomic():
        store.end_everything(request.user.pk, at=timezone.now())
    logout(request)


def change_password(request: HttpRequest, old: str, new: str) -> None:
    """Give whoever sends the request a new password; all other sessions and all API tokens end.

    Raises: ShownError(invalid_input) for a wrong or missing old password and a weak new one;
    ShownError(too_many_requests) after too many wrong ones.
    """
    row = request.user
    if not isinstance(row, User) or not row.has_usable_password():
        raise ShownError("invalid_input", "This sign-in has no password.")
    if _authenticated(request, row.username, old) is None:
        raise ShownError("invalid_input", "The old password is not right.")
    if new == old or len(new) > LONGEST_PASSWORD:
        raise ShownError("invalid_input", "Choose a new password.")
    try:
        validate_password(new, row)
    except ValidationError as error:
        raise ShownError("invalid_input", " ".join(error.messages)) from error
    with transaction.atomic():
        update_session_auth_hash(request, store.end_everything(row.pk, at=timezone.now(), password=new))


def choose_workspace(request: HttpRequest, slug: str) -> WorkspaceInfo:
    """The workspace that the session now works in.

    Raises: ShownError(not_found) for a workspace that is absent or not the user's.
    """
    mine = store.memberships(request.user.pk) if request.user.is_authenticated else ()
    chosen = next((m.workspace for m in mine if m.workspace.slug == slug), None)
    if chosen is None:
        raise ShownError("not_found", "There is no such workspace.", action="Choose one of your workspaces.")
    request.session[SESSION_WORKSPACE] = chosen.slug
    return chosen


def mint_token(workspace_id: int, user_id: int, *, name: str, expires_at: datetime | None = None) -> MintedToken:
    """A new token: its text, shown this once, and its row.

    Raises: ShownError(not_found) where the user is no member of the workspace.
    """
    if store.member(workspace_id, user_id) is None:
        raise ShownError("not_found", "There is no such member.")
    plain = f"{_TOKEN_PREFIX}_{workspace_id}_{secrets.token_urlsafe(32)}"
    token = store.add_token(workspace_id, user_id, name=name, digest=_digest(plain), expires_at=expires_at)
    return MintedToken(plain=plain, token=token)


def mint_own_token(workspace_id: int, user_id: int, *, name: str, days: int, now: datetime) -> MintedToken:
    """A new token of a person's own for some days; its text is shown this once.  Raises: ShownError."""
    if not name.strip() or len(name) > LONGEST_TOKEN_NAME or not can_be_name(name):
        raise ShownError("invalid_input", f"Name the token in up to {LONGEST_TOKEN_NAME} letters.")
    if not 1 <= days <= MOST_DAYS:
        raise ShownError("invalid_input", f"A token is good for 1 to {MOST_DAYS} days.")
    if store.count_live_tokens(workspace_id, user_id, now=now) >= MOST_TOKENS:
        raise ShownError("conflict", f"You have {MOST_TOKENS} tokens already.", action="End one first.")
    return mint_token(workspace_id, user_id, name=name.strip(), expires_at=now + timedelta(days=days))


def verify_token(plain: str, *, now: datetime) -> Member | None:
    """The member behind a live token; None for anything else, expired and revoked ones included."""
    prefix, _, rest = plain.partition("_")
    number, _, secret = rest.partition("_")
    if prefix != _TOKEN_PREFIX or not (number.isascii() and number.isdigit()) or len(number) > 18 or not secret:
        return None
    found = store.token_owner(int(number), _digest(plain))
    if found is None or not found[0].usable(now):
        return None
    return store.member(found[0].workspace_id, found[1])


def tokens(workspace_id: int, user_id: int) -> tuple[TokenInfo, ...]:
    """A login's tokens in one workspace, newest first."""
    return store.tokens(workspace_id, user_id)


def revoke_token(workspace_id: int, user_id: int, token_id: int, *, now: datetime) -> bool:
    """Whether a live token of that login was revoked."""
    return store.revoke_token(workspace_id, user_id, token_id, at=now)


def end_token(plain: str, *, now: datetime) -> bool:
    """Whether this token was live and is revoked now."""
    member = verify_token(plain, now=now)
    found = store.token_owner(member.workspace.id, _digest(plain)) if member else None
    return found is not None and store.revoke_token(found[0].workspace_id, found[1], found[0].id, at=now)


def _authenticated(request: HttpRequest, username: str, password: str) -> User | None:
    """The login, or None.  The attempt is counted before it is tried: guesses at the same time count, too."""
    name, now = _digest(username.casefold()), timezone.now()
    mark = request.COOKIES.get(settings.DEVICE_COOKIE_NAME, "")
    device = devices.device_in(settings.SECRET_KEY, mark, name, now=now)
    place = device or throttle.place_of(request.META.get("REMOTE_ADDR", ""))
    attempt, attempts = store.add_attempt(name, place, at=now, since=now - throttle.WINDOW)
    if throttle.too_many(attempts, known=bool(device)):
        store.drop_attempt(attempt)
        raise ShownError(
            "too_many_requests", "Too many failed sign-ins.", action="Wait a quarter of an hour and try again."
        )
    tried = can_be_name(username) and len(password) <= LONGEST_PASSWORD
    found = authenticate(request, username=username, password=password) if tried else None
    if not isinstance(found, User):
        return None
    store.forget_attempts(name, place)
    return found


def can_be_name(text: str) -> bool:
    """Whether a login could have that name: no database text holds a null character, nor can one be asked for."""
    return "\0" not in text and len(text) <= LONGEST_NAME


def _digest(plain: str) -> str:
    return hashlib.sha256(plain.encode()).hexdigest()


def _open_session(request: HttpRequest, row: User, *, first: str = "") -> Account:
    """The login's account, with the session in the workspace `first` where it is one of the login's own."""
    login(request, row, backend=_BACKEND)
    mine = [m.workspace.slug for m in store.memberships(row.pk)]
    if mine:
        request.session[SESSION_WORKSPACE] = first if first in mine else mine[0]
    return store.account_of(row)
