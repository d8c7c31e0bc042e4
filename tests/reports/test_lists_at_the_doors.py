"""Lists of things as people meet them: each thing once, with its columns, in the order that was asked for."""

from __future__ import annotations

import pytest

from tests.reports.conftest import Founding
from tests.reports.door import Company

TODAY = "2025-06-18"
LAKES = """
catalog: {name: lakes, dialect: duckdb}
semantic_models:
  - name: lakes
    table: geo.lakes
    entities: [{name: lake, type: primary, expr: id}, {name: state, type: foreign, expr: state_id, observed: true}]
    dimensions:
      - {name: lake_id, type: id, expr: id}
      - {name: lake_name, type: categorical, expr: name}
      - {name: area, type: number, expr: area}
    measures: [{name: lake_count, agg: count, expr: "1"}]
  - name: states
    table: geo.states
    entities: [{name: state, type: primary, expr: id, observed: true}]
    dimensions: [{name: state_name, type: categorical, expr: name}, {name: region, type: categorical, expr: region}]
metrics:
  - {name: lake_total, type: simple, measure: lake_count, label: Number of lakes}
entities:
  - {name: lake, key_dimension: lake_id, label_dimension: lake_name}
"""
ROWS = """
CREATE SCHEMA geo;
CREATE TABLE geo.states AS SELECT * FROM (VALUES (1, 'Ohio', 'North'), (2, 'Utah', 'West')) t(id, name, region);
CREATE TABLE geo.lakes AS SELECT * FROM (VALUES
  (1, 'Erie', 1, 90), (2, 'Bear', 2, 40), (3, 'Clear', 2, 40), (4, 'Deep', 2, NULL), (5, 'Bear', 1, 10))
  t(id, name, state_id, area);
"""


@pytest.fixture(scope="module")
def geo(company: Founding) -> Company:
    return company("geo", LAKES, ROWS)


def test_each_thing_is_listed_once_although_two_share_a_name(geo: Company) -> None:
    told = geo.ask("what are the names and areas of all lakes", TODAY)
    assert sorted((row[0], row[1], row[2]) for row in told.rows) == [
        (1, "Erie", 90),
        (2, "Bear", 40),
        (3, "Clear", 40),
        (4, "Deep", None),
        (5, "Bear", 10),
    ]


def test_the_first_by_a_column_come_first_and_what_ties_is_told(geo: Company) -> None:
    told = geo.ask("top 2 lakes by area", TODAY)
    assert [row[1] for row in told.rows] == ["Erie", "Bear"]
    assert any("shared with 1 more" in c and "Clear" in c for c in told.json["caveats"])
    one = geo.ask("which lake has the lowest area", TODAY)
    assert [row[1] for row in one.rows] == ["Bear"]


def test_all_that_share_the_first_place_of_a_list_are_listed(geo: Company) -> None:
    told = geo.ask("which lake has the highest area in Utah", TODAY)
    assert [row[1] for row in told.rows] == ["Bear", "Clear"]


def test_a_list_stands_in_the_order_that_was_asked_for(geo: Company) -> None:
    told = geo.ask("list lakes sorted by area descending", TODAY)
    assert [row[2] for row in told.rows] == [90, 40, 40, 10, None]
    assert told.json["headline"] == "5 lakes"
    assert "A list needs no chart." in told.page
    assert "by lake name from A to Z" in geo.ask("list lakes sorted alphabetically", TODAY).page
    assert next(row[1] for row in geo.ask("list lakes sorted alphabetically", TODAY).rows) == "Bear"


def test_a_join_that_no_constraint_declares_is_told(geo: Company) -> None:
    told = geo.ask("number of lakes by region", TODAY)
    assert sorted(map(tuple, told.rows)) == [("North", 2), ("West", 3)]
    assert "No constraint declares that" in told.said
    assert "No constraint" not in geo.ask("number of lakes", TODAY).said
