"""A dimension's name → the one dimension and the one way to it, or a typed reason why not."""

from __future__ import annotations

from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.lookup import Held, lookup, owner_name
from catalog.reach import Reached, qualified, reached_from
from catalog.types import CatalogSnapshot


def target_of(snapshot: CatalogSnapshot, models: tuple[str, ...], reference: str) -> Held:
    """The dimension that `reference` names for rows of all `models`."""
    *_, name = reference.split("__")
    known = lookup(snapshot).dimensions.get(name, ())
    if not known or not any(_ways_anywhere(snapshot, reference, h) for h in known):
        raise stop(IssueCode.UNKNOWN_DIMENSION, f"There is no dimension {reference}.", subject=reference)
    reached = [h for h in known if all(_ways(snapshot, m, reference, h) for m in models)]
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


def way_to(snapshot: CatalogSnapshot, model: str, reference: str, held: Held) -> Reached:
    """The one way from a model to the dimension."""
    ways = _ways(snapshot, model, reference, held)
    if len(ways) == 1:
        return ways[0]
    if not ways:
        raise stop(IssueCode.UNREACHABLE_DIMENSION, f"{reference} cannot be reached from {model}.", subject=reference)
    choices = tuple("__".join((*w.path.entities, w.held.dimension.name)) for w in ways)
    raise stop(
        IssueCode.AMBIGUOUS_PATH,
        f"There are several ways from {model} to {reference}; name the one that is meant.",
        subject=reference,
        choices=choices,
    )


def _ways(snapshot: CatalogSnapshot, model: str, reference: str, held: Held) -> tuple[Reached, ...]:
    *qualifiers, name = reference.split("__")
    ways = reached_from(snapshot, model).get((held.model.name, name), ())
    exact = tuple(w for w in ways if qualifiers and w.path.entities == tuple(qualifiers))
    return exact or tuple(w for w in ways if _within(tuple(qualifiers), qualified(w)))


def _ways_anywhere(snapshot: CatalogSnapshot, reference: str, held: Held) -> bool:
    qualifiers = reference.split("__")[:-1]
    return not qualifiers or any(_ways(snapshot, m.name, reference, held) for m in snapshot.models)


def _within(some: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    rest = iter(whole)
    return all(any(word == other for other in rest) for word in some)
