"""Databases that nobody described by hand: each is drafted, frozen, and only then asked about."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

from catalog.access import AccessScope, TableAccess
from catalog.query import MetricIntent
from catalog.terms import TermIndex, build_index
from catalog.types import CatalogSnapshot
from contextcards.assemble import assemble
from contextcards.contracts import contract_evidence, metrics_of
from contextcards.types import EvidenceBundle
from dataagent.management.catalog_draft import drafted
from dataagent.policy.principal import Capability, Effect, PolicyDecision, Principal
from dataagent.runs.answer import answer_question
from dataagent.runs.ports import Outcome, Ports
from dataagent.runs.service.freshness import freshness_reader
from dataagent.runs.service.uniqueness import key_reader
from dataagent.runs.types import Ask, StepKind
from dataagent.runs.values import MAX_MEMBERS, value_queries
from dataagent.sqlguard.guard import Bounds, GuardedQuery, guard
from dataagent.warehouse.port import WarehouseFault
from dataagent.warehouse.postgres import PostgresWarehouse
from evals.databases import DatabaseFiles, cases_in, database_of, databases_in
from evals.golds import at_noon
from evals.graders.result import RunReference
from evals.run import Ask as AskCase
from evals.run import EvalPorts, run_cases
from evals.service.scratch import ScratchDatabase, scratch_database
from evals.types import CaseResult, GoldenCase, Reference, ReferenceFault, Reply, ResultRows, Stage

T = TypeVar("T")
TODAY = date(2025, 6, 18)
"""The day on which questions are asked where none is said."""
EVERYTHING = "everything"


@dataclass(frozen=True, slots=True, kw_only=True)
class FrozenCatalog:
    """What was drafted of a database before any question was read: its digest and how much it holds."""

    database: str
    digest: str
    models: int
    metrics: int
    dimensions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftedDatabase:
    """A loaded database with its frozen draft, as a principal that may see all of it."""

    scratch: ScratchDatabase
    warehouse: PostgresWarehouse
    snapshot: CatalogSnapshot
    scope: AccessScope
    index: TermIndex

    def frozen(self, name: str) -> FrozenCatalog:
        """The draft's digest and size."""
        held = self.snapshot
        return FrozenCatalog(
            database=name,
            digest=held.digest,
            models=len(held.models),
            metrics=len(held.metrics),
            dimensions=sum(len(m.dimensions) for m in held.models),
        )


def run_databases(
    folder: Path, server: str, *, today: date = TODAY, only: tuple[str, ...] = (), observe: bool = True
) -> Iterator[FrozenCatalog | CaseResult]:
    """First every database's frozen draft, then each graded case; the questions are read in between.

    `observe`: drafts also count in the data for keys that no constraint declares (ADR 27); values are never read.

    Raises: CaseError for a folder of another form, ShownError for a database that does not load.
    """
    files = databases_in(folder)
    chosen = tuple(f for f in files if not only or f.name in only)
    with contextlib.ExitStack() as held:
        made = {f.name: held.enter_context(drafted_database(f, server, today, observe=observe)) for f in chosen}
        yield from (database.frozen(name) for name, database in made.items())
        cases = cases_in(folder, tuple(f.name for f in files), today)
        asked = tuple(c for c in cases if database_of(c) in made)
        yield from run_cases(asked, EvalPorts(ask=_asking(made), run_reference=_referring(made)))


@contextlib.contextmanager
def drafted_database(
    files: DatabaseFiles, server: str, today: date, *, observe: bool = True
) -> Iterator[DraftedDatabase]:
    """The database loaded as on that day, with its draft.  Raises: ShownError."""
    statements = at_noon(files.statements.read_text(encoding="utf-8"), today)
    with scratch_database(server, files.name, statements) as scratch:
        made = drafted(
            warehouse=scratch.reader,
            workspace="",
            schemas=(),
            descriptions=files.descriptions,
            folder=None,
            replace=False,
            observe=observe,
            progress=lambda *_: None,
        )
        warehouse = PostgresWarehouse(scratch.reader)
        try:
            snapshot = made.draft.snapshot
            scope = _all_of(warehouse, snapshot)
            index = build_index(snapshot, scope, _members(warehouse, snapshot, scope))
            yield DraftedDatabase(scratch=scratch, warehouse=warehouse, snapshot=snapshot, scope=scope, index=index)
        finally:
            warehouse.close()


