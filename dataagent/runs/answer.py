"""One question, top to bottom: scope → intent → evidence → plan → compile → guard → run → validate → compose."""

from __future__ import annotations

from dataclasses import dataclass, replace

from catalog.query import CompiledQuery, IntentKind, MetricIntent, QuerySpec, ResultColumn
from catalog.reach import reachable_dimensions
from catalog.specs import ranked_presence, whole_of
from catalog.types import CatalogSnapshot, Filter, MetricType, Scalar
from contextcards.types import EvidenceBundle
from dataagent.answering.alternatives import alternatives
from dataagent.answering.compose import Findings, compose
from dataagent.answering.definitions import Subject, define
from dataagent.answering.next_questions import groupable, next_questions
from dataagent.answering.other_bases import with_other_bases
from dataagent.answering.planners import offline
from dataagent.answering.rewording import Asked, inherited_parts, word_choices
from dataagent.answering.stops import not_understood
from dataagent.answering.ties import Ranked, ranked_rows, tie_text
from dataagent.answering.types import Answer, Check, DataState, KeyState
from dataagent.answering.validate import Result, validate
from dataagent.intent.types import Decision, Limitation, Understanding
from dataagent.intent.understand import understand
from dataagent.intent.words import phrase_of
from dataagent.policy.principal import PolicyDecision
from dataagent.runs.choosing import chosen
from dataagent.runs.explaining import explain_change
from dataagent.runs.facts import query_facts
from dataagent.runs.ports import Outcome, Ports, QueryFacts, Record
from dataagent.runs.querying import Loaded, Meaning, admit, compile_spec, ended, execute, ready_as_loaded
from dataagent.runs.spreading import laid_out
from dataagent.runs.types import Ask, RunState, StepKind
from dataagent.sqlguard.guard import GuardedQuery, Refusal
from dataagent.warehouse.port import ResultTable

