"""Buckets follow the workspace's calendar; looking back is exact or refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

import duckdb
import pytest

from catalog.compiler import compile_query
from catalog.issues import IssueCode
from catalog.query import CompiledQuery, GroupBy, QuerySpec, TimeRange
from catalog.types import METRIC_TIME, Calendar, CatalogSnapshot, Filter, FiscalYear, Operator, TimeGranularity
from tests.catalog.shop import shop

DAYS = [date(2024, 1, 1) + timedelta(days=n) for n in range(800)]


@pytest.fixture(scope="module")
def warehouse() -> Iterator[duckdb.DuckDBPyConnection]:
    """One order of 1 on every day of two years and more."""
    made = duckdb.connect()
    made.execute("CREATE SCHEMA shop")
    made.execute(
        "CREATE TABLE shop.orders AS SELECT i AS order_id, NULL::INT AS customer_id, NULL::INT AS store_id, "
        "DATE '2024-01-01' + i::INT AS ordered_at, 1 AS amount, 'done' AS status FROM range(800) t(i)"
    )
    yield made
    made.close()


def run(
    warehouse: duckdb.DuckDBPyConnection, spec: QuerySpec, snapshot: CatalogSnapshot | None = None
) -> list[tuple[object, ...]]:
    query = compile_query(spec, snapshot or shop())
    assert isinstance(query, CompiledQuery), query
    return warehouse.execute(query.sql, {p.name: p.value for p in query.parameters}).fetchall()


def code(spec: QuerySpec, snapshot: CatalogSnapshot | None = None) -> IssueCode:
    found = compile_query(spec, snapshot or shop())
    assert isinstance(found, tuple), found
    return found[0].code


def by(grain: TimeGranularity, *metrics: str, window: tuple[date, date] | None = None) -> QuerySpec:
    return QuerySpec(
        metrics=metrics or ("revenue",),
        group_by=(GroupBy(dimension=METRIC_TIME, granularity=grain),),
        time_range=TimeRange(start=window[0], end=window[1], expr="") if window else None,
    )


def with_calendar(**settings: object) -> CatalogSnapshot:
    return replace(shop(), calendar=replace(Calendar(), **settings))  # type: ignore[arg-type]


@pytest.mark.parametrize(("week_start", "weekday"), [("monday", 0), ("sunday", 6), ("saturday", 5)])
def test_weeks_start_on_the_workspaces_day(warehouse: duckdb.DuckDBPyConnection, week_start: str, weekday: int) -> None:
    rows = run(warehouse, by(TimeGranularity.WEEK), with_calendar(week_start=week_start))
    expected: dict[object, int] = {}
    for day in DAYS:
        start = day - timedelta(days=(day.weekday() - weekday) % 7)
        expected[start] = expected.get(start, 0) + 1
    assert dict(rows) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize("start_month", range(1, 13))
def test_fiscal_quarters_are_exact_to_the_day(warehouse: duckdb.DuckDBPyConnection, start_month: int) -> None:
    fiscal = with_calendar(quarter_basis="fiscal", fiscal=FiscalYear(start_month=start_month))
    expected: dict[object, int] = {}
    for day in DAYS:
        months = day.year * 12 + day.month - 1
        first = months - (months - (start_month - 1)) % 3
        start = date(first // 12, first % 12 + 1, 1)
        expected[start] = expected.get(start, 0) + 1
    assert dict(run(warehouse, by(TimeGranularity.QUARTER), fiscal)) == expected  # type: ignore[arg-type]


def test_a_calendar_that_is_not_set_is_asked_for() -> None:
    assert code(by(TimeGranularity.WEEK), with_calendar(week_start=None)) is IssueCode.UNSUPPORTED
    assert code(by(TimeGranularity.QUARTER), with_calendar(quarter_basis=None)) is IssueCode.UNSUPPORTED
    assert isinstance(
        compile_query(by(TimeGranularity.MONTH), with_calendar(week_start=None, quarter_basis=None)), CompiledQuery
    )


def test_a_grain_finer_than_the_column_is_refused() -> None:
    assert code(by(TimeGranularity.HOUR)) is IssueCode.GRAIN_TOO_FINE
    categorical = QuerySpec(
        metrics=("revenue",), group_by=(GroupBy(dimension="status", granularity=TimeGranularity.MONTH),)
    )
    assert code(categorical) is IssueCode.WRONG_TYPE


def test_growth_compares_each_month_with_the_one_before(warehouse: duckdb.DuckDBPyConnection) -> None:
    window = (date(2024, 3, 1), date(2024, 6, 1))
    rows = run(warehouse, by(TimeGranularity.MONTH, "revenue", "revenue_growth", window=window))
    assert rows == [(date(2024, 3, 1), 31, 2), (date(2024, 4, 1), 30, -1), (date(2024, 5, 1), 31, 1)]


def test_growth_of_the_first_month_is_empty_and_not_a_rise_from_nothing(
    warehouse: duckdb.DuckDBPyConnection,
) -> None:
    rows = run(warehouse, by(TimeGranularity.MONTH, "revenue_growth"))
    assert rows[:2] == [(date(2024, 1, 1), None), (date(2024, 2, 1), -2)]
    assert rows[-1] == (date(2026, 3, 1), 10 - 28), "there is no month after the last one"


def test_growth_of_a_whole_window_looks_back_by_whole_months(warehouse: duckdb.DuckDBPyConnection) -> None:
    window = TimeRange(start=date(2024, 3, 1), end=date(2024, 4, 1), expr="")
    assert run(warehouse, QuerySpec(metrics=("revenue_growth",), time_range=window)) == [(2,)]


@pytest.mark.parametrize(
    "spec",
    [
        QuerySpec(metrics=("revenue_growth",)),
        by(TimeGranularity.WEEK, "revenue_growth"),
        by(TimeGranularity.MONTH, "revenue_growth", window=(date(2024, 3, 31), date(2024, 6, 1))),
        replace(
            by(TimeGranularity.MONTH, "revenue_growth"),
            where=(Filter(field=METRIC_TIME, op=Operator.GE, values=(date(2024, 3, 1),)),),
        ),
    ],
)
def test_looking_back_where_it_is_not_exact_is_refused(spec: QuerySpec) -> None:
    assert code(spec) is IssueCode.UNSUPPORTED


def test_windows_and_to_date_sums_end_with_the_window(warehouse: duckdb.DuckDBPyConnection) -> None:
    window = TimeRange(start=date(2024, 3, 10), end=date(2024, 3, 11), expr="")
    spec = QuerySpec(metrics=("revenue_to_date", "revenue_7d", "revenue_mtd"), time_range=window)
    assert run(warehouse, spec) == [(31 + 29 + 10, 7, 10)]
    assert code(QuerySpec(metrics=("revenue_7d",))) is IssueCode.UNSUPPORTED


def test_a_cumulative_metric_may_be_split_by_another_time(warehouse: duckdb.DuckDBPyConnection) -> None:
    warehouse.execute("CREATE OR REPLACE TABLE shop.customers(customer_id INT, signed_up DATE, tier VARCHAR)")
    signed = (GroupBy(dimension="signed_up_on", granularity=TimeGranularity.MONTH),)
    assert run(warehouse, QuerySpec(metrics=("revenue_to_date",), group_by=signed)) == [(None, 800)]
