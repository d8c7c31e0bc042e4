"""One's own sign-in: the password, what is signed in, and the tokens for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from dataagent.accounts.types import TokenInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenLine:
    """A token in words; `live` ones can be ended."""

    id: int
    name: str
    made: str
    state: str
    live: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountPage:
    """One's own sign-in.  `fresh` is the text of a token that was just made, shown this once."""

    has_password: bool
    workspace: str
    tokens: tuple[TokenLine, ...]
    fresh: str
    password_error: str
    token_error: str


def account_page(
    tokens: Sequence[TokenInfo],
    *,
    now: datetime,
    workspace: str,
    has_password: bool,
    fresh: str = "",
    password_error: str = "",
    token_error: str = "",
) -> AccountPage:
    """The page of one's own sign-in."""
    return AccountPage(
        has_password=has_password,
        workspace=workspace,
        tokens=tuple(_line(token, now) for token in tokens),
        fresh=fresh,
        password_error=password_error,
        token_error=token_error,
    )


def _line(token: TokenInfo, now: datetime) -> TokenLine:
    return TokenLine(
        id=token.id,
        name=token.name,
        made=f"{token.created_at:%Y-%m-%d %H:%M} UTC",
        state=_state(token, now),
        live=token.usable(now),
    )


def _state(token: TokenInfo, now: datetime) -> str:
    if token.revoked_at is not None:
        return f"ended {token.revoked_at:%Y-%m-%d %H:%M} UTC"
    if token.expires_at is None:
        return "good until it is ended"
    return f"{'good until' if token.usable(now) else 'over since'} {token.expires_at:%Y-%m-%d %H:%M} UTC"
