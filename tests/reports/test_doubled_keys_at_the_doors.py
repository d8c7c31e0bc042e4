"""A key of the catalog that the data break would double figures: at every door the question stops and says so."""

from __future__ import annotations

import pytest

from tests.reports.conftest import Founding
from tests.reports.test_joins_and_totals import CRM, CRM_ROWS

DOUBLED = CRM_ROWS + "INSERT INTO crm.users VALUES (4, 'owner');"
SHOP = """
catalog: {name: shop, dialect: duckdb}
semantic_models:
  - name: orders
    table: shop.orders
    default_time_dimension: ordered_on
    entities: [{name: order, type: primary, expr: id}, {name: customer, type: foreign, expr: customer_id}]
    dimensions: [{name: ordered_on, type: time, expr: ordered_on, granularity: day}]
    measures: [{name: order_count, agg: count, expr: "1"}]
  - name: customers
    table: shop.customers
    entities: [{name: customer, type: primary, expr: id}, {name: city, type: foreign, expr: city_id}]
    dimensions: [{name: customer_number, type: id, expr: id}, {name: customer_name, type: text, expr: name}]
  - name: cities
    table: shop.cities
    entities: [{name: city, type: primary, expr: id}]
    dimensions: [{name: country, type: categorical, expr: country}]
entities:
  - {name: customer, key_dimension: customer_number, label_dimension: customer_name, synonyms: [customers]}
metrics:
  - {name: orders, type: simple, measure: order_count}
"""
SHOP_ROWS = """
CREATE SCHEMA shop;
CREATE TABLE shop.orders AS SELECT * FROM
  (VALUES (1, 1, DATE '2025-05-02'), (2, 1, DATE '2025-05-03')) t(id, customer_id, ordered_on);
CREATE TABLE shop.customers AS SELECT * FROM (VALUES (1, 'Ada', 1), (2, 'Ben', 1), (3, 'Cleo', 2)) t(id, name, city_id);
CREATE TABLE shop.cities AS SELECT * FROM (VALUES (1, 'France'), (2, 'Spain')) t(id, country);
"""
CITY_TWICE = SHOP_ROWS + "INSERT INTO shop.cities VALUES (1, 'Spain');"


def test_a_figure_by_a_table_whose_key_repeats_is_not_shown(company: Founding) -> None:
    told = company("doubled", CRM, DOUBLED).stop("accounts by role", "2025-06-18")
    assert (told["decision"], told["rows"]) == ("abstain", [])
    assert "id of crm.users is declared as a key, but values of it stand in more than one row" in str(told)


def test_a_figure_that_does_not_join_that_table_is(company: Founding) -> None:
    told = company("doubled", CRM, DOUBLED).ask("worth", "2025-06-18")
    assert told.rows == [[110]]


def test_over_a_bridge_the_counted_rows_own_key_has_to_hold(company: Founding) -> None:
    rows = CRM_ROWS + "INSERT INTO crm.accounts VALUES (2, 'two again', 5);"
    told = company("twice", CRM, rows).stop("accounts by role", "2025-06-18")
    assert (told["decision"], told["rows"]) == ("abstain", [])
    assert "id of crm.accounts" in str(told)


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("customers without orders in May 2025 in Spain", [["Cleo", 0]]),
        ("how many customers have no orders in Spain", [[1]]),
        ("list customers in Spain", [[3, "Cleo"]]),
    ],
)
def test_things_found_by_a_table_whose_key_repeats_are_not_shown(
    company: Founding, question: str, shown: list[list[object]]
) -> None:
    assert company("shop", SHOP, SHOP_ROWS).ask(question, "2025-06-18").rows == shown
    told = company("shop-twice", SHOP, CITY_TWICE).stop(question, "2025-06-18")
    assert (told["decision"], told["rows"]) == ("abstain", [])
    assert "id of shop.cities" in str(told)


def test_things_found_by_their_own_table_alone_are(company: Founding) -> None:
    told = company("shop-twice", SHOP, CITY_TWICE).ask("customers without orders in May 2025", "2025-06-18")
    assert [row[0] for row in told.rows] == ["Ben", "Cleo"]
