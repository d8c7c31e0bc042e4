"""Keys of several columns: joined on all of them, told apart by all of them, refused where they cannot fit."""

from __future__ import annotations

from pathlib import Path

import duckdb

from catalog.checks import check
from catalog.compiler import compile_query
from catalog.importers.own import load_folder
from catalog.query import CompiledQuery, GroupBy, QuerySpec
from catalog.types import CatalogSnapshot

CATALOG = """
semantic_models:
  - name: lines
    table: shop.lines
    entities:
      - {name: line, type: primary, expr: order_id, further: [line_no]}
      - {name: price, type: foreign, expr: sku, further: [region]}
    dimensions: [{name: sku, type: categorical, expr: sku}]
    measures:
      - {name: quantity, agg: sum, expr: quantity}
      - {name: lines, agg: count, expr: "1"}
  - name: prices
    table: shop.prices
    entities: [{name: price, type: primary, expr: code, further: [area]}]
    dimensions: [{name: price_class, type: categorical, expr: class}]
  - name: tags
    table: shop.tags
    entities:
      - {name: line, type: foreign, expr: order_no, further: [line]}
      - {name: tag, type: foreign, expr: tag}
  - name: tag_names
    table: shop.tag_names
    entities: [{name: tag, type: primary, expr: tag}]
    dimensions: [{name: tag_name, type: categorical, expr: name}]
metrics:
  - {name: quantity, type: simple, measure: quantity}
  - {name: lines, type: simple, measure: lines}
bridges: [{from_entity: line, to_entity: tag, model: tags}]
"""
ROWS = """
CREATE SCHEMA shop;
CREATE TABLE shop.lines AS SELECT * FROM (VALUES (1, 1, 'a', 'EU', 2), (1, 2, 'a', 'US', 3), (2, 1, 'b', 'EU', 5))
  t(order_id, line_no, sku, region, quantity);
CREATE TABLE shop.prices AS SELECT * FROM (VALUES ('a', 'EU', 'low'), ('a', 'US', 'high'), ('b', 'US', 'high'))
  t(code, area, class);
CREATE TABLE shop.tags AS SELECT * FROM (VALUES (1, 1, 't'), (1, 1, 't'), (1, 2, 't'), (2, 1, 'u'))
  t(order_no, line, tag);
CREATE TABLE shop.tag_names AS SELECT * FROM (VALUES ('t', 'Toy'), ('u', 'Use')) t(tag, name);
"""


def _catalog(folder: Path, text: str = CATALOG) -> CatalogSnapshot:
    (folder / "catalog.yaml").write_text(text)
    return load_folder(folder)


def _rows(snapshot: CatalogSnapshot, metric: str, dimension: str) -> set[tuple[object, ...]]:
    found = compile_query(QuerySpec(metrics=(metric,), group_by=(GroupBy(dimension=dimension),)), snapshot)
    assert isinstance(found, CompiledQuery), found
    with duckdb.connect() as warehouse:
        warehouse.execute(ROWS)
        return set(warehouse.execute(found.sql).fetchall())


def test_a_join_meets_on_every_column_of_the_key(tmp_path: Path) -> None:
    assert _rows(_catalog(tmp_path), "quantity", "price_class") == {("low", 2), ("high", 3), (None, 5)}


def test_rows_with_one_half_of_their_key_in_common_stay_apart_over_a_bridge(tmp_path: Path) -> None:
    assert _rows(_catalog(tmp_path), "lines", "tag_name") == {("Toy", 2), ("Use", 1)}


def test_two_models_must_agree_on_the_width_of_a_key(tmp_path: Path) -> None:
    odd = CATALOG.replace("expr: code, further: [area]", "expr: code")
    assert "The key price has 1 columns in prices but 2 in lines." in {
        i.message for i in check(_catalog(tmp_path, odd))
    }
    assert not isinstance(
        compile_query(
            QuerySpec(metrics=("quantity",), group_by=(GroupBy(dimension="price_class"),)), load_folder(tmp_path)
        ),
        CompiledQuery,
    )
