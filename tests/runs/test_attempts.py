"""Each attempt is known with its query before the engine is asked: what a dead worker leaves there is ended."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from dataagent.accounts.models import User, Workspace
from dataagent.policy.principal import Principal
from dataagent.runs import service, store
from dataagent.runs.models import Run, RunAttempt
from dataagent.runs.service import upkeep
from dataagent.runs.service.upkeep import MAX_ATTEMPTS, clear_orphans, sweep
from dataagent.runs.service.working import LEASE_S, claim_and_work
from dataagent.runs.types import AttemptState, RunFacts, RunState, StepKind
from dataagent.warehouse.port import WarehouseFault
from dataagent.warehouse.process import fault
from tests.runs.people import FakeWorld, answered, principal


class FakeEngine:
    """An engine in which queries run until they are told to stop twice over."""

    def __init__(self) -> None:
        self.running: set[str] = set()
        self.asked: list[str] = []
        self.away = False

    def clear(self, query_id: str) -> bool:
        self.asked.append(query_id)
        if self.away:
            raise fault("unreachable")
        clear = query_id not in self.running
        self.running.discard(query_id)
        return clear


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> FakeEngine:
    made = FakeEngine()
    monkeypatch.setattr(upkeep, "warehouse_for", lambda slug: made)
    return made


@pytest.fixture
def asker(analyst: User, workspace: Workspace) -> Principal:
    return principal(analyst, workspace)


@pytest.fixture
def claimed(asker: Principal) -> Callable[[], RunFacts]:
    def claim() -> RunFacts:
        run = service.start_run(asker, "net revenue")
        held = store.claim("w1", lease_s=LEASE_S, run_id=run.id)
        assert held is not None
        return held

    return claim


def left(held: RunFacts, silent_s: float = LEASE_S + 1) -> None:
    """Its worker has not beaten for so long."""
    until = timezone.now() + timedelta(seconds=LEASE_S - silent_s)
    Run.rows.of(held.workspace_id).filter(id=held.id).update(lease_until=until)


def states(held: RunFacts) -> list[str]:
    return [a.state for a in RunAttempt.rows.of(held.workspace_id).filter(run_id=held.id).order_by("id")]


def look_again(held: RunFacts) -> None:
    RunAttempt.rows.of(held.workspace_id).filter(look_at__isnull=False).update(look_at=timezone.now())


def test_an_attempt_is_kept_with_its_query_when_a_worker_claims(claimed: Callable[[], RunFacts]) -> None:
    held = claimed()
    (attempt,) = RunAttempt.rows.of(held.workspace_id)
    assert (attempt.query_id, attempt.owner, attempt.number) == (held.query_id, "w1", 1)
    assert attempt.state == AttemptState.WORKING


def test_a_run_that_ends_or_asks_leaves_nothing_to_look_for(asker: Principal, engine: FakeEngine) -> None:
    run = service.start_run(asker, "net revenue")
    claim_and_work("w", FakeWorld(outcome=answered).machine(), run_id=run.id)
    clear_orphans()
    assert engine.asked == []


def test_the_query_of_a_dead_worker_is_ended_while_its_run_goes_on(
    claimed: Callable[[], RunFacts], engine: FakeEngine
) -> None:
    held = claimed()
    engine.running.add(held.query_id)
    left(held)
    assert sweep() == 1
    again = store.claim("w2", lease_s=LEASE_S)
    assert again is not None
    assert (again.id, again.query_id != held.query_id) == (held.id, True)
    assert clear_orphans() == 0  # told to stop; whether it did is seen at the next look
    assert engine.running == set()
    look_again(held)
    assert clear_orphans() == 1
    assert states(held) == ["cleared", "working"]


def test_an_engine_that_does_not_answer_is_asked_again_later(
    claimed: Callable[[], RunFacts], engine: FakeEngine
) -> None:
    held = claimed()
    left(held)
    sweep()
    engine.away = True
    assert clear_orphans() == 0
    assert (clear_orphans(), len(engine.asked)) == (0, 1)  # not again at once
    engine.away = False
    look_again(held)
    assert clear_orphans() == 1


def test_the_last_attempt_of_a_run_that_kills_its_workers_is_looked_for_too(
    claimed: Callable[[], RunFacts], engine: FakeEngine
) -> None:
    held = claimed()
    for _ in range(MAX_ATTEMPTS - 1):
        left(held)
        sweep()
        assert store.claim("w", lease_s=LEASE_S, run_id=held.id)
    left(held)
    sweep()
    assert states(held) == ["lapsed"] * MAX_ATTEMPTS
    assert clear_orphans() == MAX_ATTEMPTS


def test_a_cancel_does_not_wait_for_the_lease_of_a_worker_that_fell_silent(
    asker: Principal, claimed: Callable[[], RunFacts], engine: FakeEngine
) -> None:
    held = claimed()
    left(held, silent_s=1.5)
    assert sweep() == 0  # not cancelled: its worker may still come back
    service.cancel(asker, held.id)
    assert sweep() == 1
    assert service.run(asker, held.id).state is RunState.CANCELLED
    assert (clear_orphans(), engine.asked) == (1, [held.query_id])


def test_a_query_that_the_engine_cancelled_by_itself_is_not_said_to_be_the_persons_doing(asker: Principal) -> None:
    world = FakeWorld(outcome=answered)

    def cancelled_there() -> None:
        raise WarehouseFault("cancelled", "The query was cancelled.")

    world.before[StepKind.EXECUTE] = cancelled_there
    run = service.start_run(asker, "net revenue")
    claim_and_work("w", world.machine(), run_id=run.id)
    ended = service.run(asker, run.id)
    assert (ended.state, ended.reason) == (RunState.FAILED, "warehouse_fault")
