"""What does not add up, along a timeline: equal to a count of all rows from the first period on, done by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from statistics import median
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from catalog.calculations import MovingWindow, RunningTotal, WindowKind
from catalog.compiler import compile_query
from catalog.query import CompiledQuery, GroupBy, QuerySpec, TimeRange
from catalog.types import METRIC_TIME, Calendar, FiscalYear, TimeGranularity
from tests.catalog.calculations.sales import TABLES, Row, plain
from tests.catalog.shop import shop
from tests.proof.days import moved, start_of

DAY, WEEK, MONTH, QUARTER, YEAR = (
    TimeGranularity.DAY,
    TimeGranularity.WEEK,
    TimeGranularity.MONTH,
    TimeGranularity.QUARTER,
    TimeGranularity.YEAR,
)
REGIONS: dict[int | None, str | None] = {1: "EMEA", 2: "AMER", 3: None, None: None}
CATEGORIES = {1: "tea", 2: "cups"}

Order = tuple[date | None, int | None, int | None, Decimal | None, tuple[int, ...]]
orders = st.lists(
    st.tuples(
        st.one_of(st.none(), st.integers(0, 500).map(lambda n: date(2024, 1, 20) + timedelta(days=n))),
        st.sampled_from([None, 1, 2, 3]),
        st.sampled_from([None, 1, 2]),
        st.one_of(st.none(), st.integers(-3, 9).map(lambda n: Decimal(n) / 2)),
        st.lists(st.sampled_from([1, 2]), max_size=3).map(tuple),
    ),
    max_size=10,
)
refunds = st.lists(st.tuples(st.integers(0, 500), st.integers(0, 12)), max_size=4)
windows = st.sampled_from(
    [
        None,
        (date(2024, 12, 1), date(2025, 4, 1)),
        (date(2024, 1, 25), date(2025, 2, 20)),
        (date(2024, 2, 29), date(2024, 9, 15)),
        (date(2025, 3, 1), date(2026, 1, 1)),
    ]
)
calendars = st.builds(
    Calendar,
    week_start=st.sampled_from(["monday", "sunday", "saturday"]),
    quarter_basis=st.sampled_from(["calendar", "fiscal"]),
    fiscal=st.builds(FiscalYear, start_month=st.sampled_from([1, 2, 4, 10])),
)
METRICS = ("buyers", "average_order", "median_order", "largest_order", "aov", "refund_rate", "gold_share")
options = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def warehouse() -> Iterator[duckdb.DuckDBPyConnection]:
    connection = duckdb.connect()
    connection.execute(TABLES)
    yield connection
    connection.close()


def fill(warehouse: duckdb.DuckDBPyConnection, rows: list[Order], back: list[tuple[int, int]]) -> None:
    for table in ("orders", "items", "refunds"):
        warehouse.execute(f"DELETE FROM shop.{table}")
    for number, (day, customer, store, amount, products) in enumerate(rows):
        warehouse.execute(
            "INSERT INTO shop.orders VALUES (?, ?, ?, ?, ?, NULL)", [number, customer, store, day, amount]
        )
        for product in products:
            warehouse.execute("INSERT INTO shop.items VALUES (1, ?, ?, 1)", [number, product])
    for number, (days, amount) in enumerate(back):
        day = date(2024, 1, 20) + timedelta(days=days)
        warehouse.execute("INSERT INTO shop.refunds VALUES (?, NULL, ?, ?, NULL)", [number, day, amount])


def run(warehouse: duckdb.DuckDBPyConnection, spec: QuerySpec, calendar: Calendar) -> list[Row]:
    query = compile_query(spec, replace(shop(), calendar=calendar))
    assert isinstance(query, CompiledQuery), query
    found = warehouse.execute(query.sql, {p.name: p.value for p in query.parameters}).fetchall()
    return [plain(r) for r in found]


def value(metric: str, rows: list[Order], back: list[int]) -> Any:
    """The metric over the rows, by its definition."""
    amounts = [a for _, _, _, a, _ in rows if a is not None]
    gold = sum(a for _, c, _, a, _ in rows if c == 1 and a is not None)
    buyers = {c for _, c, _, _, _ in rows if c is not None}
    by_hand: dict[str, Any] = {
        "buyers": len(buyers),
        "average_order": sum(amounts) / len(amounts) if amounts else None,
        "median_order": median(amounts) if amounts else None,
        "largest_order": max(amounts, default=None),
        "aov": sum(amounts) / Decimal(len(rows)) if amounts else None,
        "gold_share": gold / sum(amounts) if sum(amounts) else None,
        "refund_rate": Decimal(sum(back)) / sum(amounts) if sum(amounts) and (rows or back) else None,
    }
    found = by_hand[metric]
    return None if found is None else plain((Decimal(found),))[0]


def periods_shown(
    days: list[date], window: tuple[date, date] | None, grain: TimeGranularity, calendar: Calendar
) -> list[date]:
    if not days:
        return []
    first, last = _start(min(days), grain, calendar), _start(max(days), grain, calendar)
    if window:
        first = max(first, _start(window[0], grain, calendar))
        last = min(last, _start(window[1] - timedelta(days=1), grain, calendar))
    found = []
    while first <= last:
        found.append(first)
        first = moved(first, 1, grain)
    return found


def _start(day: date, grain: TimeGranularity, calendar: Calendar) -> date:
    if grain is YEAR and calendar.quarter_basis == "fiscal":
        return date(day.year - (day.month < calendar.fiscal.start_month), calendar.fiscal.start_month, 1)
    start = start_of(day, grain, calendar)
    assert type(start) is date
    return start


@options
@given(
    rows=orders,
    back=refunds,
    window=windows,
    calendar=calendars,
    pair=st.sampled_from([(DAY, None), (DAY, WEEK), (WEEK, None), (MONTH, QUARTER), (MONTH, YEAR), (QUARTER, None)]),
    metric=st.sampled_from(METRICS),
)
@example(
    rows=[
        (date(2024, 1, 20), 1, 1, Decimal(1), ()),
        (date(2024, 2, 20), 1, 1, Decimal(1), ()),
        (date(2024, 12, 20), 1, 1, Decimal(1), ()),
        (date(2025, 3, 1), 2, 1, Decimal(2), ()),
    ],
    back=[],
    window=None,
    calendar=Calendar(quarter_basis="fiscal", fiscal=FiscalYear(start_month=2)),
    pair=(MONTH, YEAR),
    metric="buyers",
)
def test_a_running_value_is_that_of_all_rows_so_far(
    warehouse: duckdb.DuckDBPyConnection,
    rows: list[Order],
    back: list[tuple[int, int]],
    window: tuple[date, date] | None,
    calendar: Calendar,
    pair: tuple[TimeGranularity, TimeGranularity | None],
    metric: str,
) -> None:
    grain, restart = pair
    fill(warehouse, rows, back)
    spec = QuerySpec(
        metrics=(metric,),
        group_by=(GroupBy(dimension=METRIC_TIME, granularity=grain),),
        time_range=TimeRange(start=window[0], end=window[1], expr="") if window else None,
        calculations=(RunningTotal(metric=metric, restart=restart),),
    )
    given_back = [(date(2024, 1, 20) + timedelta(days=n), amount) for n, amount in back]
    days = [r[0] for r in rows if r[0]]
    days += [d for d, _ in given_back] if metric == "refund_rate" else []
    expected = []
    for period in periods_shown(days, window, grain, calendar):
        since = _start(period, restart, calendar) if restart else date.min
        end = moved(period, 1, grain)
        if window:
            since, end = max(since, window[0]), min(end, window[1])
        so_far = [r for r in rows if r[0] and since <= r[0] < end]
        expected.append((period, value(metric, so_far, [a for d, a in given_back if since <= d < end])))
    found = [(row[0], row[2]) for row in run(warehouse, spec, calendar) if row[0] is not None and days]
    assert found == [(p, pytest.approx(v) if isinstance(v, float) else v) for p, v in expected]


@options
@given(rows=orders, window=windows, grain=st.sampled_from([DAY, WEEK, MONTH]), width=st.integers(2, 4))
def test_a_moving_value_is_that_of_all_rows_of_its_periods(
    warehouse: duckdb.DuckDBPyConnection,
    rows: list[Order],
    window: tuple[date, date] | None,
    grain: TimeGranularity,
    width: int,
) -> None:
    fill(warehouse, rows, [])
    spec = QuerySpec(
        metrics=("buyers", "aov", "median_order"),
        group_by=(GroupBy(dimension=METRIC_TIME, granularity=grain),),
        time_range=TimeRange(start=window[0], end=window[1], expr="") if window else None,
        calculations=(
            MovingWindow(metric="buyers", periods=width, kind=WindowKind.SUM),
            MovingWindow(metric="aov", periods=width),
            MovingWindow(metric="median_order", periods=width),
        ),
    )
    days, calendar = [r[0] for r in rows if r[0]], Calendar()
    expected = []
    for period in periods_shown(days, window, grain, calendar):
        since, end = moved(period, 1 - width, grain), moved(period, 1, grain)
        end = min(end, window[1]) if window else end
        if since < _start(min(days), grain, calendar):
            expected.append((period, None, None, None))
            continue
        held = [r for r in rows if r[0] and since <= r[0] < end]
        expected.append((period, *(value(m, held, []) for m in spec.metrics)))
    rows_found = run(warehouse, spec, calendar)
    found = [(row[0], row[2], row[4], row[6]) for row in rows_found if row[0] is not None and days]
    assert found == [tuple(pytest.approx(v) if isinstance(v, float) else v for v in e) for e in expected]


@options
@given(rows=orders, window=windows, field=st.sampled_from(["region", "category"]))
def test_each_group_counts_its_own_rows_also_over_a_bridge(
    warehouse: duckdb.DuckDBPyConnection, rows: list[Order], window: tuple[date, date] | None, field: str
) -> None:
    fill(warehouse, rows, [])
    spec = QuerySpec(
        metrics=("buyers", "average_order"),
        group_by=(GroupBy(dimension=METRIC_TIME, granularity=MONTH), GroupBy(dimension=field)),
        time_range=TimeRange(start=window[0], end=window[1], expr="") if window else None,
        calculations=(RunningTotal(metric="buyers"), RunningTotal(metric="average_order")),
    )
    start, end = window or (date.min, date.max)
    days = [r[0] for r in rows if r[0]]
    inside = [r for r in rows if r[0] and start <= r[0] < end]
    shown = inside if window else rows
    expected = {}
    for member in {m for r in shown for m in _members(r, field)}:
        for period in periods_shown(days, window, MONTH, Calendar()):
            mine = [r for r in inside if member in _members(r, field) and r[0] and r[0] < moved(period, 1, MONTH)]
            expected[period, member] = (value("buyers", mine, []), value("average_order", mine, []))
    found = {r[:2]: (r[3], r[5]) for r in run(warehouse, spec, Calendar()) if r[0] is not None}
    assert found == {k: (b, pytest.approx(a) if isinstance(a, float) else a) for k, (b, a) in expected.items()}


def _members(row: Order, field: str) -> set[str | None]:
    return {REGIONS[row[2]]} if field == "region" else {CATEGORIES[p] for p in row[4]} or {None}
