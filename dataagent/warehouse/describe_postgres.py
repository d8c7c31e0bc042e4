"""What a PostgreSQL database says about its tables: names, types, keys and comments from its catalogs, never rows."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from psycopg import Error

from catalog.drafting.types import ColumnDescription, ForeignKey, TableDescription, WarehouseDescription
from dataagent.warehouse.port import WarehouseFault
from dataagent.warehouse.postgres_link import Address, Link, Session, read_only
from dataagent.warehouse.process import fault

_TIMEOUT_S = 60.0
_TABLES = """
SELECT c.oid, n.nspname, c.relname, c.relkind IN ('v', 'm'), obj_description(c.oid, 'pg_class')
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f') AND NOT c.relispartition
  AND left(n.nspname, 3) <> 'pg_' AND n.nspname <> 'information_schema' AND has_schema_privilege(n.oid, 'USAGE')
  AND (cardinality($1::text[]) = 0 OR n.nspname = ANY ($1::text[]))
ORDER BY 2, 3
"""
_COLUMNS = """
SELECT a.attrelid, a.attname, format_type(COALESCE(NULLIF(t.typbasetype, 0), a.atttypid), NULL), NOT a.attnotnull,
  col_description(a.attrelid, a.attnum),
  (SELECT array_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_catalog.pg_enum e
   WHERE e.enumtypid = COALESCE(NULLIF(t.typbasetype, 0), a.atttypid))
FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
WHERE a.attrelid = ANY ($1::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
  AND has_column_privilege(a.attrelid, a.attnum, 'SELECT')
ORDER BY a.attrelid, a.attnum
"""
_KEYS = """
SELECT i.indrelid, i.indisprimary,
  (SELECT array_agg(a.attname ORDER BY k.place) FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k(number, place)
   JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number WHERE k.place <= i.indnkeyatts)
FROM pg_catalog.pg_index i
WHERE i.indrelid = ANY ($1::oid[]) AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
"""
_FOREIGN = """
SELECT k.conrelid, n.nspname, c.relname, k.convalidated,
  (SELECT array_agg(a.attname ORDER BY p.place) FROM unnest(k.conkey) WITH ORDINALITY AS p(number, place)
   JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = p.number),
  (SELECT array_agg(a.attname ORDER BY p.place) FROM unnest(k.confkey) WITH ORDINALITY AS p(number, place)
   JOIN pg_catalog.pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = p.number)
FROM pg_catalog.pg_constraint k
JOIN pg_catalog.pg_class c ON c.oid = k.confrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE k.contype = 'f' AND k.conrelid = ANY ($1::oid[])
"""
Rows = list[tuple[Any, ...]]


def describe_postgres(url: str, schemas: tuple[str, ...] = ()) -> WarehouseDescription:
    """The tables and views that the login may read, of the named schemas or of all.

    Only the engine's own catalogs are read, so any login will do.  Raises: WarehouseFault.
    """
    return describe_at(Address.of(url), schemas)


def describe_at(address: Address, schemas: tuple[str, ...] = ()) -> WarehouseDescription:
    """The same of an address that is known already.  Raises: WarehouseFault."""
    try:
        link = Link(address)
    except (Error, OSError):
        raise fault("unreachable") from None
    try:
        with link.limited(_TIMEOUT_S), read_only(link, Session(timeout_s=_TIMEOUT_S)):
            return _described(link, list(schemas), address.database)
    except Error as error:
        raise WarehouseFault(link.code_of(error), "The warehouse did not tell its tables.") from None
    finally:
        link.close()


def _described(link: Link, schemas: list[str], name: str) -> WarehouseDescription:
    cursor = link.cursor()
    tables: Rows = cursor.execute(_TABLES, [schemas]).fetchall()
    ids = [row[0] for row in tables]
    columns, keys, foreign = (_by_table(cursor.execute(q, [ids]).fetchall()) for q in (_COLUMNS, _KEYS, _FOREIGN))
    return WarehouseDescription(
        name=name,
        dialect="postgres",
        tables=tuple(_table(row, columns[row[0]], keys[row[0]], foreign[row[0]]) for row in tables),
    )


def _by_table(rows: Rows) -> defaultdict[int, Rows]:
    found: defaultdict[int, Rows] = defaultdict(list)
    for table, *rest in rows:
        found[table].append(tuple(rest))
    return found


def _table(row: tuple[Any, ...], columns: Rows, keys: Rows, foreign: Rows) -> TableDescription:
    _, schema, name, is_view, comment = row
    readable = {c[0] for c in columns}
    held = [(primary, tuple(key)) for primary, key in keys if set(key) <= readable]
    return TableDescription(
        schema=schema,
        name=name,
        is_view=is_view,
        comment=comment or "",
        columns=tuple(
            ColumnDescription(name=c, type=kind, nullable=null, comment=told or "", values=tuple(values or ()))
            for c, kind, null, told, values in columns
        ),
        primary_key=next((key for primary, key in held if primary), ()),
        unique_keys=tuple(sorted({key for primary, key in held if not primary})),
        foreign_keys=tuple(
            ForeignKey(columns=tuple(own), schema=place, table=table, referenced=tuple(theirs), enforced=checked)
            for place, table, checked, own, theirs in foreign
            if set(own) <= readable
        ),
    )
