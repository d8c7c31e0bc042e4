"""Outcome and ports → the draft of the manifest: every part by id, version and digest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from catalog.funnels import step_metrics
from catalog.lookup import lookup
from catalog.query import MetricIntent
from catalog.reach import inputs_of
from catalog.types import CatalogSnapshot, Metric
from contextcards.types import Disposition, Evidence, SourceType
from dataagent.answering.types import Answer, DataState
from dataagent.intent.types import Binding, Understanding
from dataagent.runs import encoding
from dataagent.runs.manifest import (
    CatalogPart,
    CheckPart,
    ClaimPart,
    CostPart,
    DataPart,
    DefaultPart,
    Draft,
    EvidencePart,
    FurtherQueryPart,
    IntentPart,
    Manifest,
    PlannerPart,
    PolicyPart,
    QueryPart,
    ResultPart,
    VersionedPart,
)
from dataagent.runs.ports import Outcome, Ports, QueryFacts


def draft(outcome: Outcome, ports: Ports, *, salt: str) -> Draft:
    """The draft; `salt` blinds the digests of claims."""
    answer, query = outcome.answer, outcome.query
    return Draft(
        claims_salt=salt,
        intent=_intent(outcome.understanding),
        catalog=_catalog(outcome.understanding.intent, ports.snapshot),
        cards=tuple(_card(e) for e in outcome.evidence.used() if e.type is SourceType.CARD),
        evidence=tuple(_evidence(e) for e in outcome.evidence.considered),
        withheld=outcome.evidence.withheld,
        policy=_policy(ports, query),
        planner=PlannerPart(name=outcome.planner, versions=dict(outcome.versions)),
        query=QueryPart(**_query(query)) if query else QueryPart(),
        further=tuple(
            FurtherQueryPart(**_query(q), result_digest=q.result_digest, rows=q.row_count) for q in outcome.further
        ),
        data=_data(outcome.data_states),
        result=_result(answer, query, salt),
        checks=tuple(CheckPart(name=c.name, outcome=c.outcome.value) for c in answer.checks),
        claims=_claims(answer, salt),
        defaults=tuple(DefaultPart(key=d.key, value=str(d.value), text=d.text) for d in answer.defaults),
        assumptions=answer.assumptions,
        caveats=answer.caveats,
        costs=CostPart(rows=sum(q.row_count for q in (query, *outcome.further) if q is not None)),
    )


def grounds_now(then: Manifest, ports: Ports) -> Draft:
    """What a run that ended would rest on now: its catalog, its metrics, the policy and how far its data reach."""
    known = lookup(ports.snapshot).metrics
    names = [m.name for m in then.catalog.metrics if m.name in known]
    return Draft(
        claims_salt=then.claims_salt,
        catalog=CatalogPart(name=ports.snapshot.name, digest=ports.snapshot.digest, metrics=_versions(names, known)),
        policy=_policy(ports, None),
        data=data_now(then, ports),
    )


def data_now(then: Manifest, ports: Ports) -> tuple[DataPart, ...]:
    """How far the tables of a run that ended reach now.  Raises: WarehouseFault."""
    tables = tuple(d.table for d in then.data)
    return _data(ports.freshness(tables)) if tables else ()


def _data(states: tuple[DataState, ...]) -> tuple[DataPart, ...]:
    return tuple(
        DataPart(table=d.table, complete_until=d.complete_until, loaded_at=d.loaded_at, late_days=d.late_days)
        for d in states
    )


def salted(salt: str, text: str) -> str:
    """The digest of a text that only the holder of the salt can check."""
    return encoding.sha256(f"{salt}:{text}".encode())


def _intent(understood: Understanding) -> IntentPart:
    intent = understood.intent
    return IntentPart(
        decision=understood.decision.value,
        plan=encoding.to_json(intent, MetricIntent) if intent else None,
        restatement=understood.restatement,
        certificate=tuple(encoding.to_json(b, Binding) for b in understood.certificate),
        options=tuple(o.label for o in understood.options),
        limitation=understood.limitation.code if understood.limitation else "",
    )


def _catalog(intent: MetricIntent | None, snapshot: CatalogSnapshot) -> CatalogPart:
    known = lookup(snapshot).metrics
    named: tuple[str, ...] = ()
    if intent is not None:
        conditions = (c.metric for c in intent.having)
        named = (*intent.metrics, *conditions, *step_metrics(intent, snapshot), intent.subject or "")
    metrics = dict.fromkeys(found for name in named for found in _with_inputs(name, known))
    return CatalogPart(
        name=snapshot.name,
        digest=snapshot.digest,
        metrics=_versions(metrics, known),
    )


def _versions(names: Iterable[str], known: dict[str, Metric]) -> tuple[VersionedPart, ...]:
    return tuple(
        VersionedPart(
            name=name,
            version=str(known[name].version),
            digest=encoding.digest(encoding.to_json(known[name], Metric)),
        )
        for name in names
    )


def _with_inputs(name: str, known: dict[str, Metric]) -> Iterator[str]:
    """The metric and every metric that it is made from."""
    waiting, seen = [name], set[str]()
    while waiting:
        following = waiting.pop(0)
        if following in known and following not in seen:
            seen.add(following)
            yield following
            waiting.extend(inputs_of(known[following]))


def _card(evidence: Evidence) -> VersionedPart:
    return VersionedPart(name=evidence.id, version=evidence.version, digest=evidence.digest)


def _evidence(evidence: Evidence) -> EvidencePart:
    return EvidencePart(
        id=evidence.id,
        type=evidence.type.value,
        claim=evidence.claim.value,
        authority=evidence.authority.value,
        title=evidence.title,
        version=evidence.version,
        digest=evidence.digest,
        pointer=evidence.pointer,
        why=evidence.why,
        relevance=round(evidence.relevance, 6),
        disposition=Disposition(evidence.disposition).value,
        reason=evidence.reason,
    )


def _policy(ports: Ports, query: QueryFacts | None) -> PolicyPart:
    filters = query.filters if query else ()
    return PolicyPart(
        effect=ports.decision.effect.value,
        rule=ports.decision.rule,
        reason=ports.decision.reason,
        version=ports.scope.policy_version or ports.decision.policy_version,
        scope_digest=ports.scope.digest,
        row_filters=tuple({"table": f.table, "rule": f.rule, "label": f.label} for f in filters),
        masked_columns=query.masked_columns if query else (),
    )


def _query(query: QueryFacts) -> dict[str, Any]:
    return {
        "proposed_sql": query.proposed_sql,
        "executed_sql": query.executed_sql,
        "sql_digest": query.sql_digest,
        "dialect": query.dialect,
        "tables": query.tables,
        "engine": query.engine,
        "query_id": query.query_id,
        "plan_digest": query.plan_digest,
        "estimated_rows": query.estimated_rows,
        "elapsed_ms": round(query.elapsed_ms, 3),
    }


def _result(answer: Answer, query: QueryFacts | None, salt: str) -> ResultPart:
    return ResultPart(
        digest=query.result_digest if query else "",
        rows=query.row_count if query else 0,
        truncated=query.truncated if query else False,
        columns=tuple(c.name for c in answer.columns),
        answer_digest=salted(salt, encoding.dumps(answer, Answer)),
    )


def _claims(answer: Answer, salt: str) -> tuple[ClaimPart, ...]:
    return tuple(
        ClaimPart(
            cells=tuple(f"{cell.row}:{cell.column}" for cell in claim.cells),
            calculation=claim.calculation,
            value_digest=salted(salt, claim.value),
            text_digest=salted(salt, claim.text),
        )
        for claim in answer.claims
    )
