"""What a message means that comes while its conversation still works on another one, or has asked back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from dataagent.answering.types import Answer
from dataagent.errors import ShownError
from dataagent.runs import encoding, store
from dataagent.runs.service.ending import end
from dataagent.runs.states import Move, Reason
from dataagent.runs.types import Meanwhile, RunFacts, RunState

MAX_TURNS_WAITING = 5
TRIES = 3
"""How often a run that moves on just now is looked at again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a message goes: a choice (run, option) in a run that asked back, the run that works on the very same
    question already, behind others, or right now."""

    choice: tuple[str, int] | None = None
    same: str | None = None
    waits: bool = False


def place_of(workspace_id: int, session_id: str, text: str, today: date) -> Place:
    """The place of a message in its conversation; what it replaces has been ended as superseded.

    An option of a question back, in its own words or by its number, is the answer to it; any other message replaces
    it.  While a run works: the same question again is that run; else the conversation's policy decides.  "redirect"
    supersedes what works and what waits, and the worker ends its query in the engine; "queue" waits for its turn.

    Raises: ShownError(run_active).
    """
    for _ in range(TRIES):
        active = store.active_run(workspace_id, session_id)
        if active is None:
            return Place(waits=bool(store.turns_of_session(workspace_id, session_id)))
        place = _beside(active, text, today)
        if place is not None:
            return place
    raise run_active()


def run_active() -> ShownError:
    """What is said to a message that its conversation has no place for."""
    return ShownError(
        "run_active",
        "This conversation is still working on a question.",
        action="Wait for its answer or cancel it.",
    )


def _beside(active: RunFacts, text: str, today: date) -> Place | None:
    """The place of a message beside the active run; None where that run has just moved on."""
    if active.state is RunState.WAITING_FOR_PERSON and (option := _option(active, text)) is not None:
        return Place(choice=(active.id, option))
    working = active.state in {RunState.QUEUED, RunState.RUNNING}
    if working and (active.question.casefold(), active.today) == (text.casefold(), today):
        return Place(same=active.id)
    session = store.session(active.workspace_id, active.session_id)
    policy = session.meanwhile if session else Meanwhile.REFUSE
    if working and policy is Meanwhile.REFUSE:
        raise run_active()
    waiting = store.turns_of_session(active.workspace_id, active.session_id)
    if working and policy is Meanwhile.QUEUE:
        if len(waiting) >= MAX_TURNS_WAITING:
            raise run_active()
        return Place(waits=True)
    for run in waiting:
        end(run, Move.SUPERSEDE, Reason.NEWER_QUESTION)
    return Place() if end(active, Move.SUPERSEDE, Reason.NEWER_QUESTION, abandoned=working) else None


def _option(active: RunFacts, text: str) -> int | None:
    """Which option of the question back the message is, by its number, its words or its whole question."""
    answer: Answer = encoding.loads(active.answer, Answer)
    said = text.strip(" .").casefold()
    if said.isdecimal() and len(said) <= 2 and 1 <= int(said) <= len(answer.options):
        return int(said) - 1
    fits = [n for n, o in enumerate(answer.options) if said in {o.label.casefold(), o.question.casefold()}]
    return fits[0] if len(fits) == 1 else None
