"""Tables of this room."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from catalog.wordchanges import ProposalState
from catalog.workspace import WorkspaceRow


class CatalogVersion(WorkspaceRow):
    """One frozen catalog of a workspace.  Rows are never changed, except for which one is current.

    `base_digest` is the version as its engineers wrote it, where owners' words were added to it.
    """

    digest = models.CharField(max_length=64)
    base_digest = models.CharField(max_length=64, blank=True, default="")
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


class WordProposal(WorkspaceRow):
    """What an owner would have a word mean, waiting for a review or decided."""

    kind = models.CharField(max_length=20)
    word = models.CharField(max_length=60)
    target_kind = models.CharField(max_length=20)
    target = models.CharField(max_length=200)
    member = models.CharField(max_length=200, blank=True, default="")
    entity = models.CharField(max_length=200, blank=True, default="")
    author = models.CharField(max_length=150)
    created_at = models.DateTimeField()
    state = models.CharField(max_length=20, default=ProposalState.OPEN.value)
    reviewer = models.CharField(max_length=150, blank=True, default="")
    reviewed_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=300, blank=True, default="")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=[s.value for s in ProposalState]), name="word_proposal_state_is_known"
            ),
        ]
        indexes = [models.Index(fields=["workspace", "state", "id"], name="word_proposal_by_state")]
