"""Balances by any groups equal each row beside the last moment of its key, written out as windows."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

import duckdb
import pytest

from catalog.compiler import compile_query
from catalog.query import CompiledQuery, GroupBy, QuerySpec, TimeRange
from catalog.types import (
    METRIC_TIME,
    Aggregation,
    CatalogSnapshot,
    DatePart,
    Dimension,
    DimensionType,
    Entity,
    EntityType,
    Filter,
    Measure,
    Metric,
    MetricType,
    NonAdditive,
    Operator,
    SemanticModel,
    TimeGranularity,
)

ROWS = """
CREATE TABLE branches AS SELECT i AS id, CASE WHEN i < 3 THEN 'branch ' || i END AS branch FROM range(4) AS made(i);
CREATE TABLE balances AS
SELECT i AS id, CASE WHEN hash(i) % 7 > 0 THEN hash(i) % 7 END AS account, hash(i * 3) % 5 AS branch_id,
  CASE WHEN hash(i * 11) % 20 > 0 THEN TIMESTAMP '2024-11-01' + INTERVAL 6 HOUR * (hash(i * 5) % 400)::INT END AS seen,
  DATE '2024-10-01' + (hash(i * 7) % 150)::INT AS posted, CASE WHEN hash(i * 13) % 9 > 0 THEN hash(i * 13) % 50 END AS held
FROM range(600) AS made(i);
"""  # noqa: E501
DAY, HOUR, MONTH, YEAR = TimeGranularity.DAY, TimeGranularity.HOUR, TimeGranularity.MONTH, TimeGranularity.YEAR
BY_MONTH, BY_YEAR = (GroupBy(dimension=METRIC_TIME, granularity=g) for g in (MONTH, YEAR))
BY_WEEKDAY = GroupBy(dimension=METRIC_TIME, part=DatePart.DAY_OF_WEEK)
BRANCH = GroupBy(dimension="branch")
WINTER = TimeRange(start=date(2024, 12, 1), end=date(2025, 2, 3), expr="")


@pytest.fixture(scope="module")
def warehouse() -> Iterator[duckdb.DuckDBPyConnection]:
    made = duckdb.connect()
    made.execute(ROWS)
    yield made
    made.close()


def bank(pick: Aggregation, *, time: str = "seen", of: tuple[str, ...] = (), grain: TimeGranularity = DAY) -> Any:
    """Balances that are picked by the time `seen` and shown by `time`."""
    rule = NonAdditive(dimension="seen", pick=pick, window_groupings=of)
    balances = SemanticModel(
        name="balances",
        table="balances",
        entities=(
            Entity(name="balance", type=EntityType.PRIMARY, expr="id"),
            Entity(name="branch_key", type=EntityType.FOREIGN, expr="branch_id"),
        ),
        dimensions=(
            Dimension(name="seen", type=DimensionType.TIME, expr="seen", granularity=grain),
            Dimension(name="posted", type=DimensionType.TIME, expr="posted", granularity=DAY),
            Dimension(name="band", type=DimensionType.NUMBER, expr="held // 10"),
            Dimension(name="account", type=DimensionType.CATEGORICAL, expr="account"),
        ),
        measures=(Measure(name="held", agg=Aggregation.SUM, expr="HELD", agg_time_dimension=time, non_additive=rule),),
    )
    branches = SemanticModel(
        name="branches",
        table="branches",
        entities=(Entity(name="branch_key", type=EntityType.PRIMARY, expr="id"),),
        dimensions=(Dimension(name="branch", type=DimensionType.CATEGORICAL, expr="branch"),),
    )
    metric = Metric(name="held", type=MetricType.SIMPLE, measure="held")
    return CatalogSnapshot(name="bank", digest="", dialect="duckdb", models=(balances, branches), metrics=(metric,))


def month(column: str) -> str:
    return f"CAST(date_trunc('month', {column}) AS DATE)"


CASES: dict[str, tuple[Any, dict[str, Any], str, str, str, str]] = {
    # catalog, question, groups, what the moment is picked by, conditions before, conditions after
    "by month": (bank(Aggregation.MAX), {"group_by": (BY_MONTH,)}, month("seen"), month("seen"), "true", "true"),
    "by month and year and branch": (
        bank(Aggregation.MIN),
        {"group_by": (BY_MONTH, BY_YEAR, BRANCH)},
        f"{month('seen')}, CAST(date_trunc('year', seen) AS DATE), branch",
        f"{month('seen')}, year(seen)",
        "true",
        "true",
    ),
    "by hour": (
        bank(Aggregation.MAX, grain=HOUR),
        {"group_by": (BY_MONTH, BRANCH), "where": (Filter(field="branch", op=Operator.NE, values=("branch 1",)),)},
        f"{month('seen')}, branch",
        month("seen"),
        "true",
        "branch IS DISTINCT FROM 'branch 1'",
    ),
    "by weekday": (
        bank(Aggregation.MAX),
        {"group_by": (BY_WEEKDAY,), "time_range": WINTER},
        "isodow(seen)",
        "isodow(seen)",
        "seen >= '2024-12-01' AND seen < '2025-02-03'",
        "true",
    ),
    "by another time": (
        bank(Aggregation.MAX, time="posted"),
        {"group_by": (BY_MONTH, BRANCH)},
        f"{month('posted')}, branch",
        month("posted"),
        "true",
        "true",
    ),
    "by branch alone": (bank(Aggregation.MIN), {"group_by": (BRANCH,)}, "branch", "1", "true", "true"),
    "of each account": (
        bank(Aggregation.MAX, of=("account",)),
        {"group_by": (BY_MONTH, BRANCH), "where": (Filter(field="branch", op=Operator.IS_NOT_NULL),)},
        f"{month('seen')}, branch",
        f"{month('seen')}, account",
        "true",
        "branch IS NOT NULL",
    ),
    "of each account within a window": (
        bank(Aggregation.MIN, of=("account", "branch_key")),
        {"group_by": (BRANCH,), "time_range": WINTER},
        "branch",
        "account, branch_id",
        "seen >= '2024-12-01' AND seen < '2025-02-03'",
        "true",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_balance_is_that_of_the_best_moment_of_its_key(name: str, warehouse: duckdb.DuckDBPyConnection) -> None:
    snapshot, asked, groups, key, before, after = CASES[name]
    query = compile_query(QuerySpec(metrics=("held",), **asked), snapshot)
    assert isinstance(query, CompiledQuery), query
    found = warehouse.execute(query.sql, {p.name: p.value for p in query.parameters} or None).fetchall()
    pick = snapshot.models[0].measures[0].non_additive.pick
    by_hand = f"""SELECT {groups}, sum(held) FROM (
      SELECT *, {pick}(seen) OVER (PARTITION BY {key}) AS best FROM balances
      LEFT JOIN branches ON branches.id = branch_id WHERE {before})
      WHERE seen = best AND {after} GROUP BY ALL"""
    expected = warehouse.execute(by_hand).fetchall()
    assert found
    assert sorted(found, key=repr) == sorted(expected, key=repr)


def test_two_spellings_of_a_column_stay_one_column(warehouse: duckdb.DuckDBPyConnection) -> None:
    snapshot = bank(Aggregation.MAX, of=("account",))
    query = compile_query(QuerySpec(metrics=("held",), group_by=(GroupBy(dimension="band"),)), snapshot)
    assert isinstance(query, CompiledQuery)
    found = warehouse.execute(query.sql).fetchall()
    assert found
    assert all(band is None or 10 * band <= held for band, held in found)
