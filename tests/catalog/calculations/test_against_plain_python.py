"""Whatever the rows and the question, calculations agree with a naive evaluation in Python."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import duckdb
import pytest
from dateutil.relativedelta import relativedelta
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from catalog.calculations import (
    Change,
    Direction,
    MovingWindow,
    PeriodComparison,
    Rank,
    RunningTotal,
    Share,
    TieRule,
    Top,
    WindowKind,
)
from catalog.compiler import compile_query
from catalog.query import CompiledQuery, QuerySpec, TimeRange
from catalog.types import TimeGranularity
from tests.catalog.calculations.sales import TABLES, Row, by, plain
from tests.catalog.shop import shop

REGIONS: dict[int | None, str | None] = {1: "EMEA", 2: "AMER", 3: None, 4: "APAC", None: None}
DAY, WEEK, MONTH, YEAR = TimeGranularity.DAY, TimeGranularity.WEEK, TimeGranularity.MONTH, TimeGranularity.YEAR
STEPS = {DAY: relativedelta(days=1), WEEK: relativedelta(weeks=1), MONTH: relativedelta(months=1)}

Sale = tuple[date, int | None, Decimal]
sales = st.lists(
    st.tuples(
        st.integers(0, 430).map(lambda n: date(2024, 1, 20) + timedelta(days=n)),
        st.sampled_from([None, 1, 2, 3, 4]),
        st.integers(-300, 900).map(lambda n: Decimal(n) / 100),
    ),
    max_size=12,
)
windows = st.sampled_from(
    [
        None,
        (date(2025, 1, 1), date(2025, 4, 1)),
        (date(2025, 1, 15), date(2025, 2, 20)),
        (date(2024, 2, 1), date(2024, 3, 31)),
        (date(2025, 3, 1), date(2026, 1, 1)),
    ]
)


@pytest.fixture(scope="module")
def warehouse() -> Iterator[duckdb.DuckDBPyConnection]:
    connection = duckdb.connect()
    connection.execute(TABLES)
    yield connection
    connection.close()


def run(warehouse: duckdb.DuckDBPyConnection, rows: list[Sale], spec: QuerySpec) -> list[Row]:
    warehouse.execute("DELETE FROM shop.orders")
    for number, (day, store, amount) in enumerate(rows):
        given_row = [number, store, day, amount]
        warehouse.execute("INSERT INTO shop.orders VALUES (?, NULL, ?, ?, ?, NULL)", given_row)
    query = compile_query(spec, shop())
    assert isinstance(query, CompiledQuery), query
    found = warehouse.execute(query.sql, {p.name: p.value for p in query.parameters}).fetchall()
    return [plain(r) for r in found]


def time_range(window: tuple[date, date] | None) -> TimeRange | None:
    return TimeRange(start=window[0], end=window[1], expr="") if window else None


def start_of(day: date, grain: TimeGranularity) -> date:
    if grain is WEEK:
        return day - timedelta(days=day.weekday())
    return day.replace(day=1) if grain is MONTH else day


def totals(
    rows: list[Sale], window: tuple[date, date] | None, grain: TimeGranularity
) -> dict[tuple[date, str | None], Decimal]:
    found: defaultdict[tuple[date, str | None], Decimal] = defaultdict(Decimal)
    for day, store, amount in rows:
        if window is None or window[0] <= day < window[1]:
            found[start_of(day, grain), REGIONS[store]] += amount
    return found


def shown_periods(
    rows: list[Sale], window: tuple[date, date] | None, grain: TimeGranularity, before: int = 0
) -> list[date]:
    """Every period from the first to the last of the data that lies in the window, and some before."""
    days = [day for day, _, _ in rows]
    if not days:
        return []
    first, last = start_of(min(days), grain), start_of(max(days), grain)
    shown, end = first, last
    if window:
        shown = max(first, start_of(window[0], grain))
        end = min(last, start_of(window[1] - timedelta(days=1), grain))
    current, found = max(first, shown - STEPS[grain] * before), []
    while current <= end and shown <= end:
        found.append(current)
        current = current + STEPS[grain]
    return found


def number(value: Decimal | None) -> Any:
    return None if value is None else plain((value,))[0]


def by_group(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return row[0], row[1] is None, row[1] or ""


options = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
PAIRS = [(MONTH, MONTH), (MONTH, YEAR), (DAY, MONTH), (DAY, YEAR), (WEEK, WEEK), (WEEK, YEAR), (DAY, WEEK)]


@options
@given(rows=sales, window=windows, pair=st.sampled_from(PAIRS), count=st.integers(1, 3))
@example(
    rows=[(date(2024, 2, 29), 1, Decimal(3)), (date(2025, 3, 1), 1, Decimal(4))],
    window=(date(2025, 1, 1), date(2025, 4, 1)),
    pair=(DAY, YEAR),
    count=1,
)
def test_each_period_stands_beside_its_earlier_one(
    warehouse: duckdb.DuckDBPyConnection,
    rows: list[Sale],
    window: tuple[date, date] | None,
    pair: tuple[TimeGranularity, TimeGranularity],
    count: int,
) -> None:
    grain, back = pair
    spec = QuerySpec(
        metrics=("revenue",),
        group_by=by("region", grain=grain),
        time_range=time_range(window),
        comparison=PeriodComparison(changes=(Change.DIFFERENCE,), back_count=count, back_granularity=back),
    )
    assert run(warehouse, rows, spec) == _compared(rows, window, grain, back=back, count=count)


def _earlier(day: date, back: TimeGranularity, grain: TimeGranularity, count: int) -> date | None:
    """The day so much earlier, or None where the calendar has none."""
    if grain is WEEK and back is YEAR:
        return day - timedelta(days=364 * count)
    if back in {DAY, WEEK}:
        return day - STEPS[back] * count
    moved = day - relativedelta(months=count * (12 if back is YEAR else 1))
    return moved if moved.day == day.day else None


def _compared(
    rows: list[Sale],
    window: tuple[date, date] | None,
    grain: TimeGranularity,
    *,
    back: TimeGranularity,
    count: int,
) -> list[Row]:
    asked = totals(rows, window, grain)
    earlier: defaultdict[tuple[date, str | None], Decimal] = defaultdict(Decimal)
    periods = shown_periods(rows, window, grain)
    for period in periods:
        for day, store, amount in rows:
            prior = _earlier(period, back, grain, count)
            if prior and start_of(day, grain) == prior and _counterpart_is_asked(day, window, grain, back, count):
                earlier[period, REGIONS[store]] += amount
    data = [start_of(day, grain) for day, _, _ in rows]
    made = []
    for period, region in {*asked, *earlier}:
        value = asked.get((period, region), Decimal(0))
        prior = _earlier(period, back, grain, count)
        inside = prior is not None and min(data) <= prior <= max(data)
        before = earlier.get((period, region), Decimal(0) if inside else None)
        difference = None if before is None else value - before
        made.append((period, region, number(value), number(before), number(difference)))
    return sorted(made, key=by_group)


def _counterpart_is_asked(
    day: date, window: tuple[date, date] | None, grain: TimeGranularity, back: TimeGranularity, count: int
) -> bool:
    """Whether the earlier day lies in the window moved back; a day that a month lacks becomes the next one's first."""
    if window is None:
        return True
    if grain is WEEK and back is YEAR:
        start, end = (d - timedelta(days=364 * count) for d in window)
    elif back in {DAY, WEEK}:
        start, end = (d - STEPS[back] * count for d in window)
    else:
        start, end = (_cut(d, count * (12 if back is YEAR else 1)) for d in window)
    return start <= day < end


