"""Conversions, tables that change, partitions and looks back to a month's start, on any rows: as by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalog.compiler import compile_query
from catalog.query import CompiledQuery, GroupBy, QuerySpec, TimeRange
from catalog.types import (
    METRIC_TIME,
    CatalogSnapshot,
    Conversion,
    ConversionCalculation,
    Dimension,
    DimensionType,
    EntityType,
    Filter,
    MeasureUse,
    Metric,
    MetricType,
    Operator,
    TimeGranularity,
)
from tests.catalog.kinds.test_own_kinds import ROWS, catalog

DAY, MONTH = TimeGranularity.DAY, TimeGranularity.MONTH
MISSING = -99
FIRST = datetime.combine(date(2025, 1, 25), time())

times = st.integers(0, 40).map(lambda n: FIRST + timedelta(hours=8 * n))
days = st.integers(0, 14).map(lambda n: FIRST.date() + timedelta(days=n))
customers = st.sampled_from([None, 1, 1, 2])
names = st.sampled_from([None, "web", "shop"])


@dataclass(frozen=True)
class Visit:
    customer: int | None
    at: datetime | None
    campaign: str | None


@dataclass(frozen=True)
class Order:
    customer: int | None
    on: datetime | None
    channel: str | None
    amount: int | None


@dataclass(frozen=True)
class Tier:
    """One row of the changing table: valid from a day on, until before another, if ever."""

    customer: int
    since: date
    until: date | None
    tier: str | None


visits = st.lists(st.builds(Visit, customer=customers, at=st.none() | times, campaign=names), max_size=7)
orders = st.lists(
    st.builds(Order, customer=customers, on=st.none() | times, channel=names, amount=st.none() | st.integers(-3, 9)),
    max_size=7,
)
windows = st.none() | st.builds(lambda a, n: (a, a + timedelta(days=n)), days, st.integers(1, 12))
rules = st.builds(
    Conversion,
    base=st.just(MeasureUse(name="visits")),
    conversion=st.builds(
        MeasureUse,
        name=st.sampled_from(["orders", "amount"]),
        filters=st.sampled_from([(), (Filter(field="channel", op=Operator.EQ, values=("web",)),)]),
    ),
    entity=st.just("customer"),
    calculation=st.sampled_from(list(ConversionCalculation)),
    window_count=st.integers(1, 5),
    window_granularity=st.sampled_from([DAY, TimeGranularity.HOUR, TimeGranularity.WEEK]),
    constant_properties=st.sampled_from([(), (("campaign", "channel"),)]),
) | st.just(
    Conversion(base=MeasureUse(name="visits"), conversion=MeasureUse(name="orders"), entity="customer")
)  # fmt: skip
groupings = st.sampled_from([(), ("metric_time",), ("campaign",), ("tier",), ("metric_time", "tier")])
options = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@st.composite
def tiers(draw: st.DrawFn) -> list[Tier]:
    """For each customer stretches that follow each other, perhaps with a gap, the last perhaps open."""
    found = []
    for customer in (1, 2):
        ends = sorted(draw(st.sets(days, max_size=4)))
        starts = [FIRST.date() - timedelta(days=draw(st.integers(-2, 9))), *ends]
        for since, until in zip(starts, [*ends, None], strict=True):
            if (until is None or since < until) and draw(st.booleans()):
                found.append(Tier(customer, since, until, draw(st.sampled_from(["new", "gold", None]))))
    return found


@pytest.fixture(scope="module")
def warehouse() -> Iterator[duckdb.DuckDBPyConnection]:
    connection = duckdb.connect()
    connection.execute(ROWS)
    yield connection
    connection.close()


def fill(warehouse: duckdb.DuckDBPyConnection, came: list[Visit], bought: list[Order], known: list[Tier]) -> None:
    for table in ("visits", "orders", "customer_history"):
        warehouse.execute(f"DELETE FROM kinds.{table}")
    for i, v in enumerate(came):
        warehouse.execute("INSERT INTO kinds.visits VALUES (?, ?, ?, ?)", [i, v.customer, v.at, v.campaign])
    for i, o in enumerate(bought):
        row = [i, o.customer, o.on, o.channel, o.amount]
        warehouse.execute("INSERT INTO kinds.orders VALUES (?, ?, ?, ?, ?, NULL)", row)
    for t in known:
        row = [t.customer, t.since, t.until, t.tier]
        warehouse.execute("INSERT INTO kinds.customer_history VALUES (?, ?, ?, ?, NULL)", row)


def run(warehouse: duckdb.DuckDBPyConnection, snapshot: CatalogSnapshot, spec: QuerySpec) -> dict[Any, Any]:
    query = compile_query(spec, snapshot)
    assert isinstance(query, CompiledQuery), query
    rows = warehouse.execute(query.sql, {p.name: p.value for p in query.parameters}).fetchall()
    groups = len(spec.group_by)
    found = {r[:groups]: r[groups] for r in rows}
    assert len(found) == len(rows)
    return found


def tier_of(customer: int | None, moment: datetime | None, known: list[Tier]) -> str | None:
    """As the customer was at that moment."""
    for row in known:
        if moment is None or row.customer != customer:
            continue
        begun = datetime.combine(row.since, time()) <= moment
        if begun and (row.until is None or moment < datetime.combine(row.until, time())):
            return row.tier
    return None


def group(by: tuple[str, ...], visit: Visit, known: list[Tier]) -> tuple[Any, ...]:
    values = {
        "metric_time": visit.at.date() if visit.at else None,
        "campaign": visit.campaign,
        "tier": tier_of(visit.customer, visit.at, known),
    }
    return tuple(values[name] for name in by)


def inside(moment: datetime | None, window: tuple[date, date] | None) -> bool:
    return window is None or (moment is not None and window[0] <= moment.date() < window[1])


def spec_of(metric: str, by: tuple[str, ...], window: tuple[date, date] | None) -> QuerySpec:
    grains = {METRIC_TIME: DAY}
    return QuerySpec(
        metrics=(metric,),
        group_by=tuple(GroupBy(dimension=name, granularity=grains.get(name)) for name in by),
        time_range=TimeRange(start=window[0], end=window[1], expr="") if window else None,
    )


STEPS = {DAY: timedelta(days=1), TimeGranularity.HOUR: timedelta(hours=1), TimeGranularity.WEEK: timedelta(weeks=1)}


def followed(rule: Conversion, came: list[Visit], bought: Order, key: Any) -> Visit | None:
    """The last visit that the order may have followed; of those of one moment the first by its groups."""
    on = bought.on and bought.on.replace(hour=0, minute=0)
    if on is None or bought.customer is None:
        return None
    met = []
    for visit in came:
        at = visit.at and visit.at.replace(minute=0)
        same = visit.customer == bought.customer
        if rule.constant_properties:
            same = same and visit.campaign is not None and visit.campaign == bought.channel
        if at is None or not same or at > on:
            continue
        if (
            rule.window_count
            and rule.window_granularity
            and at <= on - STEPS[rule.window_granularity] * rule.window_count
        ):
            continue
        met.append((at, visit))
    last = max((at for at, _ in met), default=None)
    return min((v for at, v in met if at == last), key=key, default=None)


@options
@given(came=visits, bought=orders, known=tiers(), window=windows, rule=rules, by=groupings)
def test_each_later_row_counts_once_for_the_last_earlier_one(
    warehouse: duckdb.DuckDBPyConnection,
    came: list[Visit],
    bought: list[Order],
    known: list[Tier],
    window: tuple[date, date] | None,
    rule: Conversion,
    by: tuple[str, ...],
) -> None:
    fill(warehouse, came, bought, known)
    metric = Metric(name="converted", type=MetricType.CONVERSION, conversion=rule)
    snapshot = replace(catalog(), metrics=(*catalog().metrics, metric))

    def key(visit: Visit) -> Any:
        return tuple((v is None, v) if v is not None else (True, "") for v in group(by, visit, known))

    base = [v for v in came if inside(v.at, window)]
    wanted = [o for o in bought if not rule.conversion.filters or o.channel == "web"]
    counted: dict[Any, list[int]] = {}
    for order in wanted:
        visit = followed(rule, base, order, key)
        if visit is not None:
            counted.setdefault(group(by, visit, known), []).append(
                order.amount if order.amount is not None else MISSING
            )
    sizes: dict[Any, int] = {} if by else {(): 0}
    for visit in base:
        sizes[group(by, visit, known)] = sizes.get(group(by, visit, known), 0) + 1
    expected = {g: _value(rule, counted.get(g), sizes[g]) for g in sizes}
    found = run(warehouse, snapshot, spec_of("converted", by, window))
    assert found == {g: pytest.approx(v) if isinstance(v, float) else v for g, v in expected.items()}


def _value(rule: Conversion, amounts: list[int] | None, visits_held: int) -> Any:
    """The rows or their amounts, over the visits where a rate is asked for; nothing counted is 0 beside a count."""
    present = [a for a in amounts or () if a != MISSING]
    above = len(amounts or ()) if rule.conversion.name == "orders" else sum(present)
    if rule.calculation is ConversionCalculation.COUNT:
        return above
    return float(Decimal(above) / Decimal(visits_held)) if visits_held else None


@options
@given(came=visits, known=tiers(), window=windows)
def test_a_row_meets_a_changing_table_as_it_was_at_the_row_s_own_time(
    warehouse: duckdb.DuckDBPyConnection, came: list[Visit], known: list[Tier], window: tuple[date, date] | None
) -> None:
    fill(warehouse, came, [], known)
    expected: dict[Any, int] = {}
    for visit in (v for v in came if inside(v.at, window)):
        tier = (tier_of(visit.customer, visit.at, known),)
        expected[tier] = expected.get(tier, 0) + 1
    assert run(warehouse, catalog(), spec_of("visits", ("tier",), window)) == expected


@options
@given(bought=orders, window=windows)
def test_a_day_is_set_against_the_first_day_of_its_month(
    warehouse: duckdb.DuckDBPyConnection, bought: list[Order], window: tuple[date, date] | None
) -> None:
    fill(warehouse, [], bought, [])
    totals: dict[date, list[int]] = {}
    for order in (o for o in bought if o.on is not None):
        assert order.on is not None
        totals.setdefault(order.on.date(), []).extend([order.amount] if order.amount is not None else [])
    expected = {}
    for day, amounts in totals.items():
        if not inside(datetime.combine(day, time()), window):
            continue
        first = totals.get(day.replace(day=1))
        # a day without amounts is 0 beside a start that has some
        expected[day,] = sum(amounts) - sum(first) if first else None
    found = run(warehouse, catalog(), spec_of("since_month_start", (METRIC_TIME,), window))
    assert {k: v for k, v in found.items() if k[0] is not None and k in expected} == expected


@options
@given(
    facts=st.lists(st.tuples(customers, st.sampled_from(["a", "b", None])), max_size=6),
    parts=st.lists(st.tuples(st.sampled_from([1, 2]), st.sampled_from(["a", "b"])), max_size=4, unique=True),
)
def test_rows_meet_rows_of_their_own_partition_only(
    facts: list[tuple[int | None, str | None]], parts: list[tuple[int, str]]
) -> None:
    connection = duckdb.connect()
    connection.execute(ROWS)
    connection.execute("ALTER TABLE kinds.visits ADD COLUMN slice VARCHAR; DELETE FROM kinds.visits")
    connection.execute("CREATE TABLE kinds.people(customer_id INT, slice VARCHAR, word VARCHAR)")
    for number, (customer, piece) in enumerate(facts):
        connection.execute("INSERT INTO kinds.visits VALUES (?, ?, NULL, NULL, ?)", [number, customer, piece])
    for customer, piece in parts:
        connection.execute("INSERT INTO kinds.people VALUES (?, ?, ?)", [customer, piece, f"{customer}{piece}"])
    expected: dict[Any, int] = {}
    for customer, piece in facts:
        word = (f"{customer}{piece}" if (customer, piece) in parts else None,)
        expected[word] = expected.get(word, 0) + 1
    assert run(connection, _partitioned(), spec_of("visits", ("word",), None)) == expected
    connection.close()


def _partitioned() -> CatalogSnapshot:
    """The catalog with people by slices in place of the history of customers."""
    piece = Dimension(name="slice", type=DimensionType.CATEGORICAL, expr="slice", is_partition=True)
    word = Dimension(name="word", type=DimensionType.CATEGORICAL, expr="word")
    models = []
    for model in catalog().models:
        if model.name == "visits":
            model = replace(model, dimensions=(*model.dimensions, piece))
        if model.name == "customers":
            keys = tuple(replace(e, type=EntityType.PRIMARY) for e in model.entities if e.name == "customer")
            model = replace(model, table="kinds.people", entities=keys, dimensions=(piece, word))
        models.append(model)
    return replace(catalog(), models=tuple(models))
