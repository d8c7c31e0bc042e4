"""What a draft asks its owner: joins that only names speak for, bridges, times and balances."""

from __future__ import annotations

from collections import defaultdict

from catalog.drafting.joins import Joined, accept_join, expression
from catalog.drafting.plan import PlannedColumn, PlannedTable
from catalog.drafting.types import ColumnKind, Suggestion, SuggestionKind

MAX_CANDIDATES = 5
_KINDS = {ColumnKind.INTEGER, ColumnKind.TEXT, ColumnKind.UUID}
_KEY_WORDS = ("id", "key", "code", "uuid", "no")


def joins_by_name(tables: tuple[PlannedTable, ...], joined: Joined) -> tuple[Suggestion, ...]:
    """Columns that are called as a key of another table is, and hold the same kind of value.

    A name is no promise that each value is there once: none of these is joined by itself.
    """
    keys = _keys(tables)
    found: list[Suggestion] = []
    for table in tables:
        for column in table.columns:
            if column.column.name in joined.leading.get(table.model, ()) or table.key == (column.column.name,):
                continue
            candidates = [t for t in keys.get((column.words, column.kind), ()) if t is not table]
            if 1 <= len(candidates) <= MAX_CANDIDATES:
                found.append(_by_name(table, column, candidates))
    return tuple(found)


def _by_name(table: PlannedTable, column: PlannedColumn, candidates: list[PlannedTable]) -> Suggestion:
    names = " or ".join(t.table.qualified for t in candidates)
    text = f"{table.table.qualified}.{column.column.name} may lead to {names}: the names say so, no constraint does."
    only = candidates[0]
    accept = accept_join(table, only, (column.column.name,)) if len(candidates) == 1 and only.key else ""
    return Suggestion(kind=SuggestionKind.JOIN, model=table.model, text=text, accept=accept)


def _keys(tables: tuple[PlannedTable, ...]) -> dict[tuple[tuple[str, ...], ColumnKind], list[PlannedTable]]:
    """Tables by what a column that leads to them would be called: `customer_id`, or the key's own name."""
    found: defaultdict[tuple[tuple[str, ...], ColumnKind], list[PlannedTable]] = defaultdict(list)
    for table in tables:
        for column in _key_columns(table):
            called = {(*table.thing, *column.words)} if column.words[:1] != table.thing[:1] else set()
            if len(column.words) > 1 or column.words[0] not in _KEY_WORDS:
                called.add(column.words)
            for words in sorted(called):
                found[(words, column.kind)].append(table)
    return found


def _key_columns(table: PlannedTable) -> tuple[PlannedColumn, ...]:
    """The declared key of one column; where none is declared, the first column if it looks like one."""
    if table.key:
        return tuple(c for c in table.columns if table.key == (c.column.name,) and c.kind in _KINDS and c.words)
    first = table.columns[0]
    looks = bool(first.words) and (first.words[-1] in _KEY_WORDS or first.words[-1].endswith("id"))
    own = first.words in {(*table.thing, "name"), *((*table.thing, k) for k in _KEY_WORDS)}
    return (first,) if (looks or own) and first.kind in _KINDS else ()


def bridges(tables: tuple[PlannedTable, ...], joined: Joined) -> tuple[Suggestion, ...]:
    """Tables whose primary key is exactly two foreign keys: pairs that say which belong together."""
    found = []
    for table in tables:
        parts = [(k, m) for k, m in joined.targets.get(table.model, ()) if set(k.columns) <= set(table.key)]
        covered = [c for k, _ in parts for c in k.columns]
        if len(parts) != 2 or sorted(covered) != sorted(table.key):
            continue
        names = [_entity_of(table, key.columns, joined) for key, _ in parts]
        text = (
            f"{table.table.qualified} holds pairs of {names[0]} and {names[1]}. Declared as a bridge, either may be"
            " counted by the other, each once per group."
        )
        accept = f"bridges: {{from_entity: {names[0]}, to_entity: {names[1]}, model: {table.model}}}"
        found.append(Suggestion(kind=SuggestionKind.BRIDGE, model=table.model, text=text, accept=accept))
    return tuple(found)


def _entity_of(table: PlannedTable, columns: tuple[str, ...], joined: Joined) -> str:
    written = {expression(c) for c in columns}
    held = (e for e in joined.entities[table.model] if set(e.columns()) == written and e.name != table.entity)
    return next(e.name for e in held)
