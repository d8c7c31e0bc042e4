"""What a DuckDB file says about its tables, from the rows of its own catalog functions."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from catalog.drafting.types import ColumnDescription, ForeignKey, TableDescription, WarehouseDescription

_ENUM = re.compile(r"^ENUM\((.*)\)$", re.DOTALL)
_MEMBER = re.compile(r"'((?:[^']|'')*)'")
Place = tuple[str, str]


def described(name: str, reply: dict[str, Any], schemas: tuple[str, ...]) -> WarehouseDescription:
    """The engine process's reply as a description, by schema and table."""
    columns, constraints = _by_place(reply["columns"]), _by_place(reply["constraints"])
    wanted = set(schemas)
    return WarehouseDescription(
        name=name,
        dialect="duckdb",
        tables=tuple(
            _table((schema, table), comment, is_view, columns[(schema, table)], constraints[(schema, table)])
            for schema, table, comment, is_view in reply["tables"]
            if not wanted or schema in wanted
        ),
    )


def _by_place(rows: list[list[Any]]) -> defaultdict[Place, list[list[Any]]]:
    found: defaultdict[Place, list[list[Any]]] = defaultdict(list)
    for schema, table, *rest in rows:
        found[(schema, table)].append(rest)
    return found


def _table(
    place: Place, comment: str | None, is_view: bool, columns: list[list[Any]], constraints: list[list[Any]]
) -> TableDescription:
    keys = [(kind, tuple(names)) for kind, names, *_ in constraints]
    return TableDescription(
        schema=place[0],
        name=place[1],
        is_view=is_view,
        comment=comment or "",
        columns=tuple(
            ColumnDescription(name=c, type=kind, nullable=bool(null), comment=told or "", values=_members(kind))
            for c, kind, null, told in columns
        ),
        primary_key=next((names for kind, names in keys if kind == "PRIMARY KEY"), ()),
        unique_keys=tuple(sorted({names for kind, names in keys if kind == "UNIQUE"})),
        foreign_keys=tuple(
            ForeignKey(
                columns=tuple(names),
                schema=_referenced_schema(text, place[0]),
                table=table,
                referenced=tuple(theirs),
            )
            for kind, names, text, theirs, table in constraints
            if kind == "FOREIGN KEY"
        ),
    )


def _referenced_schema(text: str, otherwise: str) -> str:
    """The schema in a constraint's text: the engine lists the referenced table without it."""
    try:
        tree = sqlglot.parse_one(f"CREATE TABLE t (c INTEGER, {text})", read="duckdb")
    except SqlglotError:
        return otherwise
    reference = tree.find(exp.Reference)
    table = reference.find(exp.Table) if reference else None
    return table.db if table is not None and table.db else otherwise


def _members(kind: str) -> tuple[str, ...]:
    """The members of an enumeration's type, in its order."""
    found = _ENUM.match(kind)
    return tuple(m.replace("''", "'") for m in _MEMBER.findall(found.group(1))) if found else ()
