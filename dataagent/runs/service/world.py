"""The world of one question: who asks, what they may see, the catalog, its words and the warehouse."""

from __future__ import annotations

import time
from functools import lru_cache

from django.conf import settings

from catalog import service as catalog
from catalog.access import AccessScope
from catalog.query import MetricIntent
from catalog.terms import TermIndex, build_index
from catalog.types import CatalogSnapshot
from contextcards import service as cards
from contextcards.types import EvidenceBundle
from dataagent.intent.types import Turn
from dataagent.policy import service as policy
from dataagent.policy.decide import decide
from dataagent.policy.principal import Capability, Principal
from dataagent.runs import encoding, store
from dataagent.runs.ports import EvidencePort, Ports
from dataagent.runs.service.freshness import freshness_reader
from dataagent.runs.states import TERMINAL
from dataagent.runs.types import RunFacts, RunState
from dataagent.runs.values import MAX_MEMBERS, value_queries
from dataagent.sqlguard.guard import Bounds, GuardedQuery, guard
from dataagent.warehouse.pool import warehouse_for
from dataagent.warehouse.port import Warehouse

MAX_TURNS = 10
INDEX_AGE_S = 600.0
"""How long the words of a workspace are kept before members are read from the warehouse again."""


def ports_for(run: RunFacts) -> Ports:
    """The ports of a run, under the authority that its asker has now.

    Raises: ShownError(not_found) where the asker is no member any more, NoCatalog, WarehouseFault.
    """
    asker = policy.principal(run.asker, run.workspace)
    return build_ports(asker, run, _turns(run))


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
        warehouse=warehouse,
        freshness=freshness_reader(warehouse, warehouse.dialect, run.today),
        bounds=bounds,
        query_id=run.query_id,
    )


def term_index(workspace: str, snapshot: CatalogSnapshot, scope: AccessScope) -> TermIndex:
    """The words of a catalog version as one scope may know them; kept for a while per version and scope."""
    return _index(_Words(workspace, snapshot, scope), int(time.monotonic() / INDEX_AGE_S))


class _Words:
    """Catalog and scope, compared by their digests."""

    def __init__(self, workspace: str, snapshot: CatalogSnapshot, scope: AccessScope) -> None:
        self.workspace, self.snapshot, self.scope = workspace, snapshot, scope
        self._key = (workspace, snapshot.digest, scope.digest)

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Words) and self._key == other._key


@lru_cache(maxsize=64)
def _index(words: _Words, _age: int) -> TermIndex:
    return build_index(words.snapshot, words.scope, _members(words))


def _members(words: _Words) -> dict[str, tuple[str, ...]]:
    """Members by dimension as this scope sees them in the warehouse; each read passes the guard."""
    warehouse = warehouse_for(words.workspace)
    found: dict[str, tuple[str, ...]] = {}
    for query in value_queries(words.snapshot, words.scope, warehouse.dialect):
        guarded = guard(
            query.sql,
            dialect=warehouse.dialect,
            scope=words.scope,
            schema=warehouse.schema(),
            bounds=Bounds(max_rows=MAX_MEMBERS + 1, timeout_s=10.0),
        )
        if isinstance(guarded, GuardedQuery):
            members = _read(warehouse, guarded)
            if len(members) <= MAX_MEMBERS:
                found[query.dimension] = members
    return found


def _read(warehouse: Warehouse, guarded: GuardedQuery) -> tuple[str, ...]:
    rows = warehouse.execute(guarded, query_id="").rows
    return tuple(sorted(str(row[0]) for row in rows))


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
        if r.id != run.id and r.state in TERMINAL and r.state is not RunState.CANCELLED
    ]
    return tuple(_turn(r) for r in earlier[-MAX_TURNS:])


def _turn(run: RunFacts) -> Turn:
    intent: MetricIntent | None = encoding.loads(run.intent, MetricIntent) if run.intent else None
    return Turn(question=run.question, intent=intent)
