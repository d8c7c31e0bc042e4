"""A reading on its way to a plan: what it fills, what it leaves open, how far it had to reach."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from catalog.query import Default, MetricIntent
from dataagent.intent.chart import Edge


class Slot(StrEnum):
    """What an open reading has to be asked about."""

    METRIC = "metric"
    DIMENSION = "dimension"
    VALUE = "value"
    TIME = "time"
    RANKING = "ranking"
    THRESHOLD = "threshold"
    BASE = "base"
    SCOPE = "scope"


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """One open slot: the words that opened it and the complete plans that would fill it.

    `leaves` are words that stay out of the plan as long as this slot is open.
    """

    slot: Slot
    word: str
    plans: tuple[MetricIntent, ...] = ()
    why: str = ""
    leaves: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dead:
    """Why a reading cannot be a plan: a limitation code and the words concerned."""

    code: str
    words: tuple[str, ...] = ()
    message: str = ""


_REFUSALS = {
    "restart": "Only a running total can start anew with each period. Ask for a running total.",
    "place": ("A single place of a ranking, such as the second, cannot be picked. Ask for the first few rows instead."),
    "median": "No median is known of a metric. Ask for that of a numeric field, or for the average.",
    "moved_count": "How many things changed cannot be counted yet. Ask which ones did: each is listed with the change.",
}


def refused(code: str) -> Dead:
    """The reason to stop for a construct that is understood and that no plan can express."""
    return Dead(code="unsupported", message=_REFUSALS[code])


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One reading of the whole question.

    `paths` maps a phrase (by position in `edges`) to the plan paths that it wrote.
    """

    intent: MetricIntent
    edges: tuple[Edge, ...]
    paths: tuple[tuple[str, ...], ...] = ()
    openings: tuple[Opening, ...] = ()
    dead: Dead | None = None
    strength: int = 0
    spans: int = 0
    joined: int = 0
    defaults: tuple[Default, ...] = field(default_factory=tuple)

    @property
    def rank(self) -> tuple[int, int, int, int]:
        """The lexicographic rank; smaller is better: exact names, few spans, own entity, few defaults."""
        return (self.strength, self.spans, self.joined, len(self.defaults))
