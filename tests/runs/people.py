"""Principals of the cast, and a machine with a fake world for runs."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, cast

from catalog.access import AccessScope
from catalog.query import ColumnRole, MetricIntent, ResultColumn
from catalog.types import CatalogSnapshot, Metric, MetricType
from contextcards.types import Authority, ClaimKind, Disposition, Evidence, EvidenceBundle, SourceType
from dataagent.accounts.models import User, Workspace
from dataagent.answering.types import Answer, CellRef, Check, CheckOutcome, Claim, DataState
from dataagent.intent.types import Decision, Option, Understanding
from dataagent.policy.principal import Capability, Effect, PolicyDecision, Principal
from dataagent.runs.ports import Outcome, Ports, QueryFacts, Record
from dataagent.runs.service.working import Machine
from dataagent.runs.types import Ask, RunFacts, RunState, StepKind
from dataagent.sqlguard.guard import AppliedFilter, Bounds

ASKING = (Capability.SIGN_IN, Capability.ASK, Capability.QUERY, Capability.READ_OWN_RUNS)
SECRET = "4711.50"


def principal(user: User, workspace: Workspace, *more: Capability, only: tuple[Capability, ...] = ASKING) -> Principal:
    return Principal(
        user=user.username,
        workspace=workspace.slug,
        workspace_id=workspace.pk,
        roles=(user.username,),
        capabilities=frozenset((*only, *more)),
        user_id=user.pk,
        policy_version="1",
    )


class FakeWarehouse:
    def __init__(self) -> None:
        self.cancelled = threading.Event()

    def cancel(self, query_id: str) -> bool:
        self.cancelled.set()
        return True


@dataclass
class FakeWorld:
    """What the fake machine saw and how it shall answer."""

    outcome: Callable[[Ask], Outcome]
    warehouse: FakeWarehouse = field(default_factory=FakeWarehouse)
    done: list[StepKind] = field(default_factory=list)
    before: dict[StepKind, Callable[[], None]] = field(default_factory=dict)
    scope_digest: str = "scope-1"

    def machine(self) -> Machine:
        return Machine(ports=self.ports, answer=self.answer)

    def ports(self, run: RunFacts) -> Ports:
        return Ports(
            principal=Principal(
                user=run.asker,
                workspace=run.workspace,
                workspace_id=run.workspace_id,
                roles=run.roles,
                capabilities=frozenset(ASKING),
            ),
            scope=AccessScope(
                workspace=run.workspace, principal=run.asker, policy_version="p7", digest=self.scope_digest
            ),
            decision=PolicyDecision(effect=Effect.ALLOW, rule="capability", reason="granted", policy_version="p7"),
            snapshot=CatalogSnapshot(
                name="shop",
                digest="catalog-1",
                dialect="duckdb",
                models=(),
                metrics=(Metric(name="net_revenue", type=MetricType.SIMPLE, measure="net", version=3),),
            ),
            index=cast(Any, None),
            turns=(),
            evidence=cast(Any, None),
            schema=(),
            warehouse=cast(Any, self.warehouse),
            freshness=lambda tables: (),
            keys=lambda keys: (),
            bounds=Bounds(),
            query_id=run.query_id,
        )

    def answer(self, ask: Ask, ports: Ports, record: Record) -> Outcome:
        for kind in (StepKind.SCOPE, StepKind.INTENT, StepKind.EXECUTE):
            record.step(kind, self._work_of(kind), ask)
        return self.outcome(ask)

    def _work_of(self, kind: StepKind) -> Callable[[Ask], Understanding]:
        def do(ask: Ask) -> Understanding:
            self.before.pop(kind, lambda: None)()
            self.done.append(kind)
            return UNDERSTOOD

        return do


UNDERSTOOD = Understanding(
    decision=Decision.ANSWER, intent=MetricIntent(metrics=("net_revenue",)), restatement="Net revenue"
)


def answered(ask: Ask) -> Outcome:
    return Outcome(
        state=RunState.ANSWERED,
        reason="answered",
        answer=Answer(
            question=ask.question,
            decision=Decision.ANSWER,
            headline=f"Net revenue was {SECRET}",
            columns=(ResultColumn(name="net_revenue", label="Net revenue", role=ColumnRole.METRIC),),
            rows=((Decimal(SECRET),),),
            total_row=(Decimal(SECRET),),
            claims=(Claim(text=f"It was {SECRET}", value=SECRET, cells=(CellRef(row=0, column="net_revenue"),)),),
            checks=(Check(name="rows", outcome=CheckOutcome.PASSED, detail=f"1 row, {SECRET}"),),
            sql="SELECT 1",
        ),
        understanding=UNDERSTOOD,
        evidence=EvidenceBundle(considered=(CARD,), withheld=2),
        query=QueryFacts(
            proposed_sql="SELECT 1",
            executed_sql="SELECT 1 WHERE TRUE",
            filters=(AppliedFilter(table="t", rule="emea_rows", label="region is EMEA"),),
            row_count=1,
            result_digest="d",
        ),
        data_states=(
            DataState(table="t", complete_until=datetime(2025, 6, 18, tzinfo=UTC), loaded_at=None, late_days=()),
        ),
    )


CARD = Evidence(
    id="card:t",
    type=SourceType.CARD,
    claim=ClaimKind.TABLE_MEANING,
    authority=Authority.OWNER,
    title="Orders",
    text="One row per order.",
    version="2",
    digest="sha256:c",
    pointer="card:t@2",
    why="the table is read",
    disposition=Disposition.USED,
)


def asked_back(ask: Ask) -> Outcome:
    """Asks which revenue, until a choice is there."""
    if ask.choice is not None:
        return answered(ask)
    options = tuple(
        Option(label=name, question=name, intent=MetricIntent(metrics=(name,)))
        for name in ("net_revenue", "gross_revenue")
    )
    return Outcome(
        state=RunState.WAITING_FOR_PERSON,
        reason="clarification",
        answer=Answer(question=ask.question, decision=Decision.CLARIFY, headline="Which revenue?", options=options),
        understanding=Understanding(decision=Decision.CLARIFY, prompt="Which revenue?", options=options),
        evidence=EvidenceBundle(considered=()),
    )
