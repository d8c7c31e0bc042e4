"""The worker is woken, works, cancels in the engine, resumes what others left, and stops in order."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from dataagent.accounts.models import User, Workspace
from dataagent.management.worker import Worker
from dataagent.policy.principal import Principal
from dataagent.runs import service, store
from dataagent.runs.models import Run
from dataagent.runs.ports import Outcome, Ports, Record
from dataagent.runs.service.working import Machine
from dataagent.runs.types import Ask, RunFacts, RunState, StepKind
from dataagent.warehouse.port import WarehouseFault
from tests.runs.people import FakeWorld, answered, principal

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def asker(analyst: User, workspace: Workspace) -> Principal:
    return principal(analyst, workspace)


@pytest.fixture
def start() -> Iterator[Callable[[FakeWorld], threading.Event]]:
    """Starts a worker on a fake world; returns what stops it."""
    running: list[tuple[threading.Thread, threading.Event]] = []

    def run(world: FakeWorld) -> threading.Event:
        stop, ready = threading.Event(), threading.Event()
        worker = Worker(world.machine(), "w", threads=2, stop=stop)
        thread = threading.Thread(target=lambda: worker.run(ready=ready.set, alive=lambda: True, patience_s=5))
        thread.start()
        running.append((thread, stop))
        assert ready.wait(10)
        return stop

    yield run
    for thread, stop in running:
        stop.set()
        thread.join(10)
        assert not thread.is_alive()


def eventually(asker: Principal, run_id: str, state: RunState, within_s: float = 10.0) -> float:
    """Seconds until the run was in that state."""
    started = time.monotonic()
    while service.run(asker, run_id).state is not state:
        assert time.monotonic() - started < within_s, service.run(asker, run_id)
        time.sleep(0.02)
    return time.monotonic() - started


def test_a_new_question_wakes_the_worker(asker: Principal, start: Callable[[FakeWorld], threading.Event]) -> None:
    start(FakeWorld(outcome=answered))
    run = service.start_run(asker, "net revenue")
    assert eventually(asker, run.id, RunState.ANSWERED) < 4  # it looks by itself only every 5 s


def test_a_cancel_stops_the_query_in_the_engine(
    asker: Principal, start: Callable[[FakeWorld], threading.Event]
) -> None:
    world = FakeWorld(outcome=answered)
    executing = threading.Event()

    def wait_for_cancel() -> None:
        executing.set()
        assert world.warehouse.cancelled.wait(5)
        raise WarehouseFault("cancelled", "The query was stopped.")

    world.before[StepKind.EXECUTE] = wait_for_cancel
    start(world)
    run = service.start_run(asker, "net revenue")
    assert executing.wait(5)
    service.cancel(asker, run.id)
    eventually(asker, run.id, RunState.CANCELLED)
    assert world.warehouse.cancelled.is_set()


def test_a_run_of_a_dead_worker_is_brought_back(
    asker: Principal, start: Callable[[FakeWorld], threading.Event]
) -> None:
    run = service.start_run(asker, "net revenue")
    held = store.claim("dead", lease_s=30, run_id=run.id)
    assert held is not None
    Run.rows.of(held.workspace_id).filter(id=held.id).update(lease_until=timezone.now() - timedelta(seconds=1))
    start(FakeWorld(outcome=answered))
    eventually(asker, run.id, RunState.ANSWERED)


def test_a_stopping_worker_finishes_its_run(asker: Principal, start: Callable[[FakeWorld], threading.Event]) -> None:
    world = FakeWorld(outcome=answered)
    executing, go_on = threading.Event(), threading.Event()

    def hold() -> None:
        executing.set()
        assert go_on.wait(5)

    world.before[StepKind.EXECUTE] = hold
    stop = start(world)
    run = service.start_run(asker, "net revenue")
    assert executing.wait(5)
    stop.set()
    go_on.set()
    eventually(asker, run.id, RunState.ANSWERED)


def hanging(world: FakeWorld) -> tuple[threading.Event, threading.Event]:
    """A world whose next run hangs in the engine: (it does, let it go on)."""
    executing, go_on = threading.Event(), threading.Event()

    def hang() -> None:
        executing.set()
        go_on.wait(20)

    world.before[StepKind.EXECUTE] = hang
    return executing, go_on


def test_a_stopping_worker_waits_for_all_its_runs_together_and_gives_back_what_hangs(asker: Principal) -> None:
    worlds = FakeWorld(outcome=answered), FakeWorld(outcome=answered)
    gates = [hanging(world) for world in worlds]
    stop = threading.Event()
    worker = Worker(one_world_each(*worlds), "host:1", threads=2, stop=stop)
    thread = threading.Thread(target=lambda: worker.run(ready=lambda: None, alive=lambda: True, patience_s=1))
    runs = [service.start_run(asker, "net revenue") for _ in worlds]
    thread.start()
    assert all(executing.wait(5) for executing, _ in gates)
    stop.set()
    started = time.monotonic()
    thread.join(10)
    assert time.monotonic() - started < 2.5
    assert {service.run(asker, r.id).state for r in runs} == {RunState.QUEUED}
    for _, go_on in gates:
        go_on.set()
    worker.wait_for_threads(5)
    assert {service.run(asker, r.id).state for r in runs} == {RunState.QUEUED}  # what they wrote came too late


def test_a_worker_with_a_hung_step_ends_so_that_another_process_takes_its_place(asker: Principal) -> None:
    world = FakeWorld(outcome=answered)
    executing, go_on = hanging(world)
    worker = Worker(world.machine(), "host:1", threads=1, stop=threading.Event(), longest_s=1)
    thread = threading.Thread(target=lambda: worker.run(ready=lambda: None, alive=lambda: True, patience_s=0.5))
    run = service.start_run(asker, "net revenue")
    thread.start()
    assert executing.wait(5)
    thread.join(5)
    assert not thread.is_alive()
    assert service.run(asker, run.id).state is RunState.QUEUED
    go_on.set()
    worker.wait_for_threads(5)


def one_world_each(*worlds: FakeWorld) -> Machine:
    """A machine that works on each run in a world of its own."""
    left, mine = list(worlds), threading.local()

    def ports(run: RunFacts) -> Ports:
        mine.world = left.pop()
        return FakeWorld.ports(mine.world, run)

    def answer(ask: Ask, given: Ports, record: Record) -> Outcome:
        return FakeWorld.answer(mine.world, ask, given, record)

    return Machine(ports=ports, answer=answer)
