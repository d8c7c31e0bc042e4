"""A tiny shop for the tests of this room: scopes, a catalog and a question."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

from catalog.access import AccessScope, TableAccess
from catalog.query import MetricIntent, TimeRange
from catalog.types import (
    Aggregation,
    CatalogEvent,
    CatalogSnapshot,
    Dimension,
    DimensionType,
    Entity,
    EntityType,
    Measure,
    Metric,
    MetricInput,
    MetricType,
    SemanticModel,
)

DATA = Path(__file__).parent / "data"
TODAY = date(2025, 6, 18)
SEEN_AT = datetime(2025, 6, 18, 8, tzinfo=UTC)
QUESTION = "How many orders in May?"
ORDER_COLUMNS = frozenset({"order_id", "customer_id", "amount", "region"})
ALL_TABLES = {
    "warehouse.fct_orders": ORDER_COLUMNS,
    "warehouse.orders_old": ORDER_COLUMNS,
    "warehouse.fct_margin": frozenset({"order_id", "unit_cost"}),
    "warehouse.dim_customer": frozenset({"customer_id", "region", "created_at"}),
}


def scope(
    *hidden: str, columns: frozenset[str] | None = None, metrics: tuple[str, ...] = ("orders", "aov")
) -> AccessScope:
    """A scope of all tables but `hidden`; `columns` narrows those of fct_orders."""
    tables = tuple(
        TableAccess(table=name, columns=columns if columns and name == "warehouse.fct_orders" else granted)
        for name, granted in ALL_TABLES.items()
        if name not in hidden
    )
    return AccessScope(
        workspace="shop",
        principal="analyst",
        policy_version="1",
        digest="d",
        tables=tables,
        metrics=frozenset(metrics),
    )


ANALYST = scope("warehouse.fct_margin")
OWNER = scope(metrics=("orders", "aov", "amount", "margin"))

SNAPSHOT = CatalogSnapshot(
    name="shop",
    digest="5" * 64,
    dialect="duckdb",
    models=(
        SemanticModel(
            name="orders",
            table="warehouse.fct_orders",
            entities=(Entity(name="order", type=EntityType.PRIMARY, expr="order_id"),),
            dimensions=(Dimension(name="region", type=DimensionType.CATEGORICAL, expr="region"),),
            measures=(
                Measure(name="order_count", agg=Aggregation.COUNT, expr="1"),
                Measure(name="amount_sum", agg=Aggregation.SUM, expr="amount"),
            ),
        ),
        SemanticModel(
            name="margins",
            table="warehouse.fct_margin",
            measures=(Measure(name="margin_sum", agg=Aggregation.SUM, expr="amount - unit_cost"),),
        ),
    ),
    metrics=(
        Metric(
            name="orders",
            type=MetricType.SIMPLE,
            label="Orders",
            description="Orders placed.",
            measure="order_count",
            owner="Commerce data",
            version=3,
            caveats=("A day is final the next morning.",),
        ),
        Metric(name="amount", type=MetricType.SIMPLE, measure="amount_sum"),
        Metric(
            name="aov",
            type=MetricType.RATIO,
            label="Average order value",
            numerator=MetricInput(metric="amount"),
            denominator=MetricInput(metric="orders"),
        ),
        Metric(name="margin", type=MetricType.SIMPLE, measure="margin_sum"),
    ),
    events=(
        CatalogEvent(name="May sale", date=date(2025, 5, 20)),
        CatalogEvent(name="Winter sale", date=date(2025, 1, 3)),
    ),
)
MAY = TimeRange(start=date(2025, 5, 1), end=date(2025, 6, 1), expr="last_month")
INTENT = MetricIntent(metrics=("orders",), time_range=MAY)
