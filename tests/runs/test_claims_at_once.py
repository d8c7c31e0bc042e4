"""Two at once, on two real connections: the database lets one win."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from django.db import connection

from dataagent.runs import store
from dataagent.runs.types import RunFacts

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*work: Callable[[], object]) -> list[object]:
    """What each callable returned or raised, all started together, each on its own connection."""
    barrier = threading.Barrier(len(work))
    results: list[object] = [None] * len(work)

    def go(index: int) -> None:
        barrier.wait()
        try:
            results[index] = work[index]()
        except store.ActiveRunError as error:
            results[index] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=go, args=(i,)) for i in range(len(work))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
    return results


def test_two_workers_that_claim_at_once_do_not_both_get_the_run(enqueue: Callable[..., RunFacts]) -> None:
    enqueue()
    results = at_once(*(lambda w=w: store.claim(w, lease_s=30) for w in ("w1", "w2", "w3", "w4")))
    assert len([r for r in results if r is not None]) == 1


def test_workers_that_claim_at_once_get_different_runs(enqueue: Callable[..., RunFacts]) -> None:
    wanted = {enqueue().id for _ in range(2)}
    results = at_once(*(lambda w=w: store.claim(w, lease_s=30) for w in ("w1", "w2")))
    assert {r.id for r in results if isinstance(r, RunFacts)} <= wanted
    assert len({r.id for r in results if isinstance(r, RunFacts)}) == len([r for r in results if r is not None])


def test_two_tabs_that_ask_at_once_start_one_run(enqueue: Callable[..., RunFacts], session_id: str) -> None:
    results = at_once(*(lambda q=q: enqueue(q, session_id=session_id) for q in ("a", "b")))
    assert sorted(type(r).__name__ for r in results) == ["ActiveRunError", "RunFacts"]
