"""Public reports about days, weeks and windows: R1, R2, R3, R5, R8, R10, R11, R12 and R16."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from catalog.query import GroupBy, QuerySpec, TimeRange
from catalog.types import METRIC_TIME, Calendar, CatalogSnapshot, Filter, FiscalYear, Operator, TimeGranularity
from dataagent.intent.types import Decision
from tests.intent.library import TODAY, understood
from tests.reports.world import catalog_of, compiled, rows_of, totals_of

ORDERS = """
catalog: {name: shop, dialect: duckdb}
semantic_models:
  - name: orders
    table: shop.orders
    default_time_dimension: ordered_on
    entities: [{name: order, type: primary, expr: id}]
    dimensions:
      - {name: ordered_on, type: time, expr: ordered_at, granularity: day}
      - {name: buyer, type: categorical, expr: buyer}
    measures:
      - {name: order_count, agg: count, expr: "1"}
      - {name: amount_sum, agg: sum, expr: amount}
metrics:
  - {name: orders, type: simple, measure: order_count}
  - {name: amount, type: simple, measure: amount_sum}
"""
MONDAYS, SUNDAYS = date(2022, 9, 5), date(2022, 9, 4)


def shop(**calendar: object) -> CatalogSnapshot:
    return replace(catalog_of(ORDERS), calendar=replace(Calendar(), **calendar))  # type: ignore[arg-type]


def table(rows: list[tuple[str, int, str]]) -> str:
    values = ", ".join(f"({i}, '{at}', {amount}, '{buyer}')" for i, (at, amount, buyer) in enumerate(rows))
    return (
        "CREATE SCHEMA shop; CREATE TABLE shop.orders(id INT, ordered_at TIMESTAMP, amount INT, buyer VARCHAR);"
        f"INSERT INTO shop.orders VALUES {values}"
    )


def by(grain: TimeGranularity, metric: str = "orders", start: date | None = None, end: date | None = None) -> QuerySpec:
    window = TimeRange(start=start, end=end, expr="") if start or end else None
    return QuerySpec(
        metrics=(metric,), group_by=(GroupBy(dimension=METRIC_TIME, granularity=grain),), time_range=window
    )


@pytest.mark.parametrize(("week_start", "weekday"), [("monday", 0), ("sunday", 6), ("saturday", 5)])
def test_r1_the_label_of_a_week_is_its_bucket_and_its_first_day_is_told(week_start: str, weekday: int) -> None:
    days = [date(2022, 9, 11), date(2022, 9, 12), *(date(2026, 12, 25) + timedelta(days=n) for n in range(14))]
    rows = rows_of(by(TimeGranularity.WEEK), shop(week_start=week_start), table([(str(d), 1, "a") for d in days]))
    expected: dict[date, int] = {}
    for day in days:
        start = day - timedelta(days=(day.weekday() - weekday) % 7)
        expected[start] = expected.get(start, 0) + 1
    assert dict(rows) == expected
    told = compiled(by(TimeGranularity.WEEK), shop(week_start=week_start)).notes
    assert f"Weeks start on {week_start.capitalize()}; each is named by its first day." in told
    if week_start == "monday":
        assert rows[0] == (date(2022, 9, 5), 1), "the Sunday belongs to the week of the Monday before"


@pytest.mark.parametrize(
    ("basis", "month", "told"), [("fiscal", 10, True), ("fiscal", 2, False), ("calendar", 10, False)]
)
def test_r1_fiscal_quarters_that_look_like_the_calendars_are_told_apart(basis: str, month: int, told: bool) -> None:
    snapshot = shop(quarter_basis=basis, fiscal=FiscalYear(start_month=month))
    notes = compiled(by(TimeGranularity.QUARTER), snapshot).notes
    assert any("Quarters are named by the calendar" in n for n in notes) is told


@pytest.mark.parametrize("start", [date(2026, 8, 3), date(2026, 8, 5), date(2024, 2, 26), date(2025, 12, 29)])
def test_r2_a_week_sums_its_own_seven_days_whatever_it_is_called(start: date) -> None:
    monday = start - timedelta(days=start.weekday())
    rows = [(str(monday + timedelta(days=n)), n + 1, "a") for n in range(14)]
    found = rows_of(by(TimeGranularity.WEEK, "amount"), shop(), table(rows))
    assert found == [(monday, sum(range(1, 8))), (monday + timedelta(days=7), sum(range(8, 15)))]


@pytest.mark.parametrize(
    ("start", "end", "told"),
    [
        (date(2026, 8, 4), date(2026, 8, 18), ("The first week is not whole: it starts on 2026-08-04.",
                                              "The last week is not whole: it ends on 2026-08-17.")),
        (date(2026, 8, 3), date(2026, 8, 17), ()),
        (date(2026, 8, 3), date(2026, 8, 18), ("The last week is not whole: it ends on 2026-08-17.",)),
        (date(2026, 8, 5), date(2026, 8, 7), ("The only week is not whole: it is from 2026-08-05 to 2026-08-06.",)),
    ],
)  # fmt: skip
def test_r3_a_week_that_the_window_cuts_has_its_days_and_is_said_not_to_be_whole(
    start: date, end: date, told: tuple[str, ...]
) -> None:
    days = [date(2026, 7, 27) + timedelta(days=n) for n in range(28)]
    asked = by(TimeGranularity.WEEK, start=start, end=end)
    rows = rows_of(asked, shop(), table([(str(d), 1, "a") for d in days]))
    assert sum(n for _, n in rows) == (end - start).days
    assert tuple(n for n in compiled(asked, shop()).notes if "not whole" in n) == told


@pytest.mark.parametrize("grain", [TimeGranularity.MONTH, TimeGranularity.QUARTER, TimeGranularity.YEAR])
def test_r3_so_is_any_period(grain: TimeGranularity) -> None:
    cut = compiled(by(grain, start=date(2025, 2, 3), end=date(2026, 8, 18)), shop()).notes
    assert [n for n in cut if "not whole" in n] == [
        f"The first {grain} is not whole: it starts on 2025-02-03.",
        f"The last {grain} is not whole: it ends on 2026-08-17.",
    ]
    assert not any(
        "whole" in n for n in compiled(by(grain, start=date(2025, 1, 1), end=date(2027, 1, 1)), shop()).notes
    )


@pytest.mark.parametrize("zone", ["Europe/London", "America/New_York", "Pacific/Auckland"])
@pytest.mark.parametrize("at", ["2026-04-01 00:00", "2026-03-29 00:30", "2026-10-25 01:30", "2026-11-01 01:30"])
def test_r5_a_row_has_one_day_in_segment_and_total_on_days_when_clocks_change(zone: str, at: str) -> None:
    stacked = replace(by(TimeGranularity.DAY), group_by=(*by(TimeGranularity.DAY).group_by, GroupBy(dimension="buyer")))
    london, tables = shop(timezone=zone), table([(at, 1, "ann"), (at, 2, "bob")])
    day = date.fromisoformat(at[:10])
    assert rows_of(stacked, london, tables) == [(day, "ann", 1), (day, "bob", 1)]
    assert rows_of(by(TimeGranularity.DAY), london, tables) == [(day, 2)]
    assert totals_of(by(TimeGranularity.DAY, start=day, end=day + timedelta(days=1)), london, tables) == (2,)


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/Los_Angeles", "Pacific/Kiritimati"])
def test_r8_a_calendar_date_is_the_same_date_in_every_zone(zone: str) -> None:
    tables = table([("2023-06-30", 1, "a"), ("2023-07-01", 2, "a"), ("2023-07-31", 4, "a"), ("2023-08-01", 8, "a")])
    july = TimeRange(start=date(2023, 7, 1), end=date(2023, 8, 1), expr="2023-07")
    assert rows_of(QuerySpec(metrics=("amount",), time_range=july), shop(timezone=zone), tables) == [(6,)]
    day = Filter(field="ordered_on", op=Operator.BETWEEN, values=(date(2023, 7, 1), date(2023, 7, 31)))
    assert rows_of(QuerySpec(metrics=("amount",), where=(day,)), shop(timezone=zone), tables) == [(6,)]


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("loans last month", date(2025, 5, 1), date(2025, 6, 1)),
        ("loans last week", date(2025, 6, 9), date(2025, 6, 16)),
        ("loans last quarter", date(2025, 1, 1), date(2025, 4, 1)),
        ("loans last year", date(2024, 1, 1), date(2025, 1, 1)),
        ("loans yesterday", date(2025, 6, 17), date(2025, 6, 18)),
    ],
)
def test_r10_the_end_of_a_window_is_the_first_moment_that_is_out(question: str, start: date, end: date) -> None:
    window = understood(question).intent.time_range  # type: ignore[union-attr]
    assert window is not None
    assert (window.start, window.end) == (start, end)
    edge = [
        (f"{start} 00:00", 1, "a"),
        (f"{end - timedelta(days=1)} 23:59:59.999999", 2, "a"),
        (f"{end} 00:00", 4, "a"),
    ]
    asked = QuerySpec(metrics=("amount",), time_range=window)
    assert rows_of(asked, shop(), table([*edge, (f"{start - timedelta(days=1)} 23:59:59", 8, "a")])) == [(3,)]


@pytest.mark.parametrize("count", [2, 7, 30, 90])
@pytest.mark.parametrize("unit", ["days", "weeks", "months"])
def test_r11_a_rolling_window_ends_by_today_and_future_rows_are_out(count: int, unit: str) -> None:
    found = understood(f"loans in the last {count} {unit}")
    assert found.intent is not None
    window = found.intent.time_range
    assert window is not None
    assert window.start is not None
    assert window.end is not None
    assert window.end <= TODAY + timedelta(days=1)
    tables = table([(str(window.start), 1, "a"), (str(TODAY + timedelta(days=40)), 2, "a"), (str(window.end), 4, "a")])
    assert rows_of(QuerySpec(metrics=("amount",), time_range=window), shop(), tables) == [(1,)]


@pytest.mark.parametrize("count", [2, 3, 7, 10, 28, 365])
@pytest.mark.parametrize("words", ["past", "last"])
def test_r12_the_number_of_a_window_is_the_one_in_the_question_every_time(count: int, words: str) -> None:
    windows = {understood(f"How many loans in the {words} {count} days?").intent.time_range for _ in range(5)}  # type: ignore[union-attr]
    assert len(windows) == 1
    window = windows.pop()
    assert window is not None
    assert window.start is not None
    assert window.end is not None
    assert (window.end - window.start).days == count


@pytest.mark.parametrize("question", ["show the trend of loans", "loans trend", "trend of fines"])
def test_r16_the_window_of_a_trend_is_the_workspaces_default_and_is_told(question: str) -> None:
    found = understood(question)
    assert found.decision is Decision.ANSWER
    assert found.intent is not None
    assert found.intent.time_range is not None
    told = {d.key: d for d in found.intent.defaults_used}
    assert told["trend_range"].value == "last_12_months"
    assert "took the last 12 months" in told["trend_range"].text
