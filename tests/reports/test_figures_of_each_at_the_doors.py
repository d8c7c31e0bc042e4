"""Averages, spreads, ratios, funnels and cohorts where people meet them: each right value worked out by hand."""

from __future__ import annotations

import pytest

from tests.reports.conftest import Founding
from tests.reports.door import Company, Told

TODAY = "2025-06-18"
RIDES = """
catalog: {name: rides, dialect: duckdb}
entities:
  - {name: rider, key_dimension: rider_id, label_dimension: rider_id, time_dimension: joined_on}
  - {name: booking, key_dimension: booking_id, time_dimension: booked_on}
semantic_models:
  - name: riders
    table: air.riders
    default_time_dimension: joined_on
    entities: [{name: rider, type: primary, expr: rider_id}]
    dimensions:
      - {name: rider_id, type: id, expr: rider_id}
      - {name: joined_on, type: time, expr: joined_on, granularity: day}
      - {name: city, type: categorical, expr: city}
    measures: [{name: join_count, agg: count, expr: "1"}]
  - name: bookings
    table: air.bookings
    default_time_dimension: booked_on
    entities: [{name: booking, type: primary, expr: booking_id}, {name: rider, type: foreign, expr: rider_id}]
    dimensions:
      - {name: booking_id, type: id, expr: booking_id}
      - {name: booked_on, type: time, expr: booked_on, granularity: day}
      - {name: fare, type: number, expr: fare, format: currency, unit: EUR}
    measures:
      - {name: booking_count, agg: count, expr: "1"}
      - {name: takings_sum, agg: sum, expr: fare}
  - name: visits
    table: air.visits
    default_time_dimension: visited_on
    entities: [{name: visit, type: primary, expr: visit_id}]
    dimensions: [{name: visited_on, type: time, expr: visited_on, granularity: day}]
    measures:
      - {name: visit_count, agg: count, expr: "1"}
      - {name: basket_count, agg: sum_boolean, expr: has_basket}
      - {name: booked_count, agg: sum_boolean, expr: has_booked}
metrics:
  - {name: joins, type: simple, measure: join_count}
  - {name: bookings, type: simple, measure: booking_count}
  - {name: takings, type: simple, measure: takings_sum, format: currency, unit: EUR}
  - {name: visits, type: simple, measure: visit_count}
  - {name: baskets, type: simple, measure: basket_count}
  - {name: booked_visits, type: simple, measure: booked_count}
  - {name: booking_rate, type: ratio, numerator: booked_visits, denominator: visits, format: percent,
     steps: [visit, basket, booked visit], step_metrics: [visits, baskets, booked_visits]}
"""
ROWS = """
CREATE SCHEMA air;
CREATE TABLE air.riders AS SELECT * FROM (VALUES
  (1, DATE '2025-01-10', 'Oslo'), (2, DATE '2025-01-20', 'Oslo'),
  (3, DATE '2025-02-05', 'Rome'), (4, DATE '2025-02-15', 'Rome')) t(rider_id, joined_on, city);
CREATE TABLE air.bookings AS SELECT * FROM (VALUES
  (1, 1, DATE '2025-02-03', 10.00), (2, 1, DATE '2025-02-10', 20.00), (3, 1, DATE '2025-02-17', 30.00),
  (4, 2, DATE '2025-02-04', 40.00), (5, 3, DATE '2025-02-20', 100.00), (6, NULL, DATE '2025-02-21', 5.00),
  (7, 2, DATE '2025-03-03', 7.50), (8, 3, DATE '2025-03-05', 1.00), (9, 3, DATE '2025-03-06', 1.00)
  ) t(booking_id, rider_id, booked_on, fare);
CREATE TABLE air.visits AS
SELECT i AS visit_id, DATE '2025-02-10' AS visited_on, i < 4 AS has_basket, i < 1 AS has_booked FROM range(10) t(i);
"""


@pytest.fixture(scope="module")
def air(company: Founding) -> Company:
    return company("rides", RIDES, ROWS)


def first(told: Told) -> object:
    return told.rows[0][0]


def test_an_average_per_thing_is_over_those_with_figures_and_says_so(air: Company) -> None:
    told = air.ask("average bookings per rider in February 2025", TODAY)
    assert told.rows[0] == [pytest.approx(5 / 3), 3], "the booking of nobody is no rider's"
    assert "1.67" in told.json["headline"]
    assert "Every rider that has bookings counts once; one without any is left out." in told.page


def test_an_average_per_thing_by_group_is_taken_within_each(air: Company) -> None:
    told = air.ask("average bookings per rider in February 2025 by city", TODAY)
    assert told.rows == [["Oslo", 2, 2], ["Rome", 1, 1]]


def test_a_median_per_thing_is_that_of_the_things(air: Company) -> None:
    assert first(air.ask("median bookings per rider in February 2025", TODAY)) == 1


def test_an_average_per_period_counts_whole_periods_and_the_empty_ones(air: Company) -> None:
    told = air.ask("average bookings per week in March 2025", TODAY)
    assert told.rows[0][0] == 0.75, "three bookings in four whole weeks, of which three are empty"
    assert "Only whole weeks count: 3 Mar 2025 to 30 Mar 2025." in told.page


