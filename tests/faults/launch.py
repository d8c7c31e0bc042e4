"""A process of the product that dies where it is told: `python -m tests.faults.launch ROLE ARGUMENT...`.

Each run has its own place of death, drawn from its id, and dies there none to three times.  The rest is the product
as it is: nothing in it knows of this.
"""

from __future__ import annotations

import hashlib
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

DEATHS = (0, 0, 1, 1, 2, 3)
"""How often a run's worker dies at the run's place; three times is too often."""
STEPS = (
    *("scope", "intent", "evidence", "plan", "compile", "guard"),
    *("explain", "live_checks", "execute", "validate", "compose"),
)
PLACES = (
    "claimed",
    *(f"before {step}" for step in STEPS),
    *(f"after {step}" for step in STEPS),
    "in the engine",
    "sealing",
    "ended",
)
SLEEP_S = 25
_mine = threading.local()


def place_of(run_id: str) -> tuple[str, int]:
    """Where a run's worker dies, and how often."""
    number = int(hashlib.sha256(run_id.encode()).hexdigest()[:12], 16)
    most = int(os.environ.get("FAULTS_MOST_DEATHS", "3"))
    return PLACES[number // len(DEATHS) % len(PLACES)], min(most, DEATHS[number % len(DEATHS)])


def at(place: str) -> None:
    """Dies, where this is the place of the run that this thread works on."""
    held = getattr(_mine, "held", None)
    if held is None:
        return
    wanted, deaths = place_of(held.id)
    if wanted == place and held.attempt <= deaths:
        die(place)


def die(place: str) -> None:
    """The end of this process, noted first."""
    with Path(os.environ["FAULTS_LOG"]).open("a", encoding="utf-8") as log:
        log.write(f"{place}\n")
    os.kill(os.getpid(), signal.SIGKILL)


def install() -> None:
    """Puts the places of death into the product's functions."""
    from dataagent.runs import record, store
    from dataagent.runs.service import working
    from dataagent.runs.store import moves
    from dataagent.warehouse import postgres

    working.work = _held(working.work)
    record.StepRecorder.step = _around_step(record.StepRecorder.step)  # type: ignore[method-assign]
    moves._write_manifest = _then("sealing", moves._write_manifest)
    store.finish = _then("ended", store.finish)
    postgres._read = _in_the_engine(postgres._read)


def _held(work: Callable[..., None]) -> Callable[..., None]:
    def holding(held: Any, machine: Any) -> None:
        _mine.held = held
        try:
            at("claimed")
            work(held, machine)
        finally:
            _mine.held = None

    return holding


def _around_step(step: Callable[..., Any]) -> Callable[..., Any]:
    def around(self: Any, kind: Any, fn: Any, *args: Any) -> Any:
        at(f"before {kind.value}")
        result = step(self, kind, fn, *args)
        at(f"after {kind.value}")
        return result

    return around


def _then(place: str, do: Callable[..., Any]) -> Callable[..., Any]:
    def doing(*args: Any, **named: Any) -> Any:
        result = do(*args, **named)
        at(place)
        return result

    return doing


def _in_the_engine(read: Callable[..., Any]) -> Callable[..., Any]:
    """A query that goes on for long after the death of who asked."""

    def reading(link: Any, query: Any) -> Any:
        held = getattr(_mine, "held", None)
        if held is not None and place_of(held.id)[0] == "in the engine" and held.attempt <= place_of(held.id)[1]:
            threading.Timer(0.2, die, ["in the engine"]).start()
            link.cursor().execute(f"SELECT pg_sleep({SLEEP_S})".encode())
        return read(link, query)

    return reading


def main(role: str, *arguments: str) -> None:
    """Runs the worker, the web server on a port, or Celery with its arguments."""
    import django

    django.setup()
    if role == "web":
        import uvicorn

        uvicorn.run("dataagent.asgi:application", port=int(arguments[0]), lifespan="off", log_level="error")
        return
    install()
    if role == "celery":
        from dataagent.celery import app

        app.worker_main(["worker", *arguments])
        return
    from django.core.management import call_command

    call_command("worker")


if __name__ == "__main__":
    main(*sys.argv[1:])
