"""The public reports about single values where they are met: in the API, the file and the page."""

from __future__ import annotations

import re

import pytest

from tests.reports.conftest import Founding
from tests.reports.door import Company
from tests.reports.test_at_the_doors import column
from tests.reports.test_values import MONEY, PAID

TODAY = "2025-06-18"
BIG = 1254071346418286654
VISITS = """
catalog: {name: visits, dialect: duckdb}
semantic_models:
  - name: visits
    table: odd.order
    default_time_dimension: seen_on
    dimensions:
      - {name: seen_on, type: time, expr: '"from"', granularity: day}
      - {name: visitor, type: categorical, expr: '"user"', label: Visitor}
      - {name: account, type: id, expr: '"group"', label: Account}
      - {name: note, type: text, expr: '"a note"', label: Note}
    measures:
      - {name: visit_count, agg: count, expr: "1"}
      - {name: hit_sum, agg: sum, expr: hits}
      - {name: try_sum, agg: sum, expr: tries}
      - {name: amount_sum, agg: sum, expr: '"total sales (€)"'}
      - {name: large_sum, agg: sum, expr: large}
metrics:
  - {name: visits, type: simple, measure: visit_count}
  - {name: hits, type: simple, measure: hit_sum}
  - {name: tries, type: simple, measure: try_sum}
  - {name: hit_rate, type: ratio, numerator: hits, denominator: tries, format: percent}
  - {name: turnover, type: simple, measure: amount_sum, format: currency, unit: EUR}
  - {name: weight, type: simple, measure: large_sum, unit: g}
"""
TEXTS = ("=cmd|' /C calc'!A0", "+1", "@x", "\tTAB", "-5", "plain", None)
ROWS = f"""
CREATE SCHEMA odd;
CREATE TABLE odd."order"("from" DATE, "user" VARCHAR, "group" BIGINT, "a note" VARCHAR, hits INTEGER,
  tries INTEGER, "total sales (€)" DECIMAL(18, 2), large BIGINT);
INSERT INTO odd."order" VALUES
 ('2025-01-05', 'blah', {BIG}, '{TEXTS[0].replace("'", "''")}', 8, 27, 9999999999999999.01, {BIG}),
 ('2025-01-06', 'bloop', {BIG + 1}, '+1', 3919, 10000, 0.10, 1),
 ('2025-02-05', 'bark', {BIG + 2}, '@x', 4, 0, 0.20, 1),
 ('2025-02-06', NULL, {BIG + 3}, chr(9) || 'TAB', 0, 0, 1980417814.28, 0),
 ('2025-02-06', 'bark', {BIG + 4}, '-5', 0, 5, -5, 0),
 ('2025-02-06', 'bark', {BIG + 4}, 'plain', 0, 5, 0, 0),
 ('2025-02-06', 'bark', {BIG + 4}, NULL, 0, 5, 0, 0);
"""


@pytest.fixture(scope="module")
def visits(company: Founding) -> Company:
    return company("visits", VISITS, ROWS)


@pytest.fixture(scope="module")
def money(company: Founding) -> Company:
    named = MONEY.replace("name: total,", "name: gross pay,").replace("name: paid,", "name: paid_revenue,")
    named = named.replace("metric: paid,", "metric: paid_revenue,").replace("[paid,", "[paid_revenue,")
    named = named.replace("expr: paid - before", "expr: paid_revenue - before").replace("gross pay", "gross_pay")
    return company("money", named, PAID.replace("'2025-02-20', 9, 0", "'2025-02-20', 9, NULL"))


def test_r24_nothing_beside_something_follows_the_rule_and_is_told(money: Company) -> None:
    told = money.ask("gross pay by month in 2025", TODAY)
    assert column(told, 1) == (["107", "159", "50"],) * 3
    assert "0" in told.said


def test_r25_r26_a_division_has_its_fraction_or_nothing_and_says_so(visits: Company) -> None:
    told = visits.ask("hit rate by account in 2025", TODAY)
    rates = [row[1] for row in told.rows]
    assert rates[0] == pytest.approx(8 / 27)
    assert rates[2:4] == [None, None]
    assert [line[1] for line in told.csv[3:5]] == ["", ""]
    assert [line[1] for line in told.cells[:4]] == ["29.63", "39.19", "–", "–"]
    assert "Hit rate is empty where it would divide by 0." in told.said
    assert "Hit rate is empty where it would divide by 0." in told.page


def test_r27_a_filter_of_the_metric_holds_in_both_periods_and_in_a_running_sum(money: Company) -> None:
    told = money.ask("paid revenue in February 2025 vs January 2025", TODAY)
    assert told.rows[0][:3] == [150, 100, 50]
    assert told.csv[1][:3] == ["150", "100", "50"]
    assert "Paid revenue: 150 in February 2025, 50.0 % more than in January 2025 (100)" in told.page
    running = money.ask("paid to date by month in 2025", TODAY)
    assert [row[1] for row in running.rows] == [100, 250, 300]