def _all_of(warehouse: PostgresWarehouse, snapshot: CatalogSnapshot) -> AccessScope:
    """All tables, columns and metrics."""
    tables = tuple(TableAccess(table=t.name, columns=frozenset(c.name for c in t.columns)) for t in warehouse.schema())
    return AccessScope(
        workspace=snapshot.name,
        principal=EVERYTHING,
        policy_version="1",
        digest=snapshot.digest,
        tables=tables,
        metrics=frozenset(m.name for m in snapshot.metrics),
    )


def _members(warehouse: PostgresWarehouse, snapshot: CatalogSnapshot, scope: AccessScope) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    bounds = Bounds(max_rows=MAX_MEMBERS + 1, timeout_s=20.0)
    for query in value_queries(snapshot, scope, warehouse.dialect):
        guarded = guard(query.sql, dialect=warehouse.dialect, scope=scope, schema=warehouse.schema(), bounds=bounds)
        if isinstance(guarded, GuardedQuery):
            rows = warehouse.execute(guarded, query_id="").rows
            if len(rows) <= MAX_MEMBERS:
                found[query.dimension] = tuple(sorted(str(row[0]) for row in rows))
    return found


def _asking(made: dict[str, DraftedDatabase]) -> AskCase:
    def ask(case: GoldenCase) -> Reply:
        started = time.perf_counter()
        try:
            outcome = _outcome(case, made[database_of(case)])
        except WarehouseFault as fault:
            return Reply(decision=None, failed_at=Stage.EXECUTION, reason=str(fault))
        return _reply(outcome, (time.perf_counter() - started) * 1000)

    return ask


def _referring(made: dict[str, DraftedDatabase]) -> RunReference:
    def run_reference(case: GoldenCase, reference: Reference) -> ResultRows | ReferenceFault:
        return made[database_of(case)].scratch.rows(reference.sql)

    return run_reference


class _NoRecord:
    """Runs each step and keeps nothing."""

    def step(self, _kind: StepKind, fn: Callable[..., T], *args: Any) -> T:
        """What the step gives."""
        return fn(*args)


def _outcome(case: GoldenCase, database: DraftedDatabase) -> Outcome:
    """How the question ends.  Raises: WarehouseFault."""
    today = case.today or TODAY
    snapshot, warehouse = database.snapshot, database.warehouse

    def evidence(
        question: str,  # noqa: ARG001 (a port's shape)
        intent: MetricIntent,
        scope: AccessScope,
    ) -> EvidenceBundle:
        metrics = metrics_of(intent, snapshot, scope)
        return assemble((contract_evidence(m, snapshot, scope) for m in metrics), today=today)

    ports = Ports(
        principal=Principal(
            user=EVERYTHING,
            workspace=snapshot.name,
            workspace_id=0,
            roles=(EVERYTHING,),
            capabilities=frozenset(Capability),
            policy_version="1",
        ),
        scope=database.scope,
        decision=PolicyDecision(effect=Effect.ALLOW, rule="capability", reason="granted", policy_version="1"),
        snapshot=snapshot,
        index=database.index,
        turns=(),
        evidence=evidence,
        schema=warehouse.schema(),
        warehouse=warehouse,
        freshness=freshness_reader(warehouse, warehouse.dialect, today, query_id=case.id),
        keys=key_reader(warehouse, snapshot, query_id=case.id),
        bounds=Bounds(timeout_s=20.0),
        query_id=case.id,
    )
    return answer_question(Ask(question=case.question, today=today, session_id=""), ports, _NoRecord())


def _reply(outcome: Outcome, elapsed_ms: float) -> Reply:
    answer = outcome.answer
    return Reply(
        decision=answer.decision,
        result=ResultRows(columns=tuple(c.name for c in answer.columns), rows=answer.rows, truncated=answer.truncated),
        sql=answer.sql,
        tables=outcome.query.tables if outcome.query else (),
        caveats=answer.caveats,
        assumptions=(*answer.assumptions, *(d.text for d in answer.defaults)),
        headline=answer.headline,
        reason=answer.limitation.message if answer.limitation else answer.prompt,
        elapsed_ms=elapsed_ms,
    )
