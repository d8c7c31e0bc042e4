"""What people read for the catalog's names."""

from __future__ import annotations

from catalog.calculations import Derived
from catalog.types import DatePart, Dimension, Metric

DERIVED_WORDS = {
    Derived.PREVIOUS: "earlier",
    Derived.BASELINE: "baseline",
    Derived.DIFFERENCE: "difference",
    Derived.PERCENT_CHANGE: "change in percent",
    Derived.POINTS: "change in points",
    Derived.RATIO: "times the other",
    Derived.SHARE: "share",
    Derived.RANK: "rank",
    Derived.RUNNING_TOTAL: "running total",
    Derived.MOVING_AVERAGE: "moving average",
    Derived.MOVING_SUM: "moving sum",
    Derived.MOVING_MINIMUM: "lowest of the window",
    Derived.MOVING_MAXIMUM: "highest of the window",
    Derived.CONTRIBUTION: "contribution to the change",
    Derived.RATE_EFFECT: "by its own rate",
    Derived.MIX_EFFECT: "by its weight in the mix",
    Derived.CHANGE_SHARE: "part of the change",
}
"""How a derived column is called after its metric's label: "Revenue, share"."""

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
"""The months in English, wherever the machine stands."""

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_NAMED = {DatePart.MONTH: MONTHS, DatePart.DAY_OF_WEEK: WEEKDAYS, DatePart.QUARTER: ("Q1", "Q2", "Q3", "Q4")}


def part_text(value: int, part: DatePart | None) -> str:
    """A part of a date as people read it: Monday, January, Q1, 09:00; any other number as it is."""
    names = _NAMED.get(part, ()) if part else ()
    if 1 <= value <= len(names):
        return names[value - 1]
    return f"{value:02d}:00" if part is DatePart.HOUR else str(value)


def metric_label(metric: Metric) -> str:
    """What a person reads for a metric."""
    return metric.label or plain(metric.name)


def dimension_label(dimension: Dimension) -> str:
    """What a person reads for a dimension."""
    return dimension.label or plain(dimension.name)


def plain(name: str) -> str:
    """A catalog name as words: `net_revenue` → `Net revenue`."""
    return with_capital(name.replace("_", " ").strip())


def with_capital(words: str) -> str:
    """The words as they begin a sentence or stand alone; capitals within them stay."""
    return words[:1].upper() + words[1:]


def within_sentence(label: str) -> str:
    """A label inside a sentence; an abbreviation keeps its capitals."""
    return label if label[1:2].isupper() else label[:1].lower() + label[1:]
