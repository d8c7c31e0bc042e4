"""The guard at a glance: each denial beside a twin that is allowed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from catalog.access import AccessScope, Mask, MaskKind, RowFilter, TableAccess
from catalog.query import Parameter
from dataagent.sqlguard.guard import Bounds, GuardedQuery, Refusal, guard
from dataagent.sqlguard.schema import Column, TableSchema


def table(name: str, *columns: str) -> TableSchema:
    return TableSchema(name=name, columns=tuple(Column(name=c, type="VARCHAR") for c in columns))


SCHEMA = (
    table("main.orders", "id", "region", "amount", "email", "ssn"),
    table("main.plain", "id", "title"),
    table("main.salaries", "employee", "salary"),
)
SCOPE = AccessScope(
    workspace="demo",
    principal="ada",
    policy_version="1",
    digest="d",
    tables=(
        TableAccess(
            table="main.orders",
            columns=frozenset({"id", "region", "amount", "email"}),
            row_filter=RowFilter(
                id="own_region", predicate="region = :region", label="your region", parameters=(("region", "EMEA"),)
            ),
            masks=(Mask(column="email", kind=MaskKind.PARTIAL, argument="1"),),
        ),
        TableAccess(table="main.plain", columns=frozenset({"id", "title"})),
    ),
)


def judge(sql: str, *parameters: Parameter, dialect: str = "duckdb", max_rows: int = 100) -> GuardedQuery | Refusal:
    bounds = Bounds(max_rows=max_rows)
    return guard(sql, dialect=dialect, parameters=parameters, scope=SCOPE, schema=SCHEMA, bounds=bounds)


def reason(sql: str, *parameters: Parameter) -> str:
    found = judge(sql, *parameters)
    return found.reason if isinstance(found, Refusal) else "allowed"


def text(sql: str, *parameters: Parameter, max_rows: int = 100) -> str:
    found = judge(sql, *parameters, max_rows=max_rows)
    assert isinstance(found, GuardedQuery), found
    return found.sql


def test_a_table_becomes_its_permitted_columns_with_filter_and_mask() -> None:
    assert text("SELECT * FROM orders") == (
        'SELECT * FROM (SELECT "orders"."id", "orders"."region", "orders"."amount", '
        'SUBSTRING(CAST("orders"."email" AS TEXT), 1, 1) || \'***\' AS "email" FROM "main"."orders" AS "orders" '
        'WHERE "orders".region = $policy_0_region) AS orders LIMIT 101'
    )


def test_a_stand_in_has_only_the_columns_that_are_named_where_none_is_meant_wholesale() -> None:
    assert '(SELECT "orders"."id" FROM' in text("SELECT id FROM orders")
    assert '(SELECT "orders"."id" FROM' in text("SELECT count(*) FROM orders")
    for sql in (
        "SELECT o FROM orders o",
        "SELECT id FROM orders NATURAL JOIN plain",
        "SELECT COLUMNS('r.*') FROM orders",
    ):
        assert '"orders"."amount"' in text(sql)


def test_the_receipt_is_told_filters_masks_tables_and_parameters() -> None:
    found = judge("SELECT email FROM orders")
    assert isinstance(found, GuardedQuery)
    assert [(f.table, f.rule, f.label) for f in found.filters] == [("main.orders", "own_region", "your region")]
    assert found.masked_columns == ("main.orders.email",)
    assert found.tables == ("main.orders",)
    assert found.parameters == (Parameter(name="policy_0_region", value="EMEA"),)


def test_a_mask_that_the_query_does_not_touch_is_not_reported() -> None:
    found = judge("SELECT id FROM orders")
    assert isinstance(found, GuardedQuery)
    assert found.masked_columns == ()


def test_unknown_and_ungranted_tables_are_refused_alike() -> None:
    assert judge("SELECT * FROM salaries") == judge("SELECT * FROM no_such_table")
    assert reason("SELECT * FROM plain") == "allowed"


def test_unknown_and_denied_columns_are_refused_alike() -> None:
    assert judge("SELECT ssn FROM orders") == judge("SELECT no_such_column FROM orders")
    assert reason("SELECT region FROM orders") == "allowed"


def test_a_cte_hides_a_table_only_where_it_is_in_reach() -> None:
    assert reason("WITH salaries AS (SELECT 1 AS x) SELECT x FROM salaries") == "allowed"
    assert reason("WITH salaries AS (SELECT * FROM salaries) SELECT * FROM salaries") == "table_not_available"
    inner = "SELECT * FROM (WITH salaries AS (SELECT 1 AS x) SELECT x FROM salaries) a"
    assert reason(inner) == "allowed"
    assert reason(inner + ", salaries b") == "table_not_available"


def test_a_cte_cannot_capture_the_table_inside_a_stand_in() -> None:
    found = text("WITH orders AS (SELECT 1 AS id) SELECT o.id FROM main.orders o, orders c")
    assert 'FROM "main"."orders" AS "orders"' in found


def test_placeholders_need_values_and_the_policys_names_are_its_own() -> None:
    sql = "SELECT id FROM orders WHERE id = $p1"
    assert reason(sql, Parameter(name="p1", value=7)) == "allowed"
    assert reason(sql) == "parameter"
    forged = Parameter(name="policy_0_region", value="APAC")
    assert reason("SELECT id FROM orders WHERE region = $policy_0_region", forged) == "parameter"
    assert reason("SELECT id FROM orders WHERE region = $policy_0_region") == "parameter"


@pytest.mark.parametrize(
    ("sql", "ends"),
    [
        ("SELECT id FROM plain", "LIMIT 101"),
        ("SELECT id FROM plain LIMIT 5", "LIMIT 5"),
        ("SELECT id FROM plain ORDER BY id LIMIT 5000 OFFSET 3", "LIMIT 101 OFFSET 3"),
        ("SELECT id FROM plain UNION ALL SELECT id FROM plain ORDER BY 1", "ORDER BY 1 LIMIT 101"),
    ],
)
def test_the_row_cap_bounds_the_query_without_touching_its_order(sql: str, ends: str) -> None:
    assert text(sql).endswith(ends)


def test_an_empty_scope_sees_nothing() -> None:
    nobody = AccessScope(workspace="demo", principal="nobody", policy_version="", digest="")
    found = guard("SELECT id FROM plain", dialect="duckdb", scope=nobody, schema=SCHEMA)
    assert isinstance(found, Refusal)


def test_an_unknown_dialect_is_refused() -> None:
    assert isinstance(judge("SELECT 1", dialect="sqlite"), Refusal)


def test_a_guarded_query_cannot_be_built_elsewhere() -> None:
    with pytest.raises(TypeError):
        GuardedQuery(
            object(),
            sql="SELECT 1",
            dialect="duckdb",
            parameters=(),
            tables=(),
            filters=(),
            masked_columns=(),
            policy_version="",
            bounds=Bounds(),
            digest="",
        )


def test_a_kept_decision_serves_no_other_values_and_no_other_principal() -> None:
    sql = "SELECT id FROM orders WHERE id = $p1"
    first, second = (judge(sql, Parameter(name="p1", value=v)) for v in (1, 2))
    assert isinstance(first, GuardedQuery)
    assert isinstance(second, GuardedQuery)
    assert first.parameters[0].value == 1
    assert second.parameters[0].value == 2
    assert isinstance(judge(sql), Refusal)
    narrower = replace(SCOPE, tables=SCOPE.tables[1:])
    found = guard(sql, dialect="duckdb", parameters=first.parameters[:1], scope=narrower, schema=SCHEMA)
    assert isinstance(found, Refusal)


def test_a_scope_narrowed_without_a_new_digest_is_still_another_scope() -> None:
    wider = judge("SELECT email FROM orders")
    access = replace(SCOPE.tables[0], columns=frozenset({"id", "region"}), masks=())
    narrower = replace(SCOPE, tables=(access,))
    assert isinstance(wider, GuardedQuery)
    assert isinstance(guard("SELECT email FROM orders", dialect="duckdb", scope=narrower, schema=SCHEMA), Refusal)


def test_the_name_of_an_unnamed_sub_query_does_not_show_the_policy() -> None:
    found = text("SELECT (SELECT max(id) FROM orders) FROM plain")
    assert ') AS "(SELECT MAX(id) FROM orders)" FROM' in found
