"""A run's events as they happen: read from the database, woken by NOTIFY, so that nothing is lost or shown twice."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import psycopg
from django.db import DatabaseError, InterfaceError, connection

from dataagent.policy.service import Authority
from dataagent.runs.service.reading import events_after
from dataagent.runs.store import EVENTS_CHANNEL
from dataagent.runs.types import RunEvent, RunState

log = logging.getLogger(__name__)

QUIET_S = 10.0
"""The longest silence of a stream: then the door may send a sign of life."""
LOOK_S = 0.8
"""How often a silent stream looks whether whoever listens still may."""
LISTEN_S = 5.0
_WAITING = {RunState.WAITING_FOR_PERSON.value, RunState.WAITING_FOR_APPROVAL.value}

_readers = ThreadPoolExecutor(max_workers=4, thread_name_prefix="stream")


async def follow(authority: Authority, run_id: str, after: int) -> AsyncIterator[tuple[RunEvent, ...]]:
    """Batches of events after number `after`, in order; empty ones are signs of life.

    Ends after the event with which the run ends or waits for its person.
    Raises: ShownError before the first batch where the run is hidden, and as soon as `authority` does not suffice
    any more: no event is read for somebody who was allowed to earlier only.
    """
    loop = asyncio.get_running_loop()
    silent_s = QUIET_S
    with _bell.heard(run_id) as ring:
        while True:
            ring.clear()
            events = await loop.run_in_executor(_readers, _read, authority, run_id, after)
            if events or silent_s >= QUIET_S:
                silent_s = 0.0
                yield events
            if events:
                after = events[-1].number
                if ends(events[-1]):
                    return
                continue
            try:
                await asyncio.wait_for(ring.wait(), timeout=LOOK_S)
            except TimeoutError:
                silent_s += LOOK_S


def ends(event: RunEvent) -> bool:
    """Whether nothing follows this event until the person acts."""
    return event.kind == "finished" or (event.kind == "state" and event.data.get("state") in _WAITING)


def _read(authority: Authority, run_id: str, after: int) -> tuple[RunEvent, ...]:
    try:
        return events_after(authority(), run_id, after)
    except (DatabaseError, InterfaceError, psycopg.Error):
        connection.close()  # the server was restarted: once more on a new connection
        return events_after(authority(), run_id, after)


class _Bell:
    """One listening connection for all streams of this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rings: defaultdict[str, set[tuple[asyncio.AbstractEventLoop, asyncio.Event]]] = defaultdict(set)
        self._thread: threading.Thread | None = None

    @contextmanager
    def heard(self, run_id: str) -> Iterator[asyncio.Event]:
        """An event of this loop that is set whenever something happens to the run."""
        mine = (asyncio.get_running_loop(), asyncio.Event())
        with self._lock:
            self._rings[run_id].add(mine)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._listen, name="event-bell", daemon=True)
                self._thread.start()
        try:
            yield mine[1]
        finally:
            with self._lock:
                self._rings[run_id].discard(mine)
                if not self._rings[run_id]:
                    del self._rings[run_id]

    def _listen(self) -> None:
        """Rings until no stream is open any more."""
        try:
            with connection.cursor() as cursor:
                cursor.execute(f"LISTEN {EVENTS_CHANNEL}")
            self._ring(None)  # what happened before we listened
            while self._wanted():
                for notice in connection.connection.notifies(timeout=LISTEN_S, stop_after=1):
                    self._ring(notice.payload)
        except (DatabaseError, InterfaceError, psycopg.Error):
            log.warning("The database does not answer; streams look by themselves meanwhile.")
            with self._lock:
                self._thread = None
        finally:
            connection.close()

    def _wanted(self) -> bool:
        with self._lock:
            if not self._rings:
                self._thread = None
            return bool(self._rings)

    def _ring(self, run_id: str | None) -> None:
        with self._lock:
            chosen = self._rings.get(run_id, set()) if run_id else {r for rings in self._rings.values() for r in rings}
            rings = tuple(chosen)
        for loop, ring in rings:
            if not loop.is_closed():
                loop.call_soon_threadsafe(ring.set)


_bell = _Bell()
