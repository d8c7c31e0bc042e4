"""What somebody who runs the product looks after, what to do about each kind, and which actions there are."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from dataagent.runs.types import RunState


class TroubleKind(StrEnum):
    """Why a run may need somebody."""

    STUCK = "stuck"
    UNKNOWN = "unknown"
    SLOW = "slow"
    WAITING = "waiting"
    OVER_BUDGET = "over_budget"


class RunAction(StrEnum):
    """What an admin can do about a run."""

    END = "end"
    HAND_OVER = "hand_over"
    RECONCILE = "reconcile"


class ActionOutcome(StrEnum):
    """What came of an action: done, not needed any more, or not known yet, because the engine does not answer."""

    DONE = "done"
    TOO_LATE = "too_late"
    UNKNOWN = "unknown"


PRESSING = frozenset({TroubleKind.STUCK, TroubleKind.UNKNOWN, TroubleKind.SLOW})
"""Kinds that do not go away by themselves or by the person's own doing."""

WHAT_TO_DO: dict[TroubleKind, str] = {
    TroubleKind.STUCK: "Nobody works on it. Start a worker (manage.py worker), hand it to another one, or end it.",
    TroubleKind.UNKNOWN: "A dead worker's query may still run. The workers ask its engine again by themselves; "
    "cancel it now to know.",
    TroubleKind.SLOW: "Wait for its time limit, hand it to another worker, or end it; its query ends too.",
    TroubleKind.WAITING: "Its person has not answered. Nothing runs; end it to close the question.",
    TroubleKind.OVER_BUDGET: "It ended at a limit with what it had. Raise the budget if the work was right.",
}
"""What whoever looks after the product does about each."""

ACTION_WORDS: dict[RunAction, str] = {
    RunAction.END: "End",
    RunAction.HAND_OVER: "Hand to another worker",
    RunAction.RECONCILE: "Cancel its query",
}
"""What a person reads on the button of each."""

OUTCOME_WORDS: dict[tuple[RunAction, ActionOutcome], str] = {
    (RunAction.END, ActionOutcome.DONE): "has ended, and its query too",
    (RunAction.END, ActionOutcome.TOO_LATE): "had ended already",
    (RunAction.HAND_OVER, ActionOutcome.DONE): "waits for another worker now",
    (RunAction.HAND_OVER, ActionOutcome.TOO_LATE): "is held by no worker any more",
    (RunAction.RECONCILE, ActionOutcome.DONE): "is known now: none of its queries runs",
    (RunAction.RECONCILE, ActionOutcome.TOO_LATE): "was known already",
    (RunAction.RECONCILE, ActionOutcome.UNKNOWN): "is not known yet: the warehouse still ends it or does not answer; "
    "try again",
}
"""What a person reads when an action was done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """From how many seconds on a run needs somebody.  `spent_s` is how long one that ended at a limit is shown."""

    waits_s: float = 30.0
    silent_s: float = 10.0
    slow_s: float = 60.0
    asks_s: float = 3600.0
    spent_s: float = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """A run that may need somebody; `age_s` is for how long.  It holds no question and no answer."""

    kind: TroubleKind
    run_id: str
    asker: str
    state: RunState
    reason: str
    age_s: float

    def actions(self) -> tuple[RunAction, ...]:
        """What can be done about it."""
        if self.kind is TroubleKind.UNKNOWN:
            return (RunAction.RECONCILE,)
        if self.kind is TroubleKind.OVER_BUDGET:
            return ()
        return (RunAction.HAND_OVER, RunAction.END) if self.state is RunState.RUNNING else (RunAction.END,)


@dataclass(frozen=True, slots=True, kw_only=True)
class TroubleList:
    """Some of the troubles of a workspace, and how many there are of each kind."""

    counts: tuple[tuple[TroubleKind, int], ...]
    troubles: tuple[Trouble, ...]
    more: bool

    def pressing(self) -> int:
        """How many do not go away by themselves."""
        return sum(count for kind, count in self.counts if kind in PRESSING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What came of an action on one run."""

    run_id: str
    outcome: ActionOutcome


def trouble_facts(trouble: Trouble) -> dict[str, Any]:
    """A trouble as programs read it."""
    actions = [action.value for action in trouble.actions()]
    return {**asdict(trouble), "actions": actions, "what_to_do": WHAT_TO_DO[trouble.kind]}
