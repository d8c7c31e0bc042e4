"""A message that comes while its conversation works on another one: a choice, a redirect, or its turn later."""

from __future__ import annotations

from datetime import date

import pytest

from dataagent.accounts.models import User, Workspace
from dataagent.errors import ShownError
from dataagent.policy.principal import Principal
from dataagent.runs import service, store
from dataagent.runs.models import RunAttempt
from dataagent.runs.service.sealed import new_seal
from dataagent.runs.service.turns import MAX_TURNS_WAITING
from dataagent.runs.service.upkeep import sweep
from dataagent.runs.service.working import claim_and_work
from dataagent.runs.states import Move
from dataagent.runs.types import Meanwhile, RunState, RunView
from tests.runs.people import FakeWorld, answered, asked_back, principal

DAY = date(2025, 6, 18)


@pytest.fixture
def asker(analyst: User, workspace: Workspace) -> Principal:
    return principal(analyst, workspace)


@pytest.fixture
def first(asker: Principal) -> RunView:
    return service.start_run(asker, "net revenue", today=DAY)


def then(asker: Principal, first: RunView, text: str, meanwhile: Meanwhile | None = None) -> RunView:
    return service.start_run(asker, text, session_id=first.session_id, today=DAY, meanwhile=meanwhile)


def state(asker: Principal, run: RunView) -> RunState:
    return service.run(asker, run.id).state


def test_a_new_message_redirects_one_that_waits_for_a_worker(asker: Principal, first: RunView) -> None:
    second = then(asker, first, "orders")
    assert (state(asker, first), second.state) == (RunState.SUPERSEDED, RunState.QUEUED)
    assert service.receipt(asker, first.id)


def test_a_redirect_takes_the_run_from_its_worker_and_has_its_query_ended(asker: Principal, first: RunView) -> None:
    held = store.claim("w", lease_s=30, run_id=first.id)
    assert held is not None
    then(asker, first, "orders")
    assert service.run(asker, first.id).reason == "newer_question"
    assert not store.heartbeat(held, lease_s=30).held  # by which the worker cancels its query
    assert [a.state for a in RunAttempt.rows.of(held.workspace_id)] == ["lapsed"]  # by which anybody does


def test_the_same_question_again_is_the_run_that_works_on_it(asker: Principal, first: RunView) -> None:
    assert then(asker, first, "Net revenue ").id == first.id
    other_day = service.start_run(asker, "net revenue", session_id=first.session_id, today=date(2025, 6, 17))
    assert other_day.id != first.id


def test_a_queued_message_has_its_turn_when_the_others_have_ended(asker: Principal, first: RunView) -> None:
    second, third = (then(asker, first, text, Meanwhile.QUEUE) for text in ("orders", "refunds"))
    assert {second.state, third.state} == {RunState.WAITING_FOR_TURN}
    for expected in ([RunState.QUEUED, RunState.WAITING_FOR_TURN], [RunState.ANSWERED, RunState.QUEUED]):
        claim_and_work("w", FakeWorld(outcome=answered).machine())
        assert [state(asker, second), state(asker, third)] == expected
    claim_and_work("w", FakeWorld(outcome=answered).machine())
    assert [e.number for e in service.events_after(asker, third.id, 0)] == [1, 2, 3, 4, 5, 6]


def test_a_turn_that_nobody_gave_is_given_by_the_upkeep(asker: Principal, first: RunView) -> None:
    second = then(asker, first, "orders", Meanwhile.QUEUE)
    assert sweep() == 0
    ended = store.run(asker.workspace_id, first.id)
    assert ended is not None
    store.finish(ended, store.Ending(move=Move.CANCEL, reason="x", text="x"), new_seal(""))
    assert (sweep(), state(asker, second)) == (1, RunState.QUEUED)


def test_a_message_that_waits_for_its_turn_can_be_cancelled(asker: Principal, first: RunView) -> None:
    second = then(asker, first, "orders", Meanwhile.QUEUE)
    assert service.cancel(asker, second.id).state is RunState.CANCELLED
    assert state(asker, first) is RunState.QUEUED


def test_a_redirect_replaces_what_waits_for_its_turn_too(asker: Principal, first: RunView) -> None:
    second = then(asker, first, "orders", Meanwhile.QUEUE)
    then(asker, first, "refunds", Meanwhile.REDIRECT)
    assert {state(asker, first), state(asker, second)} == {RunState.SUPERSEDED}


def test_only_so_many_messages_wait_and_a_conversation_may_take_none(asker: Principal, first: RunView) -> None:
    for n in range(MAX_TURNS_WAITING):
        then(asker, first, f"orders {n}", Meanwhile.QUEUE)
    with pytest.raises(ShownError, match="still working"):
        then(asker, first, "one more")
    with pytest.raises(ShownError, match="still working"):
        then(asker, first, "another", Meanwhile.REFUSE)


@pytest.mark.parametrize("said", ["2", "gross_revenue", "Gross_Revenue."])
def test_an_option_said_in_words_or_by_number_answers_the_question_back(
    asker: Principal, first: RunView, said: str
) -> None:
    claim_and_work("w", FakeWorld(outcome=asked_back).machine())
    again = then(asker, first, said)
    assert (again.id, again.state) == (first.id, RunState.QUEUED)
    facts = store.run(asker.workspace_id, first.id)
    assert facts is not None
    assert facts.choice == 1


@pytest.mark.parametrize("said", ["3", "0", "revenue"])
def test_what_is_no_option_is_a_new_question(asker: Principal, first: RunView, said: str) -> None:
    claim_and_work("w", FakeWorld(outcome=asked_back).machine())
    assert then(asker, first, said).id != first.id
    assert state(asker, first) is RunState.SUPERSEDED
