"""Every thing with its figures, those without rows as well, against independent SQL."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import duckdb
import pytest

from catalog.compiler import compile_query
from catalog.compiler.dialects import DIALECTS
from catalog.issues import IssueCode
from catalog.query import (
    CompiledQuery,
    Direction,
    GroupBy,
    MetricCondition,
    Order,
    QuerySpec,
    Things,
    ThingsSet,
    TimeRange,
)
from catalog.types import METRIC_TIME, Filter, Operator, TimeGranularity
from tests.catalog.shop import shop
from tests.catalog.test_compiler_results import ROWS, hand, issue, run

STORES = Things(entity="store", key="store_number")
JANUARY = TimeRange(start=date(2025, 1, 1), end=date(2025, 2, 1), expr="2025-01")
FEW = MetricCondition(metric="orders", op=Operator.LT, values=(2,))
LISTED = QuerySpec(
    metrics=("orders", "revenue"),
    group_by=(GroupBy(dimension="store_number"), GroupBy(dimension="store_name")),
    having=(FEW,),
    things=STORES,
)
_BY_STORE = """
    SELECT s.store_id, s.name, count(o.order_id) AS orders, coalesce(sum(o.amount), 0) AS revenue
    FROM shop.stores s LEFT JOIN shop.orders o ON o.store_id = s.store_id {on} GROUP BY ALL
