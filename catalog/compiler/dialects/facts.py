"""What has to be known about each engine to write for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from catalog.compiler.dialects import (
    arithmetic,
    bigquery,
    clickhouse,
    full_joins,
    mysql,
    names,
    nulls,
    outer_joins,
    percentiles,
    queries,
    redshift,
    snowflake,
    spark,
    trino,
    windows,
)
from catalog.compiler.dialects.times import rewritten_times
from catalog.compiler.dialects.trees import Step
from catalog.query import Placeholder


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """One engine.

    `steps` bring the compiler's tree to it, in order.  `text_style` is how a parameter
    stands in the SQL text, `driver_style` how the engine's usual driver wants it.
    `settings` must hold in the session that runs the text: nothing in the text sets them.
    """

    label: str
    steps: tuple[Step, ...] = ()
    text_style: Placeholder = Placeholder.COLON
    driver_style: Placeholder = Placeholder.COLON
    settings: tuple[tuple[str, str], ...] = ()
    typed_parameters: Callable[[object], exp.DataType] | None = None


_NUMBERS = (arithmetic.double_divisions, arithmetic.double_averages)
_SPARK = Facts(
    label="Spark",
    steps=(
        queries.named_once,
        *_NUMBERS,
        spark.exact_percentiles,
        windows.ordered_row_numbers,
        rewritten_times(spark.TIMES),
    ),
    settings=(("spark.sql.session.timeZone", "UTC"),),
)

FACTS = {
    "duckdb": Facts(label="DuckDB", text_style=Placeholder.DOLLAR, driver_style=Placeholder.DOLLAR),
    "postgres": Facts(label="PostgreSQL", text_style=Placeholder.PYFORMAT, driver_style=Placeholder.PYFORMAT),
    "snowflake": Facts(
        label="Snowflake",
        steps=(
            names.stored_in_capitals,
            *_NUMBERS,
            windows.ordered_row_numbers,
            windows.whole_frames,
            rewritten_times(snowflake.TIMES),
        ),
        driver_style=Placeholder.PYFORMAT,
        settings=(("TIMEZONE", "UTC"), ("DEFAULT_NULL_ORDERING", "LAST")),
    ),
    "bigquery": Facts(
        label="BigQuery",
        steps=(
            *_NUMBERS,
            percentiles.by_places,
            outer_joins.unequal_on_pairs(bigquery.same),
            nulls.same_as(bigquery.same),
            bigquery.moments_compared,
            rewritten_times(bigquery.TIMES),
        ),
        text_style=Placeholder.AT,
        driver_style=Placeholder.AT,
    ),
    "databricks": Facts(label="Databricks", steps=_SPARK.steps, settings=(("TIMEZONE", "UTC"),)),
    "spark": _SPARK,
    "trino": Facts(
        label="Trino",
        steps=(*_NUMBERS, percentiles.by_places, rewritten_times(trino.TIMES)),
        driver_style=Placeholder.QMARK,
    ),
    "clickhouse": Facts(
        label="ClickHouse",
        steps=(
            *_NUMBERS,
            clickhouse.exact_percentiles,
            outer_joins.unequal_on_pairs(nulls.safely_equal),
            rewritten_times(clickhouse.TIMES),
            clickhouse.standard_settings,
        ),
        text_style=Placeholder.BRACES,
        driver_style=Placeholder.BRACES,
        typed_parameters=clickhouse.type_of,
    ),
    "redshift": Facts(
        label="Redshift",
        steps=(
            *_NUMBERS,
            percentiles.by_places,
            nulls.same_as(nulls.equal_or_both_missing),
            rewritten_times(redshift.TIMES),
        ),
        text_style=Placeholder.PYFORMAT,
        driver_style=Placeholder.PYFORMAT,
        settings=(("timezone", "UTC"),),
    ),
    "mysql": Facts(
        label="MySQL",
        steps=(
            *_NUMBERS,
            percentiles.by_places,
            full_joins.as_unions,
            windows.missing_values_first,
            rewritten_times(mysql.TIMES),
        ),
        driver_style=Placeholder.PYFORMAT,
        settings=(("time_zone", "+00:00"),),
    ),
}
"""By sqlglot's name of the dialect."""

DIALECTS = tuple(FACTS)
