"""Whether two results are the same: columns by name, rows as a multiset, numbers by value."""

from __future__ import annotations

import math
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from catalog.management.metricflow.engines import Table

_CLOSE = 1e-9


def difference(found: Table, expected: Table, ordered_by: tuple[str, ...] = ()) -> str:
    """What differs, in a sentence; empty where the results are the same.

    `ordered_by` are columns in whose order the rows must stand.
    """
    names, wanted = (tuple(n.lower() for n in t[0]) for t in (found, expected))
    if sorted(names) != sorted(wanted):
        return f"columns {', '.join(sorted(names))} instead of {', '.join(sorted(wanted))}"
    ours, theirs = _rows(found, names), _rows(expected, names)
    if len(ours) != len(theirs):
        return f"{len(ours)} rows instead of {len(theirs)}"
    for mine, other in zip(sorted(ours, key=_key), sorted(theirs, key=_key), strict=True):
        if not all(_same(a, b) for a, b in zip(mine, other, strict=True)):
            return f"a row {mine} instead of {other}"
    places = [names.index(n) for n in ordered_by if n in names]
    if [[r[p] for p in places] for r in ours] != [[r[p] for p in places] for r in theirs]:
        return f"rows in another order of {', '.join(ordered_by)}"
    return ""


def _rows(table: Table, names: tuple[str, ...]) -> list[tuple[Any, ...]]:
    places = {n.lower(): i for i, n in enumerate(table[0])}
    return [tuple(_plain(row[places[n]]) for n in names) for row in table[1]]


def _plain(value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float | Decimal):
        return float(value)
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    return f"{value.isoformat()} 00:00:00" if isinstance(value, date) else str(value)


def _key(row: tuple[Any, ...]) -> tuple[str, ...]:
    return tuple(f"{v:.6e}" if isinstance(v, float) else repr(v) for v in row)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=_CLOSE, abs_tol=_CLOSE) or (math.isnan(one) and math.isnan(other))
    return bool(one == other and type(one) is type(other))