NO_EVIDENCE = EvidenceBundle(considered=())
_STOPS = {
    Decision.CLARIFY: (RunState.WAITING_FOR_PERSON, "clarification"),
    Decision.ABSTAIN: (RunState.ABSTAINED, "not_understood"),
    Decision.DENY: (RunState.REFUSED, "policy"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What came back: the query as planned and compiled, its rows, and the recomputed whole in the same columns.

    `ranked` are the rows that are shown, `keys` tell whether what its joins rely on holds.
    """

    spec: QuerySpec
    compiled: CompiledQuery
    table: ResultTable
    ranked: Ranked
    whole: tuple[Scalar, ...]
    keys: tuple[KeyState, ...]

    def truncated(self) -> bool:
        """Whether the row cap cut what is shown; what was read beyond it only tells of ties."""
        return self.table.truncated and (self.spec.limit is None or len(self.table.rows) < self.spec.limit)

    def tie(self) -> str:
        """What ties with the last row and is not shown, in words."""
        return tie_text(self.ranked, self.compiled.columns, self.spec.limit or 0)


def answer_question(ask: Ask, ports: Ports, record: Record) -> Outcome:
    """How the question ends, with all that it rests on.  Expected stops are values.

    Raises: WarehouseFault, RunCancelledError.
    """
    decision = record.step(StepKind.SCOPE, _decided, ports.decision)
    if not decision.allowed():
        return _denied(ask, decision)
    understood = chosen(record.step(StepKind.INTENT, _understood, ask, ports), ask.choice)
    if understood.decision in _STOPS or understood.intent is None:
        return _stopped(ask, _helped(ask, understood, ports))
    intent = understood.intent
    evidence = record.step(StepKind.EVIDENCE, ports.evidence, ask.question, intent, ports.scope)
    as_of_end = _is_as_of_end(intent, ports.snapshot)
    meaning = Meaning(
        ask=ask, understanding=understood, asked=intent, intent=intent, evidence=evidence, as_of_end=as_of_end
    )
    if understood.decision is Decision.DEFINE:
        return _defined(meaning, ports, record)
    if intent.kind is IntentKind.CONTRIBUTION:
        return explain_change(meaning, ports, record)
    loaded = ready_as_loaded(meaning, ports, record)
    if isinstance(loaded, Outcome):
        return loaded
    if intent.kind is IntentKind.DISTRIBUTION:
        spread = laid_out(loaded, ports, record)
        return spread if isinstance(spread, Outcome) else _answered(spread.loaded, ports, record, (spread.first,))
    return _answered(loaded, ports, record)


def _answered(loaded: Loaded, ports: Ports, record: Record, first: tuple[QueryFacts, ...] = ()) -> Outcome:
    """The query run, checked and put into words; `first` are those that it came from."""
    meaning, prepared, states = loaded.meaning, loaded.query, loaded.states
    spec, compiled, guarded = prepared.spec, prepared.compiled, prepared.guarded
    keys = record.step(StepKind.LIVE_CHECKS, ports.keys, compiled.keys)
    table = record.step(StepKind.EXECUTE, execute, guarded, ports)
    whole = record.step(StepKind.EXECUTE, _whole, spec, ranked_presence(meaning.intent), compiled.columns, ports)
    ranked = ranked_rows(table.rows, compiled.columns, spec)
    ran = Ran(spec=spec, compiled=compiled, table=table, ranked=ranked, whole=whole.cells, keys=keys)
    checks = record.step(StepKind.VALIDATE, validate, _result(meaning, ran, states, guarded, ports))
    facts = query_facts(compiled, guarded, prepared.explained, table, engine=ports.warehouse.engine)
    findings = _findings(meaning, ran, checks, (states, guarded))
    answer = record.step(StepKind.COMPOSE, _composed, findings, ports, meaning)
    return ended(meaning, answer, compiled, facts, (*first, *((whole.facts,) if whole.facts else ())))


def _is_as_of_end(intent: MetricIntent, snapshot: CatalogSnapshot) -> bool:
    """Whether the window only names the moment of running figures (a lifetime, the trailing 28 days)."""
    asked = [m for m in snapshot.metrics if m.name in intent.metrics]
    return intent.grain is None and bool(asked) and all(m.type is MetricType.CUMULATIVE for m in asked)


def _decided(decision: PolicyDecision) -> PolicyDecision:
    return decision


def _understood(ask: Ask, ports: Ports) -> Understanding:
    return understand(
        ask.question,
        snapshot=ports.snapshot,
        scope=ports.scope,
        index=ports.index,
        today=ask.today,
        turns=ports.turns,
        denied_metrics=ports.scope.announced,
    )


def _helped(ask: Ask, understood: Understanding, ports: Ports) -> Understanding:
    """A refusal by permission with the permitted alternatives to it."""
    limitation = understood.limitation
    if understood.decision is not Decision.DENY or limitation is None or not limitation.suggestions:
        return understood
    options = alternatives(
        ask.question,
        limitation.suggestions[0],
        ports.snapshot,
        ports.scope,
        lambda text: _understood(replace(ask, question=text), ports),
    )
    return replace(understood, options=options, limitation=replace(limitation, suggestions=()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """The recomputed whole's cells in the order of the result's columns, and what is kept of its query; both empty
    where there is none."""

    cells: tuple[Scalar, ...] = ()
    facts: QueryFacts | None = None


def _whole(spec: QuerySpec, ranked: tuple[Filter, ...], columns: tuple[ResultColumn, ...], ports: Ports) -> Whole:
    """The figures over the whole population, recomputed without groupings.

    None under groupings and under what only groups have, such as a share; nothing where there is no whole.
    `ranked` are the conditions that only the ranking needs: the whole is over everyone.
    """
    if not spec.group_by or spec.having:
        return Whole()
    compiled = compile_spec(whole_of(spec, ranked), ports)
    if not isinstance(compiled, CompiledQuery):
        return Whole()
    guarded = admit(compiled, ports)
    if isinstance(guarded, Refusal):
        return Whole()
    explained = ports.warehouse.explain(guarded)
    table = ports.warehouse.execute(guarded, query_id=ports.query_id)
    if len(table.rows) != 1:
        return Whole()
    cells = dict(zip((c.name for c in compiled.columns), table.rows[0], strict=True))
    facts = query_facts(compiled, guarded, explained, table, engine=ports.warehouse.engine)
    return Whole(cells=tuple(cells.get(c.name) for c in columns), facts=facts)


def _composed(findings: Findings, ports: Ports, meaning: Meaning) -> Answer:
    answer = compose(findings, ports.snapshot, meaning.evidence)
    offered = with_other_bases(
        meaning.asked,
        ports.snapshot,
        lambda intent: phrase_of(intent, ports.snapshot),
        lambda text: _understood(replace(meaning.ask, question=text), replace(ports, turns=())),
    )
    held = {d.key for d in meaning.intent.defaults_used}
    further = tuple(d for d in meaning.intent.defaults_used if d not in meaning.asked.defaults_used)
    asked = _asked_again(meaning, ports)
    return replace(
        answer,
        defaults=(*(d for d in offered if d.key in held), *further),
        next_questions=_next(meaning, ports),
        choices=word_choices(asked),
        inherited=inherited_parts(asked),
    )


def _asked_again(meaning: Meaning, ports: Ports) -> Asked:
    """The question as it can be asked with another meaning of a word."""
    ask = meaning.ask
    return Asked(
        question=ask.question,
        intent=meaning.asked,
        certificate=meaning.understanding.certificate,
        turns=ports.turns,
        snapshot=ports.snapshot,
        scope=ports.scope,
        index=ports.index,
        words=lambda intent: phrase_of(intent, ports.snapshot),
        understands=lambda text: _understood(replace(ask, question=text), replace(ports, turns=())),
        in_context=lambda text: _understood(replace(ask, question=text), ports),
    )


def _next(meaning: Meaning, ports: Ports) -> tuple[str, ...]:
    names = [reachable_dimensions(ports.snapshot, m) for m in meaning.intent.metrics]
    shared = frozenset.intersection(*names) if names else frozenset()
    return next_questions(
        meaning.asked,
        groupable(ports.snapshot, shared),
        lambda intent: phrase_of(intent, ports.snapshot),
        lambda text: _understood(replace(meaning.ask, question=text), replace(ports, turns=())),
    )


def _result(meaning: Meaning, ran: Ran, states: tuple[DataState, ...], guarded: GuardedQuery, ports: Ports) -> Result:
    return Result(
        intent=meaning.intent,
        spec=ran.spec,
        columns=ran.compiled.columns,
        rows=ran.ranked.rows,
        total_row=ran.whole,
        truncated=ran.truncated(),
        parameters=guarded.parameters,
        data_states=states,
        today=meaning.ask.today,
        calendar=ports.snapshot.calendar,
        open_start=meaning.as_of_end,
        key_states=ran.keys,
        tie=ran.tie(),
    )


def _findings(
    meaning: Meaning,
    ran: Ran,
    checks: tuple[Check, ...],
    guarded: tuple[tuple[DataState, ...], GuardedQuery],
) -> Findings:
    states, query = guarded
    return Findings(
        question=meaning.ask.question,
        understanding=meaning.understanding,
        intent=meaning.intent,
        spec=ran.spec,
        columns=ran.compiled.columns,
        rows=ran.ranked.rows,
        total_row=ran.whole,
        truncated=ran.truncated(),
        checks=checks,
        data_states=states,
        row_scope=tuple(dict.fromkeys(f.label for f in query.filters)),
        notes=ran.compiled.notes,
        proposed_sql=ran.compiled.sql,
        executed_sql=query.sql,
        today=meaning.ask.today,
        open_start=meaning.as_of_end,
    )


def _stopped(ask: Ask, understood: Understanding) -> Outcome:
    state, reason = _STOPS.get(understood.decision, (RunState.ABSTAINED, "not_understood"))
    return Outcome(
        state=state,
        reason=understood.limitation.code if understood.limitation else reason,
        answer=not_understood(ask.question, understood),
        understanding=understood,
        evidence=NO_EVIDENCE,
        planner=offline.NAME,
    )


def _denied(ask: Ask, decision: PolicyDecision) -> Outcome:
    message = "You may not ask questions here. An admin of the workspace can grant it."
    limitation = Limitation(code="permission", message=message)
    understood = Understanding(decision=Decision.DENY, limitation=limitation)
    stopped = _stopped(ask, understood)
    return replace(stopped, reason=decision.reason)


def _defined(meaning: Meaning, ports: Ports, record: Record) -> Outcome:
    metric = next((m for m in ports.snapshot.metrics if m.name == meaning.intent.subject), None)
    tables = _tables_of(meaning.intent.subject or "", ports.snapshot)
    states = record.step(StepKind.LIVE_CHECKS, ports.freshness, tables)
    subject = Subject(
        name=meaning.intent.subject or "",
        metric=metric,
        tables=tables,
        states=states,
        snapshot=ports.snapshot,
        scope=ports.scope,
        today=meaning.ask.today,
    )
    answer = record.step(
        StepKind.COMPOSE, define, meaning.ask.question, meaning.understanding, subject, meaning.evidence
    )
    told = answer.decision is Decision.DEFINE
    return Outcome(
        state=RunState.ANSWERED if told else RunState.ABSTAINED,
        reason="defined" if told else "not_recorded",
        answer=answer,
        understanding=meaning.understanding,
        evidence=meaning.evidence,
        data_states=states,
        planner=offline.NAME,
    )


def _tables_of(name: str, snapshot: CatalogSnapshot) -> tuple[str, ...]:
    return dict(snapshot.lineage).get(name, ())
