"""What may be named: the granted tables of a scope, keyed the way the engine compares names.

DuckDB compares names without case, quoted or not; PostgreSQL folds what is not
quoted.  Both fold ASCII only: a Kelvin sign is not a k.
"""

from __future__ import annotations

import string
from dataclasses import dataclass
from functools import lru_cache

from sqlglot import exp

from catalog.access import AccessScope, TableAccess
from dataagent.sqlguard.schema import Column, TableSchema

_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
DEFAULT_SCHEMAS = {"duckdb": "main", "postgres": "public"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """A granted table: where it stands, its permitted columns in the table's order, and how it is narrowed."""

    number: int
    schema: str
    table: str
    columns: tuple[Column, ...]
    all_columns: tuple[Column, ...]
    access: TableAccess

    @property
    def narrowed(self) -> bool:
        """Whether the principal sees less than the whole table."""
        return bool(self.dropped or self.access.row_filter or self.access.masks or self.access.minimum_group)

    @property
    def dropped(self) -> bool:
        """Whether columns are missing, so that positions differ from the table's."""
        return len(self.columns) < len(self.all_columns)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class World:
    """Everything that one principal's statement may name.  Compared by identity: `world_of` keeps it."""

    dialect: str
    catalog: str | None
    default_schema: str
    grants: dict[tuple[str, str], Grant]
    schema: dict[tuple[str, str], TableSchema]

    def key(self, identifier: exp.Expr | str) -> str:
        """How the engine compares this name."""
        if isinstance(identifier, str):
            return identifier.translate(_LOWER) if self.dialect == "duckdb" else identifier
        quoted = bool(identifier.args.get("quoted"))
        return identifier.name if quoted and self.dialect != "duckdb" else identifier.name.translate(_LOWER)

    def grant(self, table: exp.Table) -> Grant | None:
        """The grant behind a table reference; None alike for what is absent and what is not granted."""
        catalog, schema = table.args.get("catalog"), table.args.get("db")
        if catalog is not None and (self.catalog is None or self.key(catalog) != self.key(self.catalog)):
            return None
        place = self.key(schema) if schema is not None else self.key(self.default_schema)
        return self.grants.get((place, self.key(table.this)))


@lru_cache(maxsize=128)
def world_of(
    scope: AccessScope, schema: tuple[TableSchema, ...], dialect: str, catalog: str | None, default_schema: str | None
) -> World:
    """The world of a scope over a schema.  A granted table that the schema lacks does not exist."""
    world = World(
        dialect=dialect,
        catalog=catalog,
        default_schema=default_schema or DEFAULT_SCHEMAS[dialect],
        grants={},
        schema={},
    )
    granted = {access.table: access for access in scope.tables}
    for number, table in enumerate(schema):
        place, _, name = table.name.partition(".")
        key = (world.key(place), world.key(name))
        world.schema[key] = table
        access = granted.get(table.name)
        if access is None:
            continue
        columns = tuple(c for c in table.columns if c.name in access.columns)
        if columns:
            world.grants[key] = Grant(
                number=number,
                schema=place,
                table=name,
                columns=columns,
                all_columns=table.columns,
                access=access,
            )
    return world
