"""A card as one scope may see it: what is hidden leaves no name behind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from catalog.access import AccessScope
from contextcards.slots import table_named
from contextcards.types import Conflict, ContextCard, Fact

HIDDEN_POINTER = "the pipeline's code"
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")


def known_names(cards: Iterable[ContextCard]) -> frozenset[str]:
    """Every name that the cards are about or list: tables as `schema.table`, columns as `schema.table.column`."""
    names: set[str] = set()
    for card in cards:
        names.add(card.table)
        names.update(f"{card.table}.{column}" for column in card.columns)
        listed = (table_named(n) for n in (*card.upstreams, *card.downstreams, *card.similar_tables))
        names.update(n for n in listed if n.count(".") == 1 and " " not in n)
    return frozenset(names)


def visible_card(card: ContextCard, scope: AccessScope, known: frozenset[str]) -> ContextCard | None:
    """The card without a hidden table's or column's name in it, or None when its table is not granted.

    `known` are all names of the workspace's cards.  A sentence that names a hidden
    one is left out whole, so that neither the name nor a gap can be read; a fact
    whose file is named like a hidden table keeps its text and loses its pointer.
    """
    access = scope.table(card.table)
    if access is None:
        return None
    whole = repr(card).lower()
    hidden = frozenset(name for name in hidden_names(card, scope, known) if name in whole)

    def seen(items: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(item for item in items if not names_any(item, hidden))

    def text(value: str) -> str:
        return "" if names_any(value, hidden) else value

    def facts(items: Iterable[Fact]) -> Iterator[Fact]:
        for fact in items:
            if not names_any(fact.text, hidden):
                yield replace(fact, pointer=HIDDEN_POINTER) if names_any(fact.pointer, hidden) else fact

    def conflicts() -> Iterator[Conflict]:
        for conflict in card.conflicts:
            sides = tuple(facts((conflict.kept, conflict.other)))
            if len(sides) == 2 and text(conflict.reason):
                yield replace(conflict, kept=sides[0], other=sides[1])

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
        columns=seen(card.columns),
        facts=tuple(facts(card.facts)),
        conflicts=tuple(conflicts()),
    )


def hidden_names(card: ContextCard, scope: AccessScope, known: frozenset[str]) -> frozenset[str]:
    """Lower-case names that this card must not say: tables and columns that the scope does not grant.

    Without its schema a table's name counts only where it cannot be an ordinary word;
    so does another table's column, unless some granted table has one of that name.
    """
    granted = {t.table.lower(): {c.lower() for c in t.columns} for t in scope.tables}
    own_words = {name.rsplit(".", maxsplit=1)[-1] for name in granted}.union(*granted.values())
    hidden: set[str] = set()
    for name in (n.lower() for n in known):
        table, last = (name, "") if name.count(".") == 1 else name.rsplit(".", maxsplit=1)
        if table not in granted or (last and last not in granted[table]):
            hidden.add(name)
            bare = last or table.rsplit(".", maxsplit=1)[-1]
            if table == card.table.lower() or ("_" in bare and bare not in own_words):
                hidden.add(bare)
    return frozenset(hidden)


def names_any(text: str, names: frozenset[str]) -> bool:
    """Whether the text has one of the names as a whole word, dotted or not, in any case."""
    lower = text.lower()
    if not any(name in lower for name in names):
        return False
    for match in NAME.finditer(lower):
        word = match.group()
        parts = word.split(".")
        starts = (".".join(parts[:n]) for n in range(2, len(parts) + 1))
        if any(part in names for part in (*parts, *starts)):
            return True
    return False
