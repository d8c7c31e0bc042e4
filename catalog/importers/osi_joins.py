"""OSI relationships → entities: each joins many rows to one row along a declared key."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from catalog.importers.given import BadPart, Given, known, text_in, texts_of
from catalog.importers.osi_parts import TOOL, Dataset, called, carried_along
from catalog.types import Entity, EntityType, Extension

_RELATIONSHIP = "name from to from_columns to_columns ai_context custom_extensions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Relationship:
    """One relationship; `columns` meet the columns of the `key` of the dataset `to`, in that order."""

    name: str
    origin: str
    to: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    given: Given


@dataclass(slots=True)
class Joins:
    """The entities of each dataset, and what is carried along with relationships."""

    entities: defaultdict[str, list[Entity]] = field(default_factory=lambda: defaultdict(list))
    extensions: list[Extension] = field(default_factory=list)


def relationship_of(given: Given, datasets: Mapping[str, Dataset]) -> Relationship:
    """The relationship, its columns in the order of the key that they meet."""
    known(given, "relationship", _RELATIONSHIP)
    origin, to = text_in(given, "from"), text_in(given, "to")
    for name in (origin, to):
        if name not in datasets:
            raise BadPart(f"there is no dataset {name}")
    mine, other = texts_of(given.get("from_columns")), texts_of(given.get("to_columns"))
    if not mine or len(mine) != len(other):
        raise BadPart("from_columns and to_columns must be as many, and at least one")
    key = datasets[to].key_of(other)
    if key is None and (datasets[to].primary or datasets[to].unique):
        columns = ", ".join(other)
        raise BadPart(
            f"{columns} is no key of {to}, so rows could be counted twice; declare it there under unique_keys"
        )
    pairs = dict(zip(other, mine, strict=True))
    key = key or other
    return Relationship(
        name=text_in(given, "name") or f"{origin}_to_{to}",
        origin=origin,
        to=to,
        columns=tuple(pairs[c] for c in key),
        key=key,
        given=given,
    )


def joins_of(datasets: Mapping[str, Dataset], relationships: tuple[Relationship, ...]) -> Joins:
    """The entities of all datasets: their own keys, and the keys that they are joined by."""
    made = Joins()
    for dataset in datasets.values():
        made.entities[dataset.name].extend(_own_keys(dataset))
    roles = Counter((r.origin, r.to, r.key) for r in relationships)
    taken = {e.name for held in made.entities.values() for e in held}
    for relationship in relationships:
        has_role = roles[relationship.origin, relationship.to, relationship.key] > 1
        name = _entity(relationship, datasets[relationship.to], made, taken if has_role else None)
        kind = EntityType.FOREIGN
        if datasets[relationship.origin].key_of(relationship.columns) is not None:
            kind = EntityType.UNIQUE
        made.entities[relationship.origin].append(_of_columns(name, kind, relationship.columns))
        made.extensions.extend(_kept(relationship, name, datasets))
    return made


def _own_keys(dataset: Dataset) -> Iterator[Entity]:
    if dataset.primary:
        yield _of_columns(dataset.called, EntityType.PRIMARY, dataset.primary)
    for key in dataset.unique:
        yield _of_columns(key_name(dataset.called, key), EntityType.UNIQUE, key)


def key_name(dataset: str, key: tuple[str, ...]) -> str:
    """What a key besides the primary one is called."""
    return called(f"{dataset}_by_{'_'.join(key)}")


def _entity(relationship: Relationship, to: Dataset, made: Joins, taken: set[str] | None) -> str:
    """The entity that both ends share: the key's own, or one of the relationship's where several lead there."""
    if taken is not None:
        name = called(relationship.name)
        name = f"{name}_role" if name in taken else name
        taken.add(name)
        made.entities[to.name].append(_of_columns(name, EntityType.UNIQUE, relationship.key))
        return name
    held = next((e for e in made.entities[to.name] if e.columns() == relationship.key), None)
    if held is None:
        held = _of_columns(to.called, EntityType.UNIQUE, relationship.key)
        made.entities[to.name].append(held)
    return held.name


def _of_columns(name: str, kind: EntityType, columns: tuple[str, ...]) -> Entity:
    return Entity(name=name, type=kind, expr=columns[0], further=columns[1:])


def relationship_about(origin: str, entity: str, to: str) -> str:
    """How an extension says which relationship it belongs to."""
    return f"relationship.{origin}.{entity}.{to}"


def _kept(relationship: Relationship, entity: str, datasets: Mapping[str, Dataset]) -> Iterator[Extension]:
    origin, to = datasets[relationship.origin].called, datasets[relationship.to].called
    about = relationship_about(origin, entity, to)
    if relationship.name != default_name(origin, to):
        yield Extension(about=about, key=f"{TOOL}.name", text=relationship.name)
    given = relationship.given
    context = given.get("ai_context")
    yield from carried_along({**given, "ai_context": {"context": context} if context else None}, about, "relationship")


def default_name(origin: str, to: str) -> str:
    """What a relationship is called unless somebody says otherwise."""
    return f"{origin}_to_{to}"
