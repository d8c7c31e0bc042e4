"""How long compiled SQL runs beside SQL that a person wrote for the same result, on a table of many rows."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb

from catalog.calculations import PeriodComparison, RunningTotal, Share, TimeRange, Top
from catalog.compiler import compile_query
from catalog.importers.own import load_folder
from catalog.query import CompiledQuery, GroupBy, QuerySpec
from catalog.types import METRIC_TIME, Filter, Operator, TimeGranularity
from dataagent.management.bench_report import BenchOptions, BenchReport, Timing, result

_ROUNDS = 7
_PEER = "hand-written SQL"
_TABLES = (
    """CREATE TABLE sales AS
    SELECT i AS sale_id, (hash(i) % 200000)::INT AS customer_id, (hash(i * 7) % 1000)::INT AS product_id,
           DATE '2022-01-01' + (hash(i * 3) % 1096)::INT AS sold_on,
           ((hash(i * 5) % 100000) / 100)::DECIMAL(12, 2) AS amount,
           ((hash(i * 11) % 50000) / 100)::DECIMAL(12, 2) AS cost,
           CASE WHEN hash(i * 13) % 3 = 0 THEN 'web' ELSE 'shop' END AS channel
    FROM range({rows}) AS made(i)""",
    """CREATE TABLE customers AS
    SELECT i::INT AS customer_id, 'region ' || (i % 5) AS region FROM range(200000) AS made(i)""",
    """CREATE TABLE products AS
    SELECT i::INT AS product_id, 'category ' || (i % 20) AS category FROM range(1000) AS made(i)""",
)
_MONTH = GroupBy(dimension=METRIC_TIME, granularity=TimeGranularity.MONTH)
_REGION, _CATEGORY = GroupBy(dimension="region"), GroupBy(dimension="category")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A query, and what a person would write for it; both give the same rows in the same order."""

    name: str
    spec: QuerySpec
    by_hand: str


def _year(year: int) -> TimeRange:
    return TimeRange(start=date(year, 1, 1), end=date(year + 1, 1, 1), expr=str(year))


CASES = (
    Case(
        name="sum by month",
        spec=QuerySpec(metrics=("revenue",), group_by=(_MONTH,)),
        by_hand="SELECT date_trunc('month', sold_on)::DATE, sum(amount) FROM sales GROUP BY 1 ORDER BY 1",
    ),
    Case(
        name="two joins and a filter",
        spec=QuerySpec(
            metrics=("revenue",),
            group_by=(_REGION, _CATEGORY),
            where=(Filter(field="channel", op=Operator.EQ, values=("web",)),),
        ),
        by_hand="""SELECT region, category, sum(amount) FROM sales LEFT JOIN customers USING (customer_id)
        LEFT JOIN products USING (product_id) WHERE channel = 'web' GROUP BY 1, 2 ORDER BY 1, 2""",
    ),
    Case(
        name="formula of two sums, joined",
        spec=QuerySpec(metrics=("margin_rate",), group_by=(_REGION,)),
        by_hand="""SELECT region, (sum(amount) - sum(cost))::DOUBLE / nullif(sum(amount), 0)
        FROM sales LEFT JOIN customers USING (customer_id) GROUP BY 1 ORDER BY 1""",
    ),
    Case(
        name="ratio with a filtered part",
        spec=QuerySpec(metrics=("web_share",), group_by=(_MONTH,)),
        by_hand="""SELECT date_trunc('month', sold_on)::DATE,
        sum(amount) FILTER (WHERE channel = 'web')::DOUBLE / nullif(sum(amount), 0)
        FROM sales GROUP BY 1 ORDER BY 1""",
    ),
    Case(
        name="distinct count by month",
        spec=QuerySpec(metrics=("buyers",), group_by=(_MONTH,)),
        by_hand="""SELECT date_trunc('month', sold_on)::DATE, count(DISTINCT customer_id)
        FROM sales GROUP BY 1 ORDER BY 1""",
    ),
    Case(
        name="cumulative by month",
        spec=QuerySpec(metrics=("revenue_so_far",), group_by=(_MONTH,)),
        by_hand="""SELECT period, sum(total) OVER (ORDER BY period) FROM (
        SELECT date_trunc('month', sold_on)::DATE AS period, sum(amount) AS total FROM sales GROUP BY 1) ORDER BY 1""",
    ),
    Case(
        name="beside the year before",
        spec=QuerySpec(
            metrics=("revenue",),
            group_by=(_REGION,),
            time_range=_year(2024),
            comparison=PeriodComparison(window=_year(2023)),
        ),
        by_hand="""SELECT region, now, before, now - before, (now - before) / abs(nullif(before, 0)) FROM (
        SELECT region, sum(amount) FILTER (WHERE sold_on >= '2024-01-01') AS now,
               sum(amount) FILTER (WHERE sold_on < '2024-01-01') AS before
        FROM sales LEFT JOIN customers USING (customer_id)
        WHERE sold_on >= '2023-01-01' AND sold_on < '2025-01-01' GROUP BY 1) ORDER BY 1""",
    ),
    Case(
        name="share of the whole",
        spec=QuerySpec(metrics=("revenue",), group_by=(_CATEGORY,), calculations=(Share(metric="revenue"),)),
        by_hand="""SELECT category, total, total / sum(total) OVER () FROM (
        SELECT category, sum(amount) AS total FROM sales LEFT JOIN products USING (product_id) GROUP BY 1)
        ORDER BY 1""",
    ),
    Case(
        name="first three of each region",
        spec=QuerySpec(
            metrics=("revenue",),
            group_by=(_REGION, _CATEGORY),
            top=Top(by="revenue", count=3, within=("region",)),
        ),
        by_hand="""SELECT region, category, total FROM (
        SELECT region, category, sum(amount) AS total FROM sales LEFT JOIN customers USING (customer_id)
        LEFT JOIN products USING (product_id) GROUP BY 1, 2)
        QUALIFY row_number() OVER (PARTITION BY region ORDER BY total DESC, category) <= 3
        ORDER BY region, total DESC, category""",
    ),
    Case(
        name="running total by month",
        spec=QuerySpec(metrics=("revenue",), group_by=(_MONTH,), calculations=(RunningTotal(metric="revenue"),)),
        by_hand="""SELECT period, total, sum(total) OVER (ORDER BY period) FROM (
        SELECT date_trunc('month', sold_on)::DATE AS period, sum(amount) AS total FROM sales GROUP BY 1) ORDER BY 1""",
    ),
)


