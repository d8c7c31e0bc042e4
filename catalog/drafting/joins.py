"""Entities from constraints, and from keys that the data showed: a name alone proves nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from catalog.drafting.names import FreeNames, catalog_name, words_of
from catalog.drafting.plan import PlannedTable
from catalog.drafting.types import ForeignKey, Suggestion, SuggestionKind
from catalog.expressions import is_plain_name
from catalog.types import Entity, EntityType

_SUFFIXES = {"id", "key", "code", "fk", "no", "uuid", "sk", "ref"}
Target = tuple[str, tuple[str, ...]]
"""A model and the columns of one of its keys, in the key's own order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """The entities of each model, the columns that only lead elsewhere, and what was not joined."""

    entities: dict[str, tuple[Entity, ...]]
    leading: dict[str, frozenset[str]]
    targets: dict[str, tuple[tuple[ForeignKey, str], ...]]
    suggestions: tuple[Suggestion, ...]


def expression(column: str) -> str:
    """The column as an expression of the catalog: bare where it is a plain name, quoted otherwise."""
    return column if is_plain_name(column) else '"' + column.replace('"', '""') + '"'


def joined(tables: tuple[PlannedTable, ...]) -> Joined:
    """Entities for keys and foreign keys.

    Two foreign keys of a table to one other table are two roles: each gets an entity of its
    own, which that other table holds too, so that both ways have a name.
    """
    return _Joining(tables).done()


class _Joining:
    def __init__(self, tables: tuple[PlannedTable, ...]) -> None:
        self._tables = tables
        self._by_place = {(t.table.schema, t.table.name): t for t in tables}
        self._names = FreeNames(t.entity for t in tables)
        self._of_key: dict[Target, str] = {}
        self._roles: dict[tuple[str, Target], str] = {}
        self._entities: dict[str, list[Entity]] = {}
        self._leading: defaultdict[str, set[str]] = defaultdict(set)
        self._targets: defaultdict[str, list[tuple[ForeignKey, str]]] = defaultdict(list)
        self._suggestions: list[Suggestion] = []

    def done(self) -> Joined:
        for table in self._tables:
            self._entities[table.model] = list(self._keys(table))
        for table in self._tables:
            for key in sorted(table.table.foreign_keys, key=lambda k: (k.columns, k.schema, k.table)):
                self._foreign(table, key)
        return Joined(
            entities={m: tuple(e) for m, e in self._entities.items()},
            leading={m: frozenset(c) for m, c in self._leading.items()},
            targets={m: tuple(t) for m, t in self._targets.items()},
            suggestions=tuple(self._suggestions),
        )

    def _keys(self, table: PlannedTable) -> Iterator[Entity]:
        if table.key:
            self._of_key[(table.model, table.key)] = table.entity
            yield _entity(table.entity, EntityType.PRIMARY, table.key, observed=table.table.key_observed)
        for columns in table.unique:
            words = (w for c in columns for w in words_of(c))
            name = self._names.take(catalog_name((table.entity, *words), "key"))
            self._of_key[(table.model, columns)] = name
            yield _entity(name, EntityType.UNIQUE, columns)

    def _foreign(self, table: PlannedTable, key: ForeignKey) -> None:
        target = self._by_place.get((key.schema, key.table))
        told = f"{table.table.qualified} ({', '.join(key.columns)}) leads to {key.schema}.{key.table}"
        if target is None:
            self._suggest(table, f"{told}, which is not part of this draft.")
            return
        held = self._held_key(target, key)
        if held is None:
            self._suggest(table, f"{told}, where no key of those columns is declared.")
        elif not key.enforced and not key.observed:
            self._suggest(table, f"{told}, but the engine has not checked older rows.", table, target, key)
        elif target is table:
            self._suggest(table, f"{told} itself. A hierarchy needs its owner's decision.")
        else:
            self._join(table, target, key, held)

    def _join(self, table: PlannedTable, target: PlannedTable, key: ForeignKey, held: tuple[str, ...]) -> None:
        pairs = dict(zip(key.referenced, key.columns, strict=True))
        columns = tuple(pairs[c] for c in held)
        name = self._name(table, target, key, held)
        mine = self._entities[table.model]
        if any(e.name == name for e in mine):
            self._suggest(table, f"{', '.join(key.columns)} is declared to lead to {target.table.qualified} twice.")
            return
        mine.append(_entity(name, EntityType.FOREIGN, columns, observed=key.observed))
        if key.observed:
            told = f"{table.table.qualified} ({', '.join(key.columns)}) leads to {target.table.qualified}"
            self._suggest(table, f"{told}: no constraint says so, the data did when this was drafted.")
        self._targets[table.model].append((key, target.model))
        if len(columns) == 1:
            self._leading[table.model].add(columns[0])

    def _name(self, table: PlannedTable, target: PlannedTable, key: ForeignKey, held: tuple[str, ...]) -> str:
        """The target's own entity, or that of a role where several keys of the table lead to the same target."""
        own = self._of_key[(target.model, held)]
        others = [k for k in table.table.foreign_keys if (k.schema, k.table) == (key.schema, key.table)]
        role = _role(key.columns)
        if len(others) == 1 or role == own:
            return own
        known = self._roles.get((role, (target.model, held)))
        if known is None:
            known = self._names.take(role, catalog_name((table.entity, role), "key"))
            self._roles[(role, (target.model, held))] = known
            self._entities[target.model].append(_entity(known, EntityType.UNIQUE, held))
        return known

    def _held_key(self, target: PlannedTable, key: ForeignKey) -> tuple[str, ...] | None:
        keys = ((target.key,) if target.key else ()) + target.unique
        return next((k for k in keys if set(k) == set(key.referenced)), None)

    def _suggest(self, about: PlannedTable, text: str, *ends: object) -> None:
        accept = ""
        if len(ends) == 3:
            table, target, key = ends
            accept = accept_join(table, target, key.columns)  # type: ignore[arg-type, attr-defined]
        self._suggestions.append(Suggestion(kind=SuggestionKind.JOIN, model=about.model, text=text, accept=accept))


def accept_join(table: PlannedTable, target: PlannedTable, columns: Iterable[str]) -> str:
    """What to add to the table's entities so that it leads to the target."""
    first, *further = (expression(c) for c in columns)
    more = f", further: [{', '.join(further)}]" if further else ""
    return f"in {table.model}, entities: {{name: {target.entity}, type: foreign, expr: {first}{more}}}"


def _entity(name: str, kind: EntityType, columns: tuple[str, ...], *, observed: bool = False) -> Entity:
    first, *further = (expression(c) for c in columns)
    return Entity(name=name, type=kind, expr=first, further=tuple(further), observed=observed)


def _role(columns: tuple[str, ...]) -> str:
    words = words_of(columns[0])
    return catalog_name(words[:-1] if len(words) > 1 and words[-1] in _SUFFIXES else words, "key")
