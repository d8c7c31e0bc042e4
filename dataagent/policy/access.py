"""Access that is asked for and granted for a time.  Pure.

A grant lends one role of the policy to one person until a moment.  It stands beside the person's own roles, and
their denials still win; or in their place, where whoever grants it says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

MOST_DAYS = 90
"""The longest time that a role is lent for."""
MOST_WAITING = 5
"""How many requests of one person wait at most."""


class RequestState(StrEnum):
    """How far a request for access has come."""

    WAITING = "waiting"
    GRANTED = "granted"
    DECLINED = "declined"
    ENDED = "ended"


class Verdict(StrEnum):
    """What an admin decides on a request, or on what was granted."""

    GRANT = "grant"
    DECLINE = "decline"
    END = "end"


MOVES: dict[tuple[RequestState, Verdict], RequestState] = {
    (RequestState.WAITING, Verdict.GRANT): RequestState.GRANTED,
    (RequestState.WAITING, Verdict.DECLINE): RequestState.DECLINED,
    (RequestState.GRANTED, Verdict.END): RequestState.ENDED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessRequest:
    """A request: who asks and why, and what was decided, by whom, for how long."""

    id: int
    user_id: int
    user: str
    note: str
    run: str
    state: RequestState
    asked_at: datetime
    role: str = ""
    in_place: bool = False
    expires_at: datetime | None = None
    decided_by: str = ""
    reason: str = ""

    def live(self, now: datetime) -> bool:
        """Whether its role is lent at that moment."""
        return self.state is RequestState.GRANTED and self.expires_at is not None and now < self.expires_at


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessDecision:
    """What an admin says to a request: the role and days count for a grant only."""

    verdict: Verdict
    role: str = ""
    days: int = 0
    in_place: bool = False
    reason: str = ""


def effective_roles(own: Sequence[str], requests: Sequence[AccessRequest], now: datetime) -> tuple[str, ...]:
    """The roles that count at that moment: one's own and those lent, or those lent in place of one's own."""
    lent = [r for r in requests if r.live(now)]
    base = () if any(r.in_place for r in lent) else tuple(own)
    return tuple(dict.fromkeys((*base, *(r.role for r in lent))))


def fault_of(decision: AccessDecision, roles: Sequence[str]) -> str:
    """Why the decision cannot be carried out, in words; empty where it can."""
    if not decision.reason.strip():
        return "Say why: the reason is kept with the decision."
    if decision.verdict is not Verdict.GRANT:
        return ""
    if decision.role not in roles:
        return "Choose one of the policy's roles."
    if not 1 <= decision.days <= MOST_DAYS:
        return f"Choose from 1 to {MOST_DAYS} days."
    return ""
