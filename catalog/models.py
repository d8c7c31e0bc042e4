"""Tables of this room."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from catalog.workspace import WorkspaceRow


class CatalogVersion(WorkspaceRow):
    """One frozen catalog of a workspace.  Rows are never changed, except for which one is current."""

    digest = models.CharField(max_length=64)
    content = models.JSONField()
    current = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "digest"], name="one_catalog_version_per_digest"),
            models.UniqueConstraint(
                fields=["workspace"], condition=Q(current=True), name="one_current_catalog_per_workspace"
            ),
        ]
