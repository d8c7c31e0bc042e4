"""What a format could not carry: every field of every object that comes back different, or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from catalog.content import Json, encode
from catalog.types import CatalogSnapshot

_KINDS = {
    "models": "semantic model",
    "metrics": "metric",
    "entities": "entity",
    "bridges": "bridge",
    "events": "event",
    "ambiguous_terms": "ambiguous term",
    "term_defaults": "term default",
    "adjectives": "adjective",
    "freshness": "freshness contract",
    "lineage": "lineage",
    "time_spines": "time spine",
    "saved_queries": "saved query",
    "extensions": "extension",
}
_INNER = {"dimensions": "dimension", "measures": "measure", "entities": "key"}
_NAMES = ("name", "term", "word", "model", "table", "about")
"""What tells one object from another: the first of these that it has, with an extension's key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """A field that a file could not carry: where it stands, and what is missing in a sentence."""

    file: str
    object: str
    field: str
    message: str


def losses_between(before: CatalogSnapshot, after: CatalogSnapshot, *, file: str, reader: str) -> tuple[Loss, ...]:
    """What `after` lacks of `before`, in the order of the catalog.  `reader` is who will not see it."""
    mine, theirs = encode(before), encode(after)
    if not isinstance(mine, dict) or not isinstance(theirs, dict):
        return ()
    found: list[Loss] = []
    for key in {**mine, **theirs}:
        held, other = mine.get(key), theirs.get(key)
        if held == other:
            continue
        if key in _KINDS:
            found.extend(_of_items(_KINDS[key], _items(held), _items(other), file, reader))
        else:
            found.append(_loss(file, "catalog", key, reader))
    return tuple(found)


def _items(held: Json) -> list[Json]:
    return held if isinstance(held, list) else []


def _of_items(kind: str, mine: list[Json], theirs: list[Json], file: str, reader: str) -> Iterator[Loss]:
    known = {_name(item): item for item in theirs}
    if all(item in theirs for item in mine):
        message = f"{reader} sees another order of each {kind}, or one more."
        yield Loss(file=file, object=f"each {kind}", field="order", message=message)
    for item in mine:
        name = _name(item)
        if item in theirs:
            continue
        other = known.get(name)
        if not isinstance(item, dict) or not isinstance(other, dict):
            yield Loss(file=file, object=f"{kind} {name}", field="", message=_absent(kind, name, reader))
            continue
        yield from _of_fields(f"{kind} {name}", item, other, file, reader)


def _of_fields(label: str, item: dict[str, Json], other: dict[str, Json], file: str, reader: str) -> Iterator[Loss]:
    for key, held in item.items():
        theirs = other.get(key)
        if held == theirs:
            continue
        if isinstance(held, list) and key in _INNER:
            inner = _of_items(_INNER[key], held, _items(theirs), file, reader)
            yield from (_within(label, loss) for loss in inner)
        else:
            yield _loss(file, label, key, reader)
    for key in other:
        if key not in item:
            yield _loss(file, label, key, reader)


def _within(label: str, loss: Loss) -> Loss:
    return Loss(file=loss.file, object=f"{loss.object} of {label}", field=loss.field, message=loss.message)


def _name(item: Json) -> str:
    if isinstance(item, list):
        return str(item[0]) if item else ""
    if not isinstance(item, dict):
        return str(item)
    found = next((str(item[key]) for key in _NAMES if key in item), str(item))
    return f"{found} {item['key']}" if "about" in item else found


def _loss(file: str, label: str, key: str, reader: str) -> Loss:
    message = f"{reader} does not see {key.replace('_', ' ')} of {label} as it is."
    return Loss(file=file, object=label, field=key, message=message)


def _absent(kind: str, name: str, reader: str) -> str:
    return f"{reader} does not see the {kind} {name}."
