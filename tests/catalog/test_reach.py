"""Dimensions are reached many-to-one, by one path or by a typed ambiguity."""

from __future__ import annotations

from dataclasses import replace

import pytest

from catalog.compiler import compile_query
from catalog.issues import IssueCode
from catalog.query import CompiledQuery, GroupBy, QuerySpec
from catalog.reach import reachable_dimensions, reachable_of_entity
from catalog.types import CatalogSnapshot, Dimension, DimensionType, Entity, EntityType
from tests.catalog.shop import shop


def _with_entity(model: str, entity: Entity) -> CatalogSnapshot:
    models = tuple(replace(m, entities=(*m.entities, entity)) if m.name == model else m for m in shop().models)
    return replace(shop(), models=models)


def test_many_to_one_joins_reach_several_hops_and_never_fan_out() -> None:
    reached = reachable_dimensions(shop(), "refunded")
    assert {"reason", "status", "region", "country_name"} <= reached
    assert "reason" not in reachable_dimensions(shop(), "revenue")


def test_a_derived_metric_reaches_what_all_inputs_reach() -> None:
    both = reachable_dimensions(shop(), "revenue") & reachable_dimensions(shop(), "refunded")
    assert reachable_dimensions(shop(), "net_revenue") == both


def test_only_counts_and_the_like_reach_over_a_bridge() -> None:
    assert "category" in reachable_dimensions(shop(), "orders")
    assert "category" not in reachable_dimensions(shop(), "revenue")
    assert "category" in reachable_dimensions(shop(), "units")


def test_an_entity_reaches_its_own_and_its_parents() -> None:
    assert reachable_of_entity(shop(), "store") == {"store_number", "store_name", "region"}
    assert reachable_of_entity(shop(), "ghost") == frozenset()


def test_two_paths_are_ambiguous_until_one_is_named() -> None:
    snapshot = _with_entity("stores", Entity(name="country", type=EntityType.FOREIGN, expr="country_code"))
    bare = compile_query(QuerySpec(metrics=("orders",), group_by=(GroupBy(dimension="country_name"),)), snapshot)
    assert isinstance(bare, tuple)
    assert bare[0].code is IssueCode.AMBIGUOUS_PATH
    assert bare[0].choices == ("customer__country__country_name", "store__country__country_name")
    for choice, table in zip(bare[0].choices, ("customers", "stores"), strict=True):
        named = compile_query(QuerySpec(metrics=("orders",), group_by=(GroupBy(dimension=choice),)), snapshot)
        assert isinstance(named, CompiledQuery)
        assert named.tables == tuple(sorted(("shop.countries", "shop.orders", f"shop.{table}")))
    assert set(bare[0].choices) <= reachable_dimensions(snapshot, "orders")


def test_both_paths_may_stand_in_one_query() -> None:
    snapshot = _with_entity("stores", Entity(name="country", type=EntityType.FOREIGN, expr="country_code"))
    groups = (GroupBy(dimension="customer__country_name"), GroupBy(dimension="store__country_name"))
    found = compile_query(QuerySpec(metrics=("orders",), group_by=groups), snapshot)
    assert isinstance(found, CompiledQuery)
    assert '"countries_2"."name"' in found.sql


@pytest.mark.parametrize(("name", "fits"), [("region", False), ("store__region", True), ("product__region", True)])
def test_one_name_in_two_models_needs_its_owner(name: str, fits: bool) -> None:
    region = Dimension(name="region", type=DimensionType.CATEGORICAL, expr="made_in")
    models = tuple(replace(m, dimensions=(*m.dimensions, region)) if m.name == "products" else m for m in shop().models)
    found = compile_query(
        QuerySpec(metrics=("orders",), group_by=(GroupBy(dimension=name),)), replace(shop(), models=models)
    )
    assert isinstance(found, CompiledQuery) is fits
    if isinstance(found, tuple):
        assert found[0].code is IssueCode.AMBIGUOUS_DIMENSION
        assert set(found[0].choices) == {"store__region", "product__region"}
