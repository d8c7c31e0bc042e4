"""Whatever the rows and the question, compiled SQL agrees with a naive evaluation in Python."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalog.compiler import compile_query
from catalog.query import CompiledQuery, GroupBy, QuerySpec, TimeRange
from catalog.types import METRIC_TIME, Filter, Operator, TimeGranularity
from tests.catalog.shop import shop

TABLES = """
CREATE SCHEMA shop;
CREATE TABLE shop.orders(order_id INT, customer_id INT,
 store_id INT, ordered_at DATE, amount DECIMAL(9,2), status TEXT);
CREATE TABLE shop.refunds(refund_id INT, order_id INT, refunded_at DATE, amount DECIMAL(10,2), reason VARCHAR);
CREATE TABLE shop.customers(customer_id INT, name VARCHAR, tier VARCHAR, signed_up DATE, country_code VARCHAR);
CREATE TABLE shop.stores(store_id INT, name VARCHAR, region VARCHAR);
INSERT INTO shop.customers VALUES (1,'A','gold',NULL,NULL), (2,'B','silver',NULL,NULL), (3,'C',NULL,NULL,NULL);
INSERT INTO shop.stores VALUES (1,'One','EMEA'), (2,'Two','AMER'), (3,'Three',NULL);
"""
TIERS: dict[int | None, str | None] = {1: "gold", 2: "silver", 3: None}
REGIONS: dict[int | None, str | None] = {1: "EMEA", 2: "AMER", 3: None}
DAY = date(2025, 1, 1)
METRICS = ("revenue", "orders", "refunded", "net_revenue", "aov", "refund_rate", "buyers", "largest_order")
GROUPS = ("month", "region", "tier", "status")

Row = dict[str, object]
ids = st.one_of(st.none(), st.integers(1, 4))
days = st.one_of(st.none(), st.integers(0, 80).map(lambda n: DAY + timedelta(days=n)))
amounts = st.one_of(st.none(), st.integers(-3, 9).map(Decimal))
orders_rows = st.lists(st.tuples(ids, ids, days, amounts, st.sampled_from([None, "done", "open"])), max_size=8)
refund_rows = st.lists(st.tuples(st.one_of(st.none(), st.integers(1, 9)), days, amounts), max_size=6)


@dataclass(frozen=True)
class Ask:
    metrics: tuple[str, ...]
    groups: tuple[str, ...]
    tier: tuple[Operator, tuple[str | None, ...]] | None
    window: tuple[date, date] | None

    def spec(self) -> QuerySpec:
        named = {"month": GroupBy(dimension=METRIC_TIME, granularity=TimeGranularity.MONTH)}
        where = (Filter(field="tier", op=self.tier[0], values=self.tier[1]),) if self.tier else ()
        window = TimeRange(start=self.window[0], end=self.window[1], expr="") if self.window else None
        groups = tuple(named.get(g) or GroupBy(dimension=g) for g in self.groups)
        return QuerySpec(metrics=self.metrics, group_by=groups, where=where, time_range=window)


tests = st.sampled_from(
    [
        None,
        (Operator.EQ, ("gold",)),
        (Operator.NE, ("gold",)),
        (Operator.IN, ("gold", None)),
        (Operator.NOT_IN, ("gold", "silver")),
        (Operator.IS_NULL, ()),
        (Operator.GE, ("silver",)),
    ]
)
asks = st.builds(
    Ask,
    metrics=st.lists(st.sampled_from(METRICS), min_size=1, max_size=4, unique=True).map(tuple),
    groups=st.lists(st.sampled_from(GROUPS), max_size=3, unique=True).map(tuple),
    tier=tests,
    window=st.sampled_from([None, (date(2025, 1, 15), date(2025, 2, 1)), (date(2025, 2, 1), date(2025, 3, 2))]),
)


@pytest.fixture(scope="module")
def warehouse() -> Iterator[duckdb.DuckDBPyConnection]:
    connection = duckdb.connect()
    connection.execute(TABLES)
    yield connection
    connection.close()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(orders=orders_rows, refunds=refund_rows, ask=asks)
def test_compiled_sql_agrees_with_a_naive_evaluation(
    warehouse: duckdb.DuckDBPyConnection, orders: list[tuple[object, ...]], refunds: list[tuple[object, ...]], ask: Ask
) -> None:
    sold = [
        dict(zip(("customer", "store", "day", "amount", "status"), r, strict=True), id=i)
        for i, r in enumerate(orders, 1)
    ]
    paid_back = [dict(zip(("order", "day", "amount"), r, strict=True)) for r in refunds]
    _fill(warehouse, sold, paid_back)
    query = compile_query(ask.spec(), shop())
    assert isinstance(query, CompiledQuery)
    found = warehouse.execute(query.sql, {p.name: p.value for p in query.parameters}).fetchall()
    expected = naive(sold, paid_back, ask)
    assert len(found) == len(expected)
    for row in found:
        held = expected[tuple(row[: len(ask.groups)])]
        assert row[len(ask.groups) :] == pytest.approx(held), (row, held)


def _fill(warehouse: duckdb.DuckDBPyConnection, sold: list[Row], paid_back: list[Row]) -> None:
    warehouse.execute("DELETE FROM shop.orders; DELETE FROM shop.refunds")
    for o in sold:
        values = [o["id"], o["customer"], o["store"], o["day"], o["amount"], o["status"]]
        warehouse.execute("INSERT INTO shop.orders VALUES (?, ?, ?, ?, ?, ?)", values)
    for i, r in enumerate(paid_back):
        warehouse.execute("INSERT INTO shop.refunds VALUES (?, ?, ?, ?, NULL)", [i, r["order"], r["day"], r["amount"]])


# -- the naive evaluation ------------------------------------------------------------------


def naive(sold: list[Row], paid_back: list[Row], ask: Ask) -> dict[tuple[object, ...], list[object]]:
    by_id = {o["id"]: o for o in sold}
    uses_orders = any(m != "refunded" for m in ask.metrics)
    uses_refunds = any(m in {"refunded", "net_revenue", "refund_rate"} for m in ask.metrics)
    left = _grouped([(o, o["day"], o) for o in sold], ask) if uses_orders else {}
    right = _grouped([(by_id.get(r["order"], {}), r["day"], r) for r in paid_back], ask) if uses_refunds else {}
    keys = {*left, *right} if ask.groups else {()}
    return {k: [VALUES[m](left.get(k, []), right.get(k, [])) for m in ask.metrics] for k in keys}


def _grouped(rows: list[tuple[Row, object, Row]], ask: Ask) -> dict[tuple[object, ...], list[Row]]:
    found: defaultdict[tuple[object, ...], list[Row]] = defaultdict(list)
    for order, day, row in rows:
        tier = TIERS.get(order.get("customer"))  # type: ignore[arg-type]
        if not _kept(tier, day, ask):
            continue
        values = {
            "month": day.replace(day=1) if isinstance(day, date) else None,
            "region": REGIONS.get(order.get("store")),  # type: ignore[arg-type]
            "tier": tier,
            "status": order.get("status"),
        }
        found[tuple(values[g] for g in ask.groups)].append(row)
    return found


def _kept(tier: str | None, day: object, ask: Ask) -> bool:
    if ask.window and not (isinstance(day, date) and ask.window[0] <= day < ask.window[1]):
        return False
    if ask.tier is None:
        return True
    op, values = ask.tier
    if op is Operator.IS_NULL:
        return tier is None
    if op is Operator.GE:
        return tier in {"silver", "gold"}
    if tier is None:
        return (None in values) is (op in {Operator.EQ, Operator.IN})
    return (tier in values) is (op in {Operator.EQ, Operator.IN})


def _sum(rows: list[Row]) -> Decimal | None:
    held = [r["amount"] for r in rows if isinstance(r["amount"], Decimal)]
    return sum(held, Decimal(0)) if held else None


def _net(left: list[Row], right: list[Row]) -> Decimal | None:
    a, b = _sum(left), _sum(right)
    return None if a is None and b is None else (a or Decimal(0)) - (b or Decimal(0))


def _over(a: Decimal | None, b: Decimal | int | None) -> float | None:
    return None if a is None or not b else float(a) / float(b)


def _rate(left: list[Row], right: list[Row]) -> float | None:
    return _over(_sum(right) or Decimal(0), _sum(left))


def _largest(left: list[Row], _: list[Row]) -> object:
    return max((r["amount"] for r in left if isinstance(r["amount"], Decimal)), default=None)


VALUES: dict[str, Callable[[list[Row], list[Row]], object]] = {
    "revenue": lambda left, _: _sum(left),
    "orders": lambda left, _: len(left),
    "refunded": lambda _, right: _sum(right),
    "net_revenue": _net,
    "aov": lambda left, _: _over(_sum(left), len(left)),
    "refund_rate": _rate,
    "buyers": lambda left, _: len({r["customer"] for r in left} - {None}),
    "largest_order": _largest,
}
