"""Reading cards."""

from __future__ import annotations

from catalog.access import AccessScope
from contextcards import store
from contextcards.candidates import twins_of
from contextcards.types import CardVersionNote, ContextCard
from contextcards.visible import known_names, visible_card


def cards(workspace_id: int, scope: AccessScope) -> tuple[ContextCard, ...]:
    """The current cards of the tables that the scope grants, by table name."""
    found = store.current_cards(workspace_id)
    tables = known_names(found)
    seen = (visible_card(c, scope, tables) for c in found)
    return tuple(c for c in seen if c is not None)


def cards_near(workspace_id: int, scope: AccessScope, tables: tuple[str, ...]) -> tuple[ContextCard, ...]:
    """The granted cards of these tables and of the tables that look like them."""
    found = store.current_cards(workspace_id)
    names = known_names(found)
    near = twins_of(tables, found) | set(tables)
    seen = (visible_card(c, scope, names) for c in found if c.table in near)
    return tuple(c for c in seen if c is not None)


def card(workspace_id: int, table: str, scope: AccessScope, version: int | None = None) -> ContextCard | None:
    """One version of a table's card (the current one by default); None for a hidden table as for an absent one."""
    if scope.table(table) is None:
        return None
    found = store.card_at(workspace_id, table, version)
    if found is None:
        return None
    return visible_card(found, scope, known_names((*store.current_cards(workspace_id), found)))


def versions(workspace_id: int, table: str, scope: AccessScope) -> tuple[CardVersionNote, ...]:
    """The history of a table's card, newest first; empty for a hidden table as for an absent one."""
    return store.history(workspace_id, table) if scope.table(table) is not None else ()
