"""What the answer machine is given and what it hands back.  Everything it needs arrives here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, TypeVar

from catalog.access import AccessScope
from catalog.query import CompiledQuery, MetricIntent, ReliedKey
from catalog.terms import TermIndex
from catalog.types import CatalogSnapshot
from contextcards.types import EvidenceBundle
from dataagent.answering.types import Answer, DataState, KeyState
from dataagent.intent.types import Turn, Understanding
from dataagent.policy.principal import PolicyDecision, Principal
from dataagent.runs.types import RunState, StepKind
from dataagent.sqlguard.guard import AppliedFilter, Bounds
from dataagent.sqlguard.schema import TableSchema
from dataagent.warehouse.port import Warehouse

T = TypeVar("T")


class Record(Protocol):
    """Runs one step: times it, stores its artefact, emits an event, replays it after a crash."""

    def step(self, kind: StepKind, fn: Callable[..., T], *args: Any) -> T:
        """What `fn(*args)` returns, or the recorded artefact of an earlier attempt.

        Raises: RunCancelled when the person has cancelled the run meanwhile.
        """


class RunCancelledError(Exception):
    """The person cancelled the run, or a newer message superseded it."""


class RunOverdueError(Exception):
    """The run has used up its time."""


class EvidencePort(Protocol):
    """Finds permitted evidence for a meaning: eligibility, then authority, then relevance."""

    def __call__(self, question: str, intent: MetricIntent, scope: AccessScope) -> EvidenceBundle:
        """The bundle; only what the scope's principal may see is in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """The world of one question.  `good_until` is when the authority of a run ends; None for what is no run."""

    principal: Principal
    scope: AccessScope
    decision: PolicyDecision
    snapshot: CatalogSnapshot
    index: TermIndex
    turns: tuple[Turn, ...]
    evidence: EvidencePort
    schema: tuple[TableSchema, ...]
    warehouse: Warehouse
    freshness: Callable[[tuple[str, ...]], tuple[DataState, ...]]
    keys: Callable[[tuple[ReliedKey, ...]], tuple[KeyState, ...]]
    bounds: Bounds
    query_id: str
    good_until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryFacts:
    """One query that ran, or was refused, for the manifest.  No data values."""

    proposed_sql: str
    executed_sql: str = ""
    sql_digest: str = ""
    dialect: str = ""
    tables: tuple[str, ...] = ()
    filters: tuple[AppliedFilter, ...] = ()
    masked_columns: tuple[str, ...] = ()
    policy_version: str = ""
    engine: str = ""
    query_id: str = ""
    plan_digest: str = ""
    estimated_rows: int | None = None
    row_count: int = 0
    truncated: bool = False
    result_digest: str = ""
    elapsed_ms: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a question ended: the state to move to, its named reason, the answer, and all that it rests on.

    `query` is the one of the figures shown first, `further` are all others that ran for the answer, in order.
    """

    state: RunState
    reason: str
    answer: Answer
    understanding: Understanding
    evidence: EvidenceBundle
    compiled: CompiledQuery | None = None
    query: QueryFacts | None = None
    further: tuple[QueryFacts, ...] = ()
    data_states: tuple[DataState, ...] = ()
    planner: str = "offline"
    versions: Mapping[str, str] = field(default_factory=dict)
