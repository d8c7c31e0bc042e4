"""Tables of this room."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from catalog.workspace import WorkspaceRow


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
