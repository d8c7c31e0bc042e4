"""Numbers from the engine to every door, digit by digit; what is shown finds its row again."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from catalog.access import AccessScope, TableAccess
from catalog.compiler import compile_query
from catalog.query import CompiledQuery, GroupBy, MetricCondition, QuerySpec, ResultColumn
from catalog.types import (
    Aggregation,
    CatalogSnapshot,
    Dimension,
    DimensionType,
    Filter,
    Measure,
    Metric,
    MetricFormat,
    MetricInput,
    MetricType,
    Operator,
    Scalar,
    SemanticModel,
)
from dataagent.answering.types import Answer
from dataagent.intent.types import Decision
from dataagent.runs import encoding
from dataagent.runs.csvfile import csv_text
from dataagent.runs.document import document, write
from dataagent.runs.facts import result_digest
from dataagent.runs.types import RunState, RunView
from dataagent.sqlguard.guard import Bounds, GuardedQuery, guard
from dataagent.warehouse.duckdb import DuckDBWarehouse
from frontend.contexts.table import table_view

BIG = 1254071346418286654
ROWS = f"""
CREATE SCHEMA w;
CREATE TABLE w."order"("group" BIGINT, "user" VARCHAR, "total sales (€)" DECIMAL(18, 2), tenths DECIMAL(18, 1),
  successes INTEGER, attempts INTEGER, tiny DECIMAL(38, 20), huge HUGEINT, real DOUBLE, share DECIMAL(9, 4));
INSERT INTO w."order" VALUES
 ({BIG}, 'select', 9999999999999999.01, 0.1, 8, 27, 0.00000000000000000001, 170141183460469231731687303715884105727, -0.0, 0.3919),
 ({BIG + 1}, 'from', 1, 0.2, 3, 0, 1, 1, 'nan', 0);
"""  # noqa: E501
COLUMNS = ("group", "user", "total sales (€)", "tenths", "successes", "attempts", "tiny", "huge", "real", "share")
PERCENT = MetricFormat.PERCENT


def _catalog() -> CatalogSnapshot:
    sums = {"sales": '"total sales (€)"', "tenths": "tenths", "tiny": "tiny", "huge": "huge", "real": "real"}
    sums |= {"successes": "successes", "attempts": "attempts", "row_rate": "successes / attempts", "share": "share"}
    measures = tuple(Measure(name=n, agg=Aggregation.SUM, expr=e) for n, e in sums.items())
    order = SemanticModel(
        name="order",
        table="w.order",
        dimensions=(
            Dimension(name="group", type=DimensionType.ID, expr="group"),
            Dimension(name="amount", type=DimensionType.NUMBER, expr='"total sales (€)"'),
            Dimension(name="user", type=DimensionType.TEXT, expr="user"),
        ),
        measures=measures,
    )
    simple = (
        Metric(name=n, type=MetricType.SIMPLE, measure=n, format=PERCENT if n == "share" else MetricFormat.NUMBER)
        for n in sums
    )
    rate = Metric(
        name="rate",
        type=MetricType.RATIO,
        numerator=MetricInput(metric="successes"),
        denominator=MetricInput(metric="attempts"),
    )
    return CatalogSnapshot(name="exact", digest="d", dialect="duckdb", models=(order,), metrics=(*simple, rate))


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBWarehouse]:
    file: Path = tmp_path_factory.mktemp("exact") / "exact.duckdb"
    with duckdb.connect(str(file)) as connection:
        connection.execute(ROWS)
    made = DuckDBWarehouse(file)
    yield made
    made.close()


def answer(warehouse: DuckDBWarehouse, spec: QuerySpec) -> Answer:
    """What comes of the spec on its whole way: compiled, guarded, run in the engine's own process."""
    query = compile_query(spec, _catalog())
    assert isinstance(query, CompiledQuery), query
    table = TableAccess(table="w.order", columns=frozenset(COLUMNS))
    scope = AccessScope(workspace="t", principal="p", policy_version="1", digest="d", tables=(table,))
    guarded = guard(
        query.sql,
        dialect="duckdb",
        parameters=query.parameters,
        scope=scope,
        schema=warehouse.schema(),
        bounds=Bounds(timeout_s=10),
    )
    assert isinstance(guarded, GuardedQuery), guarded
    rows = warehouse.execute(guarded, query_id="q").rows
    return Answer(question="q", decision=Decision.ANSWER, headline="h", columns=query.columns, rows=rows)


def one(warehouse: DuckDBWarehouse, metric: str, where: tuple[Filter, ...] = ()) -> Answer:
    return answer(warehouse, QuerySpec(metrics=(metric,), where=where))