class DifferentRows(Exception):
    """The two ways of one case gave different rows: a bench of different things says nothing."""


def measure(folder: Path, options: BenchOptions) -> BenchReport:
    """One object per case: medians of rounds in which both ways take turns, on a table of `options.rows` rows.

    Raises: DifferentRows.
    """
    snapshot = load_folder(folder)
    results = []
    with tempfile.TemporaryDirectory() as place, duckdb.connect(str(Path(place) / "bench.duckdb")) as connection:
        connection.execute("SET threads = 2")
        for statement in _TABLES:
            connection.execute(statement.format(rows=options.rows))
        for case in CASES:
            compiled = compile_query(case.spec, snapshot)
            if not isinstance(compiled, CompiledQuery):
                raise DifferentRows(f"{case.name} does not compile: {compiled[0].message}")
            results.append(_case(connection, case, compiled))
    note = f"{options.rows} rows, two threads, one warm-up round and {_ROUNDS} timed ones; equal rows were checked."
    return BenchReport(results=tuple(results), notes=(note,))


def _case(connection: Any, case: Case, compiled: CompiledQuery) -> dict[str, object]:
    bound = {p.name: p.value for p in compiled.parameters}
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(_ROUNDS + 1):
        mine, took = _timed(connection, compiled.sql, bound)
        ours.append(took)
        by_hand, took = _timed(connection, case.by_hand, {})
        theirs.append(took)
        if _plain(mine) != _plain(by_hand):
            raise DifferentRows(f"{case.name}: the compiled SQL and the hand-written one give different rows.")
    return result(case.name, _timing(ours), _PEER, _timing(theirs))


def _timed(connection: Any, sql: str, bound: dict[str, Any]) -> tuple[list[tuple[Any, ...]], float]:
    started = time.perf_counter()
    rows = connection.execute(sql, bound or None).fetchall()
    return rows, (time.perf_counter() - started) * 1000


def _timing(values: list[float]) -> Timing:
    """Without the first round, which warms up."""
    return Timing(values_ms=tuple(sorted(values[1:])))


def _plain(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Rows with fractions to nine digits: one way divides decimals, the other binary numbers."""
    return [tuple(round(float(v), 9) if isinstance(v, float | Decimal) else v for v in row) for row in rows]
