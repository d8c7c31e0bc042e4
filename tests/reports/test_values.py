"""Public reports about single values: R24 to R27, R36, R38 and R39, as the compiler answers for them."""

from __future__ import annotations

from datetime import date

import pytest

from catalog.query import GroupBy, QuerySpec, TimeRange
from catalog.types import METRIC_TIME, MetricFormat, TimeGranularity
from tests.reports.world import catalog_of, compiled, rows_of, totals_of

MONEY = """
catalog: {name: money, dialect: duckdb}
semantic_models:
  - name: bases
    table: money.bases
    default_time_dimension: paid_on
    dimensions:
      - {name: paid_on, type: time, expr: paid_on, granularity: day}
      - {name: state, type: categorical, expr: state}
    measures:
      - {name: base_sum, agg: sum, expr: base}
      - {name: fee_sum, agg: sum, expr: fee}
  - name: late_fees
    table: money.late_fees
    default_time_dimension: due_on
    dimensions: [{name: due_on, type: time, expr: due_on, granularity: day}]
    measures: [{name: late_sum, agg: sum, expr: amount}]
metrics:
  - {name: base, type: simple, measure: base_sum}
  - {name: fee, type: simple, measure: fee_sum}
  - {name: fee_or_none, type: simple, measure: fee_sum, fill_nulls_with: 0}
  - {name: late, type: simple, measure: late_sum}
  - {name: strict_total, type: derived, expr: base + fee, inputs: [base, fee]}
  - {name: total, type: derived, expr: base + fee_or_none, inputs: [base, fee_or_none]}
  - {name: share, type: ratio, numerator: fee_or_none, denominator: base}
  - {name: all_in, type: derived, expr: base + late, inputs: [base, late]}
  - {name: paid, type: simple, measure: base_sum, filters: [{field: state, op: "=", value: paid}]}
  - {name: paid_to_date, type: cumulative, measure: base_sum, filters: [{field: state, op: "=", value: paid}]}
  - {name: paid_before, type: derived, expr: before,
     inputs: [{metric: paid, alias: before, offset_count: 1, offset_granularity: month}]}
  - {name: paid_growth, type: derived, expr: paid - before,
     inputs: [paid, {metric: paid, alias: before, offset_count: 1, offset_granularity: month}]}
"""
BY_MONTH = (GroupBy(dimension=METRIC_TIME, granularity=TimeGranularity.MONTH),)


def bases(*rows: str) -> str:
    return f"""CREATE SCHEMA money;
      CREATE TABLE money.bases(paid_on DATE, base INT, fee INT, state VARCHAR);
      CREATE TABLE money.late_fees(due_on DATE, amount INT);
      INSERT INTO money.bases VALUES {", ".join(rows)}"""


def test_r24_nothing_beside_something_follows_the_metrics_own_rule() -> None:
    asked = QuerySpec(metrics=("strict_total", "total", "share"))
    rows = bases("('2025-01-01', 10, NULL, 'paid')")
    assert rows_of(asked, catalog_of(MONEY), rows) == [(None, 10, 0.0)]


def test_r24_a_part_of_another_table_that_has_no_rows_counts_as_nothing_and_this_is_told() -> None:
    asked = QuerySpec(metrics=("all_in",), group_by=BY_MONTH)
    rows = bases("('2025-01-01', 10, NULL, 'paid')")
    assert rows_of(asked, catalog_of(MONEY), rows) == [(date(2025, 1, 1), 10)]
    assert any("without rows in a group as 0" in n for n in compiled(asked, catalog_of(MONEY)).notes)


RATES = """
catalog: {name: rates, dialect: duckdb}
semantic_models:
  - name: attempts
    table: rates.attempts
    dimensions: [{name: source, type: categorical, expr: source}]
    measures:
      - {name: success_sum, agg: sum, expr: successes}
      - {name: attempt_sum, agg: sum, expr: attempts}
metrics:
  - {name: successes, type: simple, measure: success_sum}
  - {name: attempts, type: simple, measure: attempt_sum}
  - {name: rate, type: ratio, numerator: successes, denominator: attempts, format: percent}
  - {name: same_rate, type: derived, expr: successes / attempts, inputs: [successes, attempts], format: percent}
  - {name: inverse, type: derived, expr: 1 / (attempts - attempts), inputs: [attempts]}
  - {name: half, type: derived, expr: successes / 2, inputs: [successes]}
"""


def attempts(kind: str, successes: str, count: str) -> str:
    return f"""CREATE SCHEMA rates; CREATE TABLE rates.attempts AS
      SELECT 'a' AS source, CAST({successes} AS {kind}) AS successes, CAST({count} AS {kind}) AS attempts"""


