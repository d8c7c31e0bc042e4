"""Which dimensions a metric may be grouped by: many-to-one joins only, one path or a typed ambiguity."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from catalog.lookup import Held, Lookup, Whole, lookup, owner_name
from catalog.types import Aggregation, Bridge, CatalogSnapshot, Entity, EntityType, Metric, SemanticModel, Validity

MAX_HOPS = 5
MAY_CROSS = frozenset(
    {Aggregation.COUNT, Aggregation.COUNT_DISTINCT, Aggregation.AVERAGE, Aggregation.MIN, Aggregation.MAX}
)
"""Aggregations whose meaning survives a bridge, when each row counts once per group."""

_ONE = {EntityType.PRIMARY, EntityType.UNIQUE}
_MANY = {EntityType.PRIMARY, EntityType.UNIQUE, EntityType.FOREIGN, EntityType.NATURAL}


@dataclass(frozen=True, slots=True)
class Hop:
    """One join: every row of `left` meets at most one row of `right`, unless it enters a bridge."""

    left: str
    right: str
    entity: str
    left_columns: tuple[str, ...]
    right_columns: tuple[str, ...]
    bridge: bool = False


@dataclass(frozen=True, slots=True)
class JoinPath:
    """The joins from a measure's model to `model`, in order."""

    model: str
    hops: tuple[Hop, ...] = ()

    @property
    def entities(self) -> tuple[str, ...]:
        """The join keys on the way; they qualify a dimension."""
        return tuple(h.entity for h in self.hops)

    @property
    def crosses_bridge(self) -> bool:
        """Whether rows may multiply on the way."""
        return any(h.bridge for h in self.hops)


@dataclass(frozen=True, slots=True)
class Reached:
    """A dimension and one way to it."""

    held: Held
    path: JoinPath


def reachable_dimensions(snapshot: CatalogSnapshot, metric: str) -> frozenset[str]:
    """The public names of all dimensions that every part of the metric reaches by one path.

    A dimension with several paths is listed once per path, as `entity__name`.
    """
    return _of_metric(Whole(snapshot), metric, frozenset())


def reachable_of_entity(snapshot: CatalogSnapshot, entity: str) -> frozenset[str]:
    """The public names of all dimensions that rows of an entity reach."""
    model = model_of_entity(snapshot, entity)
    return names_reached(snapshot, model.name) if model else frozenset()


def model_of_entity(snapshot: CatalogSnapshot, entity: str) -> SemanticModel | None:
    """The model whose primary entity it is; the first that is declared where several share it."""
    return next((m for m in snapshot.models if (p := m.primary_entity()) and p.name == entity), None)


def models_of_metric(snapshot: CatalogSnapshot, metric: str) -> tuple[SemanticModel, ...]:
    """The models whose measures a metric is made of, in order, each once."""
    return _models_of(snapshot, metric, frozenset())


def _models_of(snapshot: CatalogSnapshot, name: str, seen: frozenset[str]) -> tuple[SemanticModel, ...]:
    parts = lookup(snapshot)
    metric = parts.metrics.get(name)
    if metric is None or name in seen:
        return ()
    found = [held[0] for held in (parts.measure(m) for m in measures_of(metric)) if held]
    for inner in inputs_of(metric):
        found.extend(_models_of(snapshot, inner, seen | {name}))
    return tuple({m.name: m for m in found}.values())


def measures_of(metric: Metric) -> tuple[str, ...]:
    """The measures that a metric names itself; of a conversion the one whose rows are divided."""
    if metric.conversion is not None:
        return (metric.conversion.base.name,)
    return (metric.measure,) if metric.measure else ()


def inputs_of(metric: Metric) -> tuple[str, ...]:
    """The metrics that a metric is made of, in order."""
    parts = (metric.numerator, metric.denominator, *metric.inputs)
    return tuple(p.metric for p in parts if p is not None)


@lru_cache(maxsize=20_000)
def _of_metric(whole: Whole, name: str, seen: frozenset[str]) -> frozenset[str]:
    snapshot = whole.snapshot
    parts = lookup(snapshot)
    metric = parts.metrics.get(name)
    if metric is None or name in seen:
        return frozenset()
    counted = next(iter(measures_of(metric)), None)
    held = parts.measure(counted) if counted else None
    if held is not None:
        return names_reached(snapshot, held[0].name, bridges=held[1].agg in MAY_CROSS)
    inner = inputs_of(metric)
    if inner and all(i in parts.metrics for i in inner):
        return frozenset.intersection(*(_of_metric(whole, i, seen | {name}) for i in inner))
    return reachable_of_entity(snapshot, metric.entity) if metric.entity else frozenset()


def names_reached(snapshot: CatalogSnapshot, model: str, *, bridges: bool = True) -> frozenset[str]:
    """The public names of all dimensions that rows of a model reach, over bridges too unless told not to."""
    return _names_reached(Whole(snapshot), model, bridges)


@lru_cache(maxsize=4_096)
def _names_reached(whole: Whole, model: str, bridges: bool) -> frozenset[str]:
    names: set[str] = set()
    for ways in reached_from(whole.snapshot, model).values():
        usable = tuple(w for w in ways if bridges or not w.path.crosses_bridge)
        if usable:
            names.update(way_names(lookup(whole.snapshot), usable))
    return frozenset(names)


def way_names(parts: Lookup, ways: tuple[Reached, ...]) -> tuple[str, ...]:
    """How to name each way to one dimension: its public name, or one name per path."""
    if len(ways) == 1:
        return (parts.canonical(ways[0].held),)
    return tuple("__".join((*w.path.entities, w.held.dimension.name)) for w in ways)


