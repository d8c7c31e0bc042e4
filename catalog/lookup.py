"""A snapshot's parts by name: built once per snapshot, looked up in constant time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

from catalog.types import (
    CatalogSnapshot,
    Dimension,
    DimensionType,
    Entity,
    EntityType,
    Measure,
    Metric,
    SemanticModel,
)

T = TypeVar("T")
FEW = 8
"""Dimensions of one name that are looked through one by one; of more, only those of models that are within reach."""
KEPT = 64
"""Snapshots whose indexes are kept at a time."""


@dataclass(frozen=True, slots=True)
class Held:
    """A dimension and the model that holds it."""

    model: SemanticModel
    dimension: Dimension


@dataclass(frozen=True, slots=True)
class Lookup:
    """Parts by name.  `dimensions` are by bare name: several models may use one name.

    `kept_apart` are, by model, the dimensions that say when its rows are valid or to which partition they belong.
    `crowded` tells of a dimension's name that many models use the places of each model's among all.
    `primaries` are the models by their primary entity, the first where several share it.
    `entities` are the keys by entity, each as a dimension of a model that has it; that of the
    model that it identifies comes first.
    """

    models: dict[str, SemanticModel]
    metrics: dict[str, Metric]
    measures: dict[str, tuple[tuple[SemanticModel, Measure], ...]]
    dimensions: dict[str, tuple[Held, ...]]
    kept_apart: dict[str, tuple[Dimension, ...]]
    crowded: dict[str, dict[str, tuple[int, ...]]]
    primaries: dict[str, SemanticModel]
    entities: dict[str, tuple[Held, ...]]

    def measure(self, name: str) -> tuple[SemanticModel, Measure] | None:
        """The one measure of that name with its model, or None (unknown or not unique)."""
        found = self.measures.get(name, ())
        return found[0] if len(found) == 1 else None

    def canonical(self, held: Held) -> str:
        """The dimension's public name: bare where unique, else `entity__name`."""
        name = held.dimension.name
        several = len(self.dimensions.get(name, ())) > 1
        return f"{owner_name(held.model)}__{name}" if several else name

    def held_by(self, canonical: str) -> Held | None:
        """The dimension behind a public name, or None."""
        *owner, name = canonical.split("__")
        found = [h for h in self.dimensions.get(name, ()) if not owner or owner_name(h.model) == owner[-1]]
        return found[0] if len(found) == 1 else self._key_of(owner, name)

    def _key_of(self, path: list[str], name: str) -> Held | None:
        """The key of an entity that no dimension has the name of."""
        known = not path or path[-1] in self.entities
        return next(iter(self.entities.get(name, ())), None) if known and name not in self.dimensions else None


def owner_name(model: SemanticModel) -> str:
    """What qualifies the model's dimensions: its primary entity, else its own name."""
    primary = model.primary_entity()
    return primary.name if primary else model.primary_entity_name or model.name


class Whole:
    """A snapshot compared by identity, so that caches never walk it."""

    __slots__ = ("snapshot",)

    def __init__(self, snapshot: CatalogSnapshot) -> None:
        self.snapshot = snapshot

    def __hash__(self) -> int:
        return hash((id(self.snapshot.models), id(self.snapshot.metrics), id(self.snapshot.bridges)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Whole) and all(
            mine is theirs for mine, theirs in zip(_parts(self.snapshot), _parts(other.snapshot), strict=True)
        )


def _parts(snapshot: CatalogSnapshot) -> tuple[object, ...]:
    """All that what is remembered of a snapshot may rest on."""
    return (
        snapshot.models,
        snapshot.metrics,
        snapshot.bridges,
        snapshot.entities,
        snapshot.ambiguous_terms,
        snapshot.term_defaults,
        snapshot.adjectives,
        snapshot.time_spines,
    )


_RECENT: dict[int, tuple[CatalogSnapshot, Lookup]] = {}
"""Snapshots by identity: each is held here, so that no other can take its place in memory."""


def lookup(snapshot: CatalogSnapshot) -> Lookup:
    """The parts of a snapshot by name."""
    held = _RECENT.get(id(snapshot))
    return held[1] if held else _remembered(snapshot)


def with_own(
    snapshot: CatalogSnapshot, metrics: tuple[Metric, ...], measures: tuple[tuple[str, Measure], ...]
) -> CatalogSnapshot:
    """The same catalog in which metrics of one question's own are found too, over measures by (model, measure).

    Its parts are the catalog's: whatever was worked out for those holds for it, and is not worked out anew.
    """
    base, made = lookup(snapshot), replace(snapshot)
    own = _grouped((measure.name, (base.models[model], measure)) for model, measure in measures)
    found = replace(base, metrics={**base.metrics, **{m.name: m for m in metrics}}, measures={**base.measures, **own})
    return _kept(made, found)[0]


def _remembered(snapshot: CatalogSnapshot) -> Lookup:
    return _kept(snapshot, _lookup(Whole(snapshot)))[1]


def _kept(snapshot: CatalogSnapshot, found: Lookup) -> tuple[CatalogSnapshot, Lookup]:
    while len(_RECENT) >= KEPT:
        del _RECENT[next(iter(_RECENT))]
    _RECENT[id(snapshot)] = (snapshot, found)
    return snapshot, found


@lru_cache(maxsize=KEPT)
def _lookup(whole: Whole) -> Lookup:
    snapshot = whole.snapshot
    dimensions = _grouped((d.name, Held(model, d)) for model in snapshot.models for d in model.dimensions)
    return Lookup(
        models={m.name: m for m in snapshot.models},
        metrics={m.name: m for m in snapshot.metrics},
        measures=_grouped((measure.name, (model, measure)) for model in snapshot.models for measure in model.measures),
        dimensions=dimensions,
        kept_apart=_grouped(
            (model.name, d)
            for model in snapshot.models
            for d in model.dimensions
            if d.is_partition or d.validity is not None
        ),
        crowded={
            name: _grouped((h.model.name, place) for place, h in enumerate(held))
            for name, held in dimensions.items()
            if len(held) > FEW
        },
        primaries={p.name: m for m in reversed(snapshot.models) if (p := m.primary_entity()) is not None},
        entities=_keys(snapshot),
    )


def _keys(snapshot: CatalogSnapshot) -> dict[str, tuple[Held, ...]]:
    """The keys of one column by entity.  A key of several columns is no one value to group by."""
    order = (EntityType.PRIMARY, EntityType.UNIQUE, EntityType.NATURAL, EntityType.FOREIGN)
    pairs = [(e, model) for model in snapshot.models for e in model.entities if not e.further]
    pairs.sort(key=lambda pair: order.index(pair[0].type))
    return _grouped((e.name, Held(model, _key(e))) for e, model in pairs)


def _key(entity: Entity) -> Dimension:
    return Dimension(name=entity.name, type=DimensionType.ID, expr=entity.expr, indexable=False)


def _grouped(pairs: Iterable[tuple[str, T]]) -> dict[str, tuple[T, ...]]:
    found: defaultdict[str, list[T]] = defaultdict(list)
    for name, part in pairs:
        found[name].append(part)
    return {name: tuple(parts) for name, parts in found.items()}
