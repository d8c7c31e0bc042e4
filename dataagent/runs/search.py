"""Finds what a person may use in the catalog, by name, label, synonym or description."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from catalog.access import AccessScope
from catalog.lookup import Held, lookup
from catalog.types import CatalogSnapshot
from catalog.visible import dimension_visible, entity_visible, metric_visible


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A metric, dimension or entity with its words."""

    kind: str
    name: str
    label: str
    description: str


def search(snapshot: CatalogSnapshot, scope: AccessScope, words: str, limit: int = 50) -> tuple[Found, ...]:
    """What holds every word, names before descriptions; all there is where no word is given.

    What the scope hides is not searched at all.
    """
    wanted = words.lower().replace("_", " ").split()
    ranked = [(rank, found) for found, texts in _visible(snapshot, scope) if (rank := _rank(wanted, texts)) is not None]
    ranked.sort(key=lambda pair: (pair[0], pair[1].kind != "metric", pair[1].name))
    return tuple(found for _, found in ranked[:limit])


def _rank(wanted: list[str], texts: tuple[str, ...]) -> int | None:
    """The position of the first text that holds every word, else after all where they are spread, else None."""
    lowered = [t.lower().replace("_", " ") for t in texts]
    for position, text in enumerate(lowered):
        if all(word in text for word in wanted):
            return position
    return len(lowered) if all(any(word in text for text in lowered) for word in wanted) else None


def _visible(snapshot: CatalogSnapshot, scope: AccessScope) -> Iterator[tuple[Found, tuple[str, ...]]]:
    for metric in snapshot.metrics:
        if metric_visible(snapshot, scope, metric.name):
            found = Found(kind="metric", name=metric.name, label=metric.label, description=metric.description)
            yield found, (metric.name, metric.label, " ".join(metric.synonyms), metric.description)
    names = lookup(snapshot)
    for held in (Held(model, d) for model in snapshot.models for d in model.dimensions):
        if dimension_visible(snapshot, scope, held):
            one = held.dimension
            name = names.canonical(held)
            found = Found(kind="dimension", name=name, label=one.label, description=one.description)
            yield found, (name, one.label, " ".join(one.synonyms), one.description)
    for entity in snapshot.entities:
        if entity_visible(snapshot, scope, entity):
            found = Found(kind="entity", name=entity.name, label="", description="")
            yield found, (entity.name, " ".join(entity.synonyms))