def json_rows(given: Answer) -> list[list[object]]:
    run = RunView(
        id="r", session_id="s", workspace="t", asker="p", question="q", state=RunState.ANSWERED, reason="",
        today=date(2025, 1, 1), created_at=datetime(2025, 1, 1, tzinfo=UTC), finished_at=None, answer=given,
        receipt_digest="", timings_ms={},
    )  # fmt: skip
    found: list[list[object]] = json.loads(write(document(run)))["rows"]
    return found


def csv_rows(given: Answer) -> list[list[str]]:
    return list(csv.reader(io.StringIO(csv_text(given), newline="")))[1:]


@pytest.mark.parametrize(
    ("metric", "exact", "in_json"),
    [
        ("sales", Decimal("10000000000000000.01"), "10000000000000000.01"),
        ("tenths", Decimal("0.3"), 0.3),
        ("tiny", Decimal("1.00000000000000000001"), "1.00000000000000000001"),
        ("huge", 170141183460469231731687303715884105728, "170141183460469231731687303715884105728"),
    ],
)
def test_a_sum_arrives_exact_everywhere(
    warehouse: DuckDBWarehouse, metric: str, exact: Scalar, in_json: object
) -> None:
    if metric == "huge":
        given = one(warehouse, metric, (Filter(field="user", op=Operator.EQ, values=("select",)),))
        exact, in_json = 2**127 - 1, str(2**127 - 1)
    else:
        given = one(warehouse, metric)
    assert given.rows == ((exact,),)
    assert json_rows(given) == [[in_json]]
    assert csv_rows(given) == [[str(exact)]]
    assert table_view(given.columns, given.rows).rows[0][0].exact == str(exact)
    assert encoding.loads(encoding.dumps(given, Answer), Answer).rows == given.rows


def test_one_digit_more_is_another_result_in_the_receipt(warehouse: DuckDBWarehouse) -> None:
    given = one(warehouse, "sales")
    assert result_digest(given.rows) == result_digest(((Decimal("10000000000000000.01"),),))
    assert result_digest(given.rows) != result_digest(((Decimal("10000000000000000.02"),),))


def test_a_filter_on_a_shown_number_finds_its_row(warehouse: DuckDBWarehouse) -> None:
    spec = QuerySpec(metrics=("sales",), group_by=(GroupBy(dimension="group"), GroupBy(dimension="user")))
    given = answer(warehouse, spec)
    shown = table_view(given.columns, given.rows).rows[0][0]
    assert (shown.text, shown.exact) == (str(BIG), str(BIG))
    for value in (shown.exact, str(json_rows(given)[0][0]), csv_rows(given)[0][0], BIG):
        found = one(warehouse, "sales", (Filter(field="group", op=Operator.EQ, values=(value,)),))
        assert found.rows == ((Decimal("9999999999999999.01"),),)
    amount = Filter(field="amount", op=Operator.EQ, values=("9999999999999999.01",))
    assert one(warehouse, "successes", (amount,)).rows == ((8,),)
    condition = MetricCondition(metric="sales", op=Operator.EQ, values=(Decimal("9999999999999999.01"),))
    kept = QuerySpec(metrics=("sales",), group_by=(GroupBy(dimension="user"),), having=(condition,))
    assert answer(warehouse, kept).rows == (("select", Decimal("9999999999999999.01")),)


@pytest.mark.parametrize("metric", ["rate", "row_rate"])
def test_whole_numbers_divide_into_a_fraction_and_never_by_zero(warehouse: DuckDBWarehouse, metric: str) -> None:
    some, none = (of_user(warehouse, metric, user) for user in ("select", "from"))
    assert round(Decimal(str(some.rows[0][0])), 3) == Decimal("0.296")
    assert none.rows == ((None,),)


def of_user(warehouse: DuckDBWarehouse, metric: str, user: str) -> Answer:
    return one(warehouse, metric, (Filter(field="user", op=Operator.EQ, values=(user,)),))


def test_zero_has_no_sign_and_what_is_no_number_is_empty(warehouse: DuckDBWarehouse) -> None:
    zero, nothing = (of_user(warehouse, "real", user) for user in ("select", "from"))
    assert (json_rows(zero), csv_rows(zero)[0][0].startswith("-")) == ([[0.0]], False)
    assert json_rows(nothing) == [[None]]


def test_a_share_is_the_same_percentage_everywhere(warehouse: DuckDBWarehouse) -> None:
    given = one(warehouse, "share")
    column: ResultColumn = given.columns[0]
    assert column.format is PERCENT
    assert table_view(given.columns, given.rows).rows[0][0].text == "39.19"
    assert csv_rows(given) == [["39.19"]]
    assert json_rows(given) == [[0.3919]]
