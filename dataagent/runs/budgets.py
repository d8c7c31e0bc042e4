"""Budgets: what a run, a person and a workspace may take from the warehouse, and which of them is used up."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from enum import StrEnum

from dataagent.runs.states import Reason


class BudgetScope(StrEnum):
    """Whose budget it is.  A run has one for its life, a person and a workspace have one for each day."""

    RUN = "run"
    PERSON = "person"
    WORKSPACE = "workspace"


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What is taken from a warehouse; as a limit, 0 stands for none."""

    queries: int = 0
    rows: int = 0
    bytes: int = 0
    seconds: float = 0.0


SPENT: dict[BudgetScope, Reason] = {
    BudgetScope.RUN: Reason.RUN_BUDGET,
    BudgetScope.PERSON: Reason.PERSON_BUDGET,
    BudgetScope.WORKSPACE: Reason.WORKSPACE_BUDGET,
}
"""The reason with which a run ends for each budget that is used up."""


class BudgetSpentError(Exception):
    """A query would go beyond a budget; it was not run."""

    def __init__(self, scope: BudgetScope) -> None:
        super().__init__(scope.value)
        self.scope = scope


def usage_of(text: str) -> Usage:
    """The limits in a setting: `queries=100 rows=1000000 bytes=500000000 seconds=120`, each at most once.

    Raises: ValueError with a plain sentence.
    """
    found: dict[str, int] = {}
    for part in text.split():
        name, _, number = part.partition("=")
        if name not in Usage.__slots__ or name in found or not number.isdecimal():
            raise ValueError(
                f"A budget names queries, rows, bytes and seconds, each once with a whole number: {part!r}"
            )
        found[name] = int(number)
    return Usage(
        queries=found.get("queries", 0),
        rows=found.get("rows", 0),
        bytes=found.get("bytes", 0),
        seconds=float(found.get("seconds", 0)),
    )


def exceeds(used: Usage, limit: Usage) -> bool:
    """Whether more is used than may be, in any respect."""
    return any(most and taken > most for taken, most in zip(astuple(used), astuple(limit), strict=True))
