"""Conditions on what is calculated are said as people say them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from catalog.query import Comparison, Direction, MetricCondition, MetricIntent, Order
from catalog.restate import restate
from catalog.types import Operator
from tests.catalog.shop import shop


@pytest.mark.parametrize(
    ("metric", "op", "value", "said"),
    [
        ("revenue__percent_change", Operator.LT, Decimal("-0.1"), "revenue fell by more than 10%"),
        ("revenue__percent_change", Operator.GE, Decimal("0.125"), "revenue rose by at least 12.5%"),
        ("revenue__difference", Operator.GT, 0, "revenue rose"),
        ("revenue__difference", Operator.LE, 0, "revenue did not rise"),
        ("revenue__difference", Operator.LT, 50, "difference of revenue is less than 50"),
        ("refund_rate__points", Operator.GT, 2, "refund rate rose by more than 2 points"),
        ("revenue__share", Operator.GT, Decimal("0.2"), "share of revenue is more than 20%"),
        ("revenue__rank", Operator.LE, 3, "rank of revenue is at most 3"),
        ("revenue", Operator.GT, 100, "revenue is more than 100"),
    ],
)
def test_a_condition_on_a_calculation_is_said_plainly(metric: str, op: Operator, value: Decimal, said: str) -> None:
    intent = MetricIntent(
        metrics=(metric.split("__", maxsplit=1)[0],),
        dimensions=("region",),
        comparison=Comparison(type="previous_period"),
        having=(MetricCondition(metric=metric, op=op, values=(value,)),),
    )
    assert f"where {said}," in restate(intent, shop()) + ","


def test_an_order_by_a_calculated_value_is_said_plainly() -> None:
    intent = MetricIntent(
        metrics=("revenue",),
        dimensions=("region",),
        order=(Order(by="revenue__percent_change", direction=Direction.ASC),),
        limit=3,
    )
    assert restate(intent, shop()) == "Revenue by region, first 3 by lowest change in percent of revenue"
