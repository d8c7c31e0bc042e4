"""Every shape gives the same rows on engines that are at hand as on DuckDB."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Any

import duckdb
import pytest
from sqlglot import exp

from catalog.compiler.dialects import for_driver
from catalog.management.metricflow.engines import Engine, EngineError
from catalog.management.metricflow.other_engines import missing_package, other_engine
from tests.catalog.dialects.shapes import SHAPES, compiled
from tests.catalog.flow.shop import ROWS as FLOW_ROWS
from tests.catalog.test_compiler_results import ROWS

WORDS = """
CREATE TABLE shop."order"("group" VARCHAR, "user" VARCHAR, amount INT, "total sales (€)" DECIMAL(18, 2));
INSERT INTO shop."order" VALUES ('a', 'x', 1, 0.1), ('a', 'x', 2, 0.2), ('a', 'x', 4, 0.3), ('a', 'x', NULL, 1),
 ('b', NULL, 5, 7), ('b', 'y', NULL, NULL), (NULL, 'y', 3, 1), (NULL, 'y', 8, 1), (NULL, 'y', 9, 1), (NULL, 'y', 9, 1), (NULL, 'y', 2, 1);
"""  # noqa: E501
SCHEMAS = ("shop", "mf")
OTHERS = ("mysql", "clickhouse", pytest.param("spark", marks=pytest.mark.slow))


@cache
def reference() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    for statements in (ROWS, WORDS, FLOW_ROWS):
        connection.execute(statements)
    return connection


@pytest.fixture(scope="module")
def engines() -> Iterator[dict[str, Engine]]:
    with ExitStack() as stack:
        opened = _Opened(stack)
        yield opened
        for engine in opened.values():
            for schema in SCHEMAS:
                engine.run(f"DROP DATABASE {schema}{' CASCADE' if engine.dialect == 'spark' else ''}")


class _Opened(dict[str, Engine]):
    def __init__(self, stack: ExitStack) -> None:
        super().__init__()
        self.stack = stack

    def __missing__(self, name: str) -> Engine:
        missing = missing_package(name)
        if missing:
            pytest.skip(f"{missing} is not installed")
        try:
            self[name] = self.stack.enter_context(other_engine(name, _load))
        except EngineError as absent:
            pytest.skip(f"{name} does not answer: {absent}")
        return self[name]


def _load(engine: Engine) -> None:
    """The tables that DuckDB has, row by row; a database that somebody else has is never touched."""
    for schema in SCHEMAS:
        engine.run(f"CREATE DATABASE {schema}")
        listed = reference().execute("SELECT table_name FROM duckdb_tables() WHERE schema_name = ?", [schema])
        for (table,) in listed.fetchall():
            _copy(engine, schema, table)


def _copy(engine: Engine, schema: str, table: str) -> None:
    name = exp.table_(table, db=schema, quoted=True)
    rows = reference().execute(f'SELECT * FROM {schema}."{table}"')
    columns = [(d[0], str(d[1]), d[1]) for d in rows.description or ()]
    kinds = [exp.DataType.build(_kind(k, engine.dialect), dialect=engine.dialect) for _, k, _ in columns]
    defined = [
        exp.ColumnDef(this=exp.to_identifier(n, quoted=True), kind=k)
        for (n, _, _), k in zip(columns, kinds, strict=True)
    ]
    made = exp.Create(this=exp.Schema(this=name, expressions=defined), kind="TABLE").sql(engine.dialect)
    engine.run(f"{made} ENGINE = Memory" if engine.dialect == "clickhouse" else made)
    for row in rows.fetchall():
        cells = [_cell(v, k) for v, k in zip(row, kinds, strict=True)]
        insert = exp.Insert(this=name.copy(), expression=exp.Values(expressions=[exp.Tuple(expressions=cells)]))
        engine.run(insert.sql(engine.dialect))


def _kind(name: str, dialect: str) -> str:
    told = {"VARCHAR": "STRING", "TIMESTAMP": "TIMESTAMP", "INTEGER": "INT", "DATE": "DATE"}.get(name, name)
    if dialect == "mysql":
        return {"STRING": "VARCHAR(100)", "TIMESTAMP": "DATETIME(6)"}.get(told, told)
    if dialect == "clickhouse":
        inner = {"STRING": "String", "TIMESTAMP": "DateTime64(6)", "INT": "Int32", "DATE": "Date32"}
        return f"Nullable({inner.get(told, told.replace('DECIMAL', 'Decimal'))})"
    return told


def _cell(value: object, kind: exp.DataType) -> exp.Expr:
    return exp.null() if value is None else exp.Cast(this=exp.Literal.string(str(value)), to=kind.copy())


@pytest.mark.parametrize("engine", OTHERS)
@pytest.mark.parametrize("shape", SHAPES)
def test_another_engine_gives_the_rows_that_duckdb_gives(shape: str, engine: str, engines: dict[str, Engine]) -> None:
    here = compiled(shape, "duckdb")
    expected = reference().execute(here.sql, {p.name: p.value for p in here.parameters}).fetchall()
    _, found = engines[engine].run(_filled(shape, engine))
    assert sorted(map(_plain, found), key=repr) == [pytest.approx(r) for r in sorted(map(_plain, expected), key=repr)]
    assert expected


def _filled(shape: str, dialect: str) -> str:
    """The text with its values written in, for these engines' ways of binding differ."""
    query = compiled(shape, dialect)
    values = {p.name: p.value for p in query.parameters}

    def literal(place: re.Match[str]) -> str:
        value: Any = values[place[1]]
        written = exp.convert(str(value) if isinstance(value, date) else value)
        return (exp.cast(written, place[2], dialect=dialect) if place[2] else written).sql(dialect)

    return re.sub(r"[:{](p\d+)(?:: ([^}]+)\})?", literal, query.sql)


def _plain(row: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(_value(v) for v in row)


def _value(value: object) -> object:
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float | Decimal):
        return None if math.isnan(value) else round(float(value), 6)
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    return f"{value.isoformat()} 00:00:00" if isinstance(value, date) else value


def test_the_driver_of_each_engine_gets_its_own_placeholders() -> None:
    shape = "sum_by_month_and_joined_dimension"
    wanted = {"trino": "?", "mysql": "%(p1)s", "snowflake": "%(p1)s", "spark": ":p1", "bigquery": "@p1"}
    for dialect, placeholder in wanted.items():
        text, values = for_driver(compiled(shape, dialect))
        assert placeholder in text
        assert len(values) == len(compiled(shape, dialect).parameters)
