"""Ways between models: all of them where they are few, bounded where they are many, never falsely the only one."""

from __future__ import annotations

import time

import pytest

from catalog import paths
from catalog.compiler import compile_query
from catalog.issues import IssueCode
from catalog.paths import MAX_WAYS, ways_between
from catalog.query import CompiledQuery, GroupBy, QuerySpec
from catalog.reach import reachable_dimensions
from catalog.types import (
    Aggregation,
    CatalogSnapshot,
    Dimension,
    DimensionType,
    Entity,
    EntityType,
    Measure,
    Metric,
    MetricType,
    SemanticModel,
)


def catalog(leads_to: dict[str, tuple[str, ...]]) -> CatalogSnapshot:
    """A model per key, with one dimension `part_of_<model>`, and a metric `total` of the first."""
    models = tuple(
        SemanticModel(
            name=name,
            table=f"shop.{name}",
            entities=(
                Entity(name=f"key_{name}", type=EntityType.PRIMARY, expr="id"),
                *(Entity(name=f"key_{t}", type=EntityType.FOREIGN, expr=f"{t}_id") for t in targets),
            ),
            dimensions=(Dimension(name=f"part_of_{name}", type=DimensionType.CATEGORICAL, expr="part"),),
            measures=(Measure(name=f"amount_of_{name}", agg=Aggregation.SUM, expr="amount"),),
        )
        for name, targets in leads_to.items()
    )
    total = Metric(name="total", type=MetricType.SIMPLE, measure=models[0].measures[0].name)
    return CatalogSnapshot(name="graph", digest="", dialect="duckdb", models=models, metrics=(total,))


def dense(count: int) -> CatalogSnapshot:
    names = tuple(f"m{i}" for i in range(count))
    return catalog({name: tuple(n for n in names if n != name) for name in names})


def asked(snapshot: CatalogSnapshot, by: str) -> object:
    return compile_query(QuerySpec(metrics=("total",), group_by=(GroupBy(dimension=by),)), snapshot)


def test_a_dense_catalog_is_walked_without_trying_every_way() -> None:
    snapshot = dense(60)
    started = time.process_time()
    found = asked(snapshot, "part_of_m3")
    assert isinstance(found, tuple)
    assert found[0].code is IssueCode.AMBIGUOUS_PATH
    assert len(found[0].choices) == MAX_WAYS
    assert found[0].choices[0] == "key_m3__part_of_m3"
    assert len(reachable_dimensions(snapshot, "total")) > 59 * 2
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    "by", ["key_m3__part_of_m3", "key_m9__key_m3__part_of_m3", "key_m9__key_m8__key_m3__part_of_m3"]
)
def test_a_way_that_is_named_by_all_its_keys_is_taken_however_many_there_are(by: str) -> None:
    found = asked(dense(30), by)
    assert isinstance(found, CompiledQuery)
    assert len(found.tables) == by.count("key_") + 1


def test_a_hub_with_many_spokes_has_one_way_to_each() -> None:
    spokes = {f"s{i}": () for i in range(500)}
    snapshot = catalog({"hub": tuple(spokes), **spokes})
    parts = {name for name in reachable_dimensions(snapshot, "total") if not name.startswith("key_")}
    assert parts == {"part_of_hub", *(f"part_of_s{i}" for i in range(500))}
    assert isinstance(asked(snapshot, "part_of_s499"), CompiledQuery)


def test_a_search_that_gives_up_never_calls_a_way_the_only_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "MAX_STEPS", 1)
    snapshot = catalog({"a": ("b", "c"), "b": ("d",), "c": ("d",), "d": ()})
    ways = ways_between(snapshot, "a", "d")
    assert not ways.complete
    assert ways.only is None
    found = asked(snapshot, "part_of_d")
    assert isinstance(found, tuple)
    assert found[0].code is IssueCode.AMBIGUOUS_PATH


def test_two_equally_long_ways_and_a_longer_one_are_all_told() -> None:
    snapshot = catalog({"a": ("b", "c", "e"), "b": ("d",), "c": ("d",), "e": ("b",), "d": ()})
    found = asked(snapshot, "part_of_d")
    assert isinstance(found, tuple)
    assert found[0].choices == (
        "key_b__key_d__part_of_d",
        "key_c__key_d__part_of_d",
        "key_e__key_b__key_d__part_of_d",
    )
