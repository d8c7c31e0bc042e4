"""Asks the real product: a run with its steps, manifest and receipt, worked on in this process."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from catalog.query import MetricIntent
from dataagent.errors import ShownError
from dataagent.intent.types import Decision, Option
from dataagent.policy import service as policy
from dataagent.policy.principal import Principal
from dataagent.runs import encoding
from dataagent.runs import service as runs
from dataagent.runs.service.machine import MACHINE, worker_name
from dataagent.runs.service.working import claim_and_work
from dataagent.runs.types import RunState, RunView
from evals.types import AskedIntent, ExpectedFilter, GoldenCase, Reply, ResultRows, Stage

_DOOR = "evals"
PATIENCE_S = 120.0
"""How long a run may take that another worker has claimed."""
_UNFINISHED = frozenset({RunState.QUEUED, RunState.RUNNING})
_BROKEN = _UNFINISHED | frozenset({RunState.FAILED, RunState.CANCELLED, RunState.SUPERSEDED, RunState.EXHAUSTED})


def ask_product(workspace: str) -> Callable[[GoldenCase], Reply]:
    """A port that asks each case as its requester, in a new conversation, and reads how it ended.

    What the answer rests on is read from the requester's own signed receipt.
    """

    def ask(case: GoldenCase) -> Reply:
        try:
            requester = policy.principal(case.requester, workspace)
            session = None
            for turn in case.turns:
                session = _asked(requester, turn, case, session).session_id
            started = time.perf_counter()
            view = _asked(requester, case.question, case, session)
            return _reply(requester, view, (time.perf_counter() - started) * 1000)
        except ShownError as error:
            denied = error.code == "not_permitted"
            return Reply(
                decision=Decision.DENY if denied else None,
                failed_at=None if denied else Stage.POLICY,
                reason=error.message,
            )

    return ask


def _asked(requester: Principal, question: str, case: GoldenCase, session: str | None) -> RunView:
    queued = runs.start_run(requester, question, session_id=session, today=case.today, door=_DOOR)
    claim_and_work(worker_name("/evals"), MACHINE, run_id=queued.id)
    return _ended(requester, queued.id)


def _ended(requester: Principal, run_id: str) -> RunView:
    """The run once it has ended or waits for its person; a worker nearby may have claimed it first."""
    deadline = time.monotonic() + PATIENCE_S
    view = runs.run(requester, run_id)
    while view.state in _UNFINISHED and time.monotonic() < deadline:
        time.sleep(0.05)
        view = runs.run(requester, run_id)
    return view


def _reply(requester: Principal, view: RunView, elapsed_ms: float) -> Reply:
    if view.answer is None or view.state in _BROKEN:
        return Reply(decision=None, failed_at=Stage.EXECUTION, reason=view.reason, run_id=view.id)
    answer = view.answer
    waits = view.state is RunState.WAITING_FOR_PERSON
    if waits:
        runs.cancel(requester, view.id)
    proof = {} if waits else _proof(requester, view.id)
    return Reply(
        decision=answer.decision,
        result=ResultRows(columns=tuple(c.name for c in answer.columns), rows=answer.rows, truncated=answer.truncated),
        intent=_intent(proof),
        option_names=tuple(name for option in answer.options for name in _names(option)),
        sql=answer.sql,
        tables=tuple(proof["query"]["tables"]) if proof else (),
        sources=tuple(e["id"] for e in proof["evidence"] if e["disposition"] == "used") if proof else (),
        metric_versions=tuple((m["name"], int(m["version"])) for m in proof["catalog"]["metrics"]) if proof else (),
        row_scope=answer.row_scope,
        caveats=answer.caveats,
        assumptions=(*answer.assumptions, *(d.text for d in answer.defaults)),
        headline=answer.headline,
        reason=answer.limitation.message if answer.limitation else answer.prompt,
        failed_at=None if waits or proof else Stage.DELIVERY,
        run_id=view.id,
        receipt_digest=view.receipt_digest,
        elapsed_ms=elapsed_ms,
    )


def _proof(requester: Principal, run_id: str) -> Mapping[str, Any]:
    """The view in the run's receipt after its signature was checked; empty where none holds."""
    try:
        view: Mapping[str, Any] = runs.receipt_view(requester, run_id)["view"]
    except ShownError:
        return {}
    return view


def _intent(proof: Mapping[str, Any]) -> AskedIntent | None:
    plan = proof["intent"]["plan"] if proof else None
    if plan is None:
        return None
    intent: MetricIntent = encoding.from_json(plan, MetricIntent)
    return AskedIntent(
        metrics=intent.metrics,
        dimensions=intent.dimensions,
        filters=tuple(ExpectedFilter(field=f.field, op=f.op, values=f.values) for f in intent.filters),
        grain=intent.grain,
        start=intent.time_range.start if intent.time_range else None,
        end=intent.time_range.end if intent.time_range else None,
        limit=intent.limit,
    )


def _names(option: Option) -> tuple[str, ...]:
    """The catalog names in an option's plan."""
    intent = option.intent
    return () if intent is None else (*intent.metrics, *intent.dimensions, *(f.field for f in intent.filters))
