"""Public reports about joins, totals, balances, tops and missing values: R17, R19 to R22, R29, R30, R32 and R33."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from catalog.compiler import compile_query
from catalog.issues import IssueCode
from catalog.query import Direction, GroupBy, Order, QuerySpec, TimeRange
from catalog.types import METRIC_TIME, Filter, Operator, Scalar, TimeGranularity
from tests.reports.world import catalog_of, compiled, rows_of, totals_of

CRM = """
catalog: {name: crm, dialect: duckdb}
semantic_models:
  - name: accounts
    table: crm.accounts
    entities: [{name: account, type: primary, expr: id}]
    dimensions: [{name: account_name, type: text, expr: name}]
    measures:
      - {name: account_count, agg: count, expr: "1"}
      - {name: worth_sum, agg: sum, expr: worth}
      - {name: worth_average, agg: average, expr: worth}
  - name: account_users
    table: crm.account_users
    entities:
      - {name: account, type: foreign, expr: account_id}
      - {name: user, type: foreign, expr: user_id}
  - name: users
    table: crm.users
    entities: [{name: user, type: primary, expr: id}]
    dimensions: [{name: role, type: categorical, expr: role}]
bridges: [{from_entity: account, to_entity: user, model: account_users}]
metrics:
  - {name: accounts, type: simple, measure: account_count}
  - {name: worth, type: simple, measure: worth_sum}
  - {name: average_worth, type: simple, measure: worth_average}
"""
CRM_ROWS = """
CREATE SCHEMA crm;
CREATE TABLE crm.accounts AS SELECT * FROM (VALUES (1, 'one', 100), (2, 'two', 10)) t(id, name, worth);
CREATE TABLE crm.users AS SELECT * FROM (VALUES (1, 'admin'), (2, 'admin'), (3, 'admin'), (4, 'guest')) t(id, role);
CREATE TABLE crm.account_users AS SELECT * FROM
  (VALUES (1, 1), (1, 2), (1, 3), (1, 1), (1, 4), (2, 1)) t(account_id, user_id);
"""
STOCK = """
catalog: {name: stock, dialect: duckdb}
semantic_models:
  - name: products
    table: stock.products
    entities: [{name: product, type: primary, expr: id}]
    dimensions: [{name: region, type: categorical, expr: region}]
    measures: [{name: stock_sum, agg: sum, expr: stock}, {name: stock_average, agg: average, expr: stock}]
  - name: sales
    table: stock.sales
    entities: [{name: sale, type: primary, expr: id}, {name: product, type: foreign, expr: product_id}]
    dimensions: [{name: channel, type: categorical, expr: channel}]
    measures: [{name: quantity_sum, agg: sum, expr: quantity}, {name: sale_count, agg: count, expr: "1"}]
metrics:
  - {name: stock, type: simple, measure: stock_sum}
  - {name: average_stock, type: simple, measure: stock_average}
  - {name: sold, type: simple, measure: quantity_sum}
  - {name: sales, type: simple, measure: sale_count}
  - {name: stock_per_sale, type: ratio, numerator: stock, denominator: sales}
"""
STOCK_ROWS = """
CREATE SCHEMA stock;
CREATE TABLE stock.products AS SELECT * FROM (VALUES (1, 'north', 100), (2, 'north', 110)) t(id, region, stock);
CREATE TABLE stock.sales AS SELECT * FROM
  (VALUES (1, 1, 3, 'web'), (2, 1, 4, 'shop'), (3, 2, 5, 'web'), (4, 9, 1, 'web')) t(id, product_id, quantity, channel);
"""
TIMES = """
catalog: {name: times, dialect: duckdb}
semantic_models:
  - name: visits
    table: times.visits
    default_time_dimension: on_day
    dimensions:
      - {name: on_day, type: time, expr: on_day, granularity: day}
      - {name: plan_name, type: categorical, expr: plan_name}
    measures:
      - {name: user_count, agg: count_distinct, expr: user_id}
      - {name: visit_count, agg: count, expr: "1"}
      - {name: planned_sum, agg: sum, expr: planned}
      - {name: done_sum, agg: sum, expr: done}
      - {name: done_average, agg: average, expr: done}
metrics:
  - {name: active_users, type: simple, measure: user_count}
  - {name: visits, type: simple, measure: visit_count}
  - {name: plan, type: simple, measure: planned_sum}
  - {name: fact, type: simple, measure: done_sum}
  - {name: average_done, type: simple, measure: done_average}
  - {name: rate, type: ratio, numerator: fact, denominator: plan}
"""
VISITS = """
CREATE SCHEMA times;
CREATE TABLE times.visits AS
  SELECT make_date(2025, m::INT, 5) AS on_day, u AS user_id, m * 10 AS planned, m * m AS done, 'p' AS plan_name
  FROM range(1, 6) a(m), range(1, 11) b(u);
