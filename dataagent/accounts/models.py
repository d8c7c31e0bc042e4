"""Workspaces, users and their memberships.  Present from the first migration."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.crypto import salted_hmac

from catalog.workspace import WorkspaceRow


class User(AbstractUser):
    """A login.  What it may do in a workspace stands in its membership and the policy.

    `times_ended` grows when the user signs out everywhere: sessions of before open nothing from then on.
    """

    times_ended = models.PositiveIntegerField(default=0)

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """What a session must hold to belong to this login: it changes with the password and with `times_ended`."""
        text = f"{self.password}\n{self.times_ended}"
        return salted_hmac("dataagent.accounts.session", text, secret=secret, algorithm="sha256").hexdigest()


class Workspace(models.Model):
    """A tenant.  `slug` is its stable name; `today` fixes the clock of a demo workspace."""

    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=200)
    today = models.DateField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.slug


class Membership(WorkspaceRow):
    """A user's roles and attributes in one workspace."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    roles = ArrayField(models.CharField(max_length=60), default=list)
    attributes = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "user"], name="one_membership_per_workspace")]


class ApiToken(WorkspaceRow):
    """A bearer token for the API: only its SHA-256 is kept."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)


class SignInAttempt(models.Model):
    """A sign-in with a password that has failed or is being tried, before any workspace is known.

    `name_digest` is the SHA-256 of the typed name: people type passwords there, too.
    """

    name_digest = models.CharField(max_length=64)
    address = models.CharField(max_length=45)
    at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["name_digest", "at"], name="sign_in_by_name"),
            models.Index(fields=["address", "at"], name="sign_in_by_address"),
        ]


class KeptWarehouse(WorkspaceRow):
    """Where a workspace's warehouse is.  `sealed` is the address with its login under a key that is not here."""

    sealed = models.TextField()
    shown = models.CharField(max_length=500)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace"], name="one_warehouse_per_workspace")]
