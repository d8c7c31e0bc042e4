"""The record of a run's work: each step timed, stored, told to the person, and replayed after a crash."""

from __future__ import annotations

import typing
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, TypeVar

from pydantic import ValidationError

from dataagent.answering.types import Answer
from dataagent.runs import encoding
from dataagent.runs.ports import RunCancelledError, RunOverdueError
from dataagent.runs.types import StepKind, StepRecord
from dataagent.sqlguard.guard import GuardedQuery
from dataagent.warehouse.port import ResultTable

T = TypeVar("T")

TELLING: dict[StepKind, str] = {
    StepKind.SCOPE: "Checking what you may see",
    StepKind.TERMS: "Looking up the company's words",
    StepKind.INTENT: "Reading your question",
    StepKind.EVIDENCE: "Gathering definitions and notes",
    StepKind.PLAN: "Planning the calculation",
    StepKind.COMPILE: "Writing the query",
    StepKind.GUARD: "Checking the query against your permissions",
    StepKind.EXPLAIN: "Asking the warehouse how it would run the query",
    StepKind.LIVE_CHECKS: "Checking how complete the data are",
    StepKind.EXECUTE: "Running the query",
    StepKind.VALIDATE: "Checking the result",
    StepKind.COMPOSE: "Writing the answer",
    StepKind.MANIFEST: "Sealing the receipt",
}
"""What a person reads while a step runs."""

REPLAYED = frozenset({StepKind.INTENT, StepKind.EVIDENCE, StepKind.PLAN, StepKind.COMPILE})
"""Steps that are rebuilt from their artefact.  Authority, freshness and data are always looked at again."""


class LeaseLostError(Exception):
    """Another worker has taken the run over; this one must not write any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Whether this worker still holds the run, whether the person has cancelled it, and whether its time is up."""

    held: bool
    cancelled: bool
    overdue: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A finished step on its way to the store."""

    kind: StepKind
    started_at: datetime
    elapsed_ms: float
    input_digest: str
    output_digest: str
    artefact: str
    replayable: bool


class Journal(Protocol):
    """Where a run's steps and events are kept."""

    def starting(self, kind: StepKind, text: str, finished: Finished | None) -> Standing:
        """Keep the step that has just finished and tell that the next one starts; says whether to go on."""

    def finished(self, step: Finished) -> None:
        """Keep a finished step."""


class StepRecorder:
    """The Record of ports.py over a journal.

    `basis` is the digest of what every step depends on (question, clock, scope,
    catalog): an artefact is replayed only where it is the same.  `earlier` are the
    replayable steps of earlier attempts, in order.
    """

    def __init__(
        self,
        journal: Journal,
        *,
        basis: str,
        earlier: tuple[tuple[StepRecord, str], ...],
        clock: Callable[[], datetime],
        stopwatch: Callable[[], float],
    ) -> None:
        self._journal = journal
        self._basis = basis
        self._earlier = list(earlier)
        self._clock = clock
        self._stopwatch = stopwatch
        self._counts: dict[StepKind, int] = {}
        self._unsaved: Finished | None = None
        self.timings_ms: dict[str, float] = {}

    def step(self, kind: StepKind, fn: Callable[..., T], *args: Any) -> T:
        """What `fn(*args)` returns, or what the same step returned before a crash.

        Raises: RunCancelledError, RunOverdueError, LeaseLostError, and whatever `fn` raises.
        """
        standing = self._journal.starting(kind, TELLING[kind], self._unsaved)
        self._unsaved = None
        if not standing.held:
            raise LeaseLostError
        if standing.cancelled:
            raise RunCancelledError
        if standing.overdue:
            raise RunOverdueError
        wanted = self._input_digest(kind)
        returned = _return_type(fn)
        found, value = self._replayed(kind, wanted, returned)
        if found:
            return typing.cast(T, value)
        started_at, started = self._clock(), self._stopwatch()
        result = fn(*args)
        elapsed_ms = round((self._stopwatch() - started) * 1000, 3)
        self.timings_ms[kind.value] = round(self.timings_ms.get(kind.value, 0.0) + elapsed_ms, 3)
        artefact, replayable = artefact_of(kind, result, returned)
        self._unsaved = Finished(
            kind=kind,
            started_at=started_at,
            elapsed_ms=elapsed_ms,
            input_digest=wanted,
            output_digest=encoding.sha256(artefact.encode("utf-8")),
            artefact=artefact,
            replayable=replayable,
        )
        return result

    def close(self) -> None:
        """Keeps the last step; a step is otherwise kept together with the start of the next one."""
        if self._unsaved is not None:
            self._journal.finished(self._unsaved)
            self._unsaved = None

    def _input_digest(self, kind: StepKind) -> str:
        """Depends on the basis, the kind and how often the kind has occurred in this attempt."""
        self._counts[kind] = self._counts.get(kind, 0) + 1
        return encoding.digest([self._basis, kind.value, self._counts[kind]])

    def _replayed(self, kind: StepKind, wanted: str, returned: Any) -> tuple[bool, Any]:
        if kind not in REPLAYED or returned is None:
            return False, None
        for step, input_digest in self._earlier:
            if step.kind is kind and input_digest == wanted:
                try:
                    return True, encoding.loads(step.artefact, returned)
                except ValidationError:
                    return False, None  # recorded by a version with another type: do the step again
        return False, None


def artefact_of(kind: StepKind, value: Any, returned: Any) -> tuple[str, bool]:
    """A step's artefact as JSON text, and whether the step can be rebuilt from it.

    Rows never go into an artefact: results and answers leave their digest and counts.
    """
    if isinstance(value, ResultTable):
        rows = encoding.dumps(value.rows, tuple[tuple[Any, ...], ...])
        facts = {"rows": len(value.rows), "truncated": value.truncated, "digest": encoding.sha256(rows.encode())}
        return _text(facts), False
    if isinstance(value, GuardedQuery):
        return _text({"sql_digest": value.digest, "tables": list(value.tables)}), False
    if isinstance(value, Answer):
        return _text({"rows": len(value.rows), "claims": len(value.claims), "decision": value.decision.value}), False
    if kind in REPLAYED and returned is not None:
        return encoding.dumps(value, returned), True
    return _text({"type": type(value).__name__}), False


def _text(data: Any) -> str:
    return encoding.canonical(data).decode("utf-8")


def _return_type(fn: Callable[..., Any]) -> Any:
    """The annotated return type of `fn`, or None where it has none (lambdas, partials)."""
    target = getattr(fn, "func", fn)
    if not hasattr(target, "__annotations__"):
        target = type(target).__call__
    try:
        return typing.get_type_hints(target).get("return")
    except (NameError, TypeError):
        return None
