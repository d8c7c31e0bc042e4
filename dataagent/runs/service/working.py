"""The work on a claimed run: heartbeat, answer, finish.  Whoever claimed it owns it until the lease runs out."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.utils import timezone

from catalog.query import MetricIntent
from catalog.service import NoCatalog
from dataagent import telemetry
from dataagent.answering.types import Answer
from dataagent.errors import ShownError
from dataagent.runs import encoding, store
from dataagent.runs.budgets import SPENT, BudgetSpentError
from dataagent.runs.draft import draft
from dataagent.runs.openwords import open_words
from dataagent.runs.ports import Outcome, Ports, Record, RunCancelledError, RunOverdueError
from dataagent.runs.record import Finished, LeaseLostError, Standing, StepRecorder
from dataagent.runs.service.authority import AuthorityError
from dataagent.runs.service.ending import close, end
from dataagent.runs.service.sealed import new_salt, new_seal
from dataagent.runs.states import ACTIVE, MOVE_TO, Move, Reason
from dataagent.runs.types import UNLISTED_DOORS, Ask, RunFacts, RunState, StepKind
from dataagent.warehouse.port import WarehouseFault

log = logging.getLogger(__name__)

LEASE_S = 3.0
HEARTBEAT_S = 0.5
"""How often a worker says that it lives, and looks whether the person has cancelled."""

ENDINGS = {
    RunState.ANSWERED: "Answered",
    RunState.ABSTAINED: "Stopped: this cannot be answered as asked",
    RunState.REFUSED: "Refused by policy",
    RunState.EXHAUSTED: "Stopped at a limit",
    RunState.FAILED: "Failed",
}
"""What a person reads when a run has ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """How a run is worked on: its world, the function that answers, and whether the asker's authority still holds."""

    ports: Callable[[RunFacts], Ports]
    answer: Callable[[Ask, Ports, Record], Outcome]
    holds: Callable[[Ports], bool] = lambda _ports: True


@dataclass(frozen=True, slots=True, kw_only=True)
class _Journal:
    """The journal of record.py over the store."""

    held: RunFacts
    holds: Callable[[], bool]

    def starting(self, kind: StepKind, text: str, finished: Finished | None) -> Standing:
        # The last moment before the engine reads: authority that was taken away meanwhile reads nothing.
        if kind is StepKind.EXECUTE and not self.holds():
            raise revoked()
        return store.start_step(self.held, kind, text, finished)

    def finished(self, step: Finished) -> None:
        store.finish_step(self.held, step)


class Heart:
    """Prolongs a lease while the work goes on; calls `on_cancel` when the person cancels, or authority or time ends.

    It beats while a step hangs, too: so a lease is never prolonged far past the run's own time.
    """

    def __init__(self, held: RunFacts, on_cancel: Callable[[], object], holds: Callable[[], bool]) -> None:
        self._held, self._on_cancel, self._holds = held, on_cancel, holds
        self.revoked = self.overdue = False
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat, name=f"heart-{held.id}", daemon=True)

    def __enter__(self) -> Heart:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _beat(self) -> None:
        try:
            while not self._over.wait(HEARTBEAT_S):
                standing = self._once()
                self.overdue = self.overdue or standing.overdue
                if standing.cancelled or self.overdue or not standing.held or self._is_revoked():
                    self._on_cancel()
        finally:
            connection.close()

    def _is_revoked(self) -> bool:
        try:
            self.revoked = self.revoked or not self._holds()
        except DatabaseError:
            connection.close()  # decided at the next beat, and at the end at the latest
        return self.revoked

    def _once(self) -> Standing:
        try:
            return store.heartbeat(self._held, lease_s=LEASE_S)
        except DatabaseError:
            log.warning("No heartbeat for run %s; trying again.", self._held.id)
            connection.close()
            return Standing(held=True, cancelled=False)


def claim_and_work(owner: str, machine: Machine, *, run_id: str | None = None) -> bool:
    """Whether a run was there to be claimed; it was worked on until it ended, waits or was taken over."""
    held = store.claim(owner, lease_s=LEASE_S, run_id=run_id, budget_s=settings.RUN_TIMEOUT_S)
    if held is None:
        return False
    with telemetry.about(run=held.id, session=held.session_id, workspace=held.workspace):
        work(held, machine)
    return True


