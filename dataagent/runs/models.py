"""Tables of this room: conversations, runs and what is recorded of them.

Four identities are kept apart: the conversation (`Session`), the door and
thread that a message came through (`Run.door`, `Run.thread`), the person
(`Run.asker`) and the authority (`Run.roles` as they were when asking; what a
run may do is decided again whenever it executes).

JSON that must come back byte for byte is kept as text.
"""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from catalog.workspace import WorkspaceRow
from dataagent.runs.states import ACTIVE, TERMINAL
from dataagent.runs.types import AttemptState, Meanwhile, RunState, StepKind

ACTIVE_VALUES = [s.value for s in ACTIVE]
TERMINAL_VALUES = [s.value for s in TERMINAL]
STATE_VALUES = [s.value for s in RunState]


class Session(WorkspaceRow):
    """A conversation of one person.  `meanwhile` is its policy for messages that come while it works on one."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    title = models.CharField(max_length=200)
    meanwhile = models.CharField(max_length=10, default=Meanwhile.REDIRECT.value)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(meanwhile__in=[m.value for m in Meanwhile]), name="meanwhile_is_known"
            )
        ]
        indexes = [models.Index(fields=["workspace", "owner", "-created_at"], name="session_by_owner")]


class Run(WorkspaceRow):
    """One question's life.  `round_number` counts how often the person has answered a question back."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="runs")
    asker = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    roles = models.JSONField(default=list)
    door = models.CharField(max_length=20, default="web")
    thread = models.CharField(max_length=200, blank=True, default="")
    question = models.TextField()
    today = models.DateField()
    state = models.CharField(max_length=24, default=RunState.QUEUED.value)
    reason = models.CharField(max_length=60, blank=True, default="")
    choice = models.PositiveSmallIntegerField(null=True, blank=True)
    round_number = models.PositiveSmallIntegerField(default=0)
    attempt = models.PositiveSmallIntegerField(default=0)
    lease_owner = models.CharField(max_length=100, blank=True, default="")
    lease_until = models.DateTimeField(null=True, blank=True)
    deadline_at = models.DateTimeField(null=True, blank=True)
    cancel_requested_at = models.DateTimeField(null=True, blank=True)
    query_id = models.CharField(max_length=64, blank=True, default="")
    event_count = models.PositiveIntegerField(default=0)
    intent = models.TextField(blank=True, default="")
    answer = models.TextField(blank=True, default="")
    draft = models.TextField(blank=True, default="")
    receipt_digest = models.CharField(max_length=71, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)
    queued_at = models.DateTimeField(db_default=Now())
    announced_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["session"], condition=models.Q(state__in=ACTIVE_VALUES), name="one_active_run_per_session"
            ),
            models.CheckConstraint(condition=models.Q(state__in=STATE_VALUES), name="run_state_is_known"),
        ]
        indexes = [
            models.Index(fields=["queued_at"], condition=models.Q(state=RunState.QUEUED.value), name="run_queue"),
            models.Index(fields=["lease_until"], condition=models.Q(state=RunState.RUNNING.value), name="run_leases"),
            models.Index(fields=["session", "created_at"], name="run_by_session"),
            models.Index(fields=["finished_at"], name="run_by_end"),
            models.Index(
                fields=["session", "created_at"],
                condition=models.Q(state=RunState.WAITING_FOR_TURN.value),
                name="run_turns",
            ),
        ]


