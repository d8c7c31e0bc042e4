"""Who can sign in and where they belong, as values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from catalog.types import Scalar


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A login.  `passwordless` accounts exist in demo mode only and cannot sign in otherwise."""

    id: int
    username: str
    name: str
    passwordless: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceInfo:
    """A tenant.  `today` fixes the clock of a demo workspace."""

    id: int
    slug: str
    name: str
    today: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A login's roles and attributes in one workspace."""

    account: Account
    workspace: WorkspaceInfo
    roles: tuple[str, ...]
    attributes: tuple[tuple[str, Scalar], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenInfo:
    """An API token as its owner sees it: never its secret."""

    id: int
    workspace_id: int
    name: str
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None

    def usable(self, now: datetime) -> bool:
        """Whether the token opens anything at `now`."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class MintedToken:
    """A new token.  `plain` is shown once and kept nowhere."""

    plain: str
    token: TokenInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class WarehousePlace:
    """Where a workspace's warehouse is, without its login."""

    workspace: str
    shown: str
