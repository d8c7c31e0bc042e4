"""A run's states, steps and events as values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from dataagent.answering.types import Answer


class RunState(StrEnum):
    """States of a run; the legal moves stand in states.py."""

    WAITING_FOR_TURN = "waiting_for_turn"
    QUEUED = "queued"
    RUNNING = "running"
    WAITING_FOR_PERSON = "waiting_for_person"
    WAITING_FOR_APPROVAL = "waiting_for_approval"
    ANSWERED = "answered"
    ABSTAINED = "abstained"
    REFUSED = "refused"
    FAILED = "failed"
    CANCELLED = "cancelled"
    SUPERSEDED = "superseded"
    EXHAUSTED = "exhausted"


class Meanwhile(StrEnum):
    """What a conversation does with a message that comes while it still works on another one."""

    REDIRECT = "redirect"
    QUEUE = "queue"
    REFUSE = "refuse"


class AttemptState(StrEnum):
    """What became of a worker's attempt; only a lapsed one may have left a query in the engine."""

    WORKING = "working"
    DONE = "done"
    LAPSED = "lapsed"
    CLEARED = "cleared"


class StepKind(StrEnum):
    """The recorded steps, in the order of a question's path."""

    SCOPE = "scope"
    TERMS = "terms"
    INTENT = "intent"
    EVIDENCE = "evidence"
    PLAN = "plan"
    COMPILE = "compile"
    GUARD = "guard"
    EXPLAIN = "explain"
    LIVE_CHECKS = "live_checks"
    EXECUTE = "execute"
    VALIDATE = "validate"
    COMPOSE = "compose"
    MANIFEST = "manifest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One message to the product.  `today` is the clock of the question; `choice` answers a clarification."""

    question: str
    today: date
    session_id: str
    choice: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRecord:
    """A finished step: its number in the run, digests, timing and the artefact as JSON."""

    number: int
    kind: StepKind
    started_at: datetime
    elapsed_ms: float
    output_digest: str
    artefact: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEvent:
    """An event for streams: its number in the run (1-based, no gaps), kind, plain sentence and data."""

    number: int
    kind: str
    text: str
    at: datetime
    data: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """A run as any door shows it.  `answer` is None until the run has ended or asks."""

    id: str
    session_id: str
    workspace: str
    asker: str
    question: str
    state: RunState
    reason: str
    today: date
    created_at: datetime
    finished_at: datetime | None
    answer: Answer | None
    receipt_digest: str
    timings_ms: dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """A run as it is stored, for this room only.  `answer`, `intent` and `draft` are JSON text or ""."""

    id: str
    workspace_id: int
    workspace: str
    session_id: str
    asker_id: int
    asker: str
    roles: tuple[str, ...]
    door: str
    thread: str
    question: str
    today: date
    state: RunState
    reason: str
    choice: int | None
    round_number: int
    attempt: int
    lease_owner: str
    query_id: str
    intent: str
    answer: str
    draft: str
    receipt_digest: str
    created_at: datetime
    finished_at: datetime | None


UNLISTED_DOORS = frozenset({"evals", "bench", "test"})
"""Doors through which no person asks: what came through them is not among anybody's conversations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRun:
    """A message that was accepted: what a run starts with."""

    workspace_id: int
    workspace: str
    session_id: str
    asker_id: int
    asker: str
    roles: tuple[str, ...]
    question: str
    today: date
    door: str = "web"
    thread: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionView:
    """A conversation as its owner sees it in a list."""

    id: str
    title: str
    created_at: datetime
    owner_id: int
    meanwhile: Meanwhile = Meanwhile.REDIRECT
