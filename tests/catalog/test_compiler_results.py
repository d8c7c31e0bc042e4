"""Compiled queries, run in DuckDB, give what independent SQL written by hand gives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from decimal import Decimal

import duckdb
import pytest

from catalog.calculations import PeriodComparison, Share, Top
from catalog.compiler import compile_query
from catalog.issues import Issue, IssueCode
from catalog.query import CompiledQuery, Direction, GroupBy, MetricCondition, Order, QuerySpec, TimeRange
from catalog.types import METRIC_TIME, Filter, Operator, TimeGranularity
from tests.catalog.shop import shop

ROWS = """
CREATE SCHEMA shop;
CREATE TABLE shop.orders(order_id INT, customer_id INT, store_id INT, ordered_at TIMESTAMP, amount DECIMAL(10,2), status VARCHAR);
INSERT INTO shop.orders VALUES
 (1, 1, 1, '2025-01-05 10:00', 100, 'done'), (2, 1, 2, '2025-01-31 23:59', 50, 'done'),
 (3, 2, NULL, '2025-02-01 00:00', 30, 'open'), (4, 3, 1, '2025-02-10 12:00', 0, NULL),
 (5, NULL, NULL, '2025-03-01 08:00', 70, 'returned'), (6, 2, 9, NULL, 20, 'done'), (7, 3, 3, '2025-03-31 09:00', NULL, 'done');
CREATE TABLE shop.refunds(refund_id INT, order_id INT, refunded_at DATE, amount DECIMAL(10,2), reason VARCHAR);
INSERT INTO shop.refunds VALUES (1, 1, '2025-02-02', 10, 'late'), (2, 1, '2025-04-02', 5, NULL), (3, 3, '2025-02-03', 30, 'late'),
 (4, NULL, '2025-02-04', 7, 'lost');
