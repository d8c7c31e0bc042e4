"""The OSI specification's own TPC-DS model: imported, compiled, and computed as independent SQL computes it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Any

import duckdb
import pytest
import yaml
from django.conf import settings as django_settings
from django.db import connection

from catalog.checks import check, is_error
from catalog.compiler import compile_query
from catalog.exporters.osi import osi_yaml
from catalog.importers.formats import Format, format_of, load_any
from catalog.issues import IssueCode
from catalog.query import CompiledQuery, GroupBy, QuerySpec
from catalog.types import CatalogSnapshot, TimeGranularity
from tests.catalog.test_exchange import in_any_order
from tests.suites.tpcds_rows import statements

DOCUMENT = django_settings.SUITES / "osi" / "tpcds_semantic_model.yaml"
pytestmark = [
    pytest.mark.suite,
    pytest.mark.skipif(not DOCUMENT.is_file(), reason="../shared/suites/osi is absent"),
    pytest.mark.django_db,
]
SALES = "SUM(ss_ext_sales_price)"
PROFIT = "SUM(ss_net_profit)"
JOINED = """ FROM public.store_sales LEFT JOIN public.date_dim ON ss_sold_date_sk = d_date_sk
 LEFT JOIN public.customer ON ss_customer_sk = c_customer_sk LEFT JOIN public.item ON ss_item_sk = i_item_sk
 LEFT JOIN public.store ON ss_store_sk = s_store_sk """
EACH = {
    "i_brand": "i_brand",
    "i_category": "i_category",
    "s_state": "s_state",
    "d_year": "d_year",
    "d_quarter_name": "d_quarter_name",
    "customer_full_name": "c_first_name || ' ' || c_last_name",
    "d_date:month": "CAST(DATE_TRUNC('month', d_date) AS DATE)",
    "metric_time:quarter": "CAST(DATE_TRUNC('quarter', d_date) AS DATE)",
}
SIMPLE = {
    f"{metric} by {by}": (metric, by, f"SELECT {column} AS g, {value} {JOINED} GROUP BY 1")
    for metric, value in (("total_sales", SALES), ("total_profit", PROFIT), ("sales_by_brand", SALES))
    for by, column in EACH.items()
}
WHOLE = {
    metric: (metric, "", f"SELECT {value} FROM public.store_sales")
    for metric, value in (("total_sales", SALES), ("total_profit", PROFIT), ("sales_by_brand", SALES))
}
RATIOS = {
    "customer_lifetime_value": (
        "customer_lifetime_value",
        "",
        "SELECT (SELECT SUM(ss_ext_sales_price) FROM public.store_sales) * 1.0"
        " / (SELECT COUNT(*) FROM public.customer)",
    ),
    "customer_lifetime_value by c_customer_id": (
        "customer_lifetime_value",
        "c_customer_id",
        """SELECT k, CASE WHEN n IS NULL OR n = 0 THEN NULL ELSE COALESCE(v, 0) * 1.0 / n END FROM
           (SELECT c_customer_id AS k, 1 AS n, (SELECT SUM(ss_ext_sales_price) FROM public.store_sales
             WHERE ss_customer_sk = c_customer_sk) AS v FROM public.customer
            UNION ALL SELECT NULL, 0, NULL) each_one""",
    ),
    "store_productivity": (
        "store_productivity",
        "",
        "SELECT (SELECT SUM(ss_ext_sales_price) FROM public.store_sales) * 1.0"
        " / (SELECT SUM(s_number_employees) FROM public.store)",
    ),
    "store_productivity by s_state": (
        "store_productivity",
        "s_state",
        """SELECT states.s, COALESCE(v, 0) * 1.0 / NULLIF(n, 0) FROM
           (SELECT s_state AS s, SUM(s_number_employees) AS n FROM public.store GROUP BY s_state
            UNION ALL SELECT NULL, 0)
             states LEFT JOIN
           (SELECT s_state AS s, SUM(ss_ext_sales_price) AS v FROM public.store_sales
             LEFT JOIN public.store ON ss_store_sk = s_store_sk GROUP BY s_state) sold
           ON states.s = sold.s""",
    ),
}
CASES = {**WHOLE, **SIMPLE, **RATIOS}


@cache
def _catalog() -> CatalogSnapshot:
    return load_any(DOCUMENT)


@contextmanager
def _engine(name: str) -> Iterator[Any]:
    if name == "postgres":
        with connection.cursor() as cursor:
            for statement in statements("public"):
                cursor.execute(statement)
            yield cursor
        return
    with duckdb.connect() as memory:
        memory.execute("CREATE SCHEMA public")
        for statement in statements("public"):
            memory.execute(statement)
        yield memory


def _compiled(metric: str, by: str, dialect: str) -> CompiledQuery:
    name, _, grain = by.partition(":")
    groups = (GroupBy(dimension=name, granularity=TimeGranularity(grain) if grain else None),) if by else ()
    found = compile_query(QuerySpec(metrics=(metric,), group_by=groups), _catalog(), dialect=dialect)
    assert isinstance(found, CompiledQuery), found
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date) or value is None or isinstance(value, str):
        return value
    return round(Decimal(str(value)), 6)


def _rows(engine: Any, sql: str) -> list[tuple[Any, ...]]:
    engine.execute(sql)
    return sorted((tuple(_plain(v) for v in row) for row in engine.fetchall()), key=repr)


@pytest.mark.parametrize("name", ["duckdb", "postgres"])
def test_every_metric_is_what_independent_sql_says(name: str) -> None:
    with _engine(name) as engine:
        for title, (metric, by, sql) in CASES.items():
            expected = _rows(engine, sql)
            assert len(expected) > (1 if by else 0), title
            assert _rows(engine, _compiled(metric, by, name).sql) == expected, title


def test_the_model_has_no_fault_and_comes_back_as_it_was() -> None:
    assert format_of(DOCUMENT) is Format.OSI
    assert [i.message for i in check(_catalog()) if is_error(i)] == []
    made = osi_yaml(_catalog())
    assert made.losses == ()
    before = yaml.safe_load(DOCUMENT.read_text(encoding="utf-8"))
    assert in_any_order(yaml.safe_load(made.text)) == in_any_order(before)


@pytest.mark.parametrize(("metric", "by"), [("customer_lifetime_value", "i_brand"), ("store_productivity", "d_year")])
def test_a_group_that_one_part_does_not_have_is_refused_and_not_guessed(metric: str, by: str) -> None:
    found = compile_query(QuerySpec(metrics=(metric,), group_by=(GroupBy(dimension=by),)), _catalog())
    assert not isinstance(found, CompiledQuery)
    assert found[0].code is IssueCode.UNREACHABLE_DIMENSION
