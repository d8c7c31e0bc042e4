"""The only ORM code of this room; takes and returns types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from django.db.models import Count, Q

from catalog.types import Scalar
from dataagent.accounts.models import ApiToken, KeptWarehouse, Membership, SignInAttempt, User, Workspace
from dataagent.accounts.throttle import Attempts
from dataagent.accounts.types import Account, Member, TokenInfo, WarehousePlace, WorkspaceInfo


def account_by_name(username: str) -> Account | None:
    """The active login of that name, or None."""
    user = User.objects.filter(username=username, is_active=True).first()
    return None if user is None else account_of(user)


def username_of(user_id: int) -> str:
    """The name of the login with that id; empty where there is none."""
    return User.objects.filter(pk=user_id).values_list("username", flat=True).first() or ""


def names_without_password() -> tuple[str, ...]:
    """Names of the active logins that have no password, in order."""
    users = User.objects.filter(is_active=True).order_by("username")
    return tuple(user.username for user in users if not user.has_usable_password())


def model_of(account: Account) -> User:
    """The database row of a login, for Django's session machinery."""
    return User.objects.get(pk=account.id)


def add_account(username: str, *, password: str | None, name: str, email: str) -> Account:
    """The new login, or the one that already has the name (left as it is)."""
    user, created = User.objects.get_or_create(username=username, defaults={"first_name": name[:150], "email": email})
    if created:
        user.set_password(password)
        user.save(update_fields=["password"])
    return account_of(user)


def add_workspace(slug: str, *, name: str, today: date | None) -> WorkspaceInfo:
    """The workspace of that slug, made where it was absent, renamed where it was not."""
    row, _ = Workspace.objects.update_or_create(slug=slug, defaults={"name": name, "today": today})
    return workspace_of(row)


def workspace_by_slug(slug: str) -> WorkspaceInfo | None:
    """The workspace of that slug, or None."""
    row = Workspace.objects.filter(slug=slug).first()
    return None if row is None else workspace_of(row)


def put_member(workspace_id: int, user_id: int, *, roles: Sequence[str], attributes: Mapping[str, Scalar]) -> None:
    """Set what a login is in a workspace, replacing what it was."""
    Membership.rows.update_or_create(
        workspace_id=workspace_id,
        user_id=user_id,
        defaults={"roles": list(roles), "attributes": dict(attributes)},
    )


def member(workspace_id: int, user_id: int) -> Member | None:
    """An active login's membership in one workspace, or None."""
    rows = Membership.rows.of(workspace_id).filter(user_id=user_id, user__is_active=True)
    row = rows.select_related("user", "workspace").first()
    return None if row is None else member_of(row)


def remove_member(workspace_id: int, user_id: int) -> bool:
    """Whether a membership was there and is now gone."""
    deleted, _ = Membership.rows.of(workspace_id).filter(user_id=user_id).delete()
    return bool(deleted)


def memberships(user_id: int) -> tuple[Member, ...]:
    """All workspaces of one login, by slug: the one read that starts from a person, not a workspace."""
    mine = Membership.rows.filter(user_id=user_id, user__is_active=True).select_related("user", "workspace")
    return tuple(member_of(row) for row in mine.order_by("workspace__slug"))


def members(workspace_id: int) -> tuple[Member, ...]:
    """A workspace's members whose logins are active, by name."""
    rows = Membership.rows.of(workspace_id).filter(user__is_active=True)
    return tuple(map(member_of, rows.select_related("user", "workspace").order_by("user__username")))


def members_without_password(workspace_id: int) -> tuple[Member, ...]:
    """A workspace's members that have no password, by name."""
    rows = Membership.rows.of(workspace_id).filter(user__is_active=True, user__is_superuser=False)
    found = rows.select_related("user", "workspace").order_by("user__username")
    return tuple(m for m in map(member_of, found) if m.account.passwordless)


def add_token(workspace_id: int, user_id: int, *, name: str, digest: str, expires_at: datetime | None) -> TokenInfo:
    """The new token's row."""
    row = ApiToken.rows.create(
        workspace_id=workspace_id, user_id=user_id, name=name, digest=digest, expires_at=expires_at
    )
    return token_of(row)


def token_owner(workspace_id: int, digest: str) -> tuple[TokenInfo, int] | None:
    """The token with that digest and its user's id, or None."""
    row = ApiToken.rows.of(workspace_id).filter(digest=digest, user__is_active=True).first()
    return None if row is None else (token_of(row), row.user_id)


def tokens(workspace_id: int, user_id: int) -> tuple[TokenInfo, ...]:
    """A login's tokens in one workspace, newest first."""
    rows = ApiToken.rows.of(workspace_id).filter(user_id=user_id).order_by("-created_at", "-pk")
    return tuple(token_of(row) for row in rows)


