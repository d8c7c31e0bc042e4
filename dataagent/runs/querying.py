"""From a settled meaning to rows: plan → compile → guard → EXPLAIN → run, each recorded; or how it ends without."""

from __future__ import annotations

from dataclasses import dataclass, replace

from catalog.compiler import compile_query
from catalog.issues import Issue
from catalog.query import CompiledQuery, MetricIntent, QuerySpec
from catalog.restate import restate
from contextcards.types import EvidenceBundle
from dataagent.answering.loaded import cut_where_loaded, whole_where_loaded
from dataagent.answering.planners import offline
from dataagent.answering.stops import cannot_compute, refused
from dataagent.answering.types import Answer, CheckOutcome, DataState
from dataagent.intent.types import Decision, Understanding
from dataagent.runs.ports import Outcome, Ports, QueryFacts, Record
from dataagent.runs.types import Ask, RunState, StepKind
from dataagent.sqlguard.guard import GuardedQuery, Refusal, guard
from dataagent.warehouse.port import Explained, ResultTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What has been settled before any SQL: the understood question and its evidence.

    `asked` is the plan as it was understood; `intent` is that plan as far as the data are loaded.
    """

    ask: Ask
    understanding: Understanding
    asked: MetricIntent
    intent: MetricIntent
    evidence: EvidenceBundle
    as_of_end: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A query that may run: the plan, its SQL, what the guard made of it, and the engine's own estimate."""

    spec: QuerySpec
    compiled: CompiledQuery
    guarded: GuardedQuery
    explained: Explained


def ready(meaning: Meaning, ports: Ports, record: Record) -> Ready | Outcome:
    """The plan as a query that may run, or how the question ends without one."""
    spec = record.step(StepKind.PLAN, offline.plan, meaning.intent, ports.snapshot, ports.scope, meaning.evidence)
    return admitted(meaning, spec, ports, record) if isinstance(spec, QuerySpec) else _uncomputable(meaning, spec)


def admitted(meaning: Meaning, spec: QuerySpec, ports: Ports, record: Record) -> Ready | Outcome:
    """The typed query as one that may run, or how the question ends without one."""
    compiled = record.step(StepKind.COMPILE, compile_spec, spec, ports)
    if not isinstance(compiled, CompiledQuery):
        return _uncomputable(meaning, compiled)
    guarded = record.step(StepKind.GUARD, admit, compiled, ports)
    if isinstance(guarded, Refusal):
        return _refused(meaning, compiled, guarded)
    explained = record.step(StepKind.EXPLAIN, ports.warehouse.explain, guarded)
    return Ready(spec=spec, compiled=compiled, guarded=guarded, explained=explained)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A query that may run, cut where no more is loaded, the meaning cut alike, and how complete its tables are."""

    meaning: Meaning
    query: Ready
    states: tuple[DataState, ...]


def ready_as_loaded(meaning: Meaning, ports: Ports, record: Record) -> Loaded | Outcome:
    """The plan, as far as its data are loaded, as a query that may run, or how the question ends without one."""
    meaning = as_loaded(meaning, (), ports)
    query = ready(meaning, ports, record)
    if isinstance(query, Outcome):
        return query
    states = record.step(StepKind.LIVE_CHECKS, ports.freshness, query.compiled.tables)
    cut = as_loaded(meaning, states, ports)
    if cut != meaning:
        query = ready(cut, ports, record)
        if isinstance(query, Outcome):
            return query
    return Loaded(meaning=cut, query=query, states=states)


def ended(
    meaning: Meaning, answer: Answer, compiled: CompiledQuery, facts: QueryFacts, further: tuple[QueryFacts, ...]
) -> Outcome:
    """How a question ends whose query ran: answered where its checks hold, or where it has no rows."""
    failed = [c.name for c in answer.checks if c.outcome is CheckOutcome.FAILED]
    empty = failed == ["rows"]
    state = RunState.ANSWERED if not failed or empty else RunState.ABSTAINED
    return Outcome(
        state=state,
        reason="no_rows" if empty else "validation_failed" if failed else "answered",
        answer=answer if state is RunState.ANSWERED else replace(answer, decision=Decision.ABSTAIN),
        understanding=meaning.understanding,
        evidence=meaning.evidence,
        compiled=compiled,
        query=facts,
        further=further,
        data_states=answer.data_states,
        planner=offline.NAME,
    )


def as_loaded(meaning: Meaning, states: tuple[DataState, ...], ports: Ports) -> Meaning:
    """What is asked, as far as it is loaded: see `cut_where_loaded`."""
    intent = whole_where_loaded(cut_where_loaded(meaning.intent, states), states, ports.snapshot.calendar)
    if intent == meaning.intent:
        return meaning
    said = replace(meaning.understanding, intent=intent, restatement=restate(intent, ports.snapshot))
    return replace(meaning, intent=intent, understanding=said)


def compile_spec(spec: QuerySpec, ports: Ports) -> CompiledQuery | tuple[Issue, ...]:
    """The query in the language of the workspace's engine, whichever the catalog is written in."""
    return compile_query(spec, ports.snapshot, dialect=ports.warehouse.dialect)


def admit(compiled: CompiledQuery, ports: Ports) -> GuardedQuery | Refusal:
    """What the guard makes of the query under the asker's scope."""
    return guard(
        compiled.sql,
        dialect=compiled.dialect,
        parameters=compiled.parameters,
        scope=ports.scope,
        schema=ports.schema,
        bounds=ports.bounds,
    )


def execute(guarded: GuardedQuery, ports: Ports) -> ResultTable:
    """The rows.  Raises: WarehouseFault."""
    return ports.warehouse.execute(guarded, query_id=ports.query_id)


def _uncomputable(meaning: Meaning, issues: tuple[Issue, ...]) -> Outcome:
    answer = cannot_compute(meaning.ask.question, meaning.understanding, issues)
    state = RunState.REFUSED if answer.decision is Decision.DENY else RunState.ABSTAINED
    return Outcome(
        state=state,
        reason=issues[0].code.value,
        answer=answer,
        understanding=meaning.understanding,
        evidence=meaning.evidence,
        planner=offline.NAME,
    )


def _refused(meaning: Meaning, compiled: CompiledQuery, refusal: Refusal) -> Outcome:
    return Outcome(
        state=RunState.REFUSED,
        reason=refusal.reason,
        answer=refused(meaning.ask.question, meaning.understanding, refusal),
        understanding=meaning.understanding,
        evidence=meaning.evidence,
        compiled=compiled,
        query=QueryFacts(proposed_sql=compiled.sql, dialect=compiled.dialect),
        planner=offline.NAME,
    )
