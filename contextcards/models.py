"""Tables of this room: card versions and proposals, document versions and their passages."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db import models
from django.db.models import Q
from pgvector.django import VectorField

from catalog.workspace import WorkspaceRow
from contextcards.types import ProposalState

EMBEDDING_DIMENSIONS = 512


class CardVersion(WorkspaceRow):
    """One immutable version of a table's card (a database trigger keeps its content as it was)."""

    table = models.CharField(max_length=200)
    version = models.PositiveIntegerField()
    content = models.JSONField()
    digest = models.CharField(max_length=64)
    source_digest = models.CharField(max_length=64, blank=True, default="")
    published_by = models.CharField(max_length=150)
    published_at = models.DateTimeField()
    note = models.CharField(max_length=300, blank=True, default="")
    is_current = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "table", "version"], name="card_version_is_unique"),
            models.UniqueConstraint(
                fields=["workspace", "table"], condition=Q(is_current=True), name="one_current_card_per_table"
            ),
        ]


class CardProposal(WorkspaceRow):
    """A proposed edit of one slot, waiting for a review or decided."""

    table = models.CharField(max_length=200)
    slot = models.CharField(max_length=40)
    base_version = models.PositiveIntegerField()
    old_text = models.TextField(blank=True)
    new_text = models.TextField(blank=True)
    author = models.CharField(max_length=150)
    created_at = models.DateTimeField()
    state = models.CharField(max_length=20, default=ProposalState.OPEN.value)
    reviewer = models.CharField(max_length=150, blank=True, default="")
    reviewed_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=300, blank=True, default="")
    published_version = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=[s.value for s in ProposalState]), name="card_proposal_state_is_known"
            ),
        ]


class DocumentVersion(WorkspaceRow):
    """One version of a document with its audience and its effective period."""

    name = models.CharField(max_length=200)
    version = models.PositiveIntegerField()
    title = models.CharField(max_length=300)
    text = models.TextField()
    owner = models.CharField(max_length=150)
    claim = models.CharField(max_length=40)
    audience = ArrayField(models.CharField(max_length=60), default=list)
    tables = ArrayField(models.CharField(max_length=200), default=list)
    effective_from = models.DateField(null=True, blank=True)
    effective_to = models.DateField(null=True, blank=True)
    superseded_by = models.CharField(max_length=200, blank=True, default="")
    digest = models.CharField(max_length=64)
    loaded_at = models.DateTimeField()
    is_current = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "name", "version"], name="document_version_is_unique"),
            models.UniqueConstraint(
                fields=["workspace", "name"], condition=Q(is_current=True), name="one_current_document_per_name"
            ),
        ]


class StoredPassage(WorkspaceRow):
    """A chunk of a document version, searchable by words and by meaning.

    Meaning is searched exactly, without a vector index: a person's visible set is
    small, and an approximate index loses rows behind a permission filter.
    """

    document = models.ForeignKey(DocumentVersion, on_delete=models.CASCADE, related_name="passages")
    position = models.PositiveIntegerField()
    text = models.TextField()
    digest = models.CharField(max_length=64)
    words = models.GeneratedField(
        expression=SearchVector("text", config="english"), output_field=SearchVectorField(), db_persist=True
    )
    embedding = VectorField(dimensions=EMBEDDING_DIMENSIONS, null=True, blank=True)

    class Meta:
        indexes = [GinIndex(fields=["words"], name="passage_words")]
        constraints = [models.UniqueConstraint(fields=["document", "position"], name="passage_position_is_unique")]
