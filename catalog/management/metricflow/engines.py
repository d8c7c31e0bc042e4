"""Two engines to run cases on, and the tables of a suite in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import duckdb
import yaml
from django.db import DatabaseError, connection, transaction
from sqlglot import exp

SCHEMA, REVERSED = "metricflow_suite", "metricflow_suite_reversed"
"""The suite's tables, and the same rows stored the other way round."""
_TYPES = {"TIME": "TIMESTAMP", "STRING": "TEXT", "INT": "BIGINT", "BOOLEAN": "BOOLEAN", "FLOAT": "DOUBLE"}
_CHUNK = 500

Table = tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]
"""Column names and rows."""


class EngineError(Exception):
    """A statement that the engine refused."""


class Engine(Protocol):
    """Runs one statement, written in its dialect."""

    dialect: str

    def run(self, sql: str) -> Table:
        """The statement's result."""


class _DuckDB:
    dialect = "duckdb"

    def __init__(self) -> None:
        self.connection = duckdb.connect(":memory:")

    def run(self, sql: str) -> Table:
        try:
            made = self.connection.execute(sql)
            names = tuple(d[0] for d in made.description or ())
            return names, tuple(made.fetchall()) if names else ()
        except duckdb.Error as bad:
            raise EngineError(str(bad)) from bad


class _Postgres:
    dialect = "postgres"

    def run(self, sql: str) -> Table:
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(sql)
                names = tuple(d[0] for d in cursor.description or ())
                return names, tuple(cursor.fetchall()) if names else ()
        except DatabaseError as bad:
            raise EngineError(str(bad)) from bad


@contextmanager
def engine_with(tables: Path, name: str) -> Iterator[Engine]:
    """The engine with every table of the folder in both schemas; nothing of it stays afterwards."""
    if name == "duckdb":
        memory = _DuckDB()
        load(memory, tables, SCHEMA)
        load(memory, tables, REVERSED)
        yield memory
        memory.connection.close()
        return
    with transaction.atomic():
        database = _Postgres()
        load(database, tables, SCHEMA)
        load(database, tables, REVERSED)
        yield database
        transaction.set_rollback(True)


def load(engine: Engine, tables: Path, schema: str, types_of: Mapping[str, str] = _TYPES) -> None:
    """Every table of the folder, in a schema of its own."""
    kind = "DATABASE" if engine.dialect == "clickhouse" else "SCHEMA"
    engine.run(exp.Create(this=exp.Table(this=None, db=exp.to_identifier(schema)), kind=kind).sql(engine.dialect))
    for path in sorted(tables.glob("*/*.yaml")):
        given = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)["table_snapshot"]
        read = None if types_of is _TYPES else engine.dialect
        types = {c["name"]: exp.DataType.build(types_of[c["type"]], dialect=read) for c in given["column_definitions"]}
        table = exp.table_(given["table_name"], db=schema, quoted=True)
        columns = [exp.ColumnDef(this=exp.to_identifier(n, quoted=True), kind=t) for n, t in types.items()]
        made = exp.Create(this=exp.Schema(this=table, expressions=columns), kind="TABLE").sql(engine.dialect)
        engine.run(f"{made} ENGINE = Memory" if engine.dialect == "clickhouse" else made)
        rows = (given.get("rows") or [])[:: 1 if schema == SCHEMA else -1]
        for at in range(0, len(rows), _CHUNK):
            values = [_row(row, tuple(types.values())) for row in rows[at : at + _CHUNK]]
            insert = exp.Insert(this=table.copy(), expression=exp.Values(expressions=values))
            engine.run(insert.sql(engine.dialect))


def _row(row: list[Any], types: tuple[exp.DataType, ...]) -> exp.Tuple:
    return exp.Tuple(expressions=[_cell(v, t) for v, t in zip(row, types, strict=True)])


def _cell(value: Any, kind: exp.DataType) -> exp.Expr:
    if value is None:
        return exp.null()
    if kind.is_type("BOOLEAN"):
        return exp.convert(str(value).lower() == "true")
    return exp.Cast(this=exp.Literal.string(str(value)), to=kind.copy())
