"""A dimension's name → the one dimension and the one way to it, or a typed reason why not."""

from __future__ import annotations

from collections.abc import Iterable

from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.keyed import entity_held, ways_to_entity
from catalog.lookup import Held, Whole, lookup, owner_name
from catalog.paths import Reached, Ways, may_reach, ways_between
from catalog.types import CatalogSnapshot


def target_of(snapshot: CatalogSnapshot, models: tuple[str, ...], reference: str) -> Held:
    """The dimension that `reference` names for rows of all `models`."""
    entity = entity_held(snapshot, reference)
    if entity is not None:
        return _entity(snapshot, models, reference, entity)
    *_, name = reference.split("__")
    known = lookup(snapshot).dimensions.get(name, ())
    near = _within_reach(snapshot, models, name)
    reached = [h for h in near if all(_ways(snapshot, m, reference, h).any for m in models)]
    if not reached and not any(_ways_anywhere(snapshot, reference, h) for h in known):
        raise stop(IssueCode.UNKNOWN_DIMENSION, f"There is no dimension {reference}.", subject=reference)
    if not reached:
        raise stop(
            IssueCode.UNREACHABLE_DIMENSION,
            f"{reference} does not belong to every metric asked for.",
            subject=reference,
        )
    if len(reached) > 1:
        choices = tuple(f"{owner_name(h.model)}__{name}" for h in reached)
        raise stop(
            IssueCode.AMBIGUOUS_DIMENSION,
            f"{reference} could mean several dimensions.",
            subject=reference,
            choices=choices,
        )
    return reached[0]


def _within_reach(snapshot: CatalogSnapshot, models: tuple[str, ...], name: str) -> Iterable[Held]:
    """The dimensions of that name, in the catalog's order: of very many those that the first model may reach."""
    parts = lookup(snapshot)
    known, crowd = parts.dimensions.get(name, ()), parts.crowded.get(name)
    if crowd is None or not models:
        return known
    near = may_reach(Whole(snapshot), models[0])
    return [known[place] for place in sorted(p for m in near.keys() & crowd.keys() for p in crowd[m])]


def _entity(snapshot: CatalogSnapshot, models: tuple[str, ...], reference: str, held: Held) -> Held:
    """The key, provided that rows of all models have one; each model's own column is found on the way to it."""
    if all(ways_to_entity(snapshot, m, reference) for m in models):
        return held
    if "__" in reference and not any(ways_to_entity(snapshot, m.name, reference) for m in snapshot.models):
        raise stop(IssueCode.UNKNOWN_DIMENSION, f"There is no dimension {reference}.", subject=reference)
    message = f"{reference} does not belong to every metric asked for."
    raise stop(IssueCode.UNREACHABLE_DIMENSION, message, subject=reference)


def way_to(snapshot: CatalogSnapshot, model: str, reference: str, held: Held) -> Reached:
    """The one way from a model to the dimension; of an entity, to the column in which the model's rows have it."""
    if held is entity_held(snapshot, reference):
        return _way_to_entity(snapshot, model, reference)
    ways = _ways(snapshot, model, reference, held)
    if ways.only:
        return Reached(held, ways.only)
    if not ways.any:
        raise stop(IssueCode.UNREACHABLE_DIMENSION, f"{reference} cannot be reached from {model}.", subject=reference)
    choices = tuple("__".join((*path.entities, held.dimension.name)) for path in ways.paths)
    raise stop(
        IssueCode.AMBIGUOUS_PATH,
        f"There are several ways from {model} to {reference}; name the one that is meant.",
        subject=reference,
        choices=choices,
    )


def _way_to_entity(snapshot: CatalogSnapshot, model: str, reference: str) -> Reached:
    found = ways_to_entity(snapshot, model, reference)
    if len(found) == 1:
        return found[0]
    if not found:
        raise stop(IssueCode.UNREACHABLE_DIMENSION, f"{reference} cannot be reached from {model}.", subject=reference)
    name = reference.rsplit("__", maxsplit=1)[-1]
    raise stop(
        IssueCode.AMBIGUOUS_PATH,
        f"There are several ways from {model} to {reference}; name the one that is meant.",
        subject=reference,
        choices=tuple("__".join((*r.path.entities, name)) for r in found),
    )


def _ways(snapshot: CatalogSnapshot, model: str, reference: str, held: Held) -> Ways:
    return ways_between(snapshot, model, held.model.name, tuple(reference.split("__")[:-1]))


def _ways_anywhere(snapshot: CatalogSnapshot, reference: str, held: Held) -> bool:
    return "__" not in reference or any(_ways(snapshot, m.name, reference, held).any for m in snapshot.models)
