"""The life of a run: one table of legal moves, the terminal states and the reasons of the product itself."""

from __future__ import annotations

from enum import StrEnum

from dataagent.runs.types import RunState


class Move(StrEnum):
    """What can happen to a run."""

    CLAIM = "claim"
    ANSWER = "answer"
    ASK = "ask"
    ASK_APPROVAL = "ask_approval"
    CHOOSE = "choose"
    APPROVE = "approve"
    ABSTAIN = "abstain"
    REFUSE = "refuse"
    FAIL = "fail"
    CANCEL = "cancel"
    SUPERSEDE = "supersede"
    EXHAUST = "exhaust"
    EXPIRE = "expire"
    TURN = "turn"


TURN, QUEUED, RUNNING = RunState.WAITING_FOR_TURN, RunState.QUEUED, RunState.RUNNING
PERSON, APPROVAL = RunState.WAITING_FOR_PERSON, RunState.WAITING_FOR_APPROVAL

NEXT: dict[tuple[RunState, Move], RunState] = {
    (TURN, Move.TURN): QUEUED,
    (TURN, Move.CANCEL): RunState.CANCELLED,
    (TURN, Move.SUPERSEDE): RunState.SUPERSEDED,
    (QUEUED, Move.CLAIM): RUNNING,
    (QUEUED, Move.CANCEL): RunState.CANCELLED,
    (QUEUED, Move.SUPERSEDE): RunState.SUPERSEDED,
    (QUEUED, Move.EXHAUST): RunState.EXHAUSTED,
    (RUNNING, Move.ANSWER): RunState.ANSWERED,
    (RUNNING, Move.ASK): PERSON,
    (RUNNING, Move.ASK_APPROVAL): APPROVAL,
    (RUNNING, Move.ABSTAIN): RunState.ABSTAINED,
    (RUNNING, Move.REFUSE): RunState.REFUSED,
    (RUNNING, Move.FAIL): RunState.FAILED,
    (RUNNING, Move.CANCEL): RunState.CANCELLED,
    (RUNNING, Move.SUPERSEDE): RunState.SUPERSEDED,
    (RUNNING, Move.EXHAUST): RunState.EXHAUSTED,
    (RUNNING, Move.EXPIRE): QUEUED,
    (PERSON, Move.CHOOSE): QUEUED,
    (PERSON, Move.CANCEL): RunState.CANCELLED,
    (PERSON, Move.SUPERSEDE): RunState.SUPERSEDED,
    (APPROVAL, Move.APPROVE): QUEUED,
    (APPROVAL, Move.REFUSE): RunState.REFUSED,
    (APPROVAL, Move.CANCEL): RunState.CANCELLED,
    (APPROVAL, Move.SUPERSEDE): RunState.SUPERSEDED,
}
"""The legal moves.  What is not here cannot happen."""

ACTIVE: tuple[RunState, ...] = (QUEUED, RUNNING, PERSON, APPROVAL)
"""States that occupy the conversation: at most one such run per session."""

TERMINAL: tuple[RunState, ...] = tuple(s for s in RunState if s not in (TURN, *ACTIVE))
"""States without an exit."""

YIELDING: frozenset[Move] = frozenset(
    {Move.ANSWER, Move.ASK, Move.ASK_APPROVAL, Move.ABSTAIN, Move.FAIL, Move.EXHAUST, Move.EXPIRE}
)
"""Moves that a cancel which came first turns into the end of the run.  A refusal stays one."""

MOVE_TO: dict[RunState, Move] = {
    state: move for (old, move), state in NEXT.items() if old is RUNNING and move is not Move.EXPIRE
}
"""The move with which a running run reaches each state that an outcome may name."""


class Reason(StrEnum):
    """Reasons that the product itself gives; others come from the answer machine."""

    CANCELLED_BY_PERSON = "cancelled_by_person"
    NEWER_QUESTION = "newer_question"
    ENDED_BY_ADMIN = "ended_by_admin"
    WORKER_LOST = "worker_lost"
    TIME_LIMIT = "time_limit"
    RUN_BUDGET = "run_budget"
    PERSON_BUDGET = "person_budget"
    WORKSPACE_BUDGET = "workspace_budget"
    INTERNAL_ERROR = "internal_error"
    WAREHOUSE_FAULT = "warehouse_fault"
    WAREHOUSE_LIMIT = "warehouse_limit"
    NOT_PERMITTED = "not_permitted"
    ACCESS_CHANGED = "access_changed"
    AUTHORITY_MISSING = "authority_missing"
    AUTHORITY_TAMPERED = "authority_tampered"
    AUTHORITY_EXPIRED = "authority_expired"
    AUTHORITY_FOREIGN = "authority_foreign"
    UNAVAILABLE = "unavailable"


SENTENCES: dict[str, str] = {
    Reason.CANCELLED_BY_PERSON: "You cancelled this question.",
    Reason.NEWER_QUESTION: "A newer question took its place.",
    Reason.ENDED_BY_ADMIN: "An admin of the workspace ended this question.",
    Reason.WORKER_LOST: "The program that worked on this question stopped several times. Ask again.",
    Reason.TIME_LIMIT: "The question took longer than a question may take. Ask for a shorter period or fewer groups.",
    Reason.RUN_BUDGET: "The question needs more from the warehouse than one question may take. Ask for less.",
    Reason.PERSON_BUDGET: "You have used what you may take from the warehouse today. Go on tomorrow or ask an admin.",
    Reason.WORKSPACE_BUDGET: "This workspace has used what it may take from the warehouse today. Ask its admin.",
    Reason.INTERNAL_ERROR: "Something went wrong on our side. Ask again; if it stays, tell your administrator.",
    Reason.WAREHOUSE_FAULT: "The warehouse could not answer. Try again, or ask for less.",
    Reason.WAREHOUSE_LIMIT: "The question reached a limit of time or size. Ask for a shorter period or fewer groups.",
    Reason.NOT_PERMITTED: "You may not ask questions in this workspace. Ask its administrator for access.",
    Reason.ACCESS_CHANGED: (
        "Your access changed while this question was worked on, so it was stopped. "
        "Ask again: the answer will rest on what you may see now."
    ),
    Reason.AUTHORITY_MISSING: "It is not on record that you asked this question, so nothing was read. Ask again.",
    Reason.AUTHORITY_TAMPERED: (
        "The record of who asked this question was changed after it was signed, so nothing was read. "
        "Tell your administrator."
    ),
    Reason.AUTHORITY_EXPIRED: "This question waited too long, and what it was allowed has run out. Ask again.",
    Reason.AUTHORITY_FOREIGN: (
        "The record of who asked this question belongs to another person or question, so nothing was read. "
        "Tell your administrator."
    ),
    Reason.UNAVAILABLE: "This workspace has no catalog or no data yet. Ask its administrator.",
}
"""What a person reads for each of the product's own reasons."""


def after(state: RunState, move: Move) -> RunState | None:
    """The state that `move` leads to, or None where it is not legal."""
    return NEXT.get((state, move))


def sentence(reason: str) -> str:
    """A sentence for people, "" for reasons whose answer explains itself."""
    return SENTENCES.get(reason, "")
