"""Rows that belong to a workspace: the one manager through which every room reads its tables."""

from __future__ import annotations

from typing import Any

from django.db import models


class WorkspaceManager(models.Manager[Any]):
    """Reads only within a workspace: `Model.rows.of(workspace_id)`."""

    def of(self, workspace_id: int) -> models.QuerySet[Any]:
        """All rows of one workspace, unordered."""
        return self.get_queryset().filter(workspace_id=workspace_id)

    def of_every_workspace(self) -> models.QuerySet[Any]:
        """All rows there are: only for the product's own upkeep (workers, audit), never for a person's request."""
        return self.get_queryset()


class WorkspaceRow(models.Model):
    """A table whose every row says which workspace it belongs to."""

    workspace = models.ForeignKey("accounts.Workspace", on_delete=models.PROTECT, related_name="+")

    rows = WorkspaceManager()

    class Meta:
        abstract = True
