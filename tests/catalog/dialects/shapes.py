"""Query shapes that stand for every kind, in both meanings of time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal

from catalog.compiler import compile_query
from catalog.compiler.flow.compile import compile_flow
from catalog.issues import Issue
from catalog.query import CompiledQuery, GroupBy, QuerySpec, TimeRange
from catalog.types import (
    METRIC_TIME,
    Aggregation,
    CatalogSnapshot,
    Dimension,
    DimensionType,
    Filter,
    FiscalYear,
    Measure,
    Metric,
    MetricType,
    NonAdditive,
    Operator,
    SemanticModel,
    TimeGranularity,
)
from tests.catalog.flow.shop import query as flow_query
from tests.catalog.flow.shop import shop as flow_shop
from tests.catalog.questions import QUESTIONS
from tests.catalog.shop import shop

Found = CompiledQuery | tuple[Issue, ...]
FLOWS: dict[str, tuple[str, str]] = {
    "flow_week": ("revenue", "metric_time__week"),
    "flow_quarter_and_weekday": ("revenue", "metric_time__quarter metric_time__extract_dow"),
    "flow_join_valid_then": ("revenue", "customer__tier customer__country__continent"),
    "flow_ratio": ("average_order", "metric_time__month"),
    "flow_percentile": ("middle", "order__channel"),
    "flow_offset": ("revenue_change", "metric_time__day"),
    "flow_offset_to_month": ("since_month_start", "metric_time__day"),
    "flow_offset_by_sprint": ("revenue_last_sprint", "metric_time__day"),
    "flow_window": ("revenue_two_days", "metric_time__day"),
    "flow_month_to_date": ("revenue_month_to_date", "metric_time__week"),
    "flow_conversion": ("visit_to_order", "metric_time__day"),
    "flow_balance": ("last_balance", "metric_time__month customer"),
    "flow_balance_of_each": ("last_balance_of_each", "metric_time__month customer__country__continent"),
    "flow_three_sides": ("revenue visits last_balance", "metric_time__day customer"),
    "flow_values": ("", "customer__tier"),
}


def _flow(name: str) -> Callable[[str], Found]:
    metrics, by = FLOWS[name]
    return lambda dialect: compile_flow(flow_query(metrics, by), flow_shop(), dialect=dialect)


def _own(name: str) -> Callable[[str], Found]:
    return lambda dialect: compile_query(QUESTIONS[name], shop(), dialect=dialect)


def _odd_calendar() -> CatalogSnapshot:
    calendar = replace(shop().calendar, week_start="sunday", quarter_basis="fiscal", fiscal=FiscalYear(start_month=2))
    return replace(shop(), calendar=calendar)


def _by(grain: TimeGranularity, *, snapshot: Callable[[], CatalogSnapshot] = shop) -> Callable[[str], Found]:
    spec = QuerySpec(metrics=("revenue",), group_by=(GroupBy(dimension=METRIC_TIME, granularity=grain),))
    return lambda dialect: compile_query(spec, snapshot(), dialect=dialect)


def _words() -> CatalogSnapshot:
    """A table whose names are words of the language or need quotes."""
    amount = Measure(name="sales", agg=Aggregation.SUM, expr='"total sales (€)"')
    middle = Measure(name="middle", agg=Aggregation.PERCENTILE, expr="amount", percentile=Decimal("0.25"))
    first = replace(middle, name="first_quarter", discrete_percentile=True)
    model = SemanticModel(
        name="order",
        table="shop.order",
        dimensions=tuple(Dimension(name=n, type=DimensionType.TEXT, expr=n) for n in ("group", "user")),
        measures=(amount, middle, first),
    )
    metrics = tuple(Metric(name=m.name, type=MetricType.SIMPLE, measure=m.name) for m in model.measures)
    return replace(shop(), models=(model,), metrics=metrics, saved_queries=())


def _reserved(dialect: str) -> Found:
    groups = (GroupBy(dimension="group"), GroupBy(dimension="user"))
    spec = QuerySpec(metrics=("sales", "middle", "first_quarter"), group_by=groups)
    return compile_query(spec, _words(), dialect=dialect)


def _cumulative_alone(dialect: str) -> Found:
    groups = (GroupBy(dimension=METRIC_TIME, granularity=TimeGranularity.MONTH),)
    return compile_query(QuerySpec(metrics=("revenue_to_date",), group_by=groups), shop(), dialect=dialect)


_DONE = (Filter(field="status", op=Operator.EQ, values=("done",)),)
_OPEN_GOLD = (
    Filter(field="status", op=Operator.NE, values=("done",)),
    Filter(field="tier", op=Operator.IN, values=("gold", None)),
)


def _filtered(*asked: tuple[str, tuple[Filter, ...]]) -> Callable[[str], Found]:
    """Measures of orders, each under conditions of its own, by tier."""
    metrics = tuple(
        Metric(name=f"{m}_{i}", type=MetricType.SIMPLE, measure=m, filters=f) for i, (m, f) in enumerate(asked)
    )
    snapshot = replace(shop(), metrics=metrics, saved_queries=())
    spec = QuerySpec(metrics=tuple(m.name for m in metrics), group_by=(GroupBy(dimension="tier"),))
    return lambda dialect: compile_query(spec, snapshot, dialect=dialect)


def _balance_of_each(dialect: str) -> Found:
    """The first seats of each customer in each quarter, of gold customers and those without a tier."""
    rule = NonAdditive(dimension="counted_on", pick=Aggregation.MIN, window_groupings=("customer",))
    models = tuple(
        replace(m, measures=tuple(replace(x, non_additive=rule) if x.name == "seat_total" else x for x in m.measures))
        for m in shop().models
    )
    quarter = GroupBy(dimension=METRIC_TIME, granularity=TimeGranularity.QUARTER)
    spec = QuerySpec(
        metrics=("seats",),
        group_by=(quarter, GroupBy(dimension="tier")),
        where=_OPEN_GOLD[1:],
        time_range=TimeRange(start=date(2025, 1, 30), end=date(2025, 3, 1), expr=""),
    )
    return compile_query(spec, replace(shop(), models=models), dialect=dialect)


def _flow_filtered(dialect: str) -> Found:
    """Two metrics of one table on a time spine, one under a condition, by channel."""
    web = "{{ Dimension('order__channel') }} = 'web'"
    early = Filter(field="ordered_at", op=Operator.LE, values=(date(2025, 2, 1),))
    made = (
        Metric(name="web_orders", type=MetricType.SIMPLE, measure="orders", where=(web,)),
        Metric(name="early_amount", type=MetricType.SIMPLE, measure="amount", filters=(early,)),
    )
    snapshot = replace(flow_shop(), metrics=(*flow_shop().metrics, *made))
    return compile_flow(flow_query("web_orders early_amount", "customer"), snapshot, dialect=dialect)


MORE: dict[str, Callable[[str], Found]] = {
    "sunday_weeks": _by(TimeGranularity.WEEK, snapshot=_odd_calendar),
    "fiscal_quarters": _by(TimeGranularity.QUARTER, snapshot=_odd_calendar),
    "cumulative_without_groups": _cumulative_alone,
    "words_and_percentiles": _reserved,
    "filtered_beside_all": _filtered(
        ("order_amount", _DONE), ("order_amount", ()), ("order_count", _DONE), ("buyers", _OPEN_GOLD)
    ),
    "filtered_alone": _filtered(
        *((m, _OPEN_GOLD) for m in ("average_amount", "large_orders", "median_amount")), ("largest_amount", _DONE)
    ),
    "flow_filtered": _flow_filtered,
    "balance_of_each": _balance_of_each,
}
SHAPES: dict[str, Callable[[str], Found]] = {
    **{n: _own(n) for n in QUESTIONS},
    **MORE,
    **{n: _flow(n) for n in FLOWS},
}


def compiled(shape: str, dialect: str) -> CompiledQuery:
    found = SHAPES[shape](dialect)
    assert isinstance(found, CompiledQuery), found
    return found
