"""Two and a half years of a small shop with every trap of time: gaps, leap days, returns, missing names, ties."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import Any, Protocol

import duckdb
import pytest
from django.db import connection

from catalog.compiler import compile_query
from catalog.issues import Issue
from catalog.query import CompiledQuery, GroupBy, QuerySpec, TimeRange
from catalog.types import METRIC_TIME, CatalogSnapshot, TimeGranularity
from tests.catalog.shop import shop

Row = tuple[object, ...]

TABLES = """
CREATE SCHEMA shop;
CREATE TABLE shop.orders(order_id INT, customer_id INT, store_id INT,
  ordered_at TIMESTAMP, amount DECIMAL(10,2), status TEXT);
CREATE TABLE shop.refunds(refund_id INT, order_id INT, refunded_at DATE, amount DECIMAL(10,2), reason TEXT);
CREATE TABLE shop.customers(customer_id INT, name TEXT, tier TEXT, signed_up DATE, country_code TEXT);
CREATE TABLE shop.countries(code TEXT, name TEXT);
CREATE TABLE shop.stores(store_id INT, name TEXT, region TEXT);
CREATE TABLE shop.items(item_id INT, order_id INT, product_id INT, quantity INT);
CREATE TABLE shop.products(product_id INT, category TEXT);
CREATE TABLE shop.seats(id INT, customer_id INT, counted_on DATE, seats INT);
INSERT INTO shop.customers VALUES (1,'A','gold','2024-01-01',NULL), (2,'B','silver','2024-01-15',NULL),
 (3,'C',NULL,'2025-02-01',NULL);
INSERT INTO shop.stores VALUES (1,'One','EMEA'), (2,'Two','AMER'), (3,'Three',NULL), (4,'Four','APAC');
INSERT INTO shop.orders VALUES
 (1, 1, 1, '2024-01-10 10:00', 100, 'done'), (2, 1, 2, '2024-01-31 23:59', 40, 'done'),
 (3, 2, 1, '2024-02-29 12:00', 30, 'open'), (4, 2, NULL, '2024-03-05 00:00', 50, 'done'),
 (5, 3, 4, '2024-05-20 08:00', 80, 'done'), (6, 1, 2, '2024-12-31 09:00', 70, 'returned'),
 (7, 1, 1, '2025-01-05 10:00', 90, 'done'), (8, 2, 2, '2025-01-29 10:00', 0, 'done'),
 (9, 3, 1, '2025-01-30 10:00', 60, 'open'), (10, 3, NULL, '2025-02-28 18:00', 25, 'done'),
 (11, 2, 3, '2025-04-01 07:00', -15, 'done'), (12, 1, 1, '2025-06-15 07:00', 110, 'done'),
 (13, NULL, 2, '2025-06-16 07:00', 20, NULL), (14, 2, 1, NULL, 5, 'done');
INSERT INTO shop.refunds VALUES (1, 1, '2024-02-02', 10, 'late'), (2, 4, '2024-03-10', 50, 'late'),
 (3, 7, '2025-01-10', 9, 'late'),
 (4, 12, '2025-06-16', 11, NULL);
INSERT INTO shop.seats VALUES (1, 1, '2024-01-31', 5), (2, 2, '2024-01-31', 3), (3, 1, '2025-01-15', 6),
 (4, 1, '2025-01-31', 7),
 (5, 3, '2025-01-31', 2), (6, 1, '2025-02-28', 4);
INSERT INTO shop.items VALUES (1, 1, 1, 2), (2, 1, 2, 1), (3, 2, 1, 1), (4, 7, 2, 4);
INSERT INTO shop.products VALUES (1, 'tea'), (2, 'cups');
"""


class Engine(Protocol):
    """Runs one statement with named parameters."""

    def __call__(self, sql: str, parameters: dict[str, object] | None = None) -> list[Row]: ...


def engines() -> list[Any]:
    """The names of the engines as parameters of a test; PostgreSQL runs in the test database."""
    return ["duckdb", pytest.param("postgres", marks=pytest.mark.django_db)]


@pytest.fixture(params=engines())
def ask(request: pytest.FixtureRequest) -> Iterator[Asker]:
    """Compiles a spec, runs it and gives its rows."""
    if request.param == "duckdb":
        made = duckdb.connect()
        made.execute(TABLES)
        yield Asker("duckdb", lambda sql, given=None: made.execute(sql, given).fetchall())
        made.close()
        return
    request.getfixturevalue("db")
    with connection.cursor() as cursor:
        cursor.execute(TABLES)

        def run(sql: str, given: dict[str, object] | None = None) -> list[Row]:
            cursor.execute(sql, given)
            return [tuple(r) for r in cursor.fetchall()]

        yield Asker("postgres", run)


class Asker:
    """One engine with the tables of this module."""

    def __init__(self, dialect: str, run: Engine) -> None:
        self.dialect, self._run = dialect, run

    def compiled(self, spec: QuerySpec, snapshot: CatalogSnapshot | None = None) -> CompiledQuery:
        found = compile_query(spec, snapshot or shop(), dialect=self.dialect)
        assert isinstance(found, CompiledQuery), found
        return found

    def rows(self, spec: QuerySpec, snapshot: CatalogSnapshot | None = None) -> list[Row]:
        query = self.compiled(spec, snapshot)
        found = self._run(query.sql, {p.name: p.value for p in query.parameters})
        assert all(len(row) == len(query.columns) for row in found)
        return [plain(row) for row in found]

    def table(self, spec: QuerySpec, *names: str) -> dict[Row, Row]:
        """The named columns by the group columns."""
        query = self.compiled(spec)
        columns = [c.name for c in query.columns]
        groups = [i for i, c in enumerate(query.columns) if c.role.value != "metric"]
        picked = [columns.index(n) for n in names]
        return {tuple(r[i] for i in groups): tuple(r[i] for i in picked) for r in self.rows(spec)}

    def hand(self, sql: str) -> list[Row]:
        """What SQL written by hand gives."""
        return [plain(row) for row in self._run(sql, None)]


def plain(row: Row) -> Row:
    """Numbers of any kind as floats or whole numbers, so that engines can be compared."""
    return tuple(_number(v) if isinstance(v, Decimal | float) else v for v in row)


def _number(value: Decimal | float) -> float | int:
    return int(value) if value == int(value) else round(float(value), 9)


def issue(spec: QuerySpec) -> Issue:
    """The one reason why a spec cannot be computed."""
    found = compile_query(spec, shop())
    assert isinstance(found, tuple), found
    return found[0]


def by(*names: str, grain: TimeGranularity | None = None) -> tuple[GroupBy, ...]:
    """Groupings, after a period where `grain` says so."""
    time = (GroupBy(dimension=METRIC_TIME, granularity=grain),) if grain else ()
    return (*time, *(GroupBy(dimension=n) for n in names))


def window(start: str, end: str) -> TimeRange:
    """A window of days, the second not included."""
    return TimeRange(start=date.fromisoformat(start), end=date.fromisoformat(end), expr="")


def month(text: str) -> date:
    """The first of a month: "2025-01"."""
    return date.fromisoformat(f"{text}-01")