"""
BALANCES = """
catalog: {name: bank, dialect: duckdb}
semantic_models:
  - name: balances
    table: bank.balances
    default_time_dimension: counted_on
    dimensions:
      - {name: counted_on, type: time, expr: counted_on, granularity: day}
      - {name: account, type: categorical, expr: account}
    measures:
      - {name: balance_sum, agg: sum, expr: balance, non_additive: {dimension: counted_on, pick: max}}
      - {name: opening_sum, agg: sum, expr: balance, non_additive: {dimension: counted_on, pick: min}}
      - {name: own_sum, agg: sum, expr: balance,
         non_additive: {dimension: counted_on, pick: max, window_groupings: [account]}}
metrics:
  - {name: total_balance, type: simple, measure: balance_sum}
  - {name: opening_balance, type: simple, measure: opening_sum}
  - {name: own_balance, type: simple, measure: own_sum}
"""
BALANCE_ROWS = """
CREATE SCHEMA bank;
CREATE TABLE bank.balances AS SELECT * FROM (VALUES
  (DATE '2025-01-01', 'A', 1000), (DATE '2025-01-01', 'B', 2000), (DATE '2025-01-31', 'A', 1500),
  (DATE '2025-01-31', 'B', 2500), (DATE '2025-02-10', 'A', 1600)) t(counted_on, account, balance);
