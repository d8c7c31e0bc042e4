"""What a column's engine type holds: names of DuckDB, PostgreSQL and of standard SQL."""

from __future__ import annotations

import re

from catalog.drafting.types import ColumnKind

_ARGUMENTS = re.compile(r"\(.*?\)")
_KINDS = {
    ColumnKind.INTEGER: (
        "tinyint smallint integer int bigint hugeint utinyint usmallint uinteger ubigint uhugeint int2 int4 int8"
        " serial bigserial smallserial"
    ),
    ColumnKind.NUMBER: "decimal numeric real double float float4 float8 number",
    ColumnKind.TEXT: "varchar text char character bpchar string citext name",
    ColumnKind.BOOLEAN: "boolean bool",
    ColumnKind.DATE: "date",
    ColumnKind.TIMESTAMP: "timestamp timestamptz datetime timestamp_s timestamp_ms timestamp_ns",
    ColumnKind.TIME: "time timetz",
    ColumnKind.UUID: "uuid",
}
_BY_WORD = {word: kind for kind, words in _KINDS.items() for word in words.split()}


def column_kind(type_name: str, *, is_enumeration: bool = False) -> ColumnKind:
    """The kind of an engine type; OTHER for lists, structures, binary data and what is not known."""
    if is_enumeration or type_name.upper().startswith("ENUM("):
        return ColumnKind.TEXT
    if "[" in type_name or type_name.upper().startswith(("STRUCT", "MAP", "UNION")):
        return ColumnKind.OTHER
    bare = _ARGUMENTS.sub("", type_name).strip().lower()
    return _BY_WORD.get(bare.split(" ", maxsplit=1)[0] if bare else "", ColumnKind.OTHER)
