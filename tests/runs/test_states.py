"""The table of moves."""

from __future__ import annotations

import pytest

from dataagent.runs.models import Run
from dataagent.runs.states import ACTIVE, MOVE_TO, NEXT, SENTENCES, TERMINAL, Move, Reason, after
from dataagent.runs.types import RunState


def test_every_state_is_reached_from_the_first() -> None:
    reached = {RunState.WAITING_FOR_TURN}
    for _ in RunState:
        reached |= {new for (old, _move), new in NEXT.items() if old in reached}
    assert reached == set(RunState)


def test_a_terminal_state_has_no_exit_and_an_active_one_has() -> None:
    with_exit = {old for old, _move in NEXT}
    assert with_exit == {RunState.WAITING_FOR_TURN, *ACTIVE}
    assert with_exit.isdisjoint(TERMINAL)


def test_every_active_state_can_be_cancelled() -> None:
    assert {after(s, Move.CANCEL) for s in ACTIVE} == {RunState.CANCELLED}


@pytest.mark.parametrize("state", TERMINAL)
def test_nothing_moves_a_run_that_has_ended(state: RunState) -> None:
    assert {after(state, m) for m in Move} == {None}


def test_the_database_knows_the_same_states() -> None:
    listed = next(c for c in Run._meta.constraints if c.name == "run_state_is_known")
    assert set(dict(listed.condition.children)["state__in"]) == {s.value for s in RunState}


def test_every_outcome_of_a_running_run_has_its_move() -> None:
    assert all(after(RunState.RUNNING, move) is state for state, move in MOVE_TO.items())
    assert set(TERMINAL) | {RunState.WAITING_FOR_PERSON, RunState.WAITING_FOR_APPROVAL} == set(MOVE_TO)


def test_every_reason_of_ours_has_a_sentence() -> None:
    assert set(SENTENCES) == set(Reason)