def reached_from(snapshot: CatalogSnapshot, model: str) -> dict[tuple[str, str], tuple[Reached, ...]]:
    """Every way from a model to each dimension, by (model, dimension)."""
    return _reached_from(Whole(snapshot), model)


@lru_cache(maxsize=4_096)
def _reached_from(whole: Whole, model: str) -> dict[tuple[str, str], tuple[Reached, ...]]:
    models = lookup(whole.snapshot).models
    found: dict[tuple[str, str], tuple[Reached, ...]] = {}
    for path in paths_from(whole.snapshot, model):
        target = models[path.model]
        for dimension in target.dimensions:
            key = (target.name, dimension.name)
            ways = found.get(key, ())
            if path.crosses_bridge and any(not w.path.crosses_bridge for w in ways):
                continue
            found[key] = (*ways, Reached(Held(target, dimension), path))
    return found


def paths_from(snapshot: CatalogSnapshot, model: str) -> tuple[JoinPath, ...]:
    """Every join path from a model, its own rows first; paths over a bridge last."""
    return _paths_from(Whole(snapshot), model)


@lru_cache(maxsize=4_096)
def _paths_from(whole: Whole, model: str) -> tuple[JoinPath, ...]:
    snapshot = whole.snapshot
    own = _walk(snapshot, JoinPath(model), frozenset({model}), frozenset())
    return (*own, *_over_bridges(snapshot, own))


def _walk(
    snapshot: CatalogSnapshot, path: JoinPath, seen: frozenset[str], used: frozenset[str]
) -> tuple[JoinPath, ...]:
    found = [path]
    if len(path.hops) >= MAX_HOPS:
        return (path,)
    here = lookup(snapshot).models[path.model]
    for entity in here.entities:
        if entity.type not in _MANY or entity.name in used:
            continue
        for target, key in _holders(Whole(snapshot)).get(entity.name, ()):
            if target.name not in seen and len(key.columns()) == len(entity.columns()):
                hop = Hop(here.name, target.name, entity.name, entity.columns(), key.columns())
                onward = JoinPath(target.name, (*path.hops, hop))
                found.extend(_walk(snapshot, onward, seen | {target.name}, used | {entity.name}))
    return tuple(found)


@lru_cache(maxsize=16)
def _holders(whole: Whole) -> dict[str, tuple[tuple[SemanticModel, Entity], ...]]:
    """Models that hold at most one row per value of an entity, by entity."""
    found: dict[str, tuple[tuple[SemanticModel, Entity], ...]] = {}
    for model in whole.snapshot.models:
        for entity in model.entities:
            if entity.type in _ONE or (entity.type is EntityType.NATURAL and _has_validity(model)):
                found[entity.name] = (*found.get(entity.name, ()), (model, entity))
    return found


def _has_validity(model: SemanticModel) -> bool:
    """Whether of the rows with one natural key at most one is valid at a time."""
    return {Validity.START, Validity.END} <= {d.validity for d in model.dimensions}


def _over_bridges(snapshot: CatalogSnapshot, own: Iterable[JoinPath]) -> tuple[JoinPath, ...]:
    models = lookup(snapshot).models
    starts = tuple(own)
    visited = {p.model for p in starts}
    found: list[JoinPath] = []
    for bridge in snapshot.bridges:
        middle = models.get(bridge.model)
        if middle is None or middle.name in visited:
            continue
        for path in _starts(models, starts, bridge):
            found.extend(_cross(snapshot, path, bridge, middle))
    return tuple(found)


def _starts(models: dict[str, SemanticModel], own: tuple[JoinPath, ...], bridge: Bridge) -> tuple[JoinPath, ...]:
    """Paths to the model whose rows are the bridge's near side."""
    return tuple(
        p for p in own if any(e.name == bridge.from_entity and e.type in _ONE for e in models[p.model].entities)
    )[:1]


def _cross(snapshot: CatalogSnapshot, path: JoinPath, bridge: Bridge, middle: SemanticModel) -> tuple[JoinPath, ...]:
    near = _entity(lookup(snapshot).models[path.model], bridge.from_entity)
    far = _entity(middle, bridge.to_entity)
    entry = _entity(middle, bridge.from_entity)
    if near is None or far is None or entry is None:
        return ()
    into = Hop(path.model, middle.name, bridge.from_entity, near.columns(), entry.columns(), bridge=True)
    seen = frozenset({*(h.left for h in path.hops), path.model, middle.name})
    used = frozenset({*path.entities, bridge.from_entity})
    found: list[JoinPath] = []
    for target, key in _holders(Whole(snapshot)).get(bridge.to_entity, ()):
        if target.name not in seen:
            out = Hop(middle.name, target.name, bridge.to_entity, far.columns(), key.columns())
            onward = JoinPath(target.name, (*path.hops, into, out))
            found.extend(_walk(snapshot, onward, seen | {target.name}, used | {bridge.to_entity}))
    return tuple(found)


def _entity(model: SemanticModel, name: str) -> Entity | None:
    return next((e for e in model.entities if e.name == name), None)


def qualified(reached: Reached) -> tuple[str, ...]:
    """The words that may qualify a dimension on this way: its join keys and its owner."""
    owner = owner_name(reached.held.model)
    keys = reached.path.entities
    return keys if keys and keys[-1] == owner else (*keys, owner)