def revoke_token(workspace_id: int, user_id: int, token_id: int, *, at: datetime) -> bool:
    """Whether a live token of that login was revoked."""
    mine = ApiToken.rows.of(workspace_id).filter(user_id=user_id, pk=token_id, revoked_at=None)
    return mine.update(revoked_at=at) == 1


def count_live_tokens(workspace_id: int, user_id: int, *, now: datetime) -> int:
    """How many of a login's tokens in one workspace open something now."""
    live = Q(expires_at=None) | Q(expires_at__gt=now)
    return ApiToken.rows.of(workspace_id).filter(live, user_id=user_id, revoked_at=None).count()


def end_everything(user_id: int, *, at: datetime, password: str | None = None) -> User:
    """The login with no session and no token left, in any workspace; with a new password where one is given."""
    user = User.objects.select_for_update().get(pk=user_id)
    user.times_ended += 1
    if password is not None:
        user.set_password(password)
    user.save(update_fields=["times_ended", "password"])
    # From a person, not a workspace: whoever signs out everywhere means everywhere.
    ApiToken.rows.filter(user_id=user_id, revoked_at=None).update(revoked_at=at)
    return user


def add_attempt(name_digest: str, address: str, *, at: datetime, since: datetime) -> tuple[int, Attempts]:
    """The id of a new attempt, and how many there are since then with it; older ones are forgotten."""
    SignInAttempt.objects.filter(at__lt=since).delete()
    row = SignInAttempt.objects.create(name_digest=name_digest, address=address, at=at)
    name, place = Q(name_digest=name_digest), Q(address=address)
    found = SignInAttempt.objects.filter(name | place).aggregate(
        both=Count("pk", filter=name & place), name=Count("pk", filter=name), address=Count("pk", filter=place)
    )
    return row.pk, Attempts(name_and_address=found["both"], name=found["name"], address=found["address"])


def drop_attempt(attempt_id: int) -> None:
    """Forgets one attempt."""
    SignInAttempt.objects.filter(pk=attempt_id).delete()


def forget_attempts(name_digest: str, address: str) -> None:
    """Forgets the attempts of a name from an address."""
    SignInAttempt.objects.filter(name_digest=name_digest, address=address).delete()


def put_warehouse(workspace_id: int, *, sealed: str, shown: str) -> None:
    """Keep a workspace's sealed address, replacing the one before."""
    KeptWarehouse.rows.update_or_create(workspace_id=workspace_id, defaults={"sealed": sealed, "shown": shown})


def drop_warehouse(workspace_id: int) -> bool:
    """Whether a workspace's address was there and is now gone."""
    deleted, _ = KeptWarehouse.rows.of(workspace_id).delete()
    return bool(deleted)


def warehouse_of(slug: str) -> tuple[int, str] | None:
    """The id of the workspace of that slug and its sealed address, or None."""
    return KeptWarehouse.rows.filter(workspace__slug=slug).values_list("workspace_id", "sealed").first()


def warehouse_places() -> tuple[WarehousePlace, ...]:
    """Where every kept warehouse is, by workspace."""
    rows = KeptWarehouse.rows.select_related("workspace").order_by("workspace__slug")
    return tuple(WarehousePlace(workspace=row.workspace.slug, shown=row.shown) for row in rows)


def sealed_warehouses() -> tuple[tuple[int, str], ...]:
    """Every workspace's id with its sealed address; they stay locked until the transaction ends."""
    rows = KeptWarehouse.rows.select_for_update().order_by("workspace_id")
    return tuple((row.workspace_id, row.sealed) for row in rows)


def reseal_warehouse(workspace_id: int, sealed: str) -> None:
    """Replace a workspace's sealed address by the same one under another key."""
    KeptWarehouse.rows.of(workspace_id).update(sealed=sealed)


def account_of(user: User) -> Account:
    """The value of a row."""
    return Account(
        id=user.pk,
        username=user.username,
        name=user.get_full_name() or user.username,
        passwordless=not user.has_usable_password(),
    )


def workspace_of(row: Workspace) -> WorkspaceInfo:
    """The value of a row."""
    return WorkspaceInfo(id=row.pk, slug=row.slug, name=row.name, today=row.today)


def member_of(row: Membership) -> Member:
    """The value of a row."""
    return Member(
        account=account_of(row.user),
        workspace=workspace_of(row.workspace),
        roles=tuple(row.roles),
        attributes=tuple(sorted(row.attributes.items())),
    )


def token_of(row: ApiToken) -> TokenInfo:
    """The value of a row."""
    return TokenInfo(
        id=row.pk,
        workspace_id=row.workspace_id,
        name=row.name,
        created_at=row.created_at,
        expires_at=row.expires_at,
        revoked_at=row.revoked_at,
    )
