"""A change and its parts by one dimension: the values that an explanation is made of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from catalog.calculations import Derived, TimeRange, derived_name
from catalog.query import MetricIntent, QuerySpec, ResultColumn
from catalog.types import Scalar
from dataagent.answering.contribution import Contribution, adds_up_to, fraction

VERBS = {"decrease": ("fell", "fall", -1), "increase": ("rose", "rise", 1)}
"""A way with its past tense, its verb and its sign."""


class Way(StrEnum):
    """How the changes of groups make up the change of the whole.

    ADDS_UP: their sum.  RATIO: the sum of their rate and mix effects.  APART: they do not.
    """

    ADDS_UP = "adds_up"
    RATIO = "ratio"
    APART = "apart"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The change itself: the plan and query of both figures, and the one row that came back."""

    intent: MetricIntent
    spec: QuerySpec
    columns: tuple[ResultColumn, ...]
    row: tuple[Scalar, ...]
    earlier: TimeRange | None

    @property
    def metric(self) -> ResultColumn:
        """The metric's own column."""
        return next(c for c in self.columns if c.name == self.intent.metrics[0])

    def cell(self, derived: Derived | None = None) -> Scalar:
        """The figure, or what follows from it; None where there is none."""
        name = derived_name(self.metric.name, derived) if derived else self.metric.name
        found = [v for c, v in zip(self.columns, self.row, strict=False) if c.name == name]
        return found[0] if found else None

    @property
    def is_known(self) -> bool:
        """Whether both periods have a figure."""
        return fraction(self.cell()) is not None and fraction(self.cell(Derived.PREVIOUS)) is not None

    @property
    def by(self) -> Fraction:
        """The later figure minus the earlier one; 0 where one is not known."""
        now, before = fraction(self.cell()), fraction(self.cell(Derived.PREVIOUS))
        return now - before if now is not None and before is not None else Fraction(0)

    def went(self, asked: MetricIntent) -> bool:
        """Whether it changed in the way that the question takes for granted."""
        way = claimed(asked)
        return way is None or self.by * VERBS[way][2] > 0


def claimed(asked: MetricIntent) -> str | None:
    """The way that a question takes for granted ("decrease", "increase"), or None."""
    found = (str(v) for t in asked.transforms for k, v in t.arguments if k == "direction")
    return next((w for w in found if w in VERBS), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """The change by one dimension: its groups, and how they make up the whole."""

    dimension: str
    label: str
    way: Way
    parts: tuple[Contribution, ...]

    def holds(self, change: Change) -> bool:
        """Whether the groups make up the change; what is only set side by side need not."""
        return self.way is Way.APART or adds_up_to(self.parts, change.by)

    def apart(self) -> Split:
        """The same groups side by side, without a claim that they make up the change."""
        plain = tuple(replace(p, effect=None, rate=None, mix=None) for p in self.parts)
        return replace(self, way=Way.APART, parts=plain)
