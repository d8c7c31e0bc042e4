"""Every kind of metric in a catalog of our own: each value is computed a second time by hand."""

from __future__ import annotations

from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest

from catalog.checks import check, is_error
from catalog.compiler import compile_query
from catalog.importers.own import load_folder
from catalog.issues import Issue, IssueCode
from catalog.query import CompiledQuery, GroupBy, QuerySpec, TimeRange
from catalog.types import METRIC_TIME, CatalogSnapshot, DatePart, Filter, Operator, TimeGranularity

ROWS = """
CREATE SCHEMA kinds;
CREATE TABLE kinds.orders(order_id INT, customer_id INT, ordered_at TIMESTAMP, channel VARCHAR, amount INT, fee INT);
INSERT INTO kinds.orders VALUES (1, 1, '2025-01-30', 'web', 10, 1), (2, 1, '2025-01-31', 'shop', 20, NULL),
  (3, 2, '2025-02-01', 'web', 30, NULL), (4, 2, '2025-02-02', NULL, 5, 2), (5, 3, '2025-03-31', 'web', 40, NULL),
  (6, 1, '2025-04-01', 'web', 8, NULL);
CREATE TABLE kinds.customer_history(customer_id INT, valid_from DATE, valid_to DATE, tier VARCHAR,
  country_code VARCHAR);
INSERT INTO kinds.customer_history VALUES (1, '2024-01-01', '2025-01-31', 'new', 'AT'),
  (1, '2025-01-31', NULL, 'gold', 'AT'), (2, '2024-01-01', NULL, 'new', 'US');
CREATE TABLE kinds.countries(code VARCHAR, continent VARCHAR);
INSERT INTO kinds.countries VALUES ('AT', 'Europe'), ('US', 'America');
CREATE TABLE kinds.visits(visit_id INT, customer_id INT, visited_at TIMESTAMP, campaign VARCHAR);
INSERT INTO kinds.visits VALUES (1, 1, '2025-01-29 09:30', 'web'), (2, 1, '2025-01-30 23:30', 'shop'),
  (3, 2, '2025-01-20 10:00', 'web'), (4, 3, '2025-03-31 10:00', 'web'), (5, 4, '2025-02-02 10:15', 'web');
"""
DAY, WEEK, MONTH = TimeGranularity.DAY, TimeGranularity.WEEK, TimeGranularity.MONTH


@cache
def catalog() -> CatalogSnapshot:
    return load_folder(Path(__file__).parent / "catalog.yaml")


@cache
def warehouse() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(":memory:")
    connection.execute(ROWS)
    return connection


def by(grain: TimeGranularity) -> GroupBy:
    return GroupBy(dimension=METRIC_TIME, granularity=grain)


def part(wanted: DatePart) -> GroupBy:
    return GroupBy(dimension=METRIC_TIME, part=wanted)


def until(end: str, start: str | None = None) -> TimeRange:
    return TimeRange(start=date.fromisoformat(start) if start else None, end=date.fromisoformat(end), expr="custom")


def rows(metric: str, *groups: GroupBy, time_range: TimeRange | None = None) -> list[Any]:
    found = compile_query(QuerySpec(metrics=(metric,), group_by=groups, time_range=time_range), catalog())
    assert isinstance(found, CompiledQuery), found
    made = warehouse().execute(found.sql, {p.name: p.value for p in found.parameters}).fetchall()
    return [tuple(v.strftime("%m-%d") if hasattr(v, "strftime") else v for v in row) for row in made]


def refused(metric: str, *groups: GroupBy, time_range: TimeRange | None = None) -> Issue:
    found = compile_query(QuerySpec(metrics=(metric,), group_by=groups, time_range=time_range), catalog())
    assert isinstance(found, tuple), found
    return found[0]


def test_the_catalog_is_right() -> None:
    assert not [i.message for i in check(catalog()) if is_error(i)]


@pytest.mark.parametrize(
    ("metric", "values"),
    [
        ("largest_so_far", [20, 30, 40, 40]),
        ("mean_of_two_months", [15, 16.25, 25, 53 / 3]),
        ("buyers_of_two_months", [1, 2, 2, 3]),
        ("revenue_quarter_to_date", [30, 35, 75, 83]),
        ("revenue_fiscal_year_to_date", [30, 35, 75, 83]),
        ("opening", [None, 60, 65, 113]),
    ],
)
def test_running_metrics_are_computed_from_rows(metric: str, values: list[object]) -> None:
    assert [v for _, v in rows(metric, by(MONTH))] == values


def test_a_running_metric_without_periods_is_what_it_is_at_the_end() -> None:
    assert rows("mean_of_two_months", time_range=until("2025-03-01")) == [(16.25,)]
    assert rows("revenue_quarter_to_date", time_range=until("2025-04-01")) == [(75,)]
    assert rows("revenue_fiscal_year_to_date", time_range=until("2025-02-01")) == [(30,)]
    assert rows("revenue_week_to_date", time_range=until("2025-02-02")) == [(60,)]
    assert rows("revenue_week_to_date", time_range=until("2025-02-03")) == [(5,)]


def test_a_week_to_date_starts_on_the_workspace_s_day() -> None:
    assert rows("revenue_week_to_date", by(DAY), time_range=until("2025-02-10")) == [
        ("01-30", 10), ("01-31", 30), ("02-01", 60), ("02-02", 5)
    ]  # fmt: skip


