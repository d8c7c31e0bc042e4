"""Queries with a calculation on top of a metric, for the bench of the compiler: comparisons, shares, ranks and windows.

MetricFlow knows few of them; where a metric of its own comes near (a derived one with an offset,
a cumulative one), that is asked.  Wren is asked SQL that a person wrote over its models.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from catalog.calculations import (
    MovingWindow,
    PeriodComparison,
    Rank,
    RunningTotal,
    Share,
    TimeRange,
    Top,
    WindowKind,
)
from catalog.query import GroupBy, MetricCondition, QuerySpec
from catalog.types import METRIC_TIME, Operator, TimeGranularity

_MONTH = GroupBy(dimension=METRIC_TIME, granularity=TimeGranularity.MONTH)
_REGION, _CATEGORY = GroupBy(dimension="customer__city__region"), GroupBy(dimension="product__category")


@dataclass(frozen=True, slots=True, kw_only=True)
class Calculated:
    """One kind: `spec` gives a query that no other number gives; the peers' parts are None where they have no like."""

    kind: str
    spec: Callable[[int], QuerySpec]
    metricflow: str | None = None
    wren: str | None = None

    def asked(self) -> dict[str, object]:
        """The kind as the bench reads it, `$round` standing for the number."""
        theirs = {"metrics": [self.metricflow], "group_by": ["metric_time__month"]} if self.metricflow else {}
        return {"kind": self.kind, "spec": self.spec, "number": "$round", "wren": self.wren, **theirs}


def _window(number: int, back: int) -> TimeRange:
    """A month; another one for each number."""
    month = number * 2 + 1 - back
    start, end = (date(1990 + at // 12, at % 12 + 1, 1) for at in (month, month + 1))
    return TimeRange(start=start, end=end, expr=f"{start:%Y-%m}")


def _year(number: int) -> TimeRange:
    start = date(1990 + number, 1, 1)
    return TimeRange(start=start, end=date(start.year + 1, 1, 1), expr=str(start.year))


def _back(granularity: TimeGranularity) -> PeriodComparison:
    return PeriodComparison(back_granularity=granularity)


def _before(number: int) -> QuerySpec:
    compared = PeriodComparison(window=_window(number, 1))
    return QuerySpec(metrics=("revenue",), group_by=(_CATEGORY,), time_range=_window(number, 0), comparison=compared)


def _year_ago(number: int) -> QuerySpec:
    compared = _back(TimeGranularity.YEAR)
    return QuerySpec(metrics=("revenue",), group_by=(_MONTH,), time_range=_year(number), comparison=compared)


def _rate_before(number: int) -> QuerySpec:
    compared, groups = _back(TimeGranularity.MONTH), (_MONTH, _CATEGORY)
    return QuerySpec(metrics=("orders_per_visit",), group_by=groups, time_range=_year(number), comparison=compared)


def _share(number: int) -> QuerySpec:
    part = Share(metric="revenue")
    return QuerySpec(metrics=("revenue",), group_by=(_CATEGORY,), time_range=_year(number), calculations=(part,))


def _rank(number: int) -> QuerySpec:
    place = Rank(by="revenue")
    return QuerySpec(metrics=("revenue",), group_by=(_CATEGORY,), time_range=_year(number), calculations=(place,))


def _top(number: int) -> QuerySpec:
    top = Top(by="revenue", count=number + 1, within=(_REGION.dimension,))
    return QuerySpec(metrics=("revenue",), group_by=(_REGION, _CATEGORY), top=top)


def _running(number: int) -> QuerySpec:
    total = RunningTotal(metric="revenue")
    return QuerySpec(metrics=("revenue",), group_by=(_MONTH,), time_range=_year(number), calculations=(total,))


def _moving(number: int) -> QuerySpec:
    window = MovingWindow(metric="revenue", periods=3, kind=WindowKind.SUM)
    return QuerySpec(metrics=("revenue",), group_by=(_MONTH,), time_range=_year(number), calculations=(window,))


def _having(number: int) -> QuerySpec:
    more = MetricCondition(metric="revenue", op=Operator.GT, values=(number,))
    return QuerySpec(metrics=("revenue",), group_by=(_CATEGORY,), having=(more,))


def _fell(number: int) -> QuerySpec:
    less = MetricCondition(metric="revenue__percent_change", op=Operator.LT, values=(-number,))
    compared = PeriodComparison(window=_window(number, 1))
    return QuerySpec(
        metrics=("revenue",),
        group_by=(_CATEGORY,),
        time_range=_window(number, 0),
        comparison=compared,
        having=(less,),
    )


CALCULATED = (
    Calculated(
        kind="beside the period before",
        spec=_before,
        wren="""SELECT category, sum(amount) FILTER (WHERE ordered_on >= DATE '2024-05-01') AS now,
        sum(amount) FILTER (WHERE ordered_on < DATE '2024-05-01') AS before FROM orders
        WHERE ordered_on >= DATE '2024-04-01' AND ordered_on < DATE '2024-06-01' AND category <> 'c$round'
        GROUP BY 1""",
    ),
    Calculated(
        kind="each month beside the year ago",
        spec=_year_ago,
        metricflow="revenue_since_last_year",
        wren="""SELECT month, revenue, lag(revenue, 12) OVER (ORDER BY month) AS before
        FROM (SELECT date_trunc('month', ordered_on) AS month, sum(amount) AS revenue FROM orders GROUP BY 1) AS o""",
    ),
    Calculated(kind="a ratio beside the month before", spec=_rate_before),
    Calculated(
        kind="share of the whole",
        spec=_share,
        wren="""SELECT category, revenue / sum(revenue) OVER () AS share
        FROM (SELECT category, sum(amount) AS revenue FROM orders GROUP BY 1) AS o""",
    ),
    Calculated(
        kind="rank",
        spec=_rank,
        wren="""SELECT category, rank() OVER (ORDER BY revenue DESC) AS place
        FROM (SELECT category, sum(amount) AS revenue FROM orders GROUP BY 1) AS o""",
    ),
    Calculated(
        kind="first of each group",
        spec=_top,
        wren="""SELECT region, category, revenue FROM (SELECT region, category, revenue,
        row_number() OVER (PARTITION BY region ORDER BY revenue DESC) AS place FROM (
        SELECT region, category, sum(amount) AS revenue FROM orders GROUP BY 1, 2) AS o) AS p WHERE place <= $round""",
    ),
    Calculated(
        kind="running total",
        spec=_running,
        metricflow="revenue_of_all_time",
        wren="""SELECT month, sum(revenue) OVER (ORDER BY month) AS total
        FROM (SELECT date_trunc('month', ordered_on) AS month, sum(amount) AS revenue FROM orders GROUP BY 1) AS o""",
    ),
    Calculated(
        kind="moving window",
        spec=_moving,
        metricflow="revenue_3_months",
        wren="""SELECT month, sum(revenue) OVER (ORDER BY month ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS total
        FROM (SELECT date_trunc('month', ordered_on) AS month, sum(amount) AS revenue FROM orders GROUP BY 1) AS o""",
    ),
    Calculated(
        kind="condition on the sum",
        spec=_having,
        wren="SELECT category, sum(amount) AS revenue FROM orders GROUP BY 1 HAVING sum(amount) > $round",
    ),
    Calculated(kind="condition on the change", spec=_fell),
)
"""The kinds in order."""
