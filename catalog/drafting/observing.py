"""Keys that no constraint declares: what names suggest is looked up in the data, by counting and never by value.

A key is a column that is called as one and tells all rows apart without a gap; a column leads to a key where it is
called as that key is, and each of its values is one of the key.  What names leave open is not looked up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

from catalog.drafting.plan import PlannedColumn, PlannedTable, planned
from catalog.drafting.types import ColumnKind, ForeignKey, TableDescription, WarehouseDescription

_KINDS = {ColumnKind.INTEGER, ColumnKind.TEXT, ColumnKind.UUID}
_KEY_WORDS = frozenset({"id", "key", "code", "uuid"})
_SHORT = 4
"""Letters of a key such as `aid` or `did`."""


class Observer(Protocol):
    """Counts in the data.  Whatever cannot be counted, in time or at all, is no finding."""

    def tells_apart(self, table: TableDescription, column: str) -> bool:
        """Whether the column has a value in every row, each in one row only, and there are at least two."""

    def leads(self, table: TableDescription, column: str, target: TableDescription, key: str) -> bool:
        """Whether the column has values, and each is one of the key."""


def with_observed(description: WarehouseDescription, observer: Observer) -> WarehouseDescription:
    """The description with the keys, and the ways to them, that the data show where no constraint declares any."""
    tables, _ = planned(description)
    keyed = tuple(_with_key(t, tables, observer) for t in tables)
    led = {(t.schema, t.name): t for t in (_with_ways(t, keyed, observer) for t in keyed)}
    tables_now = tuple(led.get((t.schema, t.name), t) for t in description.tables)
    return replace(description, tables=tables_now, observed=True)


def _with_key(table: PlannedTable, tables: tuple[PlannedTable, ...], observer: Observer) -> PlannedTable:
    if table.key or table.table.is_view:
        return table
    found = next((c for c in _candidates(table, tables) if observer.tells_apart(table.table, c.column.name)), None)
    if found is None:
        return table
    key = (found.column.name,)
    return replace(table, key=key, table=replace(table.table, primary_key=key, key_observed=True))


def _candidates(table: PlannedTable, tables: tuple[PlannedTable, ...]) -> Iterator[PlannedColumn]:
    """Columns that are called as the key of this table, then those that other tables have by the same long name and
    that are called as the key of none."""
    usable = [c for c in table.columns if c.kind in _KINDS and c.words]
    yield from (c for c in usable if _is_named_after(c, table))
    others = tuple(t for t in tables if t is not table)
    shared = {(c.words, c.kind) for t in others for c in t.columns}
    for column in usable:
        named = any(_is_named_after(column, t) for t in (table, *others))
        if not named and _is_telling(column) and (column.words, column.kind) in shared:
            yield column


def _is_named_after(column: PlannedColumn, table: PlannedTable) -> bool:
    """ "id", "author_id", "author_name", "aid" in a table of authors."""
    words, thing = column.words, table.thing
    short = len(thing) == 1 and words == (f"{thing[0][:1]}id",)
    return (
        short
        or (len(words) == 1 and words[0] in _KEY_WORDS)
        or (words[: len(thing)] == thing and words[len(thing) :] in {(k,) for k in (*_KEY_WORDS, "name")})
    )


def _is_telling(column: PlannedColumn) -> bool:
    """Whether the name alone says which thing is meant: "city name", "restaurant id", "did"."""
    words = column.words
    return (len(words) > 1 and words[-1] in {*_KEY_WORDS, "name"}) or (
        len(words) == 1 and len(words[0]) <= _SHORT and words[0].endswith("id") and words[0] not in _KEY_WORDS
    )


def _with_ways(table: PlannedTable, tables: tuple[PlannedTable, ...], observer: Observer) -> TableDescription:
    known = {c for k in table.table.foreign_keys for c in k.columns}
    found = []
    for column in (c for c in table.columns if c.column.name not in known and c.kind in _KINDS and c.words):
        target = _target(column, table, tables)
        if target is None or not observer.leads(table.table, column.column.name, target.table, target.key[0]):
            continue
        found.append(
            ForeignKey(
                columns=(column.column.name,),
                schema=target.table.schema,
                table=target.table.name,
                referenced=target.key,
                enforced=False,
                observed=True,
            )
        )
    return replace(table.table, foreign_keys=(*table.table.foreign_keys, *found))


def _target(column: PlannedColumn, table: PlannedTable, tables: tuple[PlannedTable, ...]) -> PlannedTable | None:
    """The one table whose key the column is called as; of several, the one that the name is about."""
    fitting = [t for t in tables if t is not table and _is_called_as(column, t)]
    named = [t for t in fitting if column.words[: len(t.thing)] == t.thing or _is_named_after(column, t)]
    chosen = named or fitting
    own = table.key == (column.column.name,)
    if own and _is_named_after(column, table):
        return None
    return chosen[0] if len(chosen) == 1 else None


def _is_called_as(column: PlannedColumn, target: PlannedTable) -> bool:
    if len(target.key) != 1:
        return False
    key = target.column(target.key[0])
    if key.kind is not column.kind:
        return False
    return column.words == (*target.thing, *key.words) or (column.words == key.words and _is_telling(key))
