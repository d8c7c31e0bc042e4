"""A metric query with MetricFlow's meaning."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from catalog.compiler.refs import Ref


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowOrder:
    """Sort by a metric or a grouping."""

    by: str
    descending: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowQuery:
    """What to compute.  `where` are templated conditions; the window bounds metric_time, both ends included.

    `distinct` off keeps duplicate rows of a query without metrics; `min_max_only`
    gives the smallest and largest value of its one grouping.
    """

    metrics: tuple[str, ...] = ()
    group_by: tuple[Ref, ...] = ()
    where: tuple[str, ...] = ()
    order_by: tuple[FlowOrder, ...] = ()
    limit: int | None = None
    start: datetime | None = None
    end: datetime | None = None
    distinct: bool = True
    min_max_only: bool = False
