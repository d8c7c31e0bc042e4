"""R32 where people meet it: what ties for a place is shown or told, at every door, and never left to chance."""

from __future__ import annotations

import pytest

from tests.reports.conftest import Founding
from tests.reports.door import Company, Told

TODAY = "2025-06-18"
FLIGHTS = """
catalog: {name: flights, dialect: duckdb}
semantic_models:
  - name: flights
    table: air.flights
    default_time_dimension: flown_on
    entities: [{name: flight, type: primary, expr: id}, {name: airline, type: foreign, expr: airline_id}]
    dimensions:
      - {name: flown_on, type: time, expr: flown_on, granularity: day}
      - {name: airport, type: categorical, expr: airport}
      - {name: gate, type: categorical, expr: gate}
    measures:
      - {name: flight_count, agg: count, expr: "1"}
      - {name: delay_sum, agg: sum, expr: delay}
metrics:
  - {name: flights, type: simple, measure: flight_count}
  - {name: delay, type: simple, measure: delay_sum}
"""
ROWS = """
CREATE SCHEMA air;
CREATE TABLE air.flights AS
SELECT i AS id, 1 AS airline_id, DATE '2025-01-01' + CAST(i % 4 AS INTEGER) * 31 AS flown_on,
       ['Oslo', 'Rome', 'Bonn', 'Nice'][1 + i % 4] AS airport, 'G' || (i % 40) AS gate,
       CASE WHEN i % 4 = 3 THEN NULL ELSE 5 END AS delay
  FROM range(40) t(i);
INSERT INTO air.flights VALUES (99, 1, DATE '2025-02-03', 'Rome', 'G0', 1);
"""


@pytest.fixture(scope="module")
def air(company: Founding) -> Company:
    return company("air", FLIGHTS, ROWS)


def places(told: Told) -> list[str]:
    return [row[0] for row in told.rows]


def test_all_that_share_a_single_first_place_are_shown(air: Company) -> None:
    told = air.ask("which airport has the fewest flights in 2025", TODAY)
    assert places(told) == ["Bonn", "Nice", "Oslo"]
    assert "shared by 3" in told.json["headline"]
    assert [cells[0] for cells in told.csv[1:]] == ["Bonn", "Nice", "Oslo"]
    assert "shared by 3" in told.page


def test_a_single_first_is_alone_where_nothing_ties(air: Company) -> None:
    told = air.ask("which airport has the most flights in 2025", TODAY)
    assert places(told) == ["Rome"]
    assert "shared" not in told.json["headline"] + " ".join(told.json["caveats"])


def test_what_ties_with_the_last_place_is_named(air: Company) -> None:
    told = air.ask("top 2 airports by flights in 2025", TODAY)
    assert places(told) == ["Rome", "Bonn"]
    said = "The last place is shared with 2 more that are not shown: Nice; Oslo."
    assert said in told.json["caveats"]
    assert said in told.page
    assert "may be shared" not in told.said, "what is known is not said as a possibility"


def test_a_cut_between_different_values_is_no_tie(air: Company) -> None:
    told = air.ask("top 1 airport by flights in 2025", TODAY)
    assert places(told) == ["Rome"]
    assert not any("shared" in c for c in told.json["caveats"])
    whole = air.ask("top 4 airports by flights in 2025", TODAY)
    assert len(whole.rows) == 4
    assert not any("shared" in c for c in whole.json["caveats"])


def test_more_ties_than_are_read_are_told_as_at_least(air: Company) -> None:
    told = air.ask("which gate has the fewest flights in 2025", TODAY)
    assert len(told.rows) == 12
    assert "shared by at least 12" in told.json["headline"]
    assert "More than are shown share the first place." in told.json["caveats"]
    top = air.ask("bottom 3 gates by flights in 2025", TODAY)
    assert len(top.rows) == 3
    assert "The last place is shared with at least 11 more that are not shown." in top.json["caveats"]


def test_rows_without_a_value_do_not_tie(air: Company) -> None:
    told = air.ask("top 3 airports by delay in 2025", TODAY)
    assert places(told) == ["Rome", "Bonn", "Oslo"]
    assert not any("shared" in c for c in told.json["caveats"])


def test_which_of_those_that_tie_comes_first_is_the_same_each_time(air: Company) -> None:
    again = {tuple(places(air.ask("top 2 airports by flights in 2025", TODAY))) for _ in range(5)}
    assert again == {("Rome", "Bonn")}