def work(held: RunFacts, machine: Machine) -> None:
    """Answers a claimed run and writes how it ended.  Whatever goes wrong gets a named reason.

    Raises: OperationalError, InterfaceError where the product's own database went away: that is nothing of the run's,
    which goes on from its last step when its lease has run out.
    """
    try:
        _answer(held, machine)
    except LeaseLostError:
        log.warning("Run %s was taken over by another worker.", held.id)
    except _KNOWN as known:
        end(held, *_of_known(known), words=str(known) if isinstance(known, WarehouseFault) else "")
    except (OperationalError, InterfaceError):
        raise
    except Exception:
        log.exception("Run %s failed.", held.id)
        end(held, Move.FAIL, Reason.INTERNAL_ERROR)


_KNOWN = (
    RunCancelledError,
    RunOverdueError,
    BudgetSpentError,
    WarehouseFault,
    NoCatalog,
    AuthorityError,
    ShownError,
)
"""What ends a run with a reason of its own."""


def _of_known(error: Exception) -> tuple[Move, Reason]:
    """How a run ends that met one of these, and why."""
    if isinstance(error, WarehouseFault):
        return _of_fault(error.code)
    if isinstance(error, BudgetSpentError):
        return Move.EXHAUST, SPENT[error.scope]
    if isinstance(error, AuthorityError):
        return Move.REFUSE, error.reason
    if isinstance(error, RunCancelledError | RunOverdueError):
        cancelled = isinstance(error, RunCancelledError)
        return (Move.CANCEL, Reason.CANCELLED_BY_PERSON) if cancelled else (Move.EXHAUST, Reason.TIME_LIMIT)
    if isinstance(error, ShownError) and error.code in {"not_found", "not_permitted"}:
        return Move.REFUSE, Reason.NOT_PERMITTED
    return Move.FAIL, Reason.UNAVAILABLE


def _answer(held: RunFacts, machine: Machine) -> None:
    ports = machine.ports(held)

    def holds() -> bool:
        return machine.holds(ports)

    recorder = StepRecorder(
        _Journal(held=held, holds=holds),
        basis=_basis(held, ports),
        earlier=store.replayable_steps(held) if held.attempt > 1 else (),
        clock=timezone.now,
        stopwatch=time.perf_counter,
    )
    ask = Ask(question=held.question, today=held.today, session_id=held.session_id, choice=held.choice)
    with Heart(held, lambda: ports.warehouse.cancel(held.query_id), holds) as heart:
        try:
            outcome = machine.answer(ask, ports, recorder)
        except WarehouseFault as fault:
            if heart.revoked:
                raise revoked() from fault
            if heart.overdue:
                raise RunOverdueError from fault
            raise
        finally:
            recorder.close()
    if heart.revoked or not holds():
        raise revoked()
    _write(held, outcome, ports)


def revoked() -> AuthorityError:
    """What ends a run whose asker may no longer see what it was given."""
    return AuthorityError(Reason.ACCESS_CHANGED)


def _write(held: RunFacts, outcome: Outcome, ports: Ports) -> None:
    salt = new_salt()
    drafted = draft(outcome, ports, salt=salt).model_dump_json()
    answer = encoding.dumps(outcome.answer, Answer)
    move = MOVE_TO[outcome.state]
    listed = held.door not in UNLISTED_DOORS
    words = open_words(held.question, outcome.understanding) if listed else ()
    if outcome.state in ACTIVE:
        store.pause(held, move, reason=outcome.reason[:60], answer=answer, draft=drafted, open_words=words)
        return
    intent = outcome.understanding.intent
    ending = store.Ending(
        move=move,
        reason=outcome.reason,
        text=ENDINGS.get(outcome.state, outcome.state.value),
        answer=answer,
        intent=encoding.dumps(intent, MetricIntent) if intent else "",
        open_words=words,
    )
    if not close(held, ending, new_seal(drafted, salt=salt)):
        log.warning("Run %s had moved on before its answer was written.", held.id)


def _basis(held: RunFacts, ports: Ports) -> str:
    """The digest of all that a step depends on: what is the same for two attempts may be replayed."""
    return encoding.digest(
        [
            held.question,
            held.today.isoformat(),
            held.choice,
            ports.scope.digest,
            ports.snapshot.digest,
            ports.scope.policy_version,
        ]
    )


def _of_fault(code: str) -> tuple[Move, Reason]:
    """How a fault ends a run.  A query that the engine cancelled and the person did not is a fault like others."""
    if code in {"timeout", "too_large", "out_of_memory"}:
        return Move.EXHAUST, Reason.WAREHOUSE_LIMIT
    return Move.FAIL, Reason.WAREHOUSE_FAULT