CREATE TABLE shop.customers(customer_id INT, name VARCHAR, tier VARCHAR, signed_up DATE, country_code VARCHAR);
INSERT INTO shop.customers VALUES (1,'A','gold','2024-01-01','US'), (2,'B','silver','2025-01-15','AT'), (3,'C',NULL,'2025-02-01',NULL);
CREATE TABLE shop.countries(code VARCHAR, name VARCHAR);
INSERT INTO shop.countries VALUES ('US','United States'), ('AT','Österreich');
CREATE TABLE shop.stores(store_id INT, name VARCHAR, region VARCHAR);
INSERT INTO shop.stores VALUES (1,'One','EMEA'), (2,'Two','AMER'), (3,'Three',NULL);
CREATE TABLE shop.items(item_id INT, order_id INT, product_id INT, quantity INT);
INSERT INTO shop.items VALUES (1,1,1,2), (2,1,1,1), (3,1,2,1), (4,2,2,5), (5,3,3,1), (6,NULL,1,4);
CREATE TABLE shop.products(product_id INT, category VARCHAR);
INSERT INTO shop.products VALUES (1,'toys'), (2,'books'), (3,NULL);
CREATE TABLE shop.seats(id INT, customer_id INT, counted_on DATE, seats INT);
INSERT INTO shop.seats VALUES (1,1,'2025-01-30',5), (2,1,'2025-01-31',6), (3,2,'2025-01-30',2), (4,1,'2025-02-27',7), (5,3,'2025-02-28',1);
"""  # noqa: E501
MONTH = TimeGranularity.MONTH
BY_MONTH = GroupBy(dimension=METRIC_TIME, granularity=MONTH)


@pytest.fixture(scope="module")
def warehouse() -> Iterator[duckdb.DuckDBPyConnection]:
    connection = duckdb.connect()
    connection.execute(ROWS)
    yield connection
    connection.close()


def run(warehouse: duckdb.DuckDBPyConnection, spec: QuerySpec) -> list[tuple[object, ...]]:
    query = compile_query(spec, shop())
    assert isinstance(query, CompiledQuery), query
    found = warehouse.execute(query.sql, {p.name: p.value for p in query.parameters})
    assert [d[0] for d in found.description] == [c.name for c in query.columns]
    return found.fetchall()


def hand(warehouse: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[object, ...]]:
    return warehouse.execute(sql).fetchall()


def issue(spec: QuerySpec) -> Issue:
    found = compile_query(spec, shop())
    assert isinstance(found, tuple), found
    return found[0]


def window(start: date | None, end: date | None) -> TimeRange:
    return TimeRange(start=start, end=end, expr="")


def test_a_sum_by_a_joined_dimension_keeps_rows_without_a_match(warehouse: duckdb.DuckDBPyConnection) -> None:
    spec = QuerySpec(metrics=("revenue",), group_by=(GroupBy(dimension="region"),))
    assert run(warehouse, spec) == [("AMER", 50), ("EMEA", 100), (None, 120)]


def test_a_window_is_half_open_on_the_measures_own_time(warehouse: duckdb.DuckDBPyConnection) -> None:
    spec = QuerySpec(metrics=("net_revenue",), time_range=window(date(2025, 2, 1), date(2025, 3, 1)))
    by_hand = """SELECT
        (SELECT SUM(amount) FROM shop.orders WHERE ordered_at >= '2025-02-01' AND ordered_at < '2025-03-01')
      - (SELECT SUM(amount) FROM shop.refunds WHERE refunded_at >= '2025-02-01' AND refunded_at < '2025-03-01')"""
    assert run(warehouse, spec) == hand(warehouse, by_hand) == [(Decimal("-17.00"),)]


def test_each_side_is_aggregated_before_sides_meet(warehouse: duckdb.DuckDBPyConnection) -> None:
    spec = QuerySpec(metrics=("revenue", "refunded", "orders"), group_by=(GroupBy(dimension="status"),))
    assert run(warehouse, spec) == [
        ("done", Decimal("170.00"), Decimal("15.00"), 4),
        ("open", Decimal("30.00"), Decimal("30.00"), 1),
        ("returned", Decimal("70.00"), None, 1),
        (None, Decimal("0.00"), Decimal("7.00"), 1),
    ]


def test_groups_without_a_value_meet_each_other(warehouse: duckdb.DuckDBPyConnection) -> None:
    spec = QuerySpec(metrics=("net_revenue",), group_by=(BY_MONTH, GroupBy(dimension="tier")))
    by_hand = """
      SELECT m, t, CASE WHEN COUNT(r) + COUNT(x) > 0 THEN COALESCE(SUM(r), 0) - COALESCE(SUM(x), 0) END FROM (
        SELECT CAST(date_trunc('month', ordered_at) AS DATE) AS m, tier AS t, amount AS r, NULL AS x
        FROM shop.orders LEFT JOIN shop.customers USING (customer_id)
        UNION ALL
        SELECT CAST(date_trunc('month', refunded_at) AS DATE), tier, NULL, f.amount
        FROM shop.refunds f LEFT JOIN shop.orders o USING (order_id) LEFT JOIN shop.customers c USING (customer_id))
      GROUP BY m, t ORDER BY m NULLS LAST, t NULLS LAST"""
    assert run(warehouse, spec) == hand(warehouse, by_hand)


def test_nothing_at_all_gives_no_number(warehouse: duckdb.DuckDBPyConnection) -> None:
    future = window(date(2030, 1, 1), date(2031, 1, 1))
    spec = QuerySpec(metrics=("net_revenue", "orders", "aov"), time_range=future)
    assert run(warehouse, spec) == [(None, 0, None)]


def test_a_division_by_zero_is_empty_and_told(warehouse: duckdb.DuckDBPyConnection) -> None:
    spec = QuerySpec(metrics=("refund_rate",), group_by=(GroupBy(dimension="status"),))
    assert run(warehouse, spec)[-1] == (None, None)
    query = compile_query(spec, shop())
    assert isinstance(query, CompiledQuery)
    assert "Refund rate is empty where it would divide by 0." in query.notes


def test_a_ratio_of_whole_numbers_keeps_its_fraction(warehouse: duckdb.DuckDBPyConnection) -> None:
    spec = QuerySpec(metrics=("aov",), where=(Filter(field="status", op=Operator.EQ, values=("done",)),))
    assert run(warehouse, spec) == [(42.5,)]


def test_an_input_filter_applies_to_its_input_only(warehouse: duckdb.DuckDBPyConnection) -> None:
    assert run(warehouse, QuerySpec(metrics=("gold_share",))) == [(pytest.approx(150 / 270),)]


def test_a_filter_applies_to_every_side(warehouse: duckdb.DuckDBPyConnection) -> None:
    spec = QuerySpec(metrics=("net_revenue",), where=(Filter(field="region", op=Operator.EQ, values=("EMEA",)),))
    assert run(warehouse, spec) == [(Decimal("85.00"),)]


def test_a_filter_that_one_side_cannot_reach_is_an_issue() -> None:
    spec = QuerySpec(metrics=("net_revenue",), where=(Filter(field="reason", op=Operator.EQ, values=("late",)),))
    assert issue(spec).code is IssueCode.UNREACHABLE_DIMENSION


def test_a_bridge_counts_each_row_once_per_group(warehouse: duckdb.DuckDBPyConnection) -> None:
    spec = QuerySpec(metrics=("orders", "largest_order", "buyers"), group_by=(GroupBy(dimension="category"),))
    by_hand = """
      SELECT category, COUNT(DISTINCT order_id), MAX(amount), COUNT(DISTINCT customer_id) FROM shop.orders
      LEFT JOIN shop.items USING (order_id) LEFT JOIN shop.products USING (product_id)
      GROUP BY 1 ORDER BY 1 NULLS LAST"""
    assert run(warehouse, spec) == hand(warehouse, by_hand)
    query = compile_query(spec, shop())
    assert isinstance(query, CompiledQuery)
    assert any("overlap" in n for n in query.notes)
    assert not any(c.additive for c in query.columns)


def test_an_average_over_a_bridge_counts_each_order_once(warehouse: duckdb.DuckDBPyConnection) -> None:
    spec = QuerySpec(metrics=("average_order",), where=(Filter(field="category", op=Operator.EQ, values=("toys",)),))
    assert run(warehouse, spec) == [(100.0,)]


def test_a_sum_over_a_bridge_is_refused_and_over_its_own_grain_is_not(warehouse: duckdb.DuckDBPyConnection) -> None:
    by_category = (GroupBy(dimension="category"),)
    assert issue(QuerySpec(metrics=("revenue",), group_by=by_category)).code is IssueCode.FAN_OUT
    assert run(warehouse, QuerySpec(metrics=("units",), group_by=by_category)) == [("books", 6), ("toys", 7), (None, 1)]


def test_leaving_out_a_group_of_a_bridge_is_refused() -> None:
    spec = QuerySpec(metrics=("orders",), where=(Filter(field="category", op=Operator.NE, values=("toys",)),))
    assert issue(spec).code is IssueCode.UNSUPPORTED


def test_the_last_snapshot_of_the_window_is_summed(warehouse: duckdb.DuckDBPyConnection) -> None:
    january = window(date(2025, 1, 1), date(2025, 2, 1))
    assert run(warehouse, QuerySpec(metrics=("seats",), time_range=january)) == [(6,)]
    assert run(warehouse, QuerySpec(metrics=("seats",))) == [(1,)]


def test_the_last_snapshot_of_each_period_is_summed(warehouse: duckdb.DuckDBPyConnection) -> None:
    spec = QuerySpec(metrics=("seats",), group_by=(BY_MONTH,))
    assert run(warehouse, spec) == [(date(2025, 1, 1), 6), (date(2025, 2, 1), 1)]


def test_a_group_absent_from_the_last_snapshot_does_not_show_an_old_number(
    warehouse: duckdb.DuckDBPyConnection,
) -> None:
    silver = (Filter(field="tier", op=Operator.EQ, values=("silver",)),)
    january = window(date(2025, 1, 1), date(2025, 2, 1))
    assert run(warehouse, QuerySpec(metrics=("seats",), where=silver, time_range=january)) == [(None,)]


def test_cumulative_metrics_end_with_the_window(warehouse: duckdb.DuckDBPyConnection) -> None:
    ending = window(date(2025, 2, 5), date(2025, 2, 6))
    spec = QuerySpec(metrics=("revenue_to_date", "revenue_7d", "revenue_mtd"), time_range=ending)
    assert run(warehouse, spec) == [(180, 80, 30)]


def test_having_may_name_a_metric_that_is_not_shown(warehouse: duckdb.DuckDBPyConnection) -> None:
    spec = QuerySpec(
        metrics=("revenue",),
        group_by=(GroupBy(dimension="status"),),
        having=(MetricCondition(metric="orders", op=Operator.GT, values=(1,)),),
    )
    assert run(warehouse, spec) == [("done", 170)]


def test_the_first_rows_break_ties_by_their_groups(warehouse: duckdb.DuckDBPyConnection) -> None:
    spec = QuerySpec(
        metrics=("orders",),
        group_by=(GroupBy(dimension="store_name"),),
        order_by=(Order(by="orders", direction=Direction.DESC),),
        limit=3,
    )
    assert run(warehouse, spec) == [(None, 3), ("One", 2), ("Three", 1)]


def test_the_first_rows_without_an_order_are_refused() -> None:
    spec = QuerySpec(metrics=("orders",), group_by=(GroupBy(dimension="status"),), limit=3)
    assert issue(spec).code is IssueCode.UNSUPPORTED


@pytest.mark.parametrize(
    ("op", "values", "condition"),
    [
        (Operator.EQ, ("done",), "status = 'done'"),
        (Operator.NE, ("done",), "status <> 'done' OR status IS NULL"),
        (Operator.IN, ("done", None), "status = 'done' OR status IS NULL"),
        (Operator.NOT_IN, ("done", None), "status <> 'done' AND status IS NOT NULL"),
        (Operator.NOT_IN, ("done", "open"), "status NOT IN ('done', 'open') OR status IS NULL"),
        (Operator.IS_NULL, (), "status IS NULL"),
        (Operator.EQ, ("x' OR 1=1 --",), "FALSE"),
    ],
)
def test_filters_on_words(
    warehouse: duckdb.DuckDBPyConnection, op: Operator, values: tuple[str | None, ...], condition: str
) -> None:
    spec = QuerySpec(metrics=("orders",), where=(Filter(field="status", op=op, values=values),))
    assert run(warehouse, spec) == hand(warehouse, f"SELECT COUNT(*) FROM shop.orders WHERE {condition}")


@pytest.mark.parametrize(
    ("op", "values", "condition"),
    [
        (Operator.EQ, (date(2025, 1, 31),), "CAST(ordered_at AS DATE) = '2025-01-31'"),
        (Operator.NE, (date(2025, 1, 31),), "CAST(ordered_at AS DATE) <> '2025-01-31' OR ordered_at IS NULL"),
        (Operator.GT, (date(2025, 1, 31),), "CAST(ordered_at AS DATE) > '2025-01-31'"),
        (Operator.LE, ("2025-01-31",), "CAST(ordered_at AS DATE) <= '2025-01-31'"),
        (
            Operator.BETWEEN,
            (date(2025, 1, 31), date(2025, 2, 10)),
            "CAST(ordered_at AS DATE) BETWEEN '2025-01-31' AND '2025-02-10'",
        ),
        (
            Operator.IN,
            (date(2025, 1, 31), date(2025, 2, 10)),
            "CAST(ordered_at AS DATE) IN ('2025-01-31', '2025-02-10')",
        ),
    ],
)
def test_filters_on_days_take_whole_days(
    warehouse: duckdb.DuckDBPyConnection, op: Operator, values: tuple[date | str, ...], condition: str
) -> None:
    spec = QuerySpec(metrics=("orders",), where=(Filter(field="ordered_on", op=op, values=values),))
    assert run(warehouse, spec) == hand(warehouse, f"SELECT COUNT(*) FROM shop.orders WHERE {condition}")


def test_filters_on_ranked_words_numbers_and_yes_no(warehouse: duckdb.DuckDBPyConnection) -> None:
    def count(field: str, op: Operator, *values: str | int | bool) -> object:
        return run(warehouse, QuerySpec(metrics=("orders",), where=(Filter(field=field, op=op, values=values),)))[0][0]

    assert count("tier", Operator.GE, "silver") == 4
    assert count("tier", Operator.GT, "gold") == 0
    assert count("amount_band", Operator.BETWEEN, 1, 2) == 3
    assert count("is_large", Operator.EQ, True) == 1


@pytest.mark.parametrize(
    ("field", "op", "values", "code"),
    [
        ("status", Operator.GT, ("done",), IssueCode.WRONG_TYPE),
        ("amount_band", Operator.EQ, ("many",), IssueCode.WRONG_TYPE),
        ("is_large", Operator.EQ, ("maybe",), IssueCode.WRONG_TYPE),
        ("ordered_on", Operator.EQ, ("yesterday",), IssueCode.WRONG_TYPE),
        ("tier", Operator.GT, ("diamond",), IssueCode.WRONG_TYPE),
        ("status", Operator.BETWEEN, ("done",), IssueCode.WRONG_TYPE),
        ("orders", Operator.GT, (5,), IssueCode.WRONG_TYPE),
        ("colour", Operator.EQ, ("red",), IssueCode.UNKNOWN_DIMENSION),
    ],
)
def test_a_filter_that_does_not_fit_is_an_issue(
    field: str, op: Operator, values: tuple[str | int, ...], code: IssueCode
) -> None:
    assert issue(QuerySpec(metrics=("orders",), where=(Filter(field=field, op=op, values=values),))).code is code


def test_members_are_listed_without_a_metric(warehouse: duckdb.DuckDBPyConnection) -> None:
    spec = QuerySpec(metrics=(), group_by=(GroupBy(dimension="region"),))
    assert run(warehouse, spec) == [("AMER",), ("EMEA",), (None,)]


def test_counts_medians_and_yes_no_sums_are_exact(warehouse: duckdb.DuckDBPyConnection) -> None:
    spec = QuerySpec(metrics=("median_order", "large_order_count", "buyers", "largest_order", "average_order"))
    by_hand = """SELECT MEDIAN(amount), COUNT(*) FILTER (amount >= 100), COUNT(DISTINCT customer_id), MAX(amount),
      AVG(amount) FROM shop.orders"""
    assert run(warehouse, spec) == hand(warehouse, by_hand)


def test_the_window_may_be_about_another_time(warehouse: duckdb.DuckDBPyConnection) -> None:
    spec = QuerySpec(
        metrics=("orders",),
        group_by=(GroupBy(dimension="signed_up_on", granularity=MONTH),),
        time_range=window(date(2025, 1, 1), date(2025, 3, 1)),
        time_dimension="signed_up_on",
    )
    assert run(warehouse, spec) == [(date(2025, 1, 1), 2), (date(2025, 2, 1), 2)]


def test_two_of_one_name_stay_two_rows(warehouse: duckdb.DuckDBPyConnection) -> None:
    warehouse.execute("INSERT INTO shop.stores VALUES (9, 'One', 'EMEA')")
    spec = QuerySpec(
        metrics=("revenue", "refunded"),
        group_by=(GroupBy(dimension="store_name"),),
        order_by=(Order(by="revenue", direction=Direction.DESC),),
        where=(Filter(field="store_name", op=Operator.EQ, values=("One",)),),
    )
    apart = run(warehouse, replace(spec, identify_by=("store_number",)))
    together = run(warehouse, spec)
    warehouse.execute("DELETE FROM shop.stores WHERE store_id = 9")
    assert together == [("One", 120, 15)]
    assert apart == [("One", 100, 15), ("One", 20, None)]


def test_cumulative_metrics_by_period_are_what_they_were_at_its_end(warehouse: duckdb.DuckDBPyConnection) -> None:
    spec = QuerySpec(
        metrics=("revenue_to_date", "revenue_7d", "revenue_mtd"), group_by=(BY_MONTH, GroupBy(dimension="region"))
    )
    by_hand = """
      SELECT m, region, SUM(amount), SUM(amount) FILTER (day >= e - INTERVAL 7 DAY), SUM(amount) FILTER (day >= m)
      FROM (VALUES (DATE '2025-01-01', DATE '2025-02-01'), (DATE '2025-02-01', DATE '2025-03-01'),
                   (DATE '2025-03-01', DATE '2025-04-01')) periods(m, e)
      JOIN (SELECT CAST(ordered_at AS DATE) AS day, amount, region FROM shop.orders
            LEFT JOIN shop.stores USING (store_id)) ON day < e
      GROUP BY m, e, region ORDER BY m, region NULLS LAST"""
    assert run(warehouse, spec) == hand(warehouse, by_hand)


def test_a_cumulative_period_ends_with_the_window(warehouse: duckdb.DuckDBPyConnection) -> None:
    early = window(date(2025, 2, 1), date(2025, 2, 5))
    spec = QuerySpec(metrics=("revenue_to_date", "revenue_7d"), group_by=(BY_MONTH,), time_range=early)
    assert run(warehouse, spec) == [(date(2025, 2, 1), 180, 80)]


def test_a_cumulative_period_ends_with_the_data(warehouse: duckdb.DuckDBPyConnection) -> None:
    late = window(date(2025, 3, 1), date(2026, 1, 1))
    by_quarter = (GroupBy(dimension=METRIC_TIME, granularity=TimeGranularity.YEAR),)
    spec = QuerySpec(metrics=("revenue_to_date", "revenue_7d"), group_by=by_quarter, time_range=late)
    assert run(warehouse, spec) == [(date(2025, 1, 1), 250, None)]


@pytest.mark.parametrize(
    "asked",
    [
        {"comparison": PeriodComparison(window=window(date(2024, 1, 1), date(2025, 1, 1)))},
        {"calculations": (Share(metric="revenue"),)},
        {"top": Top(by="revenue", count=1)},
    ],
)
def test_a_calculation_without_a_metric_is_never_left_out_silently(asked: dict[str, object]) -> None:
    spec = QuerySpec(metrics=(), group_by=(GroupBy(dimension="region"),))
    assert issue(replace(spec, **asked)).code is IssueCode.UNSUPPORTED  # type: ignore[arg-type]