class RunAttempt(WorkspaceRow):
    """One worker's work on a run.  `query_id` names its queries in the engine, and is kept before the first begins."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="attempts")
    round_number = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    owner = models.CharField(max_length=100)
    query_id = models.CharField(max_length=64)
    state = models.CharField(max_length=10, default=AttemptState.WORKING.value)
    claimed_at = models.DateTimeField()
    released_at = models.DateTimeField(null=True, blank=True)
    look_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "round_number", "number"], name="one_attempt_per_number"),
            models.UniqueConstraint(
                fields=["run"], condition=models.Q(state=AttemptState.WORKING.value), name="one_working_attempt"
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=[s.value for s in AttemptState]), name="attempt_state_is_known"
            ),
        ]
        indexes = [
            models.Index(fields=["look_at"], condition=models.Q(state=AttemptState.LAPSED.value), name="attempt_lapsed")
        ]


class BudgetUse(WorkspaceRow):
    """What a run, a person or a workspace (`subject`: its id, or "") has taken from the warehouse on a UTC day."""

    scope = models.CharField(max_length=10)
    subject = models.CharField(max_length=40, blank=True, default="")
    day = models.DateField()
    queries = models.BigIntegerField(default=0)
    row_count = models.BigIntegerField(default=0)
    bytes = models.BigIntegerField(default=0)
    seconds = models.FloatField(default=0.0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "scope", "subject", "day"], name="one_budget_use_a_day")
        ]


class RunStep(WorkspaceRow):
    """A finished step.  `artefact` is JSON text; `replayable` steps are rebuilt from it after a crash."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="steps")
    number = models.PositiveIntegerField()
    round_number = models.PositiveSmallIntegerField(default=0)
    attempt = models.PositiveSmallIntegerField(default=1)
    kind = models.CharField(max_length=20)
    started_at = models.DateTimeField()
    elapsed_ms = models.FloatField()
    input_digest = models.CharField(max_length=71)
    output_digest = models.CharField(max_length=71)
    artefact = models.TextField(default="null")
    replayable = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="one_step_per_number"),
            models.CheckConstraint(condition=models.Q(kind__in=[k.value for k in StepKind]), name="step_kind_is_known"),
        ]


class RunEvent(WorkspaceRow):
    """Something that a person may see happen.  Only ever added."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="events")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    text = models.CharField(max_length=300)
    at = models.DateTimeField()
    data = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "number"], name="one_event_per_number")]


class Manifest(WorkspaceRow):
    """All that is needed to repeat a run: a link of the workspace's hash chain."""

    run = models.OneToOneField(Run, on_delete=models.PROTECT, related_name="manifest")
    sequence = models.PositiveBigIntegerField()
    content = models.TextField()
    previous_digest = models.CharField(max_length=71)
    digest = models.CharField(max_length=71)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "sequence"], name="one_manifest_per_sequence"),
            models.UniqueConstraint(fields=["workspace", "previous_digest"], name="chain_never_forks"),
        ]


class Receipt(WorkspaceRow):
    """The signed view of a manifest that was issued when the run ended."""

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="receipts")
    audience = models.CharField(max_length=20)
    envelope = models.TextField()
    digest = models.CharField(max_length=71)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "audience"], name="one_receipt_per_audience")]


class OpenWord(WorkspaceRow):
    """A word that a question left open; `chosen` is the meaning that its person then took."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="open_words")
    surface = models.CharField(max_length=60)
    openness = models.CharField(max_length=20)
    meanings = models.JSONField(default=list)
    chosen = models.PositiveSmallIntegerField(null=True, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "surface"], name="one_open_word_per_run")]
        indexes = [models.Index(fields=["workspace", "surface", "-at"], name="open_word_by_surface")]


class MemberList(WorkspaceRow):
    """A version of the members of all dimensions that one sight may name.  Only a finished one is used."""

    sight = models.CharField(max_length=64)
    catalog = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    data_version = models.CharField(max_length=200, blank=True, default="")
    size_bytes = models.BigIntegerField()
    members = models.PositiveIntegerField()
    left_out = models.JSONField(default=list)
    read_at = models.DateTimeField()
    finished = models.BooleanField(default=False)

    class Meta:
        indexes = [models.Index(fields=["workspace", "sight", "-id"], name="member_list_by_sight")]


class MemberChunk(WorkspaceRow):
    """Some of the bytes of a member list, in their order."""

    member_list = models.ForeignKey(MemberList, on_delete=models.CASCADE, related_name="chunks")
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["member_list", "number"], name="one_member_chunk_per_number")]


class MemberUpkeep(WorkspaceRow):
    """When a workspace's members are read again, who does it under a lease, and how it went."""

    due_at = models.DateTimeField()
    lease_owner = models.CharField(max_length=100, blank=True, default="")
    lease_until = models.DateTimeField(null=True, blank=True)
    cancel_requested = models.BooleanField(default=False)
    catalog = models.CharField(max_length=64, blank=True, default="")
    failures = models.PositiveSmallIntegerField(default=0)
    fault = models.TextField(blank=True, default="")
    doing = models.CharField(max_length=200, blank=True, default="")
    done_members = models.PositiveIntegerField(default=0)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace"], name="one_member_upkeep_per_workspace")]
