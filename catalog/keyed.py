"""An entity as something to group and filter by: its key, as each model that has the entity holds it."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from catalog.lookup import Held, Whole, lookup, owner_name
from catalog.paths import JoinPath, Reached, may_reach, models_reached, ways_between
from catalog.types import CatalogSnapshot, SemanticModel


def entity_held(snapshot: CatalogSnapshot, reference: str) -> Held | None:
    """What `user` or `listing__user` names where no dimension is called so: the key in the model that it identifies."""
    name = reference.rsplit("__", maxsplit=1)[-1]
    parts = lookup(snapshot)
    return None if name in parts.dimensions else next(iter(parts.entities.get(name, ())), None)


def ways_to_entity(snapshot: CatalogSnapshot, model: str, reference: str) -> tuple[Reached, ...]:
    """Each way from a model to the entity's key: its own column first of all, else those of the models it leads to."""
    *path, name = reference.split("__")
    return _ways_to_entity(Whole(snapshot), model, tuple(path), name)


@lru_cache(maxsize=8_192)
def _ways_to_entity(whole: Whole, model: str, path: tuple[str, ...], name: str) -> tuple[Reached, ...]:
    parts = lookup(whole.snapshot)
    home = parts.models[model]
    own = next((h for h in parts.entities.get(name, ()) if h.model.name == model), None)
    if own is not None and path in {(), (owner_name(home),)}:
        return (Reached(own, JoinPath(model)),)
    found: dict[JoinPath, Reached] = {}
    near = may_reach(whole, model)
    for held in (h for h in parts.entities.get(name, ()) if h.model.name in near):
        for way in ways_between(whole.snapshot, model, held.model.name, path).paths:
            # behind a join on the entity itself stands the same key once more
            if way.hops and name not in way.entities:
                found[way] = Reached(held, way)
    exact = tuple(r for way, r in found.items() if way.entities == path)
    return exact or tuple(found.values())


def speaks_of_keys(snapshot: CatalogSnapshot) -> bool:
    """Whether people name entities by their keys, as in MetricFlow: nobody has said how else to speak of them."""
    return not snapshot.entities


def names_of_keys(snapshot: CatalogSnapshot, model: SemanticModel) -> tuple[str, ...]:
    """The names of a model's keys: `user`, and `listing__user` where the model is that of listings."""
    known, owner = lookup(snapshot), owner_name(model)
    bare = tuple(e.name for e in model.entities if e.name in known.entities and e.name not in known.dimensions)
    return (*bare, *(f"{owner}__{name}" for name in bare if name != owner))


def entities_reached(snapshot: CatalogSnapshot, model: str) -> frozenset[str]:
    """The entities that rows of a model have one key of, by the names that mean them there."""
    return _entities_reached(Whole(snapshot), model)


@lru_cache(maxsize=4_096)
def _entities_reached(whole: Whole, model: str) -> frozenset[str]:
    """Each model is looked at once, by the ways that its dimensions have anyway."""
    snapshot, known = whole.snapshot, lookup(whole.snapshot)
    own = names_of_keys(snapshot, known.models[model])
    ways: Counter[str] = Counter()
    by_path: set[str] = set()
    for target in (known.models[name] for name in models_reached(snapshot, model) if name != model):
        leading = ways_between(snapshot, model, target.name)
        for key in (n for n in names_of_keys(snapshot, target) if "__" not in n):
            paths = [p for p in leading.paths if key not in p.entities]
            ways[key] += len(paths) if leading.complete else len(paths) + 1
            if len(paths) == 1 and leading.complete and paths[0].entities[-1] == owner_name(target):
                by_path.add(f"{owner_name(target)}__{key}")
    return frozenset((*own, *by_path, *(key for key, count in ways.items() if count == 1 and key not in own)))
