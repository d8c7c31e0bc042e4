"""Everything that a DuckDB file shows, as tables of a PostgreSQL database."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import duckdb
import psycopg
from psycopg import sql

_TYPES = {"DOUBLE": "double precision", "FLOAT": "real", "TINYINT": "smallint", "HUGEINT": "numeric(39)"}
_COLUMNS = """
SELECT schema_name, table_name, column_name, data_type FROM duckdb_columns()
WHERE NOT internal AND database_name = current_database() ORDER BY 1, 2, column_index
"""


def copy_to_postgres(file: Path, url: str, schemas: Iterable[str]) -> None:
    """Copies all tables and views of the named schemas with their rows."""
    with duckdb.connect(str(file), read_only=True) as source, psycopg.connect(url) as target:
        tables: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for schema, table, column, kind in source.execute(_COLUMNS).fetchall():
            if schema in set(schemas):
                tables.setdefault((schema, table), []).append((column, kind))
        for schema in sorted({s for s, _ in tables}):
            target.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(schema)))
        for name, columns in tables.items():
            _copy(source, target, name, columns)


def _copy(source: Any, target: psycopg.Connection[Any], name: tuple[str, str], columns: list[tuple[str, str]]) -> None:
    made = sql.SQL(", ").join(sql.SQL("{} {}").format(sql.Identifier(c), sql.SQL(_type(k))) for c, k in columns)
    target.execute(sql.SQL("CREATE TABLE {} ({})").format(sql.Identifier(*name), made))
    read = source.execute(f'SELECT * FROM "{name[0]}"."{name[1]}"')
    with target.cursor().copy(sql.SQL("COPY {} FROM STDIN").format(sql.Identifier(*name))) as copy:
        while rows := read.fetchmany(10_000):
            for row in rows:
                copy.write_row(row)
    target.execute(sql.SQL("ANALYZE {}").format(sql.Identifier(*name)))


def _type(kind: str) -> Any:
    base = re.sub(r"\(.*", "", kind)
    return _TYPES.get(base, kind)
