"""A card as one scope may see it: what is hidden leaves no name behind."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from catalog.access import AccessScope
from contextcards.slots import table_named
from contextcards.types import ContextCard, Fact

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")


def known_tables(cards: Iterable[ContextCard]) -> frozenset[str]:
    """Every qualified table name that the cards are about or list."""
    names: set[str] = set()
    for card in cards:
        names.add(card.table)
        listed = (table_named(n) for n in (*card.upstreams, *card.downstreams, *card.similar_tables))
        names.update(n for n in listed if "." in n and " " not in n)
    return frozenset(names)


def visible_card(card: ContextCard, scope: AccessScope, tables: frozenset[str]) -> ContextCard | None:
    """The card without a hidden table's or column's name in it, or None when its table is not granted.

    `tables` are all names known in the workspace.  A sentence that names a hidden
    one is left out whole, so that neither the name nor a gap can be read.
    """
    access = scope.table(card.table)
    if access is None:
        return None
    whole = repr(card).lower()
    hidden = frozenset(name for name in hidden_names(card, scope, tables) if name in whole)

    def seen(items: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(item for item in items if not names_any(item, hidden))

    def text(value: str) -> str:
        return "" if names_any(value, hidden) else value

    def fact_seen(fact: Fact) -> bool:
        return not names_any(f"{fact.text} {fact.pointer}", hidden)

    return replace(
        card,
        purpose=text(card.purpose),
        grain=text(card.grain),
        population=text(card.population),
        filters_upstream="; ".join(seen(tuple(card.filters_upstream.split("; ")))),
        deduplication=text(card.deduplication),
        freshness=text(card.freshness),
        keys=seen(card.keys),
        upstreams=tuple(n for n in card.upstreams if scope.table(n) is not None),
        downstreams=tuple(n for n in card.downstreams if scope.table(n) is not None),
        similar_tables=tuple(n for n in seen(card.similar_tables) if scope.table(table_named(n)) is not None),
        safe_joins=seen(card.safe_joins),
        caveats=seen(card.caveats),
        columns=tuple(c for c in card.columns if c in access.columns),
        facts=tuple(f for f in card.facts if fact_seen(f)),
        conflicts=tuple(c for c in card.conflicts if fact_seen(c.kept) and fact_seen(c.other) and text(c.reason)),
    )


def hidden_names(card: ContextCard, scope: AccessScope, tables: frozenset[str]) -> frozenset[str]:
    """Lower-case names that this card must not say: tables and columns that the scope does not grant."""
    access = scope.table(card.table)
    granted = frozenset(t.table for t in scope.tables)
    granted_bare = {name.rsplit(".", maxsplit=1)[-1] for name in granted}
    hidden = set(tables - granted)
    hidden |= {bare for n in hidden if "_" in (bare := n.rsplit(".", maxsplit=1)[-1]) and bare not in granted_bare}
    columns = frozenset(card.columns) - (access.columns if access else frozenset())
    hidden |= {column for column in columns if "_" in column or column in card.keys}
    return frozenset(name.lower() for name in hidden)


def names_any(text: str, names: frozenset[str]) -> bool:
    """Whether the text has one of the names as a whole word, dotted or not, in any case."""
    lower = text.lower()
    if not any(name in lower for name in names):
        return False
    for match in NAME.finditer(lower):
        word = match.group()
        parts = word.split(".")
        if word in names or any(part in names for part in parts) or ".".join(parts[:2]) in names:
            return True
    return False
