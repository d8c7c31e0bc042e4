"""How long a question takes end to end in the demo: our part, and the warehouse's in the same runs."""

from __future__ import annotations

import time
from dataclasses import dataclass

from dataagent.management.preparing import is_prepared, prepare_database, prepare_demo
from dataagent.policy import service as policy
from dataagent.policy.principal import Principal
from dataagent.runs import service
from dataagent.runs.service.machine import MACHINE, worker_name
from dataagent.runs.service.working import claim_and_work
from dataagent.runs.types import StepKind
from dataagent.warehouse import pool

QUESTIONS = (
    "net revenue by month this year for EMEA",
    "top 5 products by units sold last quarter",
    "how many orders yesterday?",
    "average order value by loyalty tier",
    "what does net revenue mean?",
    "revenue last month",
    "revenue per employee",
    "gross margin last month",
    "orders by store city last month",
    "bounce rate by device last month",
    "net revenue by category in 2024",
    "tickets by week this year",
)
_ROUNDS = 8
_WAREHOUSE = (StepKind.EXPLAIN.value, StepKind.LIVE_CHECKS.value, StepKind.EXECUTE.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """One question's times in milliseconds."""

    ours_ms: float
    warehouse_ms: float


def measure() -> list[dict[str, object]]:
    """One result per question and one for all: from acceptance to the signed receipt, in this process.

    "ours" is everything but the steps that wait for the warehouse; "peer" is those steps.
    """
    prepare_database(lambda _: None)
    if not is_prepared("demo"):
        prepare_demo(lambda _: None)
    asker = policy.principal("analyst", "demo")
    try:
        taken = {question: _rounds(asker, question) for question in QUESTIONS}
    finally:
        pool.close_all()
    everything = [t for times in taken.values() for t in times]
    return [_result("all questions", everything), *(_result(q, times) for q, times in taken.items())]


def _rounds(asker: Principal, question: str) -> list[Taken]:
    """The times of a question, without the first round, which warms up."""
    return [_once(asker, question) for _ in range(_ROUNDS + 1)][1:]


def _once(asker: Principal, question: str) -> Taken:
    started = time.perf_counter()
    run = service.start_run(asker, question, door="bench")
    claim_and_work(worker_name("/bench"), MACHINE, run_id=run.id)
    total_ms = (time.perf_counter() - started) * 1000
    timings = service.run(asker, run.id).timings_ms
    warehouse_ms = sum(timings.get(kind, 0.0) for kind in _WAREHOUSE)
    return Taken(ours_ms=total_ms - warehouse_ms, warehouse_ms=warehouse_ms)


def _result(name: str, times: list[Taken]) -> dict[str, object]:
    ours = sorted(t.ours_ms for t in times)
    theirs = sorted(t.warehouse_ms for t in times)
    floor = _at(theirs, 0.5)
    return {
        "name": name,
        "ours_p50_ms": _at(ours, 0.5),
        "ours_p95_ms": _at(ours, 0.95),
        "peer": "the warehouse's steps of the same runs",
        "peer_p50_ms": floor,
        "peer_p95_ms": _at(theirs, 0.95),
        "ratio": round(_at(ours, 0.5) / floor, 2) if floor else None,
    }


def _at(values: list[float], share: float) -> float:
    """The value below which that share of the sorted values lies."""
    return round(values[min(len(values) - 1, int(len(values) * share))], 1)
