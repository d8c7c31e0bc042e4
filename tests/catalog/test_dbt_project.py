"""A dbt project in both generations: its YAML and both artefacts that dbt made of it say the same."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from catalog.checks import check, is_error
from catalog.compiler.flow.compile import compile_flow
from catalog.compiler.flow.query import FlowQuery, Ref
from catalog.content import digest_of
from catalog.importers.formats import Format, format_of, load_any
from catalog.issues import CatalogError
from catalog.query import CompiledQuery
from catalog.types import METRIC_TIME, CatalogSnapshot, MetricType

FOLDER = Path(__file__).parent / "bakery"
GENERATIONS = ("older", "newer")


def _yaml(generation: str) -> CatalogSnapshot:
    path = FOLDER / generation / "schema.yml"
    assert format_of(path) is Format.METRICFLOW
    return load_any(path, schema="sales")


def _artefact(generation: str, name: str) -> CatalogSnapshot:
    return load_any(FOLDER / generation / name)


def _meaning(snapshot: CatalogSnapshot) -> str:
    """The digest of what is computed: without names of files, owners, texts and what is carried along."""
    models = (
        replace(
            m,
            owner="",
            description="",
            dimensions=tuple(replace(d, description="") for d in m.dimensions),
            measures=tuple(sorted(m.measures, key=lambda x: x.name)),
        )
        for m in snapshot.models
    )
    metrics = (replace(m, owner="", label="", description="") for m in snapshot.metrics)
    return digest_of(
        replace(
            snapshot,
            name="",
            models=tuple(sorted(models, key=lambda m: m.name)),
            metrics=tuple(sorted(metrics, key=lambda m: m.name)),
            extensions=(),
            lineage=(),
        )
    )


@pytest.mark.parametrize("generation", GENERATIONS)
def test_yaml_and_both_artefacts_mean_the_same(generation: str) -> None:
    meanings = {
        _meaning(s)
        for s in (
            _yaml(generation),
            _artefact(generation, "semantic_manifest.json"),
            _artefact(generation, "manifest.json"),
        )
    }
    assert len(meanings) == 1


@pytest.mark.parametrize("generation", GENERATIONS)
def test_every_metric_compiles_by_month(generation: str) -> None:
    found = _artefact(generation, "manifest.json")
    assert [i.message for i in check(found) if is_error(i)] == []
    assert {m.type for m in found.metrics} == set(MetricType)
    for metric in found.metrics:
        query = FlowQuery(metrics=(metric.name,), group_by=(Ref(name=METRIC_TIME, grain="month"),))
        assert isinstance(compile_flow(query, found, dialect="duckdb"), CompiledQuery), metric.name


@pytest.mark.parametrize("generation", GENERATIONS)
def test_a_manifest_adds_owners_descriptions_and_lineage(generation: str) -> None:
    found = _artefact(generation, "manifest.json")
    models, metrics = {m.name: m for m in found.models}, {m.name: m for m in found.metrics}
    orders = models["orders"]
    assert (orders.description, orders.owner, orders.table) == ("One row per order.", "Sales", "sales.fct_orders")
    assert {d.name: d.description for d in orders.dimensions}["channel"] == "Where it was sold."
    assert metrics["gift_share"].owner == "finance@example.com"
    assert metrics["gift_share"].synonyms == ("share of gifts",)
    assert [d.pii for m in models.values() for d in m.dimensions if d.name == "email"] == [True]
    assert found.lineage == (("sales.dim_bakers", ("sales.raw_bakers",)),)
    assert found.name == "bakery"


def test_the_newer_generation_hides_its_hidden_metrics() -> None:
    assert [m.name for m in _yaml("newer").metrics if m.hidden] == ["p90"]


def test_disabled_parts_of_a_manifest_are_left_out(tmp_path: Path) -> None:
    body = json.loads((FOLDER / "newer" / "manifest.json").read_text())
    body["metrics"]["metric.bakery.growth"]["config"]["enabled"] = False
    (tmp_path / "manifest.json").write_text(json.dumps(body))
    assert "growth" not in {m.name for m in load_any(tmp_path).metrics}


def test_a_folder_of_artefacts_is_read_by_its_semantic_manifest_unless_said_otherwise(tmp_path: Path) -> None:
    shutil.copytree(FOLDER / "newer", tmp_path / "target")
    assert format_of(tmp_path / "target") is Format.SEMANTIC_MANIFEST
    assert load_any(tmp_path / "target", written_as=Format.DBT_MANIFEST).name == "bakery"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("agg: sum, expr: amount}", "agg: sum, exp: amount}", "a metric has no exp"),
        ("agg: sum, expr: amount}", "agg: total, expr: amount}", '"total" is none of sum'),
        ("window: 7 days, period_agg", "window: seven, period_agg", '"seven" is not a window'),
        ("input_metric: amount}", "input_metric: absent}", "builds on absent, which is no simple metric"),
        ("    expr: amount - before", "    agg: sum", "must stand at the model that it counts"),
        ("dimension: {type: time}", "dimension: {type: time, grain: day}", "a dimension has no grain"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(tmp_path: Path, old: str, new: str, told: str) -> None:
    text = (FOLDER / "newer" / "schema.yml").read_text()
    assert old in text
    (tmp_path / "schema.yml").write_text(text.replace(old, new, 1))
    with pytest.raises(CatalogError, match=told) as caught:
        load_any(tmp_path)
    assert all(
        i.source is not None and i.source.file == "schema.yml" and i.source.line > 1 for i in caught.value.issues
    )
