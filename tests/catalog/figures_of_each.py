"""Queries of what is taken over each thing or period, of funnels and of metrics that a question defines."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

from catalog.adhoc import ad_hoc_metrics
from catalog.calculations import Direction, Taken, TieRule, TimeRange, Top
from catalog.issues import Issue
from catalog.query import AdHocMetric, FunnelStep, GroupBy, MetricIntent, Order, Over, QuerySpec, Transform
from catalog.types import METRIC_TIME, TimeGranularity
from tests.catalog.shop import shop

WINTER = TimeRange(start=date(2025, 1, 1), end=date(2025, 4, 1), expr="2025-Q1")
_CUSTOMER = (GroupBy(dimension="customer"),)
_EACH_CUSTOMER = Over(each=_CUSTOMER, taken=Taken.AVERAGE, called="customer", counted="customers_counted")
_REGION = (GroupBy(dimension="region"),)


def _own(intent: MetricIntent) -> tuple[AdHocMetric, ...]:
    found = ad_hoc_metrics(intent, shop())
    assert not isinstance(found, Issue)
    return found


_RATIO = _own(MetricIntent(metrics=("revenue", "orders"), transforms=(Transform(type="ratio"),)))
_PERCENTILE = _own(
    MetricIntent(transforms=(Transform(type="percentile", arguments=(("field", "amount_band"), ("p", 90))),))
)

FIGURES_OF_EACH: dict[str, QuerySpec] = {
    "average_of_each_customer": QuerySpec(
        metrics=("revenue",), group_by=_REGION, time_range=WINTER, over=_EACH_CUSTOMER
    ),
    "median_of_each_customer": QuerySpec(
        metrics=("orders",), group_by=_REGION, over=replace(_EACH_CUSTOMER, taken=Taken.MEDIAN)
    ),
    "average_of_each_month": QuerySpec(
        metrics=("orders",),
        time_range=WINTER,
        over=Over(
            each=(GroupBy(dimension=METRIC_TIME, granularity=TimeGranularity.MONTH),),
            taken=Taken.AVERAGE,
            called="month",
            counted="months_counted",
            periods=3,
        ),
    ),
    "how_each_customer_is_spread": QuerySpec(metrics=("revenue",), over=replace(_EACH_CUSTOMER, taken=Taken.SUMMARY)),
    "customers_in_ranges": QuerySpec(
        metrics=("revenue",),
        time_range=WINTER,
        over=replace(
            _EACH_CUSTOMER,
            taken=Taken.BINS,
            upto=(Decimal(50), Decimal(100)),
            ranges=("0 to under 50", "50 to under 100", "100 or more"),
        ),
    ),
    "funnel_of_two_steps": QuerySpec(
        metrics=("orders", "large_order_count"),
        group_by=_REGION,
        time_range=WINTER,
        funnel=(FunnelStep(metric="orders", words="Order"), FunnelStep(metric="large_order_count", words="Large")),
    ),
    "ratio_of_two_metrics": QuerySpec(
        metrics=(_RATIO[0].metric.name, "revenue", "orders"),
        group_by=_REGION,
        ad_hoc=_RATIO,
        order_by=(Order(by=_RATIO[0].metric.name, direction=Direction.DESC),),
        limit=2,
    ),
    "percentile_of_a_column": QuerySpec(metrics=(_PERCENTILE[0].metric.name,), group_by=_REGION, ad_hoc=_PERCENTILE),
    "first_part_of_a_hundred": QuerySpec(
        metrics=("revenue",),
        group_by=(GroupBy(dimension="store_name"),),
        top=Top(by="revenue", count=0, percent=Decimal(40), ties=TieRule.ALL),
    ),
}
