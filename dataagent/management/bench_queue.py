"""How soon a worker takes a run up, and takes over a killed one's: on whichever road BROKER_URL names."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings

from dataagent.errors import ShownError
from dataagent.management.preparing import is_prepared, prepare_database, prepare_demo
from dataagent.policy import service as policy
from dataagent.policy.principal import Principal
from dataagent.runs import service
from dataagent.runs.service import timing
from dataagent.runs.states import TERMINAL
from dataagent.warehouse import pool

ROADS = {
    "embedded": "",
    "redis": "redis://127.0.0.1:6379/7",
    "rabbitmq": "amqp://guest:guest@127.0.0.1:5672//",
}
TARGETS_MS = {"embedded": 15.0, "redis": 20.0, "rabbitmq": 15.0}
TAKEN_OVER_MS = 5_000.0
QUICK, SLOW = "what does net revenue mean?", "average order value by loyalty tier"
ROUNDS, KILLS, IDLE_S, STARTING_S, PATIENCE_S = 40, 5, 5.0, 4.0, 40.0

Figures = dict[str, object]


def all_roads() -> list[Figures]:
    """The figures of each road whose broker answers on its usual port, each measured in a process of its own."""
    found: list[Figures] = []
    for road, url in ROADS.items():
        if not url or _answers(url):
            environment = {**os.environ, "BROKER_URL": url, "DATAAGENT_QUEUE": f"bench-{uuid.uuid4().hex}"}
            command = [sys.executable, str(Path(settings.BASE_DIR) / "manage.py"), "bench", "queue", "--json"]
            done = subprocess.run(  # noqa: S603 (our own program with our own arguments)
                command, env=environment, capture_output=True, text=True, check=False
            )
            if done.returncode:
                raise ShownError("unavailable", f"{road} could not be measured: {done.stderr[-300:]}")
            found += json.loads(done.stdout)["results"]
    return found


def measure() -> list[Figures]:
    """Accepted → first event, accepted → started, a killed worker's run going again, and an idle worker's load."""
    prepare_database(lambda _: None)
    if not is_prepared("demo"):
        prepare_demo(lambda _: None)
    asker = policy.principal("analyst", "demo")
    road = next((name for name, url in ROADS.items() if url == settings.BROKER_URL), "broker")
    workers = _Workers()
    try:
        _ended(asker, service.start_run(asker, QUICK, door="bench").id)
        workers.fill_up()
        idle = _idle_ms_per_s(workers.processes[0].pid)
        told, started = zip(*(_once(asker) for _ in range(ROUNDS)), strict=True)
        again = [_taken_over(asker, workers) for _ in range(KILLS)]
    finally:
        workers.end()
        pool.close_all()
    target = TARGETS_MS.get(road, 15.0)
    return [
        _figures(f"{road}: accepted → first event", list(told), target),
        _figures(f"{road}: accepted → started", list(started), target),
        _figures(f"{road}: a killed worker's run goes again", again, TAKEN_OVER_MS),
        _figures(f"{road}: an idle worker, per second", [idle], 10.0),
    ]


class _Workers:
    """Two workers of the road; one that was killed is followed by another."""

    def __init__(self) -> None:
        self._home = Path(settings.HOME)
        self.processes = [_started(self._home), _started(self._home)]

    def fill_up(self) -> None:
        """Starts as many as have died, and waits until they listen."""
        for place, process in enumerate(self.processes):
            if process.poll() is not None:
                self.processes[place] = _started(self._home)
        time.sleep(STARTING_S)

    def end(self) -> None:
        """Ends them."""
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait(30)
        for left in self._home.glob("bench-*.beat*"):
            left.unlink()


def _started(home: Path) -> subprocess.Popen[bytes]:
    manage = [str(Path(settings.BASE_DIR) / "manage.py"), "worker"]
    name = f"bench-{uuid.uuid4().hex[:8]}"
    celery = ["-m", "celery", "-A", "dataagent.celery", "worker", "-B", "-c", "2", "-l", "error", "-n", name]
    return subprocess.Popen(  # noqa: S603 (our own programs with our own arguments)
        [sys.executable, *([*celery, "-s", str(home / f"{name}.beat")] if settings.BROKER_URL else manage)],
        cwd=settings.BASE_DIR,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _once(asker: Principal) -> tuple[float, float]:
    """Milliseconds from the question to its first event, and from its acceptance to its first step."""
    begun = time.perf_counter()
    run = service.start_run(asker, QUICK, door="bench")
    asyncio.run(_first_event(asker, run.id))
    told_ms = (time.perf_counter() - begun) * 1000
    _ended(asker, run.id)
    return told_ms, timing.waited_ms(asker, run.id)


async def _first_event(asker: Principal, run_id: str) -> None:
    async for events in service.follow(lambda: asker, run_id, 0):
        if events:
            return


def _taken_over(asker: Principal, workers: _Workers) -> float:
    """Milliseconds from the death of the worker that works on a run until another one does."""
    while True:
        run = service.start_run(asker, SLOW, door="bench")
        _until(lambda: timing.worker_of(asker, run.id) > 0 or service.run(asker, run.id).state in TERMINAL)  # noqa: B023
        worker = timing.worker_of(asker, run.id)
        if worker:
            killed = time.time()
            os.kill(worker, signal.SIGKILL)
        _ended(asker, run.id)
        workers.fill_up()
        again = timing.second_claim(asker, run.id)
        if worker and again:
            return (again - killed) * 1000


def _idle_ms_per_s(pid: int) -> float:
    """Milliseconds of a core per second that a process and its children take while nothing is asked."""
    before = _cpu_s(pid)
    time.sleep(IDLE_S)
    return (_cpu_s(pid) - before) * 1000 / IDLE_S


def _cpu_s(pid: int) -> float:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return own + sum(_cpu_s(int(child)) for child in children)


def _ended(asker: Principal, run_id: str) -> None:
    _until(lambda: service.run(asker, run_id).state in TERMINAL)


def _until(condition: Callable[[], bool]) -> None:
    end_s = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > end_s:
            raise ShownError("unavailable", "No worker took a run up in time.")
        time.sleep(0.01)


def _answers(url: str) -> bool:
    place = urlsplit(url)
    try:
        socket.create_connection((place.hostname or "", place.port or 0), timeout=1).close()
    except OSError:
        return False
    return True


def _figures(name: str, times: list[float], target_ms: float) -> Figures:
    ordered = sorted(times)
    p95 = round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))], 1)
    return {
        "name": name,
        "ours_p50_ms": round(ordered[len(ordered) // 2], 1),
        "ours_p95_ms": p95,
        "peer": "the target",
        "peer_p50_ms": target_ms,
        "peer_p95_ms": target_ms,
        "ratio": round(p95 / target_ms, 2),
    }
