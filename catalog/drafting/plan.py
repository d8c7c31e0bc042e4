"""Each described table with its words, its names in the catalog and what its constraints say, in a fixed order."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import takewhile

from catalog.drafting.kinds import column_kind
from catalog.drafting.names import FreeNames, catalog_name, thing_words, words_of
from catalog.drafting.types import (
    ColumnDescription,
    ColumnKind,
    Suggestion,
    SuggestionKind,
    TableDescription,
    WarehouseDescription,
)

_FEW = 3
_ABBREVIATED = 4
"""A word of at most so many letters before the names of all tables is no word of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedColumn:
    """A column with its words and the kind of its type; `whole` are its words with the table's mark, if it has one."""

    column: ColumnDescription
    words: tuple[str, ...]
    whole: tuple[str, ...]
    kind: ColumnKind


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTable:
    """A table that becomes a semantic model.

    `thing` are the words for what a row is, `entity` its name; `key` are the columns that
    identify a row by constraint, `unique` the further keys.
    """

    table: TableDescription
    model: str
    entity: str
    thing: tuple[str, ...]
    key: tuple[str, ...]
    unique: tuple[tuple[str, ...], ...]
    columns: tuple[PlannedColumn, ...]

    def column(self, name: str) -> PlannedColumn:
        """The column of that name."""
        return next(c for c in self.columns if c.column.name == name)


def planned(description: WarehouseDescription) -> tuple[tuple[PlannedTable, ...], tuple[Suggestion, ...]]:
    """The tables by their names in the catalog, and those that cannot be drafted with the reason."""
    tables = sorted(description.tables, key=lambda t: (t.schema, t.name))
    usable = tuple(t for t in tables if "." not in t.schema + t.name and t.columns)
    left_out = tuple(
        Suggestion(kind=SuggestionKind.LEFT_OUT, model="", text=f"{t.qualified} is left out: {_why_not(t)}.")
        for t in tables
        if t not in usable
    )
    seen = Counter(catalog_name(_table_words(t), "table") for t in usable)
    mark = shared_beginning(tuple(_table_words(t) for t in usable))
    marked = len(mark) if all(len(w) <= _ABBREVIATED for w in mark) else 0
    things = Counter(catalog_name(thing_words(_table_words(t)[marked:]), "row") for t in usable)
    models, entities = FreeNames(), FreeNames()
    found = (_planned(t, seen, things, (models, entities), marked=marked) for t in usable)
    return tuple(sorted(found, key=lambda t: t.model)), left_out


def _why_not(table: TableDescription) -> str:
    return "it has no columns that may be read" if table.columns == () else "its name holds a dot"


def _table_words(table: TableDescription) -> tuple[str, ...]:
    return words_of(table.written or table.name)


def _column_words(table: TableDescription, thing: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The words of each column, without a mark that all of them begin with and that is not the thing's own name."""
    words = {c.name: words_of(c.written or c.name) for c in table.columns}
    mark = tuple(takewhile(lambda w: w not in thing, shared_beginning(tuple(words.values()))))
    return {name: found[len(mark) :] for name, found in words.items()}


def shared_beginning(names: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    """The words that at least three names all begin with; each name keeps a word of its own, or there are none."""
    if len(names) < _FEW or min(map(len, names)) < 2:
        return ()
    shared: list[str] = []
    for place in zip(*(name[:-1] for name in names), strict=False):
        if len(set(place)) > 1:
            break
        shared.append(place[0])
    kept = (name[len(shared) :] for name in names)
    return () if any(not any(letter.isalpha() for word in name for letter in word) for name in kept) else tuple(shared)


def _planned(
    table: TableDescription,
    seen: Counter[str],
    things: Counter[str],
    free: tuple[FreeNames, FreeNames],
    *,
    marked: int,
) -> PlannedTable:
    words, place = _table_words(table), words_of(table.schema)
    thing = thing_words(words[marked:])
    bare, row = catalog_name(words, "table"), catalog_name(thing, "row")
    placed = catalog_name((*place, *words), "table")
    placed_row = catalog_name((*place, *thing), "row")
    model = free[0].take(bare) if seen[bare] == 1 else free[0].take(placed)
    entity = free[1].take(row) if things[row] == 1 else free[1].take(bare if seen[bare] == 1 else placed_row)
    key = table.primary_key or _not_null_key(table)
    said = _column_words(table, thing)
    return PlannedTable(
        table=table,
        model=model,
        entity=entity,
        thing=thing or (row,),
        key=key,
        unique=tuple(sorted(k for k in table.unique_keys if set(k) != set(key))),
        columns=tuple(
            PlannedColumn(
                column=c,
                words=said[c.name],
                whole=words_of(c.written or c.name),
                kind=column_kind(c.type, is_enumeration=bool(c.values)),
            )
            for c in table.columns
        ),
    )


def _not_null_key(table: TableDescription) -> tuple[str, ...]:
    """The shortest unique key whose columns always have a value: it identifies a row as a primary key does."""
    always = {c.name for c in table.columns if not c.nullable}
    return min((k for k in table.unique_keys if set(k) <= always), key=lambda k: (len(k), k), default=())
