"""MetricFlow's meaning of time, day by day of the spine: running values and looks back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

from tests.proof.aggregates import aggregate, meets
from tests.proof.days import day_of, moved, start_of
from tests.proof.tables import Key, Row

if TYPE_CHECKING:
    from tests.proof.naive import Evaluation, Part


def seen_from_days(query: Evaluation, part: Part) -> dict[Key, Any]:
    """Each day of the spine sees its rows; a coarser period sees all that its days see, or its first running value."""
    daily: dict[date, dict[Key, list[Row]]] = {}
    for day in _spine(query):
        if query.counts(part, day):
            for row in (r for r in query.tables.rows(part.model) if _sees(query, part, day, r)):
                for key in _keys(query, part, row, day):
                    daily.setdefault(day, {}).setdefault(key, []).append(row)
    if part.runs:
        found: dict[Key, Any] = {}
        for groups in daily.values():
            found = {k: aggregate(part.measure, rows) for k, rows in groups.items()} | found
        return found
    whole: dict[Key, list[Row]] = {}
    for groups in daily.values():
        for key, rows in groups.items():
            whole.setdefault(key, []).extend(rows)
    return {k: aggregate(part.measure, rows) for k, rows in whole.items()}


def _spine(query: Evaluation) -> Iterable[date]:
    spine = query.snapshot.time_spines[0]
    return sorted(r[spine.column] for r in query.tables.data[spine.table])


def _sees(query: Evaluation, part: Part, day: date, row: Row) -> bool:
    moment = query.own_time(part, row)
    if moment is None:
        return False
    held = day_of(moment)
    if part.offset is not None:
        return held == moved(day, -part.offset[0], part.offset[1])
    metric = part.metric
    if held > day:
        return False
    if metric.window_count is not None and metric.window_granularity is not None:
        return held > moved(day, -metric.window_count, metric.window_granularity)
    return metric.grain_to_date is None or held >= day_of(start_of(day, metric.grain_to_date, query.snapshot.calendar))


def _keys(query: Evaluation, part: Part, row: Row, day: date) -> list[Key]:
    unmoved = replace(part, offset=None)
    found = []
    for values in query.joined(part, row):
        if all(meets(values[f.field], f, query.tables.dimension(f.field)) for f in query.others(part)):
            groups = query.spec.group_by
            found.append(tuple(query.group(unmoved, g.dimension, g.granularity, day, values) for g in groups))
    return found
