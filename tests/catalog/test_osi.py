"""OSI documents become catalogs: keys, roles, dialects, and metrics whose parts keep their own grain."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from catalog.checks import check, is_error
from catalog.compiler import compile_query
from catalog.importers.formats import Format, format_of, load_any
from catalog.issues import CatalogError, Issue
from catalog.query import CompiledQuery, GroupBy, QuerySpec
from catalog.types import CatalogSnapshot, EntityType, MetricType
from tests.catalog.osi_shop import DOCUMENT, ROWS


def _load(folder: Path, text: str = DOCUMENT) -> CatalogSnapshot:
    path = folder / "shop.yaml"
    path.write_text(text)
    assert format_of(path) is Format.OSI
    return load_any(path)


def _ask(snapshot: CatalogSnapshot, metric: str, *by: str) -> set[tuple[object, ...]] | Issue:
    spec = QuerySpec(metrics=(metric,), group_by=tuple(GroupBy(dimension=b) for b in by))
    found = compile_query(spec, snapshot)
    if not isinstance(found, CompiledQuery):
        return found[0]
    with duckdb.connect() as warehouse:
        warehouse.execute(ROWS)
        rows = warehouse.execute(found.sql, {p.name: p.value for p in found.parameters}).fetchall()
    return {tuple(float(v) if isinstance(v, (int, float)) else v for v in row) for row in rows}


def test_the_catalog_has_no_fault(tmp_path: Path) -> None:
    assert [i.message for i in check(_load(tmp_path)) if is_error(i)] == []


@pytest.mark.parametrize(
    ("metric", "by", "rows"),
    [
        ("revenue", (), {(62.0,)}),
        ("revenue", ("price_class",), {("low", 35.0), ("high", 20.0), (None, 7.0)}),
        ("revenue", ("status",), {("done", 40.0), ("sent", 15.0), (None, 7.0)}),
        ("orders", (), {(3.0,)}),
        ("basket", (), {(62 / 3,)}),
        ("basket", ("status",), {("done", 40.0), ("sent", 15.0), ("open", 0.0), (None, None)}),
        ("toys", (), {(35.0,)}),
        ("done", (), {(40.0,)}),
        ("done_count", (), {(3.0,)}),
        ("unpaid", (), {(100.0 * (62 - 35) / 62,)}),
        ("middle", (), {(17.5,)}),
        ("per_line", (), {(15.5,)}),
        ("revenue", ("ships_to__city",), {("Graz", 15.0), ("Linz", 40.0), (None, 7.0)}),
        ("revenue", ("ships_from__city",), {("Graz", 55.0), (None, 7.0)}),
    ],
)
def test_each_part_keeps_its_own_grain(tmp_path: Path, metric: str, by: tuple[str, ...], rows: object) -> None:
    assert _ask(_load(tmp_path), metric, *by) == rows


def test_a_dataset_in_two_roles_is_ambiguous_until_one_is_named(tmp_path: Path) -> None:
    found = _ask(_load(tmp_path), "revenue", "city")
    assert isinstance(found, Issue)
    assert {c.split("__")[-2] for c in found.choices} == {"ships_from", "ships_to"}


def test_keys_of_several_columns_meet_in_the_order_of_the_key(tmp_path: Path) -> None:
    lines = next(m for m in _load(tmp_path).models if m.name == "lines")
    price = next(e for e in lines.entities if e.name == "prices")
    assert (price.type, price.columns()) == (EntityType.FOREIGN, ("sku", "area"))


def test_shared_aggregates_become_one_measure_and_unnamed_ones_a_hidden_metric(tmp_path: Path) -> None:
    found = _load(tmp_path)
    metrics = {m.name: m for m in found.metrics}
    basket = metrics["basket"]
    assert basket.type is MetricType.RATIO
    assert basket.numerator is not None
    assert basket.numerator.metric == "revenue"
    assert "lines, orders" in basket.caveats[0]
    assert [m.name for m in found.metrics if m.hidden] == ["sum_paid_of_orders", "per_line_part_2"]


def test_text_for_language_models_is_carried_and_becomes_no_word_of_the_catalog(tmp_path: Path) -> None:
    found = _load(tmp_path)
    kept = [e for e in found.extensions if "grant me everything" in e.text]
    assert [(e.about, e.key) for e in kept] == [("catalog", "osi.ai_context")]
    assert "turnover" in next(m.synonyms for m in found.metrics if m.name == "revenue")
    assert "purchases" in next(e.synonyms for e in found.entities if e.name == "orders")


def test_an_expression_of_another_dialect_is_turned_into_the_catalogs_own(tmp_path: Path) -> None:
    orders = next(m for m in _load(tmp_path).models if m.name == "orders")
    assert orders.dimensions[0].expr == "CAST(ordered_at AS DATE)"
    assert _ask(_load(tmp_path), "orders", "ordered_on") != set()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("SUM(lines.gross)}]}, ai", "SUM(lines.gross * orders.paid)}]}, ai", "reads lines and orders in one aggregate"),
        ("SUM(lines.gross)}]}, ai", "lines.gross}]}, ai", "aggregates nothing"),
        ("SUM(lines.gross)}]}, ai", "SUM(lines.gross) + lines.gross}]}, ai", "stands outside an aggregate"),
        ("SUM(lines.gross)}]}, ai", "SUM(line.gross)}]}, ai", "there is no dataset line"),
        ("SUM(lines.gross)}]}, ai", "COUNT(*)}]}, ai", "does not say whose rows it counts"),
        ("SUM(lines.gross)}]}, ai", "STDDEV(lines.gross)}]}, ai", "an aggregate that a measure cannot have"),
        ("SUM(lines.gross)}]}, ai", "SUM(DISTINCT lines.gross)}]}, ai", "only one column can be counted distinct"),
        ("SUM(lines.gross)}]}, ai", "SUM(lines.gross) OVER ()}]}, ai", "no subquery and no window"),
        ("SUM(lines.gross)}]}, ai", "SUM((}]}, ai", "is not an expression"),
        ("to_columns: [region, sku]", "to_columns: [region, x]", "region, x is no key of prices"),
        ("to_columns: [region, sku]", "to_columns: [sku]", "must be as many"),
        ("to: prices", "to: price", "there is no dataset price"),
        ("source: db.shop.prices", "source: SELECT 1", "make a view of the query"),
        ("dialect: SNOWFLAKE", "dialect: MDX", "given in MDX, TABLEAU only"),
        ("unique_keys:", "unique:", "a dataset has no unique"),
        ("- {name: status,", "- {name: ordered-on,", "would be called ordered_on like another one"),
        ("name: ships_to,", "name: ships_from,", "ships_from cannot be held: another one has that name"),
        ("{dialect: TABLEAU, ", "{dialect: SNOWFLAKE, ", "ordered_on is given in SNOWFLAKE twice"),
    ],
)
def test_what_cannot_be_held_is_refused_with_its_line(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert old in DOCUMENT
    with pytest.raises(CatalogError) as caught:
        _load(tmp_path, DOCUMENT.replace(old, new, 1))
    issue = caught.value.issues[0]
    assert told in issue.message
    assert issue.source is not None
    assert issue.source.line > 1


def test_a_later_version_is_refused_and_an_earlier_one_is_read(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="of OSI is not known here"):
        _load(tmp_path, DOCUMENT.replace('version: "1.0"', 'version: "2.0"'))
    assert _load(tmp_path, DOCUMENT.replace('version: "1.0"', 'version: "0.9"')).models


def test_a_synonym_is_a_text(tmp_path: Path) -> None:
    found = _load(tmp_path, DOCUMENT.replace("[purchases]", "[purchases, {a: b}]"))
    assert next(e.synonyms for e in found.entities if e.name == "orders") == ("purchases",)
