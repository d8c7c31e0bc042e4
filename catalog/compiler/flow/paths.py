"""From a measure's own rows to a name: many-to-one joins along declared entities, never a guess."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from catalog.compiler.references import way_to
from catalog.compiler.refs import Ref
from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.lookup import KEPT, Whole, lookup
from catalog.paths import Hop
from catalog.types import CatalogSnapshot, Dimension, Entity, EntityType, SemanticModel

_ONE = frozenset({EntityType.PRIMARY, EntityType.UNIQUE, EntityType.NATURAL})
"""An entity of these types identifies at most one row, so that joining to it keeps the grain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """Where a name is held: the joins to its model, its column, and the time dimension that it is, if any."""

    hops: tuple[Hop, ...]
    path: tuple[str, ...]
    element: Dimension | Entity

    @property
    def time(self) -> Dimension | None:
        """The time dimension, or None for anything else."""
        return self.element if isinstance(self.element, Dimension) and self.element.type == "time" else None


def primary_of(model: SemanticModel) -> str:
    """What a row of the model is: its primary entity's name, also where no column holds it."""
    entity = model.primary_entity()
    return entity.name if entity else model.primary_entity_name


def names_itself(model: SemanticModel, path: tuple[str, ...]) -> bool:
    """Whether a path leads from the model's rows to these rows themselves: by any entity that identifies one."""
    return path == (primary_of(model),) or any(path == (e.name,) for e in model.entities if e.type in _ONE)


def reach(snapshot: CatalogSnapshot, model: SemanticModel, ref: Ref) -> Reached:
    """The one place where `ref` is held, seen from `model`; a path may leave out one first step that is unique."""
    if ref.holder:
        return _as_asked(snapshot, model, ref)
    found = candidates(snapshot, model, ref)
    if not found:
        message = f"{ref.column} cannot be reached from {model.name} without counting rows twice."
        raise stop(IssueCode.UNREACHABLE_DIMENSION, message, subject=ref.column)
    if len(found) > 1:
        choices = tuple(
            "__".join((*r.path, ref.name)) + f" ({r.hops[-1].right if r.hops else model.name})" for r in found
        )
        message = f"{ref.column} can be reached from {model.name} in several ways."
        raise stop(IssueCode.AMBIGUOUS_PATH, message, subject=ref.column, choices=choices)
    return found[0]


def _as_asked(snapshot: CatalogSnapshot, model: SemanticModel, ref: Ref) -> Reached:
    """A name as a QuerySpec writes it: the way to the model that is known to hold it."""
    reference = "__".join((*ref.path, ref.name))
    parts = lookup(snapshot)
    known = parts.dimensions.get(ref.name) or parts.entities[ref.name]
    held = next(h for h in known if h.model.name == ref.holder)
    way = way_to(snapshot, model.name, reference, held)
    if way.path.crosses_bridge:
        message = f"{reference} lies behind a many-to-many path; a catalog with a time spine cannot count over it."
        raise stop(IssueCode.UNSUPPORTED, message, subject=reference)
    return Reached(hops=way.path.hops, path=ref.path, element=way.held.dimension)


def candidates(snapshot: CatalogSnapshot, model: SemanticModel, ref: Ref) -> tuple[Reached, ...]:
    """Every place where `ref` may be held, seen from `model`."""
    local = _local(model, ref.path, ref.name)
    if local is not None:
        return (Reached(hops=(), path=ref.path, element=local),)
    exact = _along(snapshot, model, ref.path, ref.name)
    if exact or not ref.path or any(e.name == ref.path[0] for e in model.entities):
        return exact
    return tuple(r for e in model.entities for r in _along(snapshot, model, (e.name, *ref.path), ref.name))


def _local(model: SemanticModel, path: tuple[str, ...], name: str) -> Dimension | Entity | None:
    if path and not names_itself(model, path):
        return None
    entity = next((e for e in model.entities if e.name == name), None)
    if entity is not None or not path:
        return entity
    return next((d for d in model.dimensions if d.name == name), None)


def _along(snapshot: CatalogSnapshot, model: SemanticModel, path: tuple[str, ...], name: str) -> tuple[Reached, ...]:
    if not path:
        return ()
    if len(path) > 1 and path[0] == primary_of(model) and any(e.name == path[1] for e in model.entities):
        shorter = _along(snapshot, model, path[1:], name)
        if shorter:
            return tuple(Reached(hops=r.hops, path=(path[0], *r.path), element=r.element) for r in shorter)
    left = next((e for e in model.entities if e.name == path[0]), None)
    if left is None:
        return ()
    found: list[Reached] = []
    for other, right in identified_by(Whole(snapshot)).get(left.name, ()):
        if other.name != model.name and len(right.columns()) == len(left.columns()):
            hop = Hop(model.name, other.name, left.name, left.columns(), right.columns())
            found.extend(_beyond(snapshot, hop, path, name))
    return tuple(found)


@lru_cache(maxsize=KEPT)
def identified_by(whole: Whole) -> dict[str, tuple[tuple[SemanticModel, Entity], ...]]:
    """The models in which an entity identifies a row, by entity."""
    found: dict[str, dict[str, tuple[SemanticModel, Entity]]] = {}
    for model in whole.snapshot.models:
        for entity in model.entities:
            if entity.type in _ONE:
                found.setdefault(entity.name, {}).setdefault(model.name, (model, entity))
    return {name: tuple(held.values()) for name, held in found.items()}


def _beyond(snapshot: CatalogSnapshot, hop: Hop, path: tuple[str, ...], name: str) -> tuple[Reached, ...]:
    if len(path) == 1:
        element = _element(_model(snapshot, hop), name)
        is_same = element is None or element.name == path[0]
        return () if element is None or is_same else (Reached(hops=(hop,), path=path, element=element),)
    further = _along(snapshot, _model(snapshot, hop), path[1:], name)
    return tuple(Reached(hops=(hop, *r.hops), path=(path[0], *r.path), element=r.element) for r in further)


def _element(model: SemanticModel, name: str) -> Dimension | Entity | None:
    held: tuple[Dimension | Entity, ...] = (*model.dimensions, *model.entities)
    return next((p for p in held if p.name == name), None)


def _model(snapshot: CatalogSnapshot, hop: Hop) -> SemanticModel:
    return lookup(snapshot).models[hop.right]
