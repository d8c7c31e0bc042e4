"""The ways from one model's rows to another model: many-to-one joins, and bridges where they are declared.

A way is searched for towards its end, so that a catalog in which everything leads to
everything costs no more than one in which little does.  Of very many ways the first are
kept, and it is kept in mind that there are more: one of several is never taken for the only one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from catalog.lookup import KEPT, Held, Whole, lookup
from catalog.types import Bridge, CatalogSnapshot, Entity, EntityType, SemanticModel, Validity

MAX_HOPS = 5
MAX_WAYS = 12
MAX_STEPS = 20_000
"""Joins that one search tries before it gives up and says that there may be more ways."""

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
class Ways:
    """Paths between two models; not `complete`: there may be more of them."""

    paths: tuple[JoinPath, ...] = ()
    complete: bool = True

    @property
    def any(self) -> bool:
        """Whether there is one, or may be."""
        return bool(self.paths) or not self.complete

    @property
    def only(self) -> JoinPath | None:
        """The path, where it is the only one."""
        return self.paths[0] if len(self.paths) == 1 and self.complete else None


@dataclass(frozen=True, slots=True)
class Reached:
    """A dimension and one way to it."""

    held: Held
    path: JoinPath


def ways_between(snapshot: CatalogSnapshot, model: str, target: str, words: tuple[str, ...] = ()) -> Ways:
    """The ways to `target` that `words` fit: its keys in order, or some of them; over bridges only where no other is.

    `words` that are exactly the keys of a way mean that way.
    """
    return _ways_between(Whole(snapshot), model, target, words)


@lru_cache(maxsize=50_000)
def _ways_between(whole: Whole, model: str, target: str, words: tuple[str, ...]) -> Ways:
    named = tuple(p for p in _along(whole, model, words) if p.model == target) if words else ()
    if named:
        return Ways(named)
    own = _chosen(whole, _paths_to(whole, JoinPath(model), target), words)
    if own.any:
        return own
    return _chosen(whole, _over_bridges(whole, model, target), words)


def models_reached(snapshot: CatalogSnapshot, model: str) -> tuple[str, ...]:
    """The names of all models that rows of a model lead to, itself first, those over a bridge last."""
    return _models_reached(Whole(snapshot), model)


@lru_cache(maxsize=8_192)
def _models_reached(whole: Whole, model: str) -> tuple[str, ...]:
    return tuple(name for name in may_reach(whole, model) if ways_between(whole.snapshot, model, name).paths)


@lru_cache(maxsize=8_192)
def may_reach(whole: Whole, model: str) -> dict[str, None]:
    """The names of all models to which a search from a model may find a way; itself first, those over a bridge last."""
    found = dict.fromkeys(_distances(whole, model))
    for _, path in _crossings(whole, model):
        found.update(dict.fromkeys(_distances(whole, path.model)))
    return found


# -- choosing ------------------------------------------------------------------------------


def _along(whole: Whole, model: str, keys: tuple[str, ...]) -> tuple[JoinPath, ...]:
    """The paths whose keys are exactly these; a key that several models hold leads to each."""
    found: tuple[JoinPath, ...] = (JoinPath(model),)
    for key in keys[: MAX_HOPS + 1]:
        onward = (
            JoinPath(hop.right, (*path.hops, hop))
            for path in found
            for hop in _joins(whole, path.model)
            if hop.entity == key and hop.right not in (model, *(h.right for h in path.hops))
        )
        found = tuple(islice(onward, MAX_STEPS))
    return tuple(p for p in found if p.entities == keys)


def _chosen(whole: Whole, paths: Iterator[JoinPath | None], words: tuple[str, ...]) -> Ways:
    """The first of the paths that the words fit; None among the paths says that the search gave up."""
    found: list[JoinPath] = []
    for path in paths:
        if path is None or len(found) == MAX_WAYS:
            return Ways(tuple(found), complete=False)
        if words and path.entities == words:
            return Ways((path,))
        if _fit(words, _said(whole, path)):
            found.append(path)
    return Ways(tuple(found))


def _said(whole: Whole, path: JoinPath) -> tuple[str, ...]:
    """The words that may qualify what lies at the end: the keys on the way, and the owner."""
    model = lookup(whole.snapshot).models[path.model]
    primary = model.primary_entity()
    owner = primary.name if primary else model.name
    keys = path.entities
    return keys if keys and keys[-1] == owner else (*keys, owner)


def _fit(some: tuple[str, ...], every: tuple[str, ...]) -> bool:
    rest = iter(every)
    return all(any(word == other for other in rest) for word in some)


# -- walking -------------------------------------------------------------------------------


def _paths_to(whole: Whole, start: JoinPath, target: str) -> Iterator[JoinPath | None]:
    """Every path on from `start` to the target, the shortest first; None where too many joins were tried."""
    left = _distances_to(whole, target)
    steps = iter(range(MAX_STEPS))

    def walk(path: JoinPath, seen: frozenset[str], used: frozenset[str], hops: int) -> Iterator[JoinPath | None]:
        if path.model == target:
            yield from (path,) if len(path.hops) == hops else ()
            return
        for hop in _joins(whole, path.model):
            further = len(path.hops) + 1 + left.get(hop.right, MAX_HOPS)
            if further > hops or hop.right in seen or hop.entity in used:
                continue
            if next(steps, None) is None:
                yield None
                return
            onward = JoinPath(hop.right, (*path.hops, hop))
            yield from walk(onward, seen | {hop.right}, used | {hop.entity}, hops)

    seen = frozenset({start.model, *(h.left for h in start.hops)})
    for hops in range(len(start.hops), MAX_HOPS + 1):
        yield from walk(start, seen, frozenset(start.entities), hops)


@lru_cache(maxsize=8_192)
def _joins(whole: Whole, model: str) -> tuple[Hop, ...]:
    """Every many-to-one join from a model, in the order of its keys."""
    here = lookup(whole.snapshot).models[model]
    return tuple(
        Hop(here.name, target.name, entity.name, entity.columns(), key.columns())
        for entity in here.entities
        if entity.type in _MANY
        for target, key in key_holders(whole).get(entity.name, ())
        if target.name != here.name and len(key.columns()) == len(entity.columns())
    )


@lru_cache(maxsize=KEPT)
def key_holders(whole: Whole) -> dict[str, tuple[tuple[SemanticModel, Entity], ...]]:
    """Models that hold at most one row per value of an entity, by entity."""
    found: dict[str, list[tuple[SemanticModel, Entity]]] = {}
    for model in whole.snapshot.models:
        for entity in model.entities:
            if _tells_one(model, entity):
                found.setdefault(entity.name, []).append((model, entity))
    return {name: tuple(held) for name, held in found.items()}


@lru_cache(maxsize=KEPT)
def middle_models(whole: Whole) -> dict[tuple[str, int], tuple[str, ...]]:
    """Of the models that something leads to: those that lead on by a key, by its name and number of columns."""
    led: dict[str, set[str]] = {}
    for model in whole.snapshot.models:
        for entity in model.entities:
            if entity.type in _MANY:
                led.setdefault(entity.name, set()).add(model.name)
    ends = {m.name: m for key, held in key_holders(whole).items() for m, _ in held if led.get(key, set()) - {m.name}}
    found: dict[tuple[str, int], dict[str, None]] = {}
    for model in ends.values():
        for entity in model.entities:
            if entity.type in _MANY:
                found.setdefault((entity.name, len(entity.columns())), {})[model.name] = None
    return {key: tuple(names) for key, names in found.items()}


def _tells_one(model: SemanticModel, entity: Entity) -> bool:
    """Whether at most one of the model's rows has a given value of the entity, at a time."""
    return entity.type in _ONE or (entity.type is EntityType.NATURAL and _has_validity(model))