@pytest.mark.parametrize("kind", ["INTEGER", "BIGINT", "DECIMAL(12,2)", "DOUBLE", "FLOAT"])
@pytest.mark.parametrize("successes", ["0", "5", "-3"])
def test_r25_a_division_by_zero_is_empty_for_every_type_and_told(kind: str, successes: str) -> None:
    asked = QuerySpec(metrics=("rate", "same_rate", "inverse"), group_by=(GroupBy(dimension="source"),))
    assert rows_of(asked, catalog_of(RATES), attempts(kind, successes, "0")) == [("a", None, None, None)]
    told = compiled(asked, catalog_of(RATES)).notes
    for name in ("Rate", "Same rate", "Inverse"):
        assert f"{name} is empty where it would divide by 0." in told


@pytest.mark.parametrize("kind", ["TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "DECIMAL(12,0)"])
def test_r26_whole_numbers_divide_with_their_fraction(kind: str) -> None:
    asked = QuerySpec(metrics=("rate", "same_rate", "half"))
    found = rows_of(asked, catalog_of(RATES), attempts(kind, "9", "27"))[0]
    assert found == (pytest.approx(1 / 3), pytest.approx(1 / 3), pytest.approx(4.5))
    assert rows_of(asked, catalog_of(RATES), attempts(kind, "8", "27"))[0][0] == pytest.approx(0.2962962963)


PAID = bases(
    "('2025-01-10', 100, 0, 'paid')",
    "('2025-01-20', 7, 0, 'open')",
    "('2025-02-10', 150, 0, 'paid')",
    "('2025-02-20', 9, 0, 'open')",
    "('2025-04-10', 50, 0, 'paid')",
)


def test_r27_a_filter_of_the_metric_holds_in_both_periods_and_no_period_is_lost() -> None:
    asked = QuerySpec(metrics=("paid", "paid_before", "paid_growth"), group_by=BY_MONTH)
    assert rows_of(asked, catalog_of(MONEY), PAID) == [
        (date(2025, 1, 1), 100, None, None),
        (date(2025, 2, 1), 150, 100, 50),
        (date(2025, 3, 1), None, 150, -150),
        (date(2025, 4, 1), 50, None, None),
    ]


def test_r27_the_earlier_value_is_there_when_only_the_later_period_is_asked_for() -> None:
    february = TimeRange(start=date(2025, 2, 1), end=date(2025, 3, 1), expr="")
    by_month = QuerySpec(metrics=("paid", "paid_before", "paid_growth"), group_by=BY_MONTH, time_range=february)
    assert rows_of(by_month, catalog_of(MONEY), PAID) == [(date(2025, 2, 1), 150, 100, 50)]
    assert totals_of(by_month, catalog_of(MONEY), PAID) == (150, 100, 50)


def test_r27_a_filter_of_the_metric_holds_in_a_running_sum() -> None:
    asked = QuerySpec(metrics=("paid_to_date",), group_by=BY_MONTH)
    assert rows_of(asked, catalog_of(MONEY), PAID) == [
        (date(2025, 1, 1), 100),
        (date(2025, 2, 1), 250),
        (date(2025, 4, 1), 300),
    ]


NAMES = ("order", "group", "user", "select", "from", "total sales (€)", 'with "quotes"', "Ünïcode", "a.b", "1st")


@pytest.mark.parametrize("column", NAMES)
@pytest.mark.parametrize("dialect", ["duckdb", "postgres"])
def test_r36_any_name_of_a_table_or_a_column_is_quoted(column: str, dialect: str) -> None:
    held = '"' + column.replace('"', '""') + '"'
    plain = held.replace("\\", "\\\\").replace('"', '\\"')
    snapshot = catalog_of(f"""
catalog: {{name: odd, dialect: duckdb}}
semantic_models:
  - name: order
    table: select.group
    dimensions: [{{name: user, type: categorical, expr: "{plain}"}}]
    measures: [{{name: from_sum, agg: sum, expr: "{plain}"}}]
metrics: [{{name: select, type: simple, measure: from_sum}}]
""")
    tables = (
        f'CREATE SCHEMA "select"; CREATE TABLE "select"."group"({held} INT); INSERT INTO "select"."group" VALUES (3)'
    )
    asked = QuerySpec(metrics=("select",), group_by=(GroupBy(dimension="user"),))
    assert rows_of(asked, snapshot, tables) == [(3, 3)]
    assert f'"order".{held}' in compiled(asked, snapshot, dialect).sql


def test_r38_a_share_is_a_fraction_in_the_rows_and_its_format_is_told_once() -> None:
    asked = QuerySpec(metrics=("rate",))
    assert rows_of(asked, catalog_of(RATES), attempts("INTEGER", "3919", "10000")) == [(pytest.approx(0.3919),)]
    column = compiled(asked, catalog_of(RATES)).columns[0]
    assert (column.format, column.unit) == (MetricFormat.PERCENT, "")


@pytest.mark.parametrize("value", [1254071346418286654, 9007199254740993, -9223372036854775808, 9223372036854775807])
def test_r39_a_whole_number_of_64_bits_is_exact(value: int) -> None:
    tables = (
        f"CREATE SCHEMA rates; CREATE TABLE rates.attempts AS SELECT 'a' AS source, {value} AS successes, 1 AS attempts"
    )
    assert rows_of(QuerySpec(metrics=("successes",)), catalog_of(RATES), tables) == [(value,)]
