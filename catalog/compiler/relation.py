"""Metrics by group as one relation of a statement: what calculations stand on, whatever way it was compiled."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from sqlglot import exp

from catalog.compiler.question import Group
from catalog.query import ResultColumn
from catalog.types import Calendar

Queries = tuple[tuple[str, exp.Query], ...]
"""Named queries of one statement, each after those that it reads."""


class Parts(StrEnum):
    """How the rows of a metric make up a whole.

    ADD_UP: the whole is their sum.  AT_ONE_TIME: only across groups of the same time, as balances do.
    COUNTED: the whole has to be counted anew, as distinct customers have.  NONE: a row is no part of
    a whole, as averages and ratios are not.
    """

    ADD_UP = "add_up"
    AT_ONE_TIME = "at_one_time"
    COUNTED = "counted"
    NONE = "none"


class Missing(StrEnum):
    """What a metric is where a group has no rows.

    ZERO: 0 within the time of the data.  ZERO_BESIDE_OTHERS: 0 where others have rows at that
    time, as a balance is.  UNKNOWN: nothing, as an average is.
    """

    ZERO = "zero"
    ZERO_BESIDE_OTHERS = "zero_beside_others"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricColumn:
    """A metric's column in a relation; `notes` are what has to be said wherever it is used.

    `recounts`: it can be counted anew from the rows of several periods.
    `may_lack`: other metrics may bring a row in which this one has none of its own.
    """

    column: ResultColumn
    parts: Parts
    missing: Missing
    recounts: bool = False
    may_lack: bool = False
    notes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The metric."""
        return self.column.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """One row per group: `rows` selects the groups by their aliases and each metric by its name.

    `rows` reads from `queries`, whose names begin with the prefix that was asked for.
    `timelines` are aliases of groups by the time that the window bounds, `timely` the
    filters on that time and groups by it that not all metrics have.  `spans` give the
    `first_moment` and `last_moment` of all data behind the metrics; without them the rows
    themselves tell.  `calendar` is that of the periods in the rows.  `keeps_gaps`: only a metric's
    own null policy fills a value, so what the rows leave empty stays empty, and so does a period
    without rows.
    """

    queries: Queries
    rows: exp.Select
    groups: tuple[Group, ...]
    metrics: tuple[MetricColumn, ...]
    tables: frozenset[str]
    notes: tuple[str, ...] = ()
    timelines: tuple[str, ...] = ()
    timely: tuple[str, ...] = ()
    spans: tuple[exp.Select, ...] = ()
    calendar: Calendar = field(default_factory=Calendar)
    keeps_gaps: bool = False
