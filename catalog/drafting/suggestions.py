"""What a draft asks its owner: joins that only names speak for, bridges, times and balances."""

from __future__ import annotations

from collections import defaultdict

from catalog.drafting.joins import Joined, accept_join, expression
from catalog.drafting.plan import PlannedColumn, PlannedTable
from catalog.drafting.types import ColumnKind, Suggestion, SuggestionKind
from catalog.types import Bridge

MAX_CANDIDATES = 5
_KINDS = {ColumnKind.INTEGER, ColumnKind.TEXT, ColumnKind.UUID}
_KEY_WORDS = ("id", "key", "code", "uuid", "no")
Key = tuple[PlannedTable, PlannedColumn]
"""A table and the column that identifies its rows, by constraint or by name."""


def joins_by_name(tables: tuple[PlannedTable, ...], joined: Joined) -> tuple[Suggestion, ...]:
    """Columns that are called as a key of another table is, and hold the same kind of value.

    A name is no promise that each value is there once: none of these is joined by itself.
    """
    keys = _keys(tables)
    found: list[Suggestion] = []
    for table in tables:
        own = {c.column.name for c, _ in _key_columns(table)}
        for column in table.columns:
            if column.column.name in joined.leading.get(table.model, frozenset()) | own:
                continue
            candidates = [(t, c) for t, c in keys.get((column.words, column.kind), ()) if t is not table]
            if 1 <= len(candidates) <= MAX_CANDIDATES:
                found.append(_by_name(table, column, candidates))
    return tuple(found)


def _by_name(table: PlannedTable, column: PlannedColumn, candidates: list[Key]) -> Suggestion:
    names = " or ".join(f"{t.table.qualified}.{c.column.name}" for t, c in candidates)
    text = f"{table.table.qualified}.{column.column.name} may lead to {names}: the names say so, no constraint does."
    accept = _accepted(table, column, *candidates[0]) if len(candidates) == 1 else ""
    return Suggestion(kind=SuggestionKind.JOIN, model=table.model, text=text, accept=accept)


def _accepted(table: PlannedTable, column: PlannedColumn, target: PlannedTable, key: PlannedColumn) -> str:
    lead = accept_join(table, target, (column.column.name,))
    if target.key:
        return lead
    first = f"{{name: {target.entity}, type: primary, expr: {expression(key.column.name)}}}"
    once = f"if no {key.column.name} stands in {target.table.qualified} twice"
    return f"{once}: in {target.model}, entities: {first}; {lead}"


def _keys(tables: tuple[PlannedTable, ...]) -> dict[tuple[tuple[str, ...], ColumnKind], list[Key]]:
    """Keys by what a column that leads to them would be called: `customer_id`, or the key's own name."""
    found: defaultdict[tuple[tuple[str, ...], ColumnKind], list[Key]] = defaultdict(list)
    for table in tables:
        for column, own in _key_columns(table):
            called = {(*table.thing, *column.words)} if column.words[:1] != table.thing[:1] else set()
            if own and (len(column.words) > 1 or column.words[0] not in _KEY_WORDS):
                called.add(column.words)
            for words in sorted(called):
                found[(words, column.kind)].append((table, column))
    return found


def _key_columns(table: PlannedTable) -> tuple[tuple[PlannedColumn, bool], ...]:
    """The declared key of one column; where none is declared, the column that is called after the table."""
    usable = tuple(c for c in table.columns if c.kind in _KINDS and c.words)
    if table.key:
        return tuple((c, True) for c in usable if table.key == (c.column.name,))
    thing = table.thing
    after = {(k,) for k in _KEY_WORDS} | {(*thing, k) for k in (*_KEY_WORDS, "name")} | {(f"{thing[0][:1]}id",)}
    return tuple((c, True) for c in usable if c.words in after)[:1]


def bridges(tables: tuple[PlannedTable, ...], joined: Joined) -> tuple[Suggestion, ...]:
    """Tables whose primary key is exactly two foreign keys: pairs that say which belong together."""
    found = []
    for table in tables:
        pair = _pair(table, joined, table.key)
        if pair is None:
            continue
        text = (
            f"{table.table.qualified} holds pairs of {pair[0]} and {pair[1]}. Declared as a bridge, either may be"
            " counted by the other, each once per group."
        )
        ways = (f"{{from_entity: {a}, to_entity: {b}, model: {table.model}}}" for a, b in (pair, pair[::-1]))
        accept = f"bridges: [{', '.join(ways)}]"
        found.append(Suggestion(kind=SuggestionKind.BRIDGE, model=table.model, text=text, accept=accept))
    return tuple(found)


def pure_pairs(tables: tuple[PlannedTable, ...], joined: Joined) -> tuple[Bridge, ...]:
    """Tables that hold nothing but two keys of other tables: what they say is which belong together, both ways."""
    found = ((t, _pair(t, joined, tuple(c.column.name for c in t.columns))) for t in tables)
    return tuple(
        Bridge(from_entity=here, to_entity=there, model=t.model)
        for t, pair in found
        if pair is not None
        for here, there in (pair, pair[::-1])
    )


def _pair(table: PlannedTable, joined: Joined, columns: tuple[str, ...]) -> tuple[str, str] | None:
    """The two entities to which exactly these columns lead."""
    parts = [(k, m) for k, m in joined.targets.get(table.model, ()) if set(k.columns) <= set(columns)]
    covered = [c for k, _ in parts for c in k.columns]
    if len(parts) != 2 or sorted(covered) != sorted(columns):
        return None
    first, second = (_entity_of(table, key.columns, joined) for key, _ in parts)
    return first, second


def _entity_of(table: PlannedTable, columns: tuple[str, ...], joined: Joined) -> str:
    written = {expression(c) for c in columns}
    held = (e for e in joined.entities[table.model] if set(e.columns()) == written and e.name != table.entity)
    return next(e.name for e in held)
