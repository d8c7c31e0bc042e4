"""One small company per report: its catalog as an owner writes it, its rows, and what a query gives."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb

from catalog.compiler import compile_query
from catalog.importers.own import load_folder
from catalog.query import CompiledQuery, QuerySpec
from catalog.types import CatalogSnapshot


def catalog_of(text: str) -> CatalogSnapshot:
    """The catalog of a YAML text."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "catalog.yaml").write_text(text, encoding="utf-8")
        return load_folder(Path(folder))


def compiled(spec: QuerySpec, snapshot: CatalogSnapshot, dialect: str = "duckdb") -> CompiledQuery:
    """The compiled query; it must not stop."""
    found = compile_query(spec, snapshot, dialect=dialect)
    assert isinstance(found, CompiledQuery), found
    return found


def rows_of(spec: QuerySpec, snapshot: CatalogSnapshot, tables: str) -> list[tuple[Any, ...]]:
    """What DuckDB gives, in order, for a company whose tables a script makes."""
    query = compiled(spec, snapshot)
    connection = duckdb.connect()
    connection.execute(tables)
    found = connection.execute(query.sql, {p.name: p.value for p in query.parameters}).fetchall()
    connection.close()
    return found


def totals_of(spec: QuerySpec, snapshot: CatalogSnapshot, tables: str) -> tuple[Any, ...]:
    """The total row: the same metrics, computed anew without groups."""
    return rows_of(replace(spec, group_by=(), order_by=(), limit=None), snapshot, tables)[0]
