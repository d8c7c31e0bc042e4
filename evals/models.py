"""Tables of this room: eval runs and their graded cases."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models

from catalog.workspace import WorkspaceRow
from evals.types import EvalOutcome, EvalRunState

STORED_STATES = [s.value for s in EvalRunState if s is not EvalRunState.INTERRUPTED]
OUTCOMES = [o.value for o in EvalOutcome]


class EvalRun(WorkspaceRow):
    """One run of a suite.  The digests say which suite, catalog and policy it judged."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    suite = models.CharField(max_length=200)
    suite_digest = models.CharField(max_length=64)
    catalog_digest = models.CharField(max_length=64, blank=True, default="")
    policy_version = models.CharField(max_length=200, blank=True, default="")
    started_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    state = models.CharField(max_length=12, default=EvalRunState.QUEUED.value)
    reason = models.CharField(max_length=500, blank=True, default="")
    total = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(state__in=STORED_STATES), name="eval_run_state_is_known"),
        ]
        indexes = [models.Index(fields=["workspace", "-created_at"], name="eval_run_newest")]


class EvalCaseResult(WorkspaceRow):
    """One graded case of an eval run, in the order of the suite."""

    eval_run = models.ForeignKey(EvalRun, on_delete=models.CASCADE, related_name="case_results")
    number = models.PositiveIntegerField()
    case_id = models.CharField(max_length=200)
    question = models.TextField()
    outcome = models.CharField(max_length=12)
    stage = models.CharField(max_length=20, blank=True, default="")
    detail = models.TextField(blank=True, default="")
    tags = models.JSONField(default=list)
    sql = models.TextField(blank=True, default="")
    run_id = models.CharField(max_length=64, blank=True, default="")
    receipt_digest = models.CharField(max_length=80, blank=True, default="")
    elapsed_ms = models.FloatField(default=0.0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["eval_run", "number"], name="one_eval_result_per_number"),
            models.CheckConstraint(condition=models.Q(outcome__in=OUTCOMES), name="eval_outcome_is_known"),
        ]
