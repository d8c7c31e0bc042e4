"""OSI datasets as the importer sees them: keys, fields, and the names that they get in the catalog."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import sqlglot
from sqlglot.errors import SqlglotError

from catalog.importers.given import (
    BadPart,
    Given,
    carried,
    compact,
    items_of,
    known,
    map_in,
    maps_in,
    name_in,
    text_in,
)
from catalog.importers.yaml_source import Path_
from catalog.types import Dimension, DimensionType, Extension, SourceLocation, TimeGranularity

TOOL = "osi"
_DATASET = "name source primary_key unique_keys description ai_context fields custom_extensions"
_FIELD = "name expression dimension datatype label description ai_context custom_extensions"
_READ_AS = {"ANSI_SQL": "", "SNOWFLAKE": "snowflake", "DATABRICKS": "databricks"}
"""Dialects whose expressions can be turned into the catalog's own; the first that is given is read."""
_DATE_WORDS = frozenset({"date", "day", "dt", "ds", "time", "timestamp", "ts", "datetime", "at"})
_TYPES: Mapping[str, tuple[DimensionType, TimeGranularity | None]] = {
    "date": (DimensionType.TIME, TimeGranularity.DAY),
    "datetime": (DimensionType.TIME, TimeGranularity.SECOND),
    "datetimetz": (DimensionType.TIME, TimeGranularity.SECOND),
    "integer": (DimensionType.NUMBER, None),
    "decimal": (DimensionType.NUMBER, None),
    "float": (DimensionType.NUMBER, None),
    "boolean": (DimensionType.BOOLEAN, None),
    "string": (DimensionType.CATEGORICAL, None),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field: its expression in the catalog's dialect, and whether rows may be grouped by it."""

    name: str
    expr: str
    given: Given
    path: Path_

    @property
    def is_dimension(self) -> bool:
        """Whether the author marked it as one."""
        return isinstance(self.given.get("dimension"), dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """One dataset; `name` is its own, `called` the catalog's."""

    name: str
    called: str
    table: str
    database: str
    primary: tuple[str, ...]
    unique: tuple[tuple[str, ...], ...]
    fields: tuple[Field, ...]
    given: Given
    path: Path_

    def key_of(self, columns: tuple[str, ...]) -> tuple[str, ...] | None:
        """The declared key that these columns are, in its own order of columns, or None."""
        keys = (self.primary, *self.unique)
        return next((key for key in keys if key and set(key) == set(columns)), None)


def dataset_of(given: Given, path: Path_, dialect: str) -> Dataset:
    """The dataset with its fields."""
    known(given, "dataset", _DATASET)
    name = name_in(given)
    database, table = _table(text_in(given, "source"))
    fields = [field_of(field, (*path, "fields", i), dialect) for i, field in enumerate(maps_in(given, "fields"))]
    twice = next((f.name for f in fields if [g.name for g in fields].count(f.name) > 1), None)
    if twice is not None:
        raise BadPart(f"the field {twice} stands there twice")
    alike = next((f for i, f in enumerate(fields) if called(f.name) in {called(g.name) for g in fields[:i]}), None)
    if alike is not None:
        raise BadPart(f"the field {alike.name} would be called {called(alike.name)} like another one")
    primary = _key(given.get("primary_key") or [])
    keys = tuple(_key(key) for key in items_of(given.get("unique_keys")))
    return Dataset(
        name=name,
        called=called(name),
        table=table,
        database=database,
        primary=primary,
        unique=tuple(k for k in dict.fromkeys(keys) if k and set(k) != set(primary)),
        fields=tuple(fields),
        given=given,
        path=path,
    )


def _key(given: object) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(column, str) and column for column in given):
        raise BadPart("a key is a list of column names")
    return tuple(given)


def _table(source: str) -> tuple[str, str]:
    """The database (or nothing) and the rest of a qualified table name."""
    parts = [p.strip('"`[] ') for p in source.split(".")]
    if not source or not all(re.fullmatch(r"[^\s(),;]+", p) for p in parts) or len(parts) > 3:
        message = "its source is no table name; make a view of the query and name that"
        raise BadPart(message if source else "it names no source")
    return (parts[0], ".".join(parts[1:])) if len(parts) == 3 else ("", ".".join(parts))


def field_of(given: Given, path: Path_, dialect: str) -> Field:
    """The field with the expression that can be read."""
    known(given, "field", _FIELD)
    return Field(name=name_in(given), expr=expression_of(given, dialect), given=given, path=path)


def expression_of(given: Given, dialect: str) -> str:
    """The expression of a field or metric in the catalog's dialect."""
    choices: dict[str, str] = {}
    for held in _dialects(given):
        kind = text_in(held, "dialect") or "ANSI_SQL"
        if kind in choices:
            raise BadPart(f"the expression of {text_in(given, 'name')} is given in {kind} twice")
        choices[kind] = text_in(held, "expression")
    found = next((d for d in _READ_AS if choices.get(d)), None)
    if found is None:
        kinds = ", ".join(choices) or "no dialect"
        raise BadPart(f"the expression of {text_in(given, 'name')} is given in {kinds} only; add ANSI_SQL")
    if not _READ_AS[found]:
        return choices[found]
    try:
        return sqlglot.transpile(choices[found], read=_READ_AS[found], write=dialect)[0]
    except SqlglotError as bad:
        raise BadPart(f'"{choices[found]}" is not an expression') from bad


def _dialects(given: Given) -> Iterator[Given]:
    return maps_in(map_in(given, "expression"), "dialects")


def other_expressions(given: Given, about: str, read: str) -> Iterator[Extension]:
    """The expressions that were not read as they stand, each beside what was read when it was written."""
    for held in _dialects(given):
        dialect, text = text_in(held, "dialect") or "ANSI_SQL", text_in(held, "expression")
        if dialect != "ANSI_SQL" or text != read:
            kept = compact({"beside": read, "expression": text})
            yield Extension(about=about, key=f"{TOOL}.expression.{dialect}", text=kept)


def called(name: str) -> str:
    """The name in the catalog: letters, digits and single underscores, a letter first."""
    plain = re.sub(r"_{2,}", "_", re.sub(r"[^A-Za-z0-9_]", "_", name)).strip("_") or "unnamed"
    return plain if plain[0].isalpha() else f"x_{plain}"


def dimension_of(field: Field, keys: frozenset[str], source: SourceLocation) -> Dimension:
    """The field as a dimension.  `keys` are the columns that rows are joined by."""
    kind, grain = _kind(field, keys)
    return Dimension(
        name=called(field.name),
        type=kind,
        expr=field.expr,
        label=text_in(field.given, "label") or ("" if called(field.name) == field.name else field.name),
        description=text_in(field.given, "description"),
        synonyms=synonyms_in(field.given),
        granularity=grain,
        source=source,
    )


def _kind(field: Field, keys: frozenset[str]) -> tuple[DimensionType, TimeGranularity | None]:
    declared = _TYPES.get(text_in(field.given, "datatype").lower())
    if field.expr in keys:
        return DimensionType.ID, None
    if declared is not None:
        return declared
    words = set(re.split(r"[^a-z]+", field.name.lower()))
    if map_in(field.given, "dimension").get("is_time") is True and words & _DATE_WORDS:
        return DimensionType.TIME, TimeGranularity.DAY
    return DimensionType.CATEGORICAL, None


def synonyms_in(given: Given) -> tuple[str, ...]:
    """Other words for the thing, from `ai_context`; texts only."""
    return tuple(s for s in items_of(map_in(given, "ai_context").get("synonyms")) if isinstance(s, str))


def carried_along(given: Given, about: str, own_name: str, *keys: str) -> Iterator[Extension]:
    """What the catalog has no place for: instructions, vendors' data, a name that it cannot have."""
    context = given.get("ai_context")
    rest = {k: v for k, v in context.items() if k != "synonyms"} if isinstance(context, dict) else context
    yield from carried(about, TOOL, {"ai_context": rest}, ("ai_context",))
    yield from carried(about, TOOL, given, ("custom_extensions", *keys))
    if called(own_name) != own_name:
        yield Extension(about=about, key=f"{TOOL}.name", text=own_name)


def as_text(given: Given) -> str:
    """A whole part as JSON."""
    return compact(given)