def test_a_running_value_stands_for_a_month_by_the_mean_of_its_days_with_and_without_rows() -> None:
    assert rows("on_average", by(DAY))[0] == ("01-30", 10)
    february, march = (60 + 27 * 65) / 28, (30 * 65 + 105) / 31
    assert rows("on_average", by(MONTH)) == [
        ("01-01", 20), ("02-01", pytest.approx(february)), ("03-01", pytest.approx(march)), ("04-01", 113)
    ]  # fmt: skip
    of_days = rows("on_average", by(MONTH), time_range=until("2025-02-03", "2025-02-02"))
    assert of_days == [("02-01", 65)]


def test_the_means_of_groups_add_up_to_that_of_all() -> None:
    by_channel = rows("on_average", by(MONTH), GroupBy(dimension="channel"))
    march = [row[2] for row in by_channel if row[0] == "03-01"]
    assert sum(march) == pytest.approx((30 * 65 + 105) / 31)


def test_offsets_of_offsets_add_up() -> None:
    assert rows("twice_before", by(MONTH)) == [("03-01", 30), ("04-01", 35), ("05-01", 40), ("06-01", 8)]
    assert rows("twice_before", time_range=until("2025-05-01", "2025-04-01")) == [(35,)]


def test_a_day_looks_back_to_the_same_day_of_the_month_before() -> None:
    days = dict(rows("month_before", by(DAY), time_range=until("2025-04-30", "2025-02-01")))
    assert (days["03-01"], days["03-02"]) == (30, 5)


def test_a_day_looks_back_to_the_start_of_its_month() -> None:
    days = dict(rows("since_month_start", by(DAY)))
    assert days == {"01-30": None, "01-31": None, "02-01": 0, "02-02": -25, "03-31": None, "04-01": 0}


def test_hours_look_back_by_hours() -> None:
    found = rows("hour_before", by(TimeGranularity.HOUR))
    assert len(found) == 5


@pytest.mark.parametrize(("metric", "value"), [("orders_after_visits", 5), ("orders_of_the_campaign", 3)])
def test_conversions_are_counted(metric: str, value: int) -> None:
    assert rows(metric) == [(value,)]


def test_conversions_have_a_window_and_a_rate() -> None:
    assert rows("visit_to_order") == [(2 / 5,)]
    by_campaign = dict(rows("visit_to_order", GroupBy(dimension="campaign")))
    assert by_campaign == {"shop": 1.0, "web": 0.25}


def test_a_changing_table_is_looked_up_at_the_time_of_the_row() -> None:
    assert rows("revenue", GroupBy(dimension="tier")) == [("gold", 28), ("new", 45), (None, 40)]
    assert rows("revenue", GroupBy(dimension="continent")) == [("America", 35), ("Europe", 38), (None, 40)]


def test_a_sum_of_two_metrics_follows_their_null_rules() -> None:
    by_channel = GroupBy(dimension="channel")
    assert dict(rows("with_fees", by_channel)) == {"web": 89, "shop": 20, None: 7}
    assert dict(rows("with_unknown_fees", by_channel)) == {"web": 89, "shop": None, None: 7}


def test_whole_numbers_are_not_divided_as_whole_numbers() -> None:
    assert rows("orders_per_visit") == [(6 / 5,)]


def test_a_filter_on_a_conversion_holds_for_the_earlier_rows() -> None:
    spec = QuerySpec(
        metrics=("orders_after_visits",), where=(Filter(field="campaign", op=Operator.EQ, values=("web",)),)
    )
    found = compile_query(spec, catalog())
    assert isinstance(found, CompiledQuery)
    made = warehouse().execute(found.sql, {p.name: p.value for p in found.parameters}).fetchall()
    assert made == [(5,)]


def test_parts_of_a_date_come_back_every_period() -> None:
    assert rows("revenue", part(DatePart.MONTH)) == [(1, 30), (2, 35), (3, 40), (4, 8)]
    # the workspace's week starts on Sunday
    assert rows("revenue", part(DatePart.DAY_OF_WEEK)) == [(7, 5), (1, 40), (2, 8), (4, 10), (5, 20), (6, 30)]
    assert rows("visits", part(DatePart.HOUR)) == [(9, 1), (10, 3), (23, 1)]


def test_fiscal_periods_have_names() -> None:
    assert rows("revenue", part(DatePart.FISCAL_YEAR)) == [("FY2025", 30), ("FY2026", 83)]
    assert rows("revenue", part(DatePart.FISCAL_QUARTER)) == [("FY2025 Q4", 30), ("FY2026 Q1", 83)]
    assert rows("revenue", part(DatePart.FISCAL_MONTH)) == [
        ("FY2025 M12", 30), ("FY2026 M01", 35), ("FY2026 M02", 40), ("FY2026 M03", 8)
    ]  # fmt: skip


def test_a_day_has_no_hour_and_a_running_metric_no_part() -> None:
    assert refused("revenue", part(DatePart.HOUR)).code is IssueCode.GRAIN_TOO_FINE
    assert refused("largest_so_far", part(DatePart.MONTH)).code is IssueCode.UNSUPPORTED