def _cut(day: date, months: int) -> date:
    moved = day - relativedelta(months=months)
    return moved if moved.day == day.day else moved + timedelta(days=1)


@options
@given(rows=sales, window=windows, grain=st.sampled_from([DAY, WEEK, MONTH]), width=st.integers(2, 4))
def test_running_totals_and_moving_windows_count_every_period(
    warehouse: duckdb.DuckDBPyConnection,
    rows: list[Sale],
    window: tuple[date, date] | None,
    grain: TimeGranularity,
    width: int,
) -> None:
    spec = QuerySpec(
        metrics=("revenue",),
        group_by=by("region", grain=grain),
        time_range=time_range(window),
        calculations=(
            RunningTotal(metric="revenue"),
            MovingWindow(metric="revenue", periods=width, kind=WindowKind.SUM),
            MovingWindow(metric="revenue", periods=width, kind=WindowKind.MINIMUM),
        ),
    )
    asked = totals(rows, window, grain)
    until = (date.min, window[1]) if window else None
    wide, needed = totals(rows, until, grain), shown_periods(rows, window, grain, width - 1)
    shown = shown_periods(rows, window, grain)
    expected = []
    for region in {r for p, r in asked} | {r for p, r in wide if p in needed}:
        total = Decimal(0)
        for period in shown:
            total += asked.get((period, region), Decimal(0))
            back = [p for p in needed if period - STEPS[grain] * (width - 1) <= p <= period]
            values = [wide.get((p, region), Decimal(0)) for p in back] if len(back) == width else []
            moving = (sum(values, Decimal(0)), min(values)) if values else (None, None)
            own = asked.get((period, region), Decimal(0))
            expected.append((period, region, number(own), number(total), *(number(m) for m in moving)))
    assert run(warehouse, rows, spec) == sorted(expected, key=by_group)


@options
@given(rows=sales, window=windows, count=st.integers(1, 3), ties=st.sampled_from(list(TieRule)))
def test_shares_ranks_and_tops_agree(
    warehouse: duckdb.DuckDBPyConnection,
    rows: list[Sale],
    window: tuple[date, date] | None,
    count: int,
    ties: TieRule,
) -> None:
    spec = QuerySpec(
        metrics=("revenue",),
        group_by=by("region", grain=MONTH),
        time_range=time_range(window),
        calculations=(
            Share(metric="revenue", within=("metric_time",)),
            Rank(by="revenue", within=("metric_time",), direction=Direction.ASC),
        ),
        top=Top(by="revenue", count=count, within=("metric_time",), ties=ties),
    )
    asked = totals(rows, window, MONTH)
    expected = []
    for month in {p for p, _ in asked}:
        members = {r: v for (p, r), v in asked.items() if p == month}
        whole, order = sum(members.values()), sorted(members, key=lambda r: (-members[r], r is None, r or ""))
        for region, value in members.items():
            above = sum(v > value for v in members.values())
            if (order.index(region) if ties is TieRule.FIRST else above) >= count:
                continue
            valid = whole and min(members.values()) >= 0
            share = round(float(value) / float(whole), 9) if valid else None
            rank = 1 + sum(v < value for v in members.values())
            expected.append((month, region, number(value), share, rank))
    found = run(warehouse, rows, spec)
    assert [(r[0], r[1]) for r in found] == [
        (r[0], r[1]) for r in sorted(expected, key=lambda r: (r[0], -r[2], r[1] is None, r[1] or ""))
    ]
    assert sorted(found, key=by_group) == [
        (*r[:3], pytest.approx(r[3]) if r[3] else r[3], r[4]) for r in sorted(expected, key=by_group)
    ]
