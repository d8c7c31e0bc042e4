"""The world of one question: who asks, what they may see, the catalog, its words and the warehouse."""

from __future__ import annotations

from dataclasses import replace

from django.conf import settings
from django.utils import timezone

from catalog import service as catalog
from catalog.access import AccessScope
from catalog.query import MetricIntent
from catalog.types import CatalogSnapshot
from contextcards import service as cards
from contextcards.types import EvidenceBundle
from dataagent.errors import ShownError
from dataagent.intent.types import Turn
from dataagent.policy import service as policy
from dataagent.policy.decide import decide
from dataagent.policy.envelope import MemoryScope
from dataagent.policy.principal import Capability, Principal
from dataagent.runs import encoding, store
from dataagent.runs.ports import EvidencePort, Ports
from dataagent.runs.service.authority import authority_of
from dataagent.runs.service.freshness import freshness_reader
from dataagent.runs.service.metering import metered
from dataagent.runs.service.uniqueness import key_reader
from dataagent.runs.service.words import term_index
from dataagent.runs.states import TERMINAL
from dataagent.runs.types import RunFacts, RunState
from dataagent.sqlguard.guard import Bounds
from dataagent.warehouse.pool import warehouse_for

MAX_TURNS = 10


def ports_for(run: RunFacts) -> Ports:
    """The ports of a run, under the authority that its asker has now.

    Raises: AuthorityError where it was given none that holds, NoCatalog, WarehouseFault.
    """
    given, asker = authority_of(run)
    turns = _turns(run) if given.memory_scope is MemoryScope.SESSION else ()
    return replace(build_ports(asker, run, turns), good_until=given.expires_at)


def authority_holds(ports: Ports) -> bool:
    """Whether the asker may still ask, query and see exactly what the run was given.

    Compared by what may be seen, not by the policy's version: a change that does not touch the asker ends nothing.
    """
    given = ports.principal
    if ports.good_until is not None and timezone.now() >= ports.good_until:
        return False
    try:
        now = policy.principal(given.user, given.workspace)
    except ShownError:
        return False
    if any(decide(given, c).allowed() and not decide(now, c).allowed() for c in (Capability.ASK, Capability.QUERY)):
        return False
    scope = policy.scope(now, ports.schema, tuple(m.name for m in ports.snapshot.metrics))
    return (scope.tables, scope.metrics, scope.announced) == (
        ports.scope.tables,
        ports.scope.metrics,
        ports.scope.announced,
    )


def build_ports(asker: Principal, run: RunFacts, turns: tuple[Turn, ...]) -> Ports:
    """The ports of a principal's question."""
    snapshot = catalog.current_snapshot(asker.workspace_id)
    warehouse = warehouse_for(asker.workspace, timezone=snapshot.calendar.timezone)
    schema = warehouse.schema()
    scope = policy.scope(asker, schema, tuple(m.name for m in snapshot.metrics))
    bounds = Bounds(max_rows=settings.MAX_ROWS, timeout_s=settings.QUERY_TIMEOUT_S)
    return Ports(
        principal=asker,
        scope=scope,
        decision=decide(asker, Capability.QUERY),
        snapshot=snapshot,
        index=term_index(asker.workspace, snapshot, scope),
        turns=turns,
        evidence=_evidence_port(asker, snapshot, run),
        schema=schema,
        warehouse=metered(warehouse, run),
        freshness=freshness_reader(warehouse, warehouse.dialect, run.today, query_id=run.query_id),
        keys=key_reader(warehouse, snapshot, query_id=run.query_id),
        bounds=bounds,
        query_id=run.query_id,
    )


def _evidence_port(asker: Principal, snapshot: CatalogSnapshot, run: RunFacts) -> EvidencePort:
    def evidence(question: str, intent: MetricIntent, scope: AccessScope) -> EvidenceBundle:
        return cards.evidence(
            asker.workspace_id,
            asker.roles,
            question,
            intent=intent,
            snapshot=snapshot,
            scope=scope,
            today=run.today,
        )

    return evidence


def _turns(run: RunFacts) -> tuple[Turn, ...]:
    """The conversation's earlier answered questions, oldest first."""
    earlier = [
        r
        for r in store.runs_of_session(run.workspace_id, run.session_id)
        if r.id != run.id
        and r.created_at <= run.created_at  # a replay comes after messages that the run never knew
        and r.state in TERMINAL
        and r.state is not RunState.CANCELLED
    ]
    return tuple(_turn(r) for r in earlier[-MAX_TURNS:])


def _turn(run: RunFacts) -> Turn:
    intent: MetricIntent | None = encoding.loads(run.intent, MetricIntent) if run.intent else None
    return Turn(question=run.question, intent=intent, id=run.id)
