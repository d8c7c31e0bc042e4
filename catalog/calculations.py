"""What may be asked on top of metrics: comparisons, shares, ranks, running totals, moving windows, tops."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum

from catalog.types import Scalar, TimeGranularity


class Direction(StrEnum):
    """Sort direction."""

    ASC = "asc"
    DESC = "desc"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeRange:
    """A half-open window of whole days [start, end) in the workspace's zone.

    `expr` is its name ("last_month", "2025-05"); None at an end means unbounded.
    `whole_end` is where the period ends of which the window is only the elapsed part
    (2025 up to 15 July: 2026-01-01); None where the window is all of its period.
    """

    start: date | None
    end: date | None
    expr: str
    whole_end: date | None = None


class Change(StrEnum):
    """How a value is set against an earlier one or another member's.

    DIFFERENCE: value - other, in the metric's unit (in points where the metric is a percentage).
    PERCENT: (value - other) / |other|, a fraction.  POINTS: the difference of two percentages
    times 100.  RATIO: value / other.
    """

    DIFFERENCE = "difference"
    PERCENT = "percent"
    POINTS = "points"
    RATIO = "ratio"


class Derived(StrEnum):
    """How a result column follows from a metric; its name is `metric__derived`."""

    PREVIOUS = "previous"
    BASELINE = "baseline"
    DIFFERENCE = "difference"
    PERCENT_CHANGE = "percent_change"
    POINTS = "points"
    RATIO = "ratio"
    SHARE = "share"
    RANK = "rank"
    RUNNING_TOTAL = "running_total"
    MOVING_AVERAGE = "moving_average"
    MOVING_SUM = "moving_sum"
    MOVING_MINIMUM = "moving_minimum"
    MOVING_MAXIMUM = "moving_maximum"
    CONTRIBUTION = "contribution"
    RATE_EFFECT = "rate_effect"
    MIX_EFFECT = "mix_effect"
    CHANGE_SHARE = "change_share"


CONTRIBUTED = frozenset({Derived.CONTRIBUTION, Derived.RATE_EFFECT, Derived.MIX_EFFECT})
"""What a group contributed to a change, in the unit of the change itself."""


FRACTIONS = frozenset({Derived.PERCENT_CHANGE, Derived.SHARE, Derived.CHANGE_SHARE})
"""Derived columns whose 0.1 is 10%, in a cell and in a condition."""


CHANGES = frozenset({Derived.DIFFERENCE, Derived.PERCENT_CHANGE, Derived.POINTS})
"""Derived columns that say how much a figure changed; above 0 it rose."""


class TieRule(StrEnum):
    """What happens where the last place of a top is shared: ALL are kept, or the FIRST by their groups."""

    ALL = "all"
    FIRST = "first"


class RankRule(StrEnum):
    """Ranks of equal values.

    SHARED 1, 1, 3; DENSE 1, 1, 2; UNIQUE 1, 2, 3 in the order of their groups.
    """

    SHARED = "shared"
    DENSE = "dense"
    UNIQUE = "unique"


class WindowKind(StrEnum):
    """What a moving window shows of its periods."""

    AVERAGE = "average"
    SUM = "sum"
    MINIMUM = "minimum"
    MAXIMUM = "maximum"


class Taken(StrEnum):
    """What is taken over the figures of many things.

    AVERAGE, MEDIAN, SMALLEST and LARGEST are figures in the metric's own unit.  SUMMARY is what a distribution is
    laid out by: how many, how many different ones, the smallest, the largest and the 99th percentile.  BINS counts
    the things of each range of figures.
    """

    AVERAGE = "average"
    MEDIAN = "median"
    SMALLEST = "smallest"
    LARGEST = "largest"
    SUMMARY = "summary"
    BINS = "bins"


AVERAGE_PER, MEDIAN_PER, HISTOGRAM, CORRELATION = "average_per", "median_per", "histogram", "correlation"
FUNNEL, TOP_PERCENT, CONVERSION = "funnel", "top_percent", "conversion"
"""The transforms that ask for a funnel, for the first so many in a hundred, and how many of a cohort did something."""

TAKEN = {AVERAGE_PER: Taken.AVERAGE, MEDIAN_PER: Taken.MEDIAN, HISTOGRAM: Taken.SUMMARY}
"""Transforms that take something over the figures of each thing or each period."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodComparison:
    """The same metrics over another period, beside the asked one; adds `metric__previous` and each change.

    `window` is the other period, aligned by whoever asks (previous period, a year ago,
    the same elapsed days).  Without it the result is grouped by METRIC_TIME, and each
    row stands beside the one `back_count` x `back_granularity` earlier, which is
    computed from all data, not only from the asked window.
    """

    changes: tuple[Change, ...] = (Change.DIFFERENCE, Change.PERCENT)
    window: TimeRange | None = None
    back_count: int = 1
    back_granularity: TimeGranularity | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberComparison:
    """Each member of the grouping `field` beside the member `baseline`; adds `metric__baseline` and each change."""

    field: str
    baseline: Scalar
    changes: tuple[Change, ...] = (Change.DIFFERENCE, Change.PERCENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A row's part of the whole, a fraction: `metric__share`.

    The whole is all rows that the filters leave, before conditions on the result
    and before limits; or all rows with equal `within` groupings.
    """

    metric: str
    within: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rank:
    """A row's place by `by`, a metric or a derived column, among rows of equal `within`: `by__rank`, from 1.

    Places are given before conditions on the result and before limits.  A missing value has no place.
    """

    by: str
    direction: Direction = Direction.DESC
    within: tuple[str, ...] = ()
    ties: RankRule = RankRule.SHARED


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningTotal:
    """The sum up to each period of METRIC_TIME for each of the other groups: `metric__running_total`.

    It starts with the asked window, or anew with each `restart`: the workspace's own week,
    quarter or year, or its fiscal year where `fiscal`.  What does not add up (distinct
    counts, averages, ratios) is counted anew from all rows since then.
    """

    metric: str
    restart: TimeGranularity | None = None
    fiscal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MovingWindow:
    """Each period of METRIC_TIME with the `periods` - 1 before it: `metric__moving_average` and so on.

    Calendar periods, not rows.  Earlier periods come from data before the asked window.
    The average of an average or a ratio, and the sum of a distinct count, are those of all
    the window's rows together.
    """

    metric: str
    periods: int
    kind: WindowKind = WindowKind.AVERAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class Top:
    """Only the first `count` rows by `by`, a metric or a derived column, of each group of equal `within`.

    Taken after the conditions on the result and before the limit.  With `percent` they are that many of
    each hundred rows with a value instead, a part of a row being one more.
    """

    by: str
    count: int
    percent: Decimal | None = None
    direction: Direction = Direction.DESC
    within: tuple[str, ...] = ()
    ties: TieRule = TieRule.FIRST


Comparing = PeriodComparison | MemberComparison
Calculation = Share | Rank | RunningTotal | MovingWindow


def derived_name(of: str, derived: Derived) -> str:
    """The name of the result column that follows from `of`; conditions, orders, ranks and tops may use it."""
    return f"{of}__{derived}"


def split_derived(column: str) -> tuple[str, Derived | None]:
    """What a column follows from and how; the column itself and None where it is no derived one's name."""
    of, separator, kind = column.rpartition("__")
    return (of, Derived(kind)) if separator and of and kind in set(Derived) else (column, None)


def metric_behind(column: str) -> str:
    """The metric from which a column follows: `revenue__percent_change__rank` → `revenue`."""
    of, derived = split_derived(column)
    return column if derived is None else metric_behind(of)