def test_a_period_without_a_whole_one_in_it_stops(air: Company) -> None:
    told = air.stop("average bookings per month from 5 March 2025 to 20 March 2025", TODAY)
    assert told["decision"] == "abstain"
    assert "no whole month" in told["headline"]


@pytest.mark.parametrize(
    ("question", "value"),
    [("median fare", 25), ("90th percentile of fare", 70), ("max fare", 100), ("min fare", 5)],
)
def test_a_statistic_of_a_column_is_over_every_row(air: Company, question: str, value: float) -> None:
    told = air.ask(f"{question} in February 2025", TODAY)
    assert first(told) == value
    assert "Every booking counts as it is stored" in told.page
    assert "EUR" in told.json["headline"]


def test_a_spread_of_few_whole_numbers_has_each_of_them(air: Company) -> None:
    told = air.ask("distribution of bookings per rider in February 2025", TODAY)
    assert [row[:2] for row in told.rows] == [["1", 2], ["2", 0], ["3", 1]]
    assert "most often 1" in told.json["headline"]
    assert "Riders: 3 in total" in told.json["subline"]


def test_a_spread_of_one_value_is_one_range(air: Company) -> None:
    told = air.ask("distribution of bookings per rider on 3 February 2025", TODAY)
    assert [row[:2] for row in told.rows] == [["1", 1]]


def test_a_spread_of_a_column_is_laid_out_in_round_ranges_without_gaps(air: Company) -> None:
    told = air.ask("histogram of fare", TODAY)
    assert sum(row[1] for row in told.rows) == 9
    assert told.rows[0][0] == "0 to under 10"
    assert [row[1] for row in told.rows][:5] == [4, 1, 1, 1, 1]
    assert 0 in [row[1] for row in told.rows], "an empty range is shown"


@pytest.mark.parametrize(
    "question", ["average bookings per rider", "distribution of bookings per rider", "average bookings per week"]
)
def test_nothing_is_taken_over_no_rows(air: Company, question: str) -> None:
    told = air.stop(f"{question} in April 2025", TODAY)
    assert "No data match" in told["headline"]


def test_one_metric_over_another_says_that_it_is_no_metric_of_the_catalog(air: Company) -> None:
    told = air.ask("takings per visit in February 2025", TODAY)
    assert told.rows[0] == [20.5, 205, 10]
    assert "it is not a metric of the catalog" in told.page


def test_a_ratio_beside_another_period_is_what_is_told_of(air: Company) -> None:
    told = air.ask("takings / bookings in March 2025 vs February 2025", TODAY)
    assert told.json["headline"].startswith("Takings per booking: 3.17")
    assert told.rows[0][0] == pytest.approx(9.5 / 3)


@pytest.mark.parametrize(
    "question",
    [
        "histogram of fare by city",
        "top 0% of riders by takings in February 2025",
        "relationship between takings and bookings in February 2025",
        "average bookings per rider in March 2025 vs February 2025",
    ],
)
def test_what_would_drop_a_part_of_the_question_stops(air: Company, question: str) -> None:
    assert air.stop(question, TODAY)["decision"] in {"abstain", "clarify"}


def test_a_funnel_counts_each_step_and_what_is_lost(air: Company) -> None:
    told = air.ask("visit to booked visit funnel in February 2025", TODAY)
    assert [row[:4] for row in told.rows] == [
        ["Visit", 10, 1, None],
        ["Basket", 4, 0.4, 0.4],
        ["Booked visit", 1, 0.1, 0.25],
    ]
    assert "10.0" in told.json["headline"]


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("did bookings grow in every city", "No: Bookings rose in 1 of 2 cities in March 2025 (not Oslo)"),
        ("did every city grow in bookings", "No: Bookings rose in 1 of 2 cities in March 2025 (not Oslo)"),
        ("did bookings fall in any city", "Yes: Bookings fell in 1 of 2 cities in March 2025 (Oslo)"),
    ],
)
def test_whether_each_or_any_moved_is_told_with_how_many_did(air: Company, question: str, verdict: str) -> None:
    assert air.ask(f"{question} in March 2025", TODAY).json["headline"] == verdict


def test_a_cohort_is_bounded_by_the_day_it_came(air: Company) -> None:
    assert first(air.ask("how many riders who joined in January 2025 booked in March 2025", TODAY)) == 1
    assert first(air.ask("bookings from riders who joined in January 2025", TODAY)) == 5
    told = air.ask("riders who joined in February 2025 without bookings", TODAY)
    assert [row[0] for row in told.rows] == [4]


def test_how_two_figures_move_together_is_said_without_a_cause(air: Company) -> None:
    told = air.ask("is there a relationship between takings and bookings by week in February 2025", TODAY)
    assert "r = 0.96 over 3 weeks" in told.json["headline"]
    assert "It says nothing about causes." in told.page


def test_the_first_part_of_a_hundred_keeps_a_part_of_a_row(air: Company) -> None:
    told = air.ask("top 30% of riders by takings in February 2025", TODAY)
    assert len(told.rows) == 1, "30% of three riders is less than one"
    assert told.rows[0][-1] == 100