"""
JANUARY = TimeRange(start=date(2025, 1, 1), end=date(2025, 2, 1), expr="2025-01")
MONTHS = (GroupBy(dimension=METRIC_TIME, granularity=TimeGranularity.MONTH),)


def test_r17_an_account_counts_once_per_role_whatever_the_bridge_repeats() -> None:
    asked = QuerySpec(metrics=("accounts", "average_worth"), group_by=(GroupBy(dimension="role"),))
    assert rows_of(asked, catalog_of(CRM), CRM_ROWS) == [("admin", 2, 55.0), ("guest", 1, 100.0)]
    assert totals_of(asked, catalog_of(CRM), CRM_ROWS) == (2, 55.0)
    assert any("may overlap" in n for n in compiled(asked, catalog_of(CRM)).notes)


def test_r17_a_sum_over_a_bridge_is_refused_with_its_reason() -> None:
    found = compile_query(QuerySpec(metrics=("worth",), group_by=(GroupBy(dimension="role"),)), catalog_of(CRM))
    assert isinstance(found, tuple)
    assert (found[0].code, "counted twice" in found[0].message) == (IssueCode.FAN_OUT, True)


@pytest.mark.parametrize("metrics", [("sold", "stock"), ("stock", "sold"), ("sold", "average_stock", "stock")])
def test_r19_a_stock_that_was_sold_twice_is_there_once(metrics: tuple[str, ...]) -> None:
    right = {"sold": 12, "stock": 210, "average_stock": 105}
    rows = rows_of(QuerySpec(metrics=metrics, group_by=(GroupBy(dimension="region"),)), catalog_of(STOCK), STOCK_ROWS)
    assert rows[0] == ("north", *(right[m] for m in metrics))


def test_r19_stock_by_a_property_of_its_sales_is_refused() -> None:
    found = compile_query(QuerySpec(metrics=("stock",), group_by=(GroupBy(dimension="channel"),)), catalog_of(STOCK))
    assert isinstance(found, tuple)
    assert found[0].code is IssueCode.UNREACHABLE_DIMENSION


def test_r20_each_part_of_a_ratio_is_added_up_at_its_own_grain() -> None:
    by_region = QuerySpec(metrics=("stock_per_sale",), group_by=(GroupBy(dimension="region"),))
    assert rows_of(by_region, catalog_of(STOCK), STOCK_ROWS)[0] == ("north", 70.0)
    assert totals_of(by_region, catalog_of(STOCK), STOCK_ROWS) == (52.5,)


def test_r21_the_total_of_distinct_users_is_counted_anew() -> None:
    asked = QuerySpec(metrics=("active_users", "visits"), group_by=MONTHS)
    assert [r[1] for r in rows_of(asked, catalog_of(TIMES), VISITS)] == [10] * 5
    assert totals_of(asked, catalog_of(TIMES), VISITS) == (10, 50)
    shown = {c.name: c.additive for c in compiled(asked, catalog_of(TIMES)).columns}
    assert (shown["active_users"], shown["visits"]) == (False, True)


def test_r22_the_total_of_a_ratio_is_the_ratio_of_the_totals() -> None:
    asked = QuerySpec(metrics=("plan", "fact", "rate", "average_done"), group_by=MONTHS)
    plan, fact = sum(m * 10 for m in range(1, 6)) * 10, sum(m * m for m in range(1, 6)) * 10
    assert totals_of(asked, catalog_of(TIMES), VISITS) == (plan, fact, pytest.approx(fact / plan), pytest.approx(11))
    assert not {c.name: c.additive for c in compiled(asked, catalog_of(TIMES)).columns}["rate"]


def test_r29_a_balance_is_the_last_one_and_never_a_sum_over_days() -> None:
    bank = catalog_of(BALANCES)
    january = QuerySpec(metrics=("total_balance", "opening_balance"), time_range=JANUARY)
    assert rows_of(january, bank, BALANCE_ROWS) == [(4000, 3000)]
    by_account = replace(january, group_by=(GroupBy(dimension="account"),))
    assert rows_of(by_account, bank, BALANCE_ROWS) == [("A", 1500, 1000), ("B", 2500, 2000)]
    by_month = QuerySpec(metrics=("total_balance", "own_balance"), group_by=MONTHS)
    assert rows_of(by_month, bank, BALANCE_ROWS) == [(date(2025, 1, 1), 4000, 4000), (date(2025, 2, 1), 1600, 1600)]
    assert rows_of(QuerySpec(metrics=("own_balance",)), bank, BALANCE_ROWS) == [(4100,)]


@pytest.mark.parametrize(("groups", "limit"), [(2435, 500), (37, 10), (500, 499)])
def test_r30_the_first_rows_are_the_largest_of_all_groups_and_the_total_is_of_all(groups: int, limit: int) -> None:
    tables = (
        "CREATE SCHEMA times; CREATE TABLE times.visits AS SELECT DATE '2025-01-01' AS on_day, 1 AS user_id,"
        f" 1 AS planned, (i * 7919) % {groups} AS done, 'p' || i AS plan_name FROM range({groups}) t(i)"
    )
    order = (Order(by="fact", direction=Direction.DESC),)
    asked = QuerySpec(metrics=("fact",), group_by=(GroupBy(dimension="plan_name"),), order_by=order, limit=limit)
    rows = rows_of(asked, catalog_of(TIMES), tables)
    assert [n for _, n in rows] == sorted(((i * 7919) % groups for i in range(groups)), reverse=True)[:limit]
    assert totals_of(asked, catalog_of(TIMES), tables) == (sum((i * 7919) % groups for i in range(groups)),)
    query = compiled(asked, catalog_of(TIMES))
    assert f"Only the first {limit} rows are shown, of all groups in this order; a total is of all." in query.notes
    assert not query.columns[-1].additive


def test_r30_a_limit_without_an_order_is_refused() -> None:
    found = compile_query(
        QuerySpec(metrics=("fact",), group_by=(GroupBy(dimension="plan_name"),), limit=5), catalog_of(TIMES)
    )
    assert isinstance(found, tuple)


@pytest.mark.parametrize("direction", list(Direction))
def test_r32_a_tie_for_the_first_place_is_decided_the_same_way_each_time_and_told(direction: Direction) -> None:
    tables = """CREATE SCHEMA times; CREATE TABLE times.visits AS SELECT make_date(2025, (m % 4 + 1)::INT, 1) AS on_day,
      m AS user_id, 1 AS planned, 1 AS done, NULL::VARCHAR AS plan_name FROM range(32) t(m)"""
    order = (Order(by="visits", direction=direction),)
    asked = QuerySpec(metrics=("visits",), group_by=MONTHS, order_by=order, limit=1)
    assert {tuple(rows_of(asked, catalog_of(TIMES), tables)) for _ in range(20)} == {((date(2025, 1, 1), 8),)}
    assert any("tie" in n and "may be shared" in n for n in compiled(asked, catalog_of(TIMES)).notes)


@pytest.mark.parametrize(
    ("op", "values", "count"),
    [
        (Operator.NE, ("blah",), 3),
        (Operator.NOT_IN, ("blah",), 3),
        (Operator.NOT_IN, ("blah", "bark"), 2),
        (Operator.NOT_IN, ("blah", None), 2),
        (Operator.IS_NOT_NULL, (), 3),
        (Operator.EQ, ("blah",), 1),
    ],
)
def test_r33_leaving_out_a_value_keeps_the_rows_without_one(
    op: Operator, values: tuple[Scalar, ...], count: int
) -> None:
    tables = """CREATE SCHEMA times; CREATE TABLE times.visits AS SELECT NULL::DATE AS on_day, 1 AS user_id,
      1 AS planned, 1 AS done, v AS plan_name FROM (VALUES ('blah'), ('bloop'), ('bark'), (NULL)) t(v)"""
    asked = QuerySpec(metrics=("visits",), where=(Filter(field="plan_name", op=op, values=values),))
    assert rows_of(asked, catalog_of(TIMES), tables) == [(count,)]
    told = "Rows without a value for plan name are kept: they are not known to be what is left out."
    keeps = op in {Operator.NE, Operator.NOT_IN} and None not in values
    assert (told in compiled(asked, catalog_of(TIMES)).notes) is keeps


@pytest.mark.parametrize(
    ("op", "values", "count"), [(Operator.NE, (date(2025, 1, 1),), 2), (Operator.NOT_IN, (date(2025, 1, 1),), 2)]
)
def test_r33_leaving_out_a_day_keeps_the_rows_without_one(op: Operator, values: tuple[Scalar, ...], count: int) -> None:
    tables = """CREATE SCHEMA times; CREATE TABLE times.visits AS SELECT v AS on_day, 1 AS user_id, 1 AS planned,
      1 AS done, NULL::VARCHAR AS plan_name FROM (VALUES (DATE '2025-01-01'), (DATE '2025-01-02'), (NULL)) t(v)"""
    asked = QuerySpec(metrics=("visits",), where=(Filter(field="on_day", op=op, values=values),))
    assert rows_of(asked, catalog_of(TIMES), tables) == [(count,)]
