"""Dimensions by type and by the conventions of names; what may tell about a person is marked and never indexed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from catalog.drafting.conventions import Role, as_text, is_label, is_personal, role_of
from catalog.drafting.joins import Joined, expression
from catalog.drafting.names import FreeNames, catalog_name, label
from catalog.drafting.plan import PlannedColumn, PlannedTable
from catalog.drafting.synonyms import column_synonyms
from catalog.drafting.types import ColumnKind
from catalog.types import Dimension, DimensionType, EntityInfo, TimeGranularity

_TYPES = {
    Role.AMOUNT: DimensionType.NUMBER,
    Role.AVERAGE_ONLY: DimensionType.NUMBER,
    Role.BALANCE: DimensionType.NUMBER,
    Role.NUMBER: DimensionType.NUMBER,
    Role.CATEGORY: DimensionType.CATEGORICAL,
    Role.FREE_TEXT: DimensionType.TEXT,
    Role.IDENTIFIER: DimensionType.ID,
    Role.YES_NO: DimensionType.BOOLEAN,
    Role.TIME: DimensionType.TIME,
}
_INDEXED = {DimensionType.CATEGORICAL, DimensionType.BOOLEAN}


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftedColumn:
    """A column with the dimension that was drafted from it."""

    planned: PlannedColumn
    dimension: Dimension


def drafted_columns(
    tables: tuple[PlannedTable, ...], joined: Joined, names: FreeNames
) -> dict[str, tuple[DraftedColumn, ...]]:
    """The dimensions of each model, in the order of its columns.

    A name that stands in several tables is said with what a row is: `customer_city`.  A
    column that only leads to another table has no dimension: that table's key stands for it.
    """
    often = Counter(w for t in tables for c in _grouping(t, joined) for w in {c.words, _owned(t, c.words)})
    return {
        t.model: tuple(
            DraftedColumn(planned=c, dimension=_dimension(t, c, names, often=often)) for c in _grouping(t, joined)
        )
        for t in tables
    }


def _grouping(table: PlannedTable, joined: Joined) -> tuple[PlannedColumn, ...]:
    leading = joined.leading.get(table.model, frozenset())
    own = {c for c in table.key if len(table.key) == 1}
    return tuple(
        c
        for c in table.columns
        if role_of(c.words, c.kind) is not Role.UNUSED and (c.column.name not in leading or c.column.name in own)
    )


def _dimension(
    table: PlannedTable, column: PlannedColumn, names: FreeNames, *, often: Counter[tuple[str, ...]]
) -> Dimension:
    bare = column.words
    owned = _owned(table, bare)
    words = bare if often[bare] == 1 and len("".join(bare)) > 2 else owned
    is_key = table.key == (column.column.name,) and not is_label(bare, table.thing)
    kind = DimensionType.ID if is_key else _TYPES[role_of(bare, column.kind)]
    personal = any(is_personal(w, table.thing, column.kind) for w in {bare, column.whole})
    return Dimension(
        name=names.take(*(catalog_name(w, "column") for w in (words, owned, (*table.thing, *bare)))),
        synonyms=() if personal else column_synonyms(table, column, words),
        type=kind,
        expr=expression(column.column.name),
        label=label(words, column.column.name),
        description=as_text(column.column.comment),
        values=() if personal else column.column.values,
        granularity=_granularity(column.kind) if kind is DimensionType.TIME else None,
        pii=personal,
        indexable=kind in _INDEXED and not personal,
    )


def _owned(table: PlannedTable, words: tuple[str, ...]) -> tuple[str, ...]:
    """The words with what a row is before them, where they do not begin with it anyway."""
    return words if words[: len(table.thing)] == table.thing else (*table.thing, *words)


def _granularity(kind: ColumnKind) -> TimeGranularity:
    return TimeGranularity.DAY if kind is ColumnKind.DATE else TimeGranularity.SECOND


def entity_info(table: PlannedTable, columns: tuple[DraftedColumn, ...], time: str | None) -> EntityInfo:
    """How people may speak of a row: its key, what names it and when it happened."""
    key = next((c.dimension.name for c in columns if table.key == (c.planned.column.name,)), None)
    named = (c.dimension.name for c in columns if is_label(c.planned.words, table.thing))
    return EntityInfo(
        name=table.entity,
        key_dimension=key,
        label_dimension=next(named, None),
        time_dimension=time,
        synonyms=(),
    )