def _has_validity(model: SemanticModel) -> bool:
    """Whether of the rows with one natural key at most one is valid at a time."""
    return {Validity.START, Validity.END} <= {d.validity for d in model.dimensions}


@lru_cache(maxsize=8_192)
def _distances(whole: Whole, model: str) -> dict[str, int]:
    """How many joins away each model is that a model leads to, nearest first."""
    found, waiting = {model: 0}, deque([model])
    while waiting:
        here = waiting.popleft()
        if found[here] < MAX_HOPS:
            fresh = dict.fromkeys(h.right for h in _joins(whole, here) if h.right not in found)
            found.update(dict.fromkeys(fresh, found[here] + 1))
            waiting.extend(fresh)
    return found


@lru_cache(maxsize=8_192)
def _distances_to(whole: Whole, target: str) -> dict[str, int]:
    """How many joins away from a model each other one is that leads to it, of those that something leads to.

    It is walked backwards, each key once, so that a target which thousands of tables meet costs as little as any.
    """
    found, waiting, crossed = {target: 0}, deque([target]), set[tuple[str, int]]()
    while waiting:
        here = waiting.popleft()
        if found[here] == MAX_HOPS:
            break
        model = lookup(whole.snapshot).models[here]
        keys = {(e.name, len(e.columns())) for e in model.entities if _tells_one(model, e)} - crossed
        crossed |= keys
        fresh = dict.fromkeys(m for key in sorted(keys) for m in middle_models(whole).get(key, ()) if m not in found)
        found.update(dict.fromkeys(fresh, found[here] + 1))
        waiting.extend(fresh)
    return found


