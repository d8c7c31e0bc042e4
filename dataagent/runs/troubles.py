"""What somebody who runs the product looks after, and what to do about each kind."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dataagent.runs.types import RunState


class TroubleKind(StrEnum):
    """Why a run needs somebody."""

    STUCK = "stuck"
    UNKNOWN = "unknown"
    SLOW = "slow"


WHAT_TO_DO: dict[TroubleKind, str] = {
    TroubleKind.STUCK: "Start a worker (manage.py worker), or end the run: manage.py runs end RUN.",
    TroubleKind.UNKNOWN: "A dead worker's query may still run. The workers ask its engine again by themselves; "
    "see whether the warehouse answers.",
    TroubleKind.SLOW: "Wait for its time limit, or end the run: manage.py runs end RUN.",
}
"""What whoever looks after the product does about each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """A run that needs somebody; `age_s` is for how long.  It holds no question and no answer."""

    kind: TroubleKind
    run_id: str
    asker: str
    state: RunState
    age_s: float
