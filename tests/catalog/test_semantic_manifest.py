"""A serialised semantic manifest becomes the same catalog as the YAML that it was made from."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from catalog.compiler.flow.compile import compile_flow
from catalog.compiler.flow.query import FlowQuery, Ref
from catalog.importers.formats import Format, format_of, load_any
from catalog.issues import CatalogError
from catalog.query import CompiledQuery
from catalog.types import METRIC_TIME, Aggregation, CatalogSnapshot, MeasureUse, MetricType

OLDER: dict[str, Any] = {
    "semantic_models": [
        {
            "name": "orders",
            "defaults": {"agg_time_dimension": "ordered_at"},
            "description": "One row per order.",
            "node_relation": {"alias": "fct_orders", "schema_name": "shop", "database": None, "relation_name": "x"},
            "primary_entity": None,
            "entities": [{"name": "order", "type": "primary", "role": None, "expr": "order_id", "metadata": None}],
            "measures": [{"name": "amount", "agg": "sum", "expr": None, "create_metric": True, "agg_params": None}],
            "dimensions": [
                {
                    "name": "ordered_at",
                    "type": "time",
                    "type_params": {"time_granularity": "day", "validity_params": None},
                    "config": {"meta": {"pii": True}},
                }
            ],
            "label": None,
            "metadata": None,
            "config": {"meta": {"owner": "finance@example.com", "tier": 1}},
        }
    ],
    "metrics": [
        {
            "name": "amount_7d",
            "type": "cumulative",
            "type_params": {
                "measure": {"name": "amount", "filter": None, "join_to_timespine": False, "fill_nulls_with": None},
                "window": {"count": 7, "granularity": "days"},
                "input_measures": [{"name": "amount"}],
                "cumulative_type_params": None,
            },
            "filter": {"where_filters": [{"where_sql_template": "{{ Entity('order') }} > 1"}]},
        }
    ],
    "project_configuration": {
        "time_spine_table_configurations": [],
        "dsi_package_version": {"major_version": "0"},
        "time_spines": [
            {
                "node_relation": {"alias": "days", "schema_name": "shop", "database": None, "relation_name": "y"},
                "primary_column": {"name": "date_day", "time_granularity": "day"},
                "custom_granularities": [{"name": "retail_year", "column_name": None}],
            }
        ],
    },
    "saved_queries": [
        {
            "name": "recent",
            "query_params": {"metrics": ["amount_7d"], "group_by": [], "order_by": [], "limit": 5, "where": None},
            "exports": [{"name": "e", "config": {"export_as": "table", "schema_name": None, "alias": None}}],
            "tags": [],
        }
    ],
}


def _newer() -> dict[str, Any]:
    """The same project, where metrics carry their aggregation and name other metrics."""
    made = json.loads(json.dumps(OLDER))
    made["semantic_models"][0]["measures"] = []
    params = {"semantic_model": "orders", "agg": "sum", "agg_params": None, "non_additive_dimension": None}
    simple = {
        "name": "amount",
        "type": "simple",
        "type_params": {
            "measure": None,
            "expr": "amount",
            "metric_aggregation_params": params,
            "join_to_timespine": True,
            "fill_nulls_with": 0,
            "is_private": True,
        },
        "filter": {"where_filters": [{"where_sql_template": "{{ Entity('order') }} > 2"}]},
    }
    window = {"count": 7, "granularity": "day"}
    counted = {"window": window, "grain_to_date": None, "period_agg": "first", "metric": {"name": "amount"}}
    cumulative = made["metrics"][0]
    cumulative["type_params"] = {"cumulative_type_params": counted, "input_measures": []}
    made["metrics"] = [cumulative, simple]
    return dict(made)


def _load(folder: Path, body: object) -> CatalogSnapshot:
    (folder / "semantic_manifest.json").write_text(json.dumps(body))
    assert format_of(folder) is Format.SEMANTIC_MANIFEST
    return load_any(folder)


def test_the_older_generation_is_read_whole(tmp_path: Path) -> None:
    found = _load(tmp_path, OLDER)
    model, metrics = found.models[0], {m.name: m for m in found.metrics}
    assert (model.table, model.owner, model.dimensions[0].pii) == ("shop.fct_orders", "finance@example.com", True)
    assert (metrics["amount_7d"].window_count, metrics["amount_7d"].window_granularity) == (7, "day")
    assert metrics["amount_7d"].where == ("{{ Entity('order') }} > 1",)
    assert metrics["amount"].measure == "amount"
    assert found.time_spines[0].custom == (("retail_year", "retail_year"),)
    assert found.saved_queries[0].limit == 5
    kept = {(e.about, e.key) for e in found.extensions}
    assert {("model.orders", "dbt.config"), ("saved_query.recent", "dbt.exports")} <= kept


def test_a_metric_that_carries_its_aggregation_becomes_a_measure_of_its_model(tmp_path: Path) -> None:
    found = _load(tmp_path, _newer())
    metrics = {m.name: m for m in found.metrics}
    assert [(m.name, m.agg, m.expr) for m in found.models[0].measures] == [("amount", Aggregation.SUM, "amount")]
    assert metrics["amount"].hidden
    assert metrics["amount_7d"].type is MetricType.CUMULATIVE
    assert metrics["amount_7d"].measure_use == MeasureUse(
        name="amount", where=("{{ Entity('order') }} > 2",), fill_nulls_with=Decimal(0), join_to_timespine=True
    )
    by_month = FlowQuery(metrics=("amount_7d",), group_by=(Ref(name=METRIC_TIME, grain="month"),))
    assert isinstance(compile_flow(by_month, found, dialect="duckdb"), CompiledQuery)


def test_a_metric_over_what_is_no_simple_metric_is_refused(tmp_path: Path) -> None:
    body = _newer()
    body["metrics"] = body["metrics"][:1]
    with pytest.raises(CatalogError, match="amount_7d builds on amount, which is no simple metric"):
        _load(tmp_path, body)


def test_a_key_that_could_change_numbers_is_refused(tmp_path: Path) -> None:
    body = _newer()
    body["metrics"][1]["type_params"]["weighting"] = "x"
    with pytest.raises(CatalogError, match="a metric's parameters has no weighting"):
        _load(tmp_path, body)


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"{", "not valid JSON"),
        (b'{"semantic_models": [],\n "metrics": [], "metrics": []}', r'json:2: The key "metrics" stands twice'),
        (b'{"a": \xff}', "not UTF-8"),
        (b'{"semantic_models": NaN}', "NaN is no number"),
        (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested more than 30 deep"),
        (b'{"a": ' + b"[" * 40 + b"]" * 40 + b"}", "nested more than 30 deep"),
        (b'{"metrics": []}', "holds a list of semantic_models"),
    ],
)
def test_a_broken_file_is_told_in_a_sentence(tmp_path: Path, raw: bytes, told: str) -> None:
    (tmp_path / "semantic_manifest.json").write_bytes(raw)
    with pytest.raises(CatalogError, match=told):
        load_any(tmp_path)


def test_a_path_that_does_not_exist_is_told(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="no such folder or file"):
        load_any(tmp_path / "absent")