"""


@pytest.fixture(scope="module")
def warehouse() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(ROWS + "INSERT INTO shop.stores VALUES (4, 'Four', 'AMER');")
    return connection


def test_a_thing_without_rows_is_listed_with_zero(warehouse: duckdb.DuckDBPyConnection) -> None:
    wanted = hand(warehouse, f"SELECT * FROM ({_BY_STORE.format(on='')}) WHERE orders < 2 ORDER BY 1")
    assert run(warehouse, LISTED) == wanted
    assert (4, "Four", 0, 0) in wanted


def test_a_window_and_a_condition_of_the_figures_leave_every_thing_there(warehouse: duckdb.DuckDBPyConnection) -> None:
    done = Filter(field="status", op=Operator.EQ, values=("done",))
    on = "AND o.ordered_at >= DATE '2025-01-01' AND o.ordered_at < DATE '2025-02-01' AND o.status = 'done'"
    wanted = hand(warehouse, f"SELECT * FROM ({_BY_STORE.format(on=on)}) WHERE orders < 2 ORDER BY 1")
    assert run(warehouse, replace(LISTED, time_range=JANUARY, where=(done,))) == wanted
    assert len(wanted) == 4


def test_a_condition_on_the_thing_itself_leaves_the_others_out(warehouse: duckdb.DuckDBPyConnection) -> None:
    amer = Filter(field="region", op=Operator.EQ, values=("AMER",))
    assert run(warehouse, replace(LISTED, where=(amer,))) == [(2, "Two", 1, 50), (4, "Four", 0, 0)]


def test_a_key_that_was_not_asked_for_keeps_things_apart_unseen(warehouse: duckdb.DuckDBPyConnection) -> None:
    by_name = replace(LISTED, group_by=(GroupBy(dimension="store_name"),))
    assert run(warehouse, by_name) == [row[1:] for row in run(warehouse, LISTED)]


def test_things_are_counted(warehouse: duckdb.DuckDBPyConnection) -> None:
    counted = QuerySpec(metrics=("orders",), having=(FEW,), things=replace(STORES, counted=True))
    assert run(warehouse, counted) == hand(
        warehouse, f"SELECT count(*) FROM ({_BY_STORE.format(on='')}) WHERE orders < 2"
    )
    none = MetricCondition(metric="orders", op=Operator.GT, values=(99,))
    assert run(warehouse, replace(counted, having=(none,))) == [(0,)]


def test_order_and_limit_are_kept(warehouse: duckdb.DuckDBPyConnection) -> None:
    first = replace(LISTED, order_by=(Order(by="revenue", direction=Direction.DESC),), limit=1)
    assert run(warehouse, first) == [(2, "Two", 1, 50)]


def test_an_average_of_nothing_meets_no_condition(warehouse: duckdb.DuckDBPyConnection) -> None:
    low = MetricCondition(metric="average_order", op=Operator.LT, values=(60,))
    found = run(warehouse, replace(LISTED, metrics=("average_order",), having=(low,)))
    assert [row[0] for row in found] == [1, 2]


def test_what_a_metric_leaves_out_by_definition_is_no_thing_without_rows(
    warehouse: duckdb.DuckDBPyConnection,
) -> None:
    gold = Filter(field="tier", op=Operator.EQ, values=("gold",))
    revenue = next(m for m in shop().metrics if m.name == "revenue")
    snapshot = replace(shop(), metrics=(*shop().metrics, replace(revenue, name="gold_revenue", filters=(gold,))))
    spec = QuerySpec(
        metrics=("gold_revenue",),
        group_by=(GroupBy(dimension="customer_name"),),
        having=(MetricCondition(metric="gold_revenue", op=Operator.LE, values=(999,)),),
        things=Things(entity="customer", key="customer_name"),
    )
    query = compile_query(spec, snapshot)
    assert not isinstance(query, tuple)
    rows = warehouse.execute(query.sql, {p.name: p.value for p in query.parameters}).fetchall()
    assert rows == [("A", 150)]


def test_a_thing_has_one_row_so_no_periods() -> None:
    by_month = (*LISTED.group_by, GroupBy(dimension=METRIC_TIME, granularity=TimeGranularity.MONTH))
    assert issue(replace(LISTED, group_by=by_month)).code is IssueCode.UNSUPPORTED
    assert issue(replace(LISTED, things=Things(entity="ghost", key="store_number"))).code is IssueCode.UNKNOWN_DIMENSION


def test_what_counts_as_zero_is_said() -> None:
    query = compile_query(LISTED, shop())
    assert not isinstance(query, tuple)
    assert "A store without any orders or revenue counts as 0." in query.notes


def test_a_member_of_a_dimension_without_rows_is_listed_and_a_missing_member_is_none(
    warehouse: duckdb.DuckDBPyConnection,
) -> None:
    none_in_march = QuerySpec(
        metrics=("orders",),
        group_by=(GroupBy(dimension="region"),),
        having=(MetricCondition(metric="orders", op=Operator.EQ, values=(0,)),),
        time_range=TimeRange(start=date(2031, 3, 1), end=date(2031, 4, 1), expr="2031-03"),
        things=Things(entity="store", key="region", member=True),
    )
    wanted = hand(warehouse, "SELECT DISTINCT region, 0 FROM shop.stores WHERE region IS NOT NULL ORDER BY 1")
    assert run(warehouse, none_in_march) == wanted
    assert len(wanted) > 1


def in_store(region: str) -> Filter:
    return Filter(field="region", op=Operator.EQ, values=(region,))


def test_things_in_two_sets_are_those_that_meet_both_or_the_first_alone(warehouse: duckdb.DuckDBPyConnection) -> None:
    some = ThingsSet(metric="orders", op=Operator.GT, values=(0,), time_range=JANUARY)
    done = replace(some, filters=(Filter(field="status", op=Operator.EQ, values=("done",)),))
    rest = replace(some, filters=(Filter(field="status", op=Operator.NE, values=("done",)),))
    first = _in("o.status = 'done'")
    second = _in("o.status IS DISTINCT FROM 'done'")
    for absent, joined in ((False, f"{first} AND {second}"), (True, f"{first} AND NOT {second}")):
        sets = (done, replace(rest, absent=absent))
        listed = QuerySpec(
            metrics=(),
            group_by=(GroupBy(dimension="store_number"),),
            things=replace(STORES, sets=sets),
        )
        assert run(warehouse, listed) == hand(
            warehouse, f"SELECT store_id FROM shop.stores s WHERE {joined} ORDER BY 1"
        )
        counted = replace(listed, group_by=(), things=replace(STORES, sets=sets, counted=True))
        assert run(warehouse, counted) == hand(warehouse, f"SELECT count(*) FROM shop.stores s WHERE {joined}")


def _in(condition: str) -> str:
    window = "o.ordered_at >= DATE '2025-01-01' AND o.ordered_at < DATE '2025-02-01'"
    return f"s.store_id IN (SELECT o.store_id FROM shop.orders o WHERE {window} AND {condition})"


def test_all_things_are_counted_from_their_own_table(warehouse: duckdb.DuckDBPyConnection) -> None:
    everything = QuerySpec(metrics=(), things=replace(STORES, counted=True))
    assert run(warehouse, everything) == hand(warehouse, "SELECT count(*) FROM shop.stores")
    amer = replace(everything, where=(in_store("AMER"),))
    assert run(warehouse, amer) == hand(warehouse, "SELECT count(*) FROM shop.stores WHERE region = 'AMER'")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_things_are_written_for_an_engine_as_any_other_question_is(dialect: str) -> None:
    europe = Filter(field="region", op=Operator.EQ, values=("EMEA",))
    plain = QuerySpec(metrics=("orders",), group_by=(GroupBy(dimension="region"),), where=(europe,))
    listed = compile_query(replace(LISTED, where=(europe,)), shop(), dialect=dialect)
    figure = compile_query(plain, shop(), dialect=dialect)
    assert isinstance(listed, CompiledQuery)
    assert isinstance(figure, CompiledQuery)
    assert (listed.placeholder, listed.settings) == (figure.placeholder, figure.settings)
