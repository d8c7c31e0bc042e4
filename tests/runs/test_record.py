"""Steps are told, timed, kept, stopped and replayed."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from catalog.query import MetricIntent
from dataagent.answering.types import Answer
from dataagent.intent.types import Decision, Understanding
from dataagent.runs.ports import RunCancelledError
from dataagent.runs.record import Finished, LeaseLostError, Standing, StepRecorder
from dataagent.runs.types import StepKind, StepRecord
from dataagent.sqlguard.schema import Column
from dataagent.warehouse.port import ResultTable

AT = datetime(2025, 6, 18, tzinfo=UTC)
GOING = Standing(held=True, cancelled=False)


class FakeJournal:
    def __init__(self, standing: Standing = GOING) -> None:
        self.standing = standing
        self.told: list[str] = []
        self.kept: list[Finished] = []

    def starting(self, kind: StepKind, text: str, finished: Finished | None) -> Standing:
        self.told.append(text)
        if finished:
            self.kept.append(finished)
        return self.standing

    def finished(self, step: Finished) -> None:
        self.kept.append(step)


def a_recorder(journal: FakeJournal, *, basis: str = "b", earlier: tuple[Finished, ...] = ()) -> StepRecorder:
    ticks = itertools.count()
    records = tuple(
        (
            StepRecord(
                number=1,
                kind=s.kind,
                started_at=AT,
                elapsed_ms=1.0,
                output_digest=s.output_digest,
                artefact=s.artefact,
            ),
            s.input_digest,
        )
        for s in earlier
        if s.replayable
    )
    return StepRecorder(journal, basis=basis, earlier=records, clock=lambda: AT, stopwatch=lambda: next(ticks) * 0.001)


def did(recorder: StepRecorder, *steps: tuple[StepKind, Callable[..., object], str]) -> list[object]:
    """What the steps returned, all of them kept."""
    done = [recorder.step(kind, fn, *([argument] if argument else [])) for kind, fn, argument in steps]
    recorder.close()
    return done


def understand(question: str) -> Understanding:
    return Understanding(decision=Decision.ANSWER, intent=MetricIntent(metrics=(question,)))


def never(question: str) -> Understanding:
    raise AssertionError(question)


def fetch() -> ResultTable:
    return ResultTable(
        columns=(Column(name="name", type="VARCHAR"),),
        rows=(("Ada Lovelace",), (Decimal("12.50"),)),
        truncated=False,
        elapsed_ms=3.0,
        query_id="q",
    )


def test_a_step_is_told_timed_and_kept() -> None:
    journal = FakeJournal()
    recorder = a_recorder(journal)
    assert did(recorder, (StepKind.INTENT, understand, "net_revenue")) == [understand("net_revenue")]
    assert journal.told == ["Reading your question"]
    assert (journal.kept[0].elapsed_ms, recorder.timings_ms) == (1.0, {"intent": 1.0})


def test_an_artefact_of_an_earlier_attempt_is_replayed_without_doing_the_step() -> None:
    journal = FakeJournal()
    done = did(a_recorder(journal), (StepKind.INTENT, understand, "net_revenue"))
    again = a_recorder(FakeJournal(), earlier=tuple(journal.kept))
    assert did(again, (StepKind.INTENT, never, "net_revenue")) == done


def test_nothing_is_replayed_under_another_scope() -> None:
    journal = FakeJournal()
    did(a_recorder(journal), (StepKind.INTENT, understand, "net_revenue"))
    later = FakeJournal()
    did(a_recorder(later, basis="other", earlier=tuple(journal.kept)), (StepKind.INTENT, understand, "net_revenue"))
    assert len(later.kept) == 1


def test_the_second_step_of_a_kind_is_not_taken_for_the_first() -> None:
    journal = FakeJournal()
    did(a_recorder(journal), (StepKind.INTENT, understand, "first"))
    again = a_recorder(FakeJournal(), earlier=tuple(journal.kept))
    again.step(StepKind.INTENT, never, "first")
    assert again.step(StepKind.INTENT, understand, "second") == understand("second")


def test_rows_leave_only_their_count_and_digest() -> None:
    journal = FakeJournal()
    did(a_recorder(journal), (StepKind.EXECUTE, fetch, ""))
    assert "Ada" not in journal.kept[0].artefact
    assert json.loads(journal.kept[0].artefact)["rows"] == 2
    assert not journal.kept[0].replayable


def test_an_answer_leaves_no_rows_either() -> None:
    journal = FakeJournal()

    def compose() -> Answer:
        return Answer(question="q", decision=Decision.ANSWER, headline="1,234", rows=(("Ada",),))

    did(a_recorder(journal), (StepKind.COMPOSE, compose, ""))
    assert "Ada" not in journal.kept[0].artefact
    assert "1,234" not in journal.kept[0].artefact


def test_a_cancelled_run_starts_no_further_step() -> None:
    journal = FakeJournal(Standing(held=True, cancelled=True))
    with pytest.raises(RunCancelledError):
        a_recorder(journal).step(StepKind.INTENT, never, "q")


def test_a_worker_that_lost_its_lease_stops_writing() -> None:
    journal = FakeJournal(Standing(held=False, cancelled=False))
    with pytest.raises(LeaseLostError):
        a_recorder(journal).step(StepKind.INTENT, never, "q")
    assert journal.kept == []
