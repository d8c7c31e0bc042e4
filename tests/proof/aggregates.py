"""Aggregates and conditions as the catalog defines them: a missing value counts for nothing and meets nothing."""

from __future__ import annotations

import math
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from catalog.types import Dimension, Filter, Measure
from tests.proof.tables import Row, cell


def aggregate(measure: Measure, rows: list[Row]) -> Any:
    """The measure over rows; NULL values count for nothing."""
    values = [v for v in (cell(r, measure.expr) for r in rows) if v is not None]
    agg = str(measure.agg)
    if agg == "count":
        return len(values)
    if agg == "count_distinct":
        return len(set(values))
    if agg == "sum_boolean":
        return sum(1 for v in values if v) if rows else None
    if not values:
        return None
    if agg in {"median", "percentile"}:
        share = Decimal("0.5") if agg == "median" else measure.percentile or Decimal(0)
        return percentile(sorted(values), share, discrete=measure.discrete_percentile)
    return {"sum": sum, "average": lambda v: sum(v) / Decimal(len(v)), "min": min, "max": max}[agg](values)


def percentile(ordered: list[Any], share: Decimal, *, discrete: bool) -> Any:
    if discrete:
        return ordered[max(0, math.ceil(share * len(ordered)) - 1)]
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return Decimal(ordered[low]) + (Decimal(ordered[high]) - Decimal(ordered[low])) * (place - low)


# -- conditions -----------------------------------------------------------------------------


def meets(value: Any, given: Filter, dimension: Dimension | None) -> bool:
    """Whether a value meets a condition; a missing one is not what is left out."""
    op, wanted = str(given.op), given.values
    if op in {"is null", "is not null"}:
        return (value is None) is (op == "is null")
    if value is None:
        return (None in wanted) is (op in {"in", "="}) if op in {"in", "=", "not in", "!="} else False
    if isinstance(value, datetime) and all(type(w) is date for w in wanted):
        value = value.date()
    if op in {"=", "in"}:
        return value in wanted
    if op in {"!=", "not in"}:
        return value not in wanted
    if dimension is not None and dimension.type == "ordinal":
        rank = dimension.values.index
        if value not in dimension.values:
            return False
        value, wanted = rank(value), tuple(rank(str(w)) for w in wanted)
    return ordered(op, value, wanted)


def ordered(op: str, value: Any, wanted: tuple[Any, ...]) -> bool:
    if op == "between":
        return bool(wanted[0] <= value <= wanted[1])
    low = wanted[0]
    return bool({">": value > low, ">=": value >= low, "<": value < low, "<=": value <= low}[op])
