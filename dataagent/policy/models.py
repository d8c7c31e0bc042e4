"""Tables of this room."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from catalog.workspace import WorkspaceRow
from dataagent.policy.access import RequestState
from dataagent.policy.audit import AuditKind


class PolicyVersion(WorkspaceRow):
    """One version of a workspace's policy.  Rows are added, never edited; one of them is current."""

    number = models.PositiveIntegerField()
    version = models.CharField(max_length=100)
    digest = models.CharField(max_length=64)
    source = models.TextField()
    file = models.CharField(max_length=200, default="")
    is_current = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "number"], name="one_policy_per_number"),
            models.UniqueConstraint(
                fields=["workspace"], condition=models.Q(is_current=True), name="one_current_policy_per_workspace"
            ),
        ]


class AuditEntry(WorkspaceRow):
    """What happened to whose authority: a link of the workspace's hash chain.

    Rows are added, never edited or removed: the database refuses it.  The personal part (`by`, `subject`,
    `details`) of some kinds can be erased, once; the rest stays.  `by` is a name, not a reference: what a
    login did outlives the login.
    """

    sequence = models.PositiveBigIntegerField()
    kind = models.CharField(max_length=30)
    at = models.DateTimeField()
    by = models.CharField(max_length=150, blank=True, default="")
    subject = models.CharField(max_length=300, blank=True, default="")
    details = models.TextField(blank=True, default="")
    content_digest = models.CharField(max_length=71)
    previous_digest = models.CharField(max_length=71)
    digest = models.CharField(max_length=71)
    erased_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "sequence"], name="one_audit_entry_per_sequence"),
            models.UniqueConstraint(fields=["workspace", "previous_digest"], name="audit_never_forks"),
            models.CheckConstraint(
                condition=models.Q(kind__in=[k.value for k in AuditKind]), name="audit_kind_is_known"
            ),
        ]
        indexes = [models.Index(fields=["workspace", "kind", "by", "subject", "-at"], name="audit_by_kind")]


class AccessRequest(WorkspaceRow):
    """What somebody asks an admin for, and the role that was lent for a time in answer."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    note = models.CharField(max_length=500)
    run = models.CharField(max_length=36, blank=True, default="")
    state = models.CharField(max_length=10, default=RequestState.WAITING.value)
    role = models.CharField(max_length=60, blank=True, default="")
    in_place = models.BooleanField(default=False)
    asked_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.CharField(max_length=150, blank=True, default="")
    reason = models.CharField(max_length=500, blank=True, default="")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=[s.value for s in RequestState]), name="request_state_is_known"
            ),
            # Nothing is lent without an end.
            models.CheckConstraint(
                condition=~models.Q(state=RequestState.GRANTED.value) | models.Q(expires_at__isnull=False),
                name="granted_access_ends",
            ),
        ]
        indexes = [models.Index(fields=["workspace", "user", "state"], name="access_by_person")]


class RunAuthority(WorkspaceRow):
    """The signed authority of a run: written when it is asked and when its question back is answered.

    The run is named and not referred to: this room knows no runs.
    """

    run = models.CharField(max_length=36)
    envelope = models.TextField()
    issued_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "run"], name="one_authority_per_run")]
