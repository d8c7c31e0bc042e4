"""The worker: woken by NOTIFY, claims runs, works on them, brings back what dead workers left."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable

import psycopg
from django.db import DatabaseError, InterfaceError, connection

from dataagent.runs.service.upkeep import clear_orphans, hand_back, look, sweep
from dataagent.runs.service.working import Machine, claim_and_work

log = logging.getLogger(__name__)

CHANNEL = "dataagent_runs"
PRESENCE = "dataagent worker"
"""What the listening connection is called in PostgreSQL; its last query is the worker's heartbeat."""
SWEEP_EVERY_S = 0.5
LOOK_EVERY_S = 5.0
"""How often an idle thread looks for runs without having been woken."""
PAUSE_S = 1.0
"""The rest after the database failed."""


class Worker:
    """A few threads that work on runs until `stop` is set; what runs then is finished first."""

    def __init__(
        self, machine: Machine, name: str, *, threads: int, stop: threading.Event, longest_s: float = math.inf
    ) -> None:
        """`longest_s` is the longest that a thread may be at one run: one that is longer hangs."""
        self._machine, self._name, self._stop, self._longest_s = machine, name, stop, longest_s
        self._busy_since: dict[str, float] = {}
        self._wake = threading.Condition()
        self._threads = [
            threading.Thread(target=self._work, args=(f"{name}/{n}",), name=f"worker-{n}", daemon=True)
            for n in range(1, threads + 1)
        ]
        self._left = threading.Event()
        self._clearer = threading.Thread(target=self._clear, name="clearer", daemon=True)

    def run(self, *, ready: Callable[[], None], alive: Callable[[], bool], patience_s: float = 20.0) -> None:
        """Works until told to stop, `alive()` is no longer true or a thread hangs; `ready` is called once it listens.

        What runs then is finished first, as far as `patience_s` allows; the rest is given back for others to do.
        """
        for thread in (*self._threads, self._clearer):
            thread.start()
        announced = False
        while not self._stop.is_set() and alive():
            try:
                self._listen(None if announced else ready, alive)
            except (DatabaseError, InterfaceError, psycopg.Error):
                log.warning("The database does not answer; trying again.")
                connection.close()
                self._stop.wait(PAUSE_S)
            announced = True
        self._stop.set()
        self._left.set()
        self._wake_all()
        self._drain(patience_s)
        connection.close()

    def _drain(self, patience_s: float) -> None:
        """Waits for all threads together, then gives up what they still hold: from then on they write nothing."""
        if not self.wait_for_threads(patience_s):
            try:
                log.warning("Stopping; %s unfinished runs go back to the queue.", hand_back(self._name))
            except (DatabaseError, InterfaceError, psycopg.Error):
                log.warning("Stopping; unfinished runs go back to the queue when their leases run out.")

    def wait_for_threads(self, patience_s: float) -> bool:
        """Whether all threads ended within that time, which is one for all of them."""
        until_s = time.monotonic() + patience_s
        for thread in self._threads:
            thread.join(timeout=max(0.0, until_s - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def _hangs(self) -> bool:
        """Whether a thread is at one run for longer than any run may take: only a new process gets it back."""
        oldest_s = min(self._busy_since.copy().values(), default=math.inf)
        hangs = time.monotonic() - oldest_s > self._longest_s
        if hangs:
            log.error("A step hangs; this worker finishes its other runs and ends.")
        return hangs

    def _listen(self, ready: Callable[[], None] | None, alive: Callable[[], bool]) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('application_name', %s, false)", [PRESENCE])
            cursor.execute(f"LISTEN {CHANNEL}")
        if ready:
            ready()
        while not self._stop.is_set() and alive():
            if self._hangs():
                self._stop.set()
                return
            if any(True for _ in connection.connection.notifies(timeout=SWEEP_EVERY_S, stop_after=1)):
                self._wake_all()
            left = look()
            if left.runs and sweep():
                self._wake_all()
            if left.queries:
                self._left.set()

    def _clear(self) -> None:
        """Ends in the engines what dead workers left there; an engine that does not answer holds up nothing else."""
        while not self._stop.is_set():
            self._left.wait()
            self._left.clear()
            try:
                clear_orphans()
            except (DatabaseError, InterfaceError, psycopg.Error):
                log.warning("The database does not answer; trying again.")
                connection.close()
        connection.close()

    def _wake_all(self) -> None:
        with self._wake:
            self._wake.notify_all()

    def _work(self, owner: str) -> None:
        while not self._stop.is_set():
            try:
                self._busy_since[owner] = time.monotonic()
                worked = claim_and_work(owner, self._machine)
                del self._busy_since[owner]
                if not worked:
                    self._idle()
            except (DatabaseError, InterfaceError, psycopg.Error):
                log.warning("The database does not answer; trying again.")
                connection.close()
                self._stop.wait(PAUSE_S)
            except Exception:
                log.exception("A run could not be finished; its lease will bring it back.")
                self._stop.wait(PAUSE_S)
        connection.close()

    def _idle(self) -> None:
        with self._wake:
            if not self._stop.is_set():
                self._wake.wait(timeout=LOOK_EVERY_S)
