"""The database guards the moves: compare-and-set, leases, one active run, gapless events, the chain."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from dataagent.accounts.models import Workspace
from dataagent.runs import chain, encoding, store
from dataagent.runs.models import Manifest, Run, RunEvent
from dataagent.runs.ports import RunCancelledError
from dataagent.runs.record import Finished
from dataagent.runs.sealing import Sealed
from dataagent.runs.states import Move
from dataagent.runs.types import RunFacts, RunState, StepKind

Enqueue = Callable[..., RunFacts]


def seal(run: RunFacts, steps: object, sequence: int, previous: str) -> Sealed:
    content = f'{{"run":"{run.id}"}}'
    digest = chain.link_digest(
        workspace=run.workspace,
        sequence=sequence,
        content_digest=encoding.sha256(content.encode()),
        previous_digest=previous,
    )
    return Sealed(content=content, digest=digest, envelope="{}", receipt_digest="sha256:r")


def ending(move: Move = Move.ANSWER) -> store.Ending:
    return store.Ending(move=move, reason="answered", text="Answered", answer='{"a":1}')


def claimed(enqueue: Enqueue, owner: str = "w1") -> RunFacts:
    run = enqueue()
    held = store.claim(owner, lease_s=30, run_id=run.id)
    assert held is not None
    return held


def let_lease_run_out(run: RunFacts) -> None:
    Run.rows.of(run.workspace_id).filter(id=run.id).update(lease_until=timezone.now() - timedelta(seconds=1))


def a_step(kind: StepKind = StepKind.INTENT) -> Finished:
    return Finished(
        kind=kind,
        started_at=datetime(2025, 6, 18, tzinfo=UTC),
        elapsed_ms=1.5,
        input_digest="sha256:i",
        output_digest="sha256:o",
        artefact='{"x":"\\u0000"}',
        replayable=True,
    )


def test_the_database_allows_one_active_run_per_session(enqueue: Enqueue, session_id: str) -> None:
    enqueue(session_id=session_id)
    with pytest.raises(store.ActiveRunError):
        enqueue(session_id=session_id)


def test_another_session_may_have_its_own_active_run(enqueue: Enqueue, session_id: str) -> None:
    enqueue(session_id=session_id)
    assert enqueue().state is RunState.QUEUED


def test_a_session_is_free_again_when_its_run_has_ended(enqueue: Enqueue, session_id: str) -> None:
    run = enqueue(session_id=session_id)
    assert store.finish(run, ending(Move.CANCEL), seal)
    assert enqueue(session_id=session_id).state is RunState.QUEUED


def test_the_database_knows_no_other_state(enqueue: Enqueue) -> None:
    run = enqueue()
    with pytest.raises(IntegrityError), transaction.atomic():
        Run.rows.of(run.workspace_id).filter(id=run.id).update(state="happy")


def test_a_claimed_run_belongs_to_one_worker(enqueue: Enqueue) -> None:
    run = enqueue()
    first, second = (store.claim(w, lease_s=30, run_id=run.id) for w in ("w1", "w2"))
    assert first is not None
    assert (first.state, first.lease_owner, first.attempt) == (RunState.RUNNING, "w1", 1)
    assert first.query_id
    assert second is None


def test_the_oldest_run_goes_first(enqueue: Enqueue) -> None:
    runs = [enqueue(), enqueue()]
    assert [r.id for r in (store.claim("w", lease_s=30), store.claim("w", lease_s=30)) if r] == [r.id for r in runs]


def test_a_run_that_lost_its_worker_goes_before_newer_ones(enqueue: Enqueue) -> None:
    held = claimed(enqueue)
    enqueue()
    let_lease_run_out(held)
    store.requeue(held.workspace_id, held.id, Move.EXPIRE, old=RunState.RUNNING)
    following = store.claim("w2", lease_s=30)
    assert following is not None
    assert following.id == held.id


def test_a_busy_workspace_does_not_starve_another(enqueue: Enqueue) -> None:
    for _ in range(3):
        enqueue()
    store.claim("w", lease_s=30)
    quiet = Workspace.objects.create(slug="quiet", name="Quiet")
    run = enqueue(workspace_id=quiet.pk)
    following = store.claim("w", lease_s=30)
    assert following is not None
    assert following.id == run.id


def test_a_heartbeat_keeps_the_lease_and_sees_a_cancel(enqueue: Enqueue) -> None:
    held = claimed(enqueue)
    assert store.heartbeat(held, lease_s=30) == store.heartbeat(held, lease_s=30)
    assert store.request_cancel(held.workspace_id, held.id)
    assert store.heartbeat(held, lease_s=30).cancelled


def test_an_expired_lease_brings_the_run_back_to_another_worker(enqueue: Enqueue) -> None:
    held = claimed(enqueue)
    let_lease_run_out(held)
    assert [(r.id, overdue) for r, overdue in store.expired()] == [(held.id, False)]
    assert store.requeue(held.workspace_id, held.id, Move.EXPIRE, old=RunState.RUNNING)
    again = store.claim("w2", lease_s=30)
    assert again is not None
    assert (again.id, again.attempt) == (held.id, 2)


def test_a_lease_that_still_holds_is_not_taken_away(enqueue: Enqueue) -> None:
    held = claimed(enqueue)
    assert store.expired() == ()
    assert not store.requeue(held.workspace_id, held.id, Move.EXPIRE, old=RunState.RUNNING)


def test_a_worker_that_lost_its_run_can_neither_tell_nor_keep_nor_finish(enqueue: Enqueue) -> None:
    held = claimed(enqueue)
    let_lease_run_out(held)
    store.requeue(held.workspace_id, held.id, Move.EXPIRE, old=RunState.RUNNING)
    store.claim("w1", lease_s=30)  # the same worker's name, a later attempt
    assert not store.start_step(held, StepKind.INTENT, "x").held
    store.finish_step(held, a_step())
    assert store.steps(held.workspace_id, held.id) == ()
    assert not store.heartbeat(held, lease_s=30).held
    assert not store.finish(held, ending(), seal)


def test_a_run_ends_once(enqueue: Enqueue) -> None:
    held = claimed(enqueue)
    assert store.finish(held, ending(), seal)
    assert not store.finish(held, ending(), seal)
    assert not store.finish(held, ending(Move.CANCEL), seal)
    ended = store.run(held.workspace_id, held.id)
    assert ended is not None
    assert (ended.state, ended.answer, ended.receipt_digest) == (RunState.ANSWERED, '{"a":1}', "sha256:r")


def test_an_illegal_move_changes_nothing(enqueue: Enqueue) -> None:
    run = enqueue()
    assert not store.finish(run, ending(Move.ANSWER), seal)
    assert Manifest.rows.of(run.workspace_id).count() == 0


def test_a_seal_that_fails_leaves_the_run_as_it_was(enqueue: Enqueue) -> None:
    held = claimed(enqueue)

    def broken(*_: object) -> Sealed:
        raise ValueError("no key")

    with pytest.raises(ValueError, match="no key"), transaction.atomic():
        store.finish(held, ending(), broken)
    still = store.run(held.workspace_id, held.id)
    assert still is not None
    assert still.state is RunState.RUNNING
    assert store.finish(held, ending(), seal)


def test_events_are_numbered_without_gaps(enqueue: Enqueue) -> None:
    held = claimed(enqueue)
    for kind in (StepKind.SCOPE, StepKind.INTENT):
        store.start_step(held, kind, "x")
    store.request_cancel(held.workspace_id, held.id)
    assert store.start_step(held, StepKind.EXECUTE, "never told").cancelled
    store.finish(held, ending(Move.CANCEL), seal)
    events = store.events_after(held.workspace_id, held.id, 0)
    assert [e.number for e in events] == [1, 2, 3, 4]
    assert [e.kind for e in events] == ["state", "step", "step", "finished"]
    assert store.events_after(held.workspace_id, held.id, 3) == events[3:]


def test_steps_keep_any_text_and_come_back_for_the_next_attempt_only(enqueue: Enqueue) -> None:
    held = claimed(enqueue)
    store.finish_step(held, a_step())
    store.finish_step(held, a_step(StepKind.COMPILE))
    assert store.replayable_steps(held) == ()
    let_lease_run_out(held)
    store.requeue(held.workspace_id, held.id, Move.EXPIRE, old=RunState.RUNNING)
    again = store.claim("w2", lease_s=30)
    assert again is not None
    assert [(s.kind, s.artefact) for s, _ in store.replayable_steps(again)] == [
        (StepKind.COMPILE, '{"x":"\\u0000"}'),
        (StepKind.INTENT, '{"x":"\\u0000"}'),
    ]


def test_a_choice_takes_the_run_on_in_a_new_round(enqueue: Enqueue) -> None:
    held = claimed(enqueue)
    store.finish_step(held, a_step())
    assert store.pause(held, Move.ASK, reason="ambiguous", answer='{"q":1}', draft="{}")
    assert store.requeue(held.workspace_id, held.id, Move.CHOOSE, old=RunState.WAITING_FOR_PERSON, choice=1)
    again = store.claim("w", lease_s=30)
    assert again is not None
    assert (again.choice, again.round_number, again.attempt) == (1, 1, 1)
    assert store.replayable_steps(again) == ()


def test_what_was_cancelled_before_a_choice_does_not_end_what_follows_it(enqueue: Enqueue) -> None:
    held = claimed(enqueue)
    assert store.pause(held, Move.ASK, reason="ambiguous", answer="{}", draft="{}")
    Run.rows.of(held.workspace_id).filter(id=held.id).update(cancel_requested_at=timezone.now())
    assert store.requeue(held.workspace_id, held.id, Move.CHOOSE, old=RunState.WAITING_FOR_PERSON, choice=0)
    again = store.claim("w", lease_s=30)
    assert again is not None
    assert not store.heartbeat(again, lease_s=30).cancelled


@pytest.mark.parametrize("move", [Move.ANSWER, Move.ABSTAIN, Move.FAIL, Move.EXHAUST])
def test_a_cancel_that_came_first_is_not_written_over(enqueue: Enqueue, move: Move) -> None:
    held = claimed(enqueue)
    store.request_cancel(held.workspace_id, held.id)
    with pytest.raises(RunCancelledError):
        store.finish(held, ending(move), seal)
    with pytest.raises(RunCancelledError):
        store.pause(held, Move.ASK, reason="ambiguous", answer="{}", draft="{}")
    assert store.finish(held, ending(Move.CANCEL), seal)


def test_a_refusal_stays_a_refusal_where_the_person_cancelled_too(enqueue: Enqueue) -> None:
    held = claimed(enqueue)
    store.request_cancel(held.workspace_id, held.id)
    assert store.finish(held, ending(Move.REFUSE), seal)


def test_a_choice_for_a_run_that_does_not_wait_is_ignored(enqueue: Enqueue) -> None:
    held = claimed(enqueue)
    assert not store.requeue(held.workspace_id, held.id, Move.CHOOSE, old=RunState.WAITING_FOR_PERSON, choice=1)
    assert not store.requeue(held.workspace_id, held.id, Move.CHOOSE, old=RunState.RUNNING, choice=1)


def test_the_chain_of_a_workspace_holds_and_tells_a_changed_row(enqueue: Enqueue, workspace: Workspace) -> None:
    for _ in range(3):
        store.finish(claimed(enqueue), ending(), seal)
    assert chain.verify(store.links(workspace.pk)).links == 3
    Manifest.rows.of(workspace.pk).filter(sequence=2).update(content='{"run":"x"}')
    assert chain.verify(store.links(workspace.pk)).position == 2


def test_a_run_without_its_manifest_is_noticed(enqueue: Enqueue, workspace: Workspace) -> None:
    run = enqueue()
    assert store.ended_without_proof(workspace.pk) is None
    Run.rows.of(workspace.pk).filter(id=run.id).update(state="answered")
    assert store.ended_without_proof(workspace.pk) == run.id


def test_another_workspace_does_not_see_the_run(enqueue: Enqueue) -> None:
    run = enqueue()
    other = Workspace.objects.create(slug="other", name="Other")
    assert store.run(other.pk, run.id) is None
    assert store.events_after(other.pk, run.id, 0) == ()
    assert store.run(run.workspace_id, run.id) is not None


@pytest.mark.django_db(transaction=True)
def test_a_new_run_and_its_events_wake_those_who_listen(enqueue: Enqueue) -> None:
    with connection.cursor() as cursor:
        cursor.execute("LISTEN dataagent_runs")
        cursor.execute("LISTEN dataagent_events")
    run = enqueue()
    heard = {(n.channel, n.payload) for n in connection.connection.notifies(timeout=2, stop_after=2)}
    assert heard == {("dataagent_runs", f"{run.workspace_id}:{run.id}"), ("dataagent_events", run.id)}


def test_an_event_number_is_used_once(enqueue: Enqueue) -> None:
    run = enqueue()
    event = RunEvent.rows.of(run.workspace_id).get(run_id=run.id)
    event.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        event.save(force_insert=True)
