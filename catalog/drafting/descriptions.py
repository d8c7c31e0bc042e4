"""What people have written about tables and columns elsewhere, put to a warehouse's description as its comments.

The form, JSON or YAML: a mapping of table names (bare or `schema.table`, letter case does
not count) to a list of columns, each with `name` and `description`, or to a mapping with
`description` and `columns`; a mapping of column names to texts will do as well.  The whole may
stand under `tables` or `table_metadata`; `column_name`, `column`, `column_description` and
`comment` are understood too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from catalog.drafting.types import ColumnDescription, TableDescription, WarehouseDescription

_NAMES = ("name", "column_name", "column")
_TEXTS = ("description", "column_description", "comment")


def described(description: WarehouseDescription, given: Any) -> WarehouseDescription:
    """The description with the given texts; a text of the warehouse itself stays where none is given.

    Raises: ValueError with a sentence where the given value has another form.
    """
    whole = _mapping(given, "The descriptions must map tables to their columns.")
    tables = next((whole[k] for k in ("tables", "table_metadata") if isinstance(whole.get(k), Mapping)), whole)
    known = {str(name).lower(): (str(name), held) for name, held in tables.items()}
    return replace(description, tables=tuple(_table(t, known) for t in description.tables))


def _table(table: TableDescription, known: dict[str, tuple[str, Any]]) -> TableDescription:
    found = known.get(table.qualified.lower()) or known.get(table.name.lower())
    if found is None:
        return table
    written, held = found
    text, columns = _parts(held, written)
    by_name = {name.lower(): (name, told) for name, told in columns.items()}
    return replace(
        table,
        comment=text or table.comment,
        written=written.rsplit(".", maxsplit=1)[-1],
        columns=tuple(_column(c, by_name.get(c.name.lower())) for c in table.columns),
    )


def _column(column: ColumnDescription, found: tuple[str, str] | None) -> ColumnDescription:
    if found is None:
        return column
    return replace(column, written=found[0], comment=found[1] or column.comment)


def _parts(held: Any, table: str) -> tuple[str, dict[str, str]]:
    """A table's own text, and the text of each of its columns."""
    if isinstance(held, list):
        return "", dict(_listed(entry, table) for entry in held)
    body = _mapping(held, f"The description of {table} must list its columns.")
    columns = body.get("columns")
    if isinstance(columns, list | Mapping):
        return _text(body.get("description")), _parts(columns, table)[1]
    return "", {str(name): _text(told) for name, told in body.items()}


def _listed(entry: Any, table: str) -> tuple[str, str]:
    body = _mapping(entry, f"A column of {table} must have a name and a description.")
    name = next((body[k] for k in _NAMES if body.get(k)), None)
    if name is None:
        raise ValueError(f"A column of {table} has no name.")
    return str(name), _text(next((body[k] for k in _TEXTS if body.get(k)), ""))


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        return _text(next((value[k] for k in _TEXTS if value.get(k)), ""))
    return value if isinstance(value, str) else ""


def _mapping(value: Any, sentence: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(sentence)
    return value
