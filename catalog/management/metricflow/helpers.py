"""The functions that a case's templates may call: `render_date_trunc`, `cast_to_ts` … as SQL of one engine."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from catalog.compiler.refs import PARTS
from catalog.types import TimeGranularity


class _Names:
    """A closed set of names, each standing for its lower-case self: `TimeGranularity.DAY`."""

    def __init__(self, names: tuple[str, ...]) -> None:
        for name in names:
            setattr(self, name.upper(), name)


def functions(engine: str, schema: str) -> dict[str, Any]:
    """All helper functions and names for `engine` ("duckdb" or "postgres")."""
    found: dict[str, Any] = {
        "source_schema": schema,
        "mf_time_spine_source": f"{schema}.mf_time_spine",
        "double_data_type_name": "DOUBLE" if engine == "duckdb" else "DOUBLE PRECISION",
        "TimeGranularity": _Names(tuple(TimeGranularity)),
        "DatePart": _Names(PARTS),
        "generate_random_uuid": lambda: "gen_random_uuid()",
        "cast_to_ts": cast_to_ts,
        "render_percentile_expr": percentile,
    }
    named: tuple[Callable[..., str], ...] = (
        render_time_constraint,
        render_date_sub,
        render_date_add,
        render_date_trunc,
        render_extract,
        render_dimension_template,
        render_entity_template,
        render_metric_template,
        render_time_dimension_template,
    )
    return found | {f.__name__: f for f in named}


def cast_to_ts(text: str) -> str:
    """The text as a timestamp."""
    return f"CAST('{text}' AS TIMESTAMP)"


def render_time_constraint(expr: str, start_time: str | None = None, stop_time: str | None = None) -> str:
    """The window on `expr`; a stop that is a whole day includes that day."""
    found = []
    if start_time:
        found.append(f"{expr} >= {cast_to_ts(start_time)}")
    if stop_time and len(stop_time) == 10:
        found.append(f"{expr} < {cast_to_ts(str(datetime.fromisoformat(stop_time) + timedelta(days=1)))}")
    elif stop_time:
        found.append(f"{expr} <= {cast_to_ts(stop_time)}")
    return f"({' AND '.join(found)})"


def render_date_sub(table: str, column: str, count: int, granularity: str) -> str:
    """`table.column` minus some periods."""
    return f"{table}.{column} - {_interval(count, granularity)}"


def render_date_add(expr: str, count: str, granularity: str) -> str:
    """`expr` plus some periods; the count is SQL."""
    return f"{expr} + {count} * {_interval(1, granularity)}"


def _interval(count: int, granularity: str) -> str:
    size, unit = (count * 3, "month") if granularity == "quarter" else (count, granularity)
    return f"INTERVAL '{size} {unit}'"


def render_date_trunc(expr: str, granularity: str) -> str:
    """The start of the period."""
    return f"DATE_TRUNC('{granularity}', {expr})"


def render_extract(expr: str, part: str) -> str:
    """A part of a time; weeks start on Monday = 1."""
    return f"EXTRACT({'isodow' if part == 'dow' else part} FROM {expr})"


def percentile(expr: str, share: float, use_discrete: bool, use_approximate: bool) -> str:
    """The percentile.  An approximate one may be exact."""
    del use_approximate
    name = "PERCENTILE_DISC" if use_discrete else "PERCENTILE_CONT"
    return f"{name}({share}) WITHIN GROUP (ORDER BY ({expr}))"


def render_dimension_template(name: str, entity_path: list[str] | None = None) -> str:
    """A dimension in a condition."""
    return "{{ " + f"Dimension({name!r}, entity_path={list(entity_path or ())!r})" + " }}"


def render_entity_template(name: str, entity_path: list[str] | None = None) -> str:
    """An entity in a condition."""
    return "{{ " + f"Entity({name!r}, entity_path={list(entity_path or ())!r})" + " }}"


def render_metric_template(name: str, group_by: list[str]) -> str:
    """A metric in a condition."""
    return "{{ " + f"Metric({name!r}, {group_by!r})" + " }}"


def render_time_dimension_template(
    name: str, time_granularity: str | None = None, entity_path: list[str] | None = None
) -> str:
    """A time in a condition."""
    grain = f", {time_granularity!r}" if time_granularity else ""
    return "{{ " + f"TimeDimension({name!r}{grain}, entity_path={list(entity_path or ())!r})" + " }}"