# -- bridges -------------------------------------------------------------------------------


def _over_bridges(whole: Whole, model: str, target: str) -> Iterator[JoinPath | None]:
    for near, path in _crossings(whole, model):
        if target not in near:
            yield from _paths_to(whole, path, target)


def _crossings(whole: Whole, model: str) -> Iterator[tuple[frozenset[str], JoinPath]]:
    """Each path that has just crossed a bridge, and the models that it has passed."""
    near = _distances(whole, model) if whole.snapshot.bridges else {}
    for bridge in whole.snapshot.bridges:
        middle = lookup(whole.snapshot).models.get(bridge.model)
        if middle is None or middle.name in near:
            continue
        start = _start(whole, model, bridge)
        if start is not None:
            for path in _cross(whole, start, bridge, middle):
                yield frozenset({h.left for h in path.hops}), path


def _start(whole: Whole, model: str, bridge: Bridge) -> JoinPath | None:
    """The first path to a model whose rows are the bridge's near side."""
    near = [held.name for held, _ in key_holders(whole).get(bridge.from_entity, ())]
    ends = sorted((n for n in near if n in _distances(whole, model)), key=lambda n: n != model)
    return next((p for end in ends for p in islice(_paths_to(whole, JoinPath(model), end), 1) if p), None)


def _cross(whole: Whole, path: JoinPath, bridge: Bridge, middle: SemanticModel) -> Iterator[JoinPath]:
    near = _entity(lookup(whole.snapshot).models[path.model], bridge.from_entity)
    far = _entity(middle, bridge.to_entity)
    entry = _entity(middle, bridge.from_entity)
    if near is None or far is None or entry is None:
        return
    into = Hop(path.model, middle.name, bridge.from_entity, near.columns(), entry.columns(), bridge=True)
    passed = {*(h.left for h in path.hops), path.model, middle.name}
    for target, key in key_holders(whole).get(bridge.to_entity, ()):
        if target.name not in passed:
            out = Hop(middle.name, target.name, bridge.to_entity, far.columns(), key.columns())
            yield JoinPath(target.name, (*path.hops, into, out))


def _entity(model: SemanticModel, name: str) -> Entity | None:
    return next((e for e in model.entities if e.name == name), None)
