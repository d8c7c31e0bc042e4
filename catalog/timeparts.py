"""What comes back in time, and the company's own periods, as names that a question groups by.

`metric_time__extract_dow` is the day of the week of a metric's own time, `metric_time__sprint`
the period called sprint; a part may be of any time dimension (`signup_date__extract_month`).
"""

from __future__ import annotations

from catalog.query import GroupBy
from catalog.types import METRIC_TIME, CatalogSnapshot, DatePart

PART_WORDS = {
    DatePart.YEAR: "year",
    DatePart.QUARTER: "quarter of the year",
    DatePart.MONTH: "month of the year",
    DatePart.DAY: "day of the month",
    DatePart.DAY_OF_WEEK: "day of the week",
    DatePart.DAY_OF_YEAR: "day of the year",
    DatePart.HOUR: "hour of the day",
    DatePart.FISCAL_YEAR: "fiscal year",
    DatePart.FISCAL_QUARTER: "fiscal quarter",
    DatePart.FISCAL_MONTH: "fiscal month",
}
"""What a person reads for each part."""

_EXTRACT = "extract_"


def name_of(words: str) -> str:
    """The words of a part or a period as one name: "day of the week" is day_of_week."""
    return words.replace(" of the ", "_of_").replace(" ", "_")


PARTS = {name_of(words): part for part, words in PART_WORDS.items() if part is not DatePart.YEAR}
"""Parts by their names; that of a year is the year itself."""


def part_reference(part: DatePart, time: str = METRIC_TIME) -> str:
    """The name of a part of a time."""
    return f"{time}__{_EXTRACT}{part}"


def period_reference(period: str) -> str:
    """The name of a period that a time spine names."""
    return f"{METRIC_TIME}__{period}"


def timed_group(reference: str) -> GroupBy | None:
    """The grouping behind such a name; None for any other dimension."""
    time, _, end = reference.rpartition("__")
    part = end.removeprefix(_EXTRACT)
    if time and end != part and part in set(DatePart):
        return GroupBy(dimension=time, part=DatePart(part))
    return GroupBy(dimension=METRIC_TIME, custom=end) if time == METRIC_TIME else None


def time_behind(reference: str) -> str:
    """The time dimension of such a name; any other dimension itself."""
    group = timed_group(reference)
    return group.dimension if group else reference


def time_words(reference: str) -> str:
    """Such a name in words: "day of the week"; empty for any other dimension."""
    group = timed_group(reference)
    if group is None:
        return ""
    own = "" if group.dimension == METRIC_TIME else f" of {group.dimension.rsplit('__', maxsplit=1)[-1]}"
    words = PART_WORDS[group.part] if group.part else group.custom
    return f"{words}{own}".replace("_", " ")


def custom_periods(snapshot: CatalogSnapshot) -> tuple[str, ...]:
    """The periods that the catalog's time spines name, each once."""
    return tuple(dict.fromkeys(name for spine in snapshot.time_spines for name, _ in spine.custom))