def test_r30_the_largest_are_of_all_groups_and_the_cut_is_told(company: Founding) -> None:
    many = ", ".join(f"('2025-01-01', 'v{i}', {i}, '', 1, 1, {(i * 7919) % 2435}, 1)" for i in range(2435))
    tables = re.sub(r"INSERT.*;", f'INSERT INTO odd."order" VALUES {many};', ROWS, flags=re.DOTALL)
    told = company("many", VISITS, tables).ask("top 500 accounts by turnover in 2025", TODAY)
    figures = [row[-1] for row in told.rows]
    assert figures == sorted(range(2435), reverse=True)[:500]
    assert len(told.csv) == 501
    assert told.json["total_row"][-1] == sum(range(2435))
    assert "Only the first 500 rows are shown, of all groups in this order; a total is of all." in told.said
    assert "The first 200 of 500 rows are shown." in told.page


def test_r32_a_tie_for_the_first_place_is_told_and_decided_the_same_way(company: Founding) -> None:
    flights = ", ".join(f"('2025-0{m % 4 + 1}-01', 'a', {m}, '', 1, 1, 1, 1)" for m in range(32))
    tables = re.sub(r"INSERT.*;", f'INSERT INTO odd."order" VALUES {flights};', ROWS, flags=re.DOTALL)
    ties = company("ties", VISITS, tables)
    found = [ties.ask("which month had the most visits in 2025", TODAY) for _ in range(3)]
    assert [told.rows[0] for told in found] == [["2025-01-01", 8]] * 3
    assert "tie" in found[0].said
    assert "tie" in found[0].page


def test_r33_leaving_out_a_value_keeps_the_rows_without_one_and_says_so(visits: Company) -> None:
    told = visits.ask("visits in 2025 excluding blah", TODAY)
    assert (told.rows, told.csv[1]) == ([[6]], ["6"])
    assert "Rows without a value for visitor are kept" in told.page


def test_r36_any_name_of_a_table_or_a_column_works(visits: Company) -> None:
    told = visits.ask("turnover by visitor and note in January 2025", TODAY)
    assert [row[2] for row in told.rows] == ["9999999999999999.01", 0.1]
    assert '"total sales (€)"' in told.json["sql"]


def test_r38_a_percentage_is_the_same_at_every_door(visits: Company) -> None:
    told = visits.ask("hit rate in 2025 for bloop", TODAY)
    assert (told.rows, told.csv) == ([[0.3919]], [["Hit rate (%)"], ["39.19"]])
    assert told.json["headline"].replace("\u202f", " ") == "Hit rate: 39.19 %"
    chart = visits.ask("hit rate by account in 2025", TODAY).page
    assert "39.19 %" in chart
    changed = visits.ask("hit rate in February 2025 vs January 2025", TODAY)
    assert "pp less than in January 2025" in changed.page


def test_r39_a_whole_number_of_64_bits_is_exact_at_every_door(visits: Company) -> None:
    told = visits.ask("weight by account in 2025", TODAY)
    assert told.rows[0] == [str(BIG), str(BIG)]
    assert told.csv[1] == [str(BIG), str(BIG)]
    assert [cell.replace(" ", "") for cell in told.cells[0]] == [str(BIG), str(BIG)]


def test_r40_decimals_stay_exact(visits: Company) -> None:
    told = visits.ask("turnover in January 2025", TODAY)
    assert told.rows == [["9999999999999999.11"]]
    assert told.csv[1] == ["9999999999999999.11"]
    assert "Turnover: €9 999 999 999 999 999.11" in told.page


def test_r42_text_of_a_formula_is_held_and_a_negative_number_is_one(visits: Company) -> None:
    told = visits.ask("turnover by note in 2025", TODAY)
    notes = {line[0]: line[1] for line in told.csv[1:]}
    assert set(notes) == {"'=cmd|' /C calc'!A0", "'+1", "'@x", "'\tTAB", "-5", "plain", ""}
    assert notes["-5"] == "-5.00"
    assert ["=cmd|' /C calc'!A0", "9 999 999 999 999 999.01"] in told.cells


def test_r44_nothing_found_is_said_and_no_number_is_made_up(visits: Company) -> None:
    told = visits.ask("turnover in April 2025", TODAY)
    assert (told.rows, told.cells, told.json["total_row"]) == ([], [], [])
    assert "No data match" in told.json["headline"]
    assert "1 Apr 2025 to 30 Apr 2025" in told.page
    assert not re.search(r"Turnover: [\d-]", told.page)


def test_r45_every_number_in_the_prose_is_that_of_a_cell(visits: Company) -> None:
    told = visits.ask("turnover in February 2025", TODAY)
    assert told.rows == [[1980417809.48]]
    assert "Turnover: €1 980 417 809.48" in told.page
