"""Catalog search and value queries never touch what the scope hides."""

from __future__ import annotations

from catalog.access import AccessScope, RowFilter, TableAccess
from catalog.types import CatalogSnapshot, Dimension, DimensionType, Metric, MetricType, SemanticModel
from dataagent.runs.search import search
from dataagent.runs.values import value_queries

CATALOG = CatalogSnapshot(
    name="shop",
    digest="d",
    dialect="duckdb",
    models=(
        SemanticModel(
            name="orders",
            table="shop.orders",
            dimensions=(
                Dimension(name="region", type=DimensionType.CATEGORICAL, expr="region", label="Region"),
                Dimension(name="email", type=DimensionType.CATEGORICAL, expr="email", pii=True),
                Dimension(name="cost_band", type=DimensionType.CATEGORICAL, expr="cost_band"),
                Dimension(name="placed_on", type=DimensionType.TIME, expr="placed_on"),
            ),
        ),
    ),
    metrics=(
        Metric(name="net_revenue", type=MetricType.SIMPLE, label="Net revenue", synonyms=("turnover",)),
        Metric(name="gross_margin", type=MetricType.SIMPLE, label="Gross margin", description="Revenue minus cost"),
    ),
)
SCOPE = AccessScope(
    workspace="shop",
    principal="analyst",
    policy_version="1",
    digest="s",
    tables=(
        TableAccess(
            table="shop.orders",
            columns=frozenset({"region", "email", "placed_on"}),
            row_filter=RowFilter(id="r", predicate="region = 'EMEA'", label="region is EMEA"),
        ),
    ),
    metrics=frozenset({"net_revenue"}),
)


def test_names_synonyms_and_descriptions_are_found() -> None:
    assert [f.name for f in search(CATALOG, SCOPE, "Revenue")] == ["net_revenue"]
    assert [f.name for f in search(CATALOG, SCOPE, "turnover")] == ["net_revenue"]


def test_a_hidden_metric_or_dimension_is_not_found() -> None:
    assert search(CATALOG, SCOPE, "margin") == ()
    assert search(CATALOG, SCOPE, "cost band") == ()
    assert {f.name for f in search(CATALOG, SCOPE, "")} == {"net_revenue", "region", "email", "placed_on"}


def test_members_are_read_only_of_named_visible_dimensions() -> None:
    queries = value_queries(CATALOG, SCOPE, "duckdb")
    assert [q.dimension for q in queries] == ["region"]
    assert queries[0].sql == (
        'SELECT DISTINCT "t"."region" AS "value" FROM "shop"."orders" AS "t" WHERE NOT "t"."region" IS NULL LIMIT 5001'
    )
