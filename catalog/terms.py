"""What words can mean: the term and value index, always through an AccessScope."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from heapq import merge
from itertools import islice
from typing import Protocol

from rapidfuzz import fuzz, process

from catalog.access import AccessScope
from catalog.collector import paused_collector
from catalog.keyed import names_of_keys, speaks_of_keys
from catalog.lookup import Held, lookup
from catalog.members import Found, Members, gathered
from catalog.surfaces import inflections, normalise_surface
from catalog.types import CatalogSnapshot, Scalar
from catalog.visible import (
    declared_values_visible,
    dimension_visible,
    entity_visible,
    metric_visible,
    value_visible,
    values_visible,
    visible_dimensions,
)

__all__ = [
    "Term",
    "TermIndex",
    "TermKind",
    "TermSource",
    "build_index",
    "index_of",
    "inflections",
    "namable_members",
    "normalise_surface",
]


class TermKind(StrEnum):
    """What a term names."""

    METRIC = "metric"
    DIMENSION = "dimension"
    ENTITY = "entity"
    VALUE = "value"
    AMBIGUOUS = "ambiguous"
    ADJECTIVE = "adjective"
    EVENT = "event"


class TermSource(StrEnum):
    """Why a surface names its target, strongest first."""

    NAME = "name"
    LABEL = "label"
    SYNONYM = "synonym"
    INFLECTION = "inflection"
    VALUE = "value"
    VALUE_SYNONYM = "value_synonym"


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A normalised surface and what it names.

    `target` is the catalog name; for VALUE the dimension.  `values` are the members
    as stored (several where case and accent variants fold together), empty otherwise.
    """

    surface: str
    kind: TermKind
    target: str
    source: TermSource
    values: tuple[str, ...] = ()


class TermIndex(Protocol):
    """Looks words up.  Holds only what one scope may see."""

    @property
    def max_words(self) -> int:
        """The longest surface, in words."""

    def lookup(self, surface: str) -> tuple[Term, ...]:
        """All terms for a normalised surface (lower case, single spaces), strongest source first."""

    def near(self, surface: str, limit: int = 4) -> tuple[Term, ...]:
        """Terms that look alike, for suggestions only; never to bind silently."""

    def starting(self, beginning: str, limit: int) -> tuple[Term, ...]:
        """Terms whose surface begins with a normalised text, in the order of their surfaces, at most `limit`."""

    def vocabulary(self) -> Mapping[str, int]:
        """Single words of all names with how many terms use them."""

    def in_member(self, word: str) -> bool:
        """Whether the word is part of some member of a dimension."""

    def dimension_names(self) -> frozenset[str]:
        """The public names of all dimensions, and those names without the entities before them."""


_STRENGTH = {source: rank for rank, source in enumerate(TermSource)}
_KIND_ORDER = {kind: rank for rank, kind in enumerate(TermKind)}
_NEAR_CUTOFF = 65.0
_ALL_COMPARED = 5_000
_MEMBERS_COMPARED = 1_000
_ALIKE_FROM = 2
"""Of more surfaces than that only those with a word that begins with the same letters are compared for their looks."""

_Entry = tuple[str, TermKind, str, TermSource]


@dataclass(frozen=True, slots=True)
class _Index:
    """Terms by surface, members apart.

    `order` holds the surfaces for look-alikes, `alike` those with a word that begins with some
    letters, where there are very many; `sorted_order` is for beginnings.
    """

    terms: dict[str, tuple[Term, ...]]
    order: tuple[str, ...]
    sorted_order: tuple[str, ...]
    words: Mapping[str, int]
    longest: int
    members: Members
    alike: Mapping[str, tuple[str, ...]]
    dimensions: frozenset[str]

    @property
    def max_words(self) -> int:
        """The longest surface, in words."""
        return max(self.longest, self.members.longest)

    def lookup(self, surface: str) -> tuple[Term, ...]:
        """All terms of a normalised surface, strongest source first."""
        named, members = self.terms.get(surface, ()), self.members.lookup(surface)
        if not members:
            return named
        return tuple(sorted((*named, *map(_member_term, members)), key=_order))

    def near(self, surface: str, limit: int = 4) -> tuple[Term, ...]:
        """Terms that look alike, nearest first, each target once; only to suggest."""
        few = len(self.members) <= _ALL_COMPARED
        begins, most = ("", _ALL_COMPARED) if few else (surface[: _ALIKE_FROM + 1], _MEMBERS_COMPARED)
        alike = {found[0] for found in self.members.starting(begins, most)}
        choices = (*self._order_near(surface), *sorted(alike - self.terms.keys()))
        hits = process.extract(surface, choices, scorer=fuzz.ratio, limit=limit * 4, score_cutoff=_NEAR_CUTOFF)
        found: dict[tuple[TermKind, str, tuple[str, ...]], Term] = {}
        for hit, _, _ in hits:
            for term in self.lookup(hit):
                found.setdefault((term.kind, term.target, term.values), term)
        return tuple(found.values())[:limit]

    def _order_near(self, surface: str) -> Iterable[str]:
        if not self.alike:
            return self.order
        return dict.fromkeys(s for word in surface.split() for s in self.alike.get(word[:_ALIKE_FROM], ()))

    def starting(self, beginning: str, limit: int) -> tuple[Term, ...]:
        """Terms whose surface begins with the text, in the order of their surfaces."""
        members = map(_member_term, self.members.starting(beginning, limit))
        both = merge(self._named_from(beginning), members, key=lambda term: term.surface)
        return tuple(islice(both, limit))

    def _named_from(self, beginning: str) -> Iterator[Term]:
        for place in range(bisect_left(self.sorted_order, beginning), len(self.sorted_order)):
            surface = self.sorted_order[place]
            if not surface.startswith(beginning):
                return
            yield from self.terms[surface]

    def vocabulary(self) -> Mapping[str, int]:
        """Single words of all names and how many terms use each."""
        return self.words

    def in_member(self, word: str) -> bool:
        """Whether the word is part of some member."""
        return self.members.has_word(word)

    def dimension_names(self) -> frozenset[str]:
        """The public names of all dimensions, and those names without the entities before them."""
        return self.dimensions


def _member_term(found: Found) -> Term:
    surface, dimension, members = found
    return Term(surface=surface, kind=TermKind.VALUE, target=dimension, source=TermSource.VALUE, values=members)


def build_index(snapshot: CatalogSnapshot, scope: AccessScope, values: Mapping[str, Iterable[str]]) -> TermIndex:
    """The index of what `scope` may see.

    `values` are the members of a dimension (by public name) that the warehouse shows
    to this scope; a dimension that it lacks falls back to its declared members.
    """
    return index_of(snapshot, scope, gathered(namable_members(snapshot, scope, values)))


@paused_collector()
def index_of(snapshot: CatalogSnapshot, scope: AccessScope, members: Members) -> TermIndex:
    """The index of what `scope` may see, with members that were gathered for all who see the same."""
    found: defaultdict[str, dict[tuple[TermKind, str], Term]] = defaultdict(dict)
    for surface, kind, target, source in _names(snapshot, scope):
        held = found[surface].get((kind, target))
        if surface and (held is None or _STRENGTH[source] < _STRENGTH[held.source]):
            found[surface][kind, target] = Term(surface=surface, kind=kind, target=target, source=source)
    for term in _value_synonyms(snapshot, scope, members):
        found[term.surface][TermKind.VALUE, term.target] = term
    terms = {s: tuple(sorted(held.values(), key=_order)) for s, held in found.items() if s and held}
    words = Counter(word for surface, held in terms.items() for word in surface.split() for _ in held)
    longest = max((s.count(" ") + 1 for s in terms), default=0)
    return _Index(
        terms=terms,
        order=tuple(terms),
        sorted_order=tuple(sorted(terms)),
        words=dict(words),
        longest=longest,
        members=members,
        alike=_by_beginnings(terms) if len(terms) > _ALL_COMPARED else {},
        dimensions=_dimension_names(terms.values()),
    )


def _by_beginnings(surfaces: Iterable[str]) -> dict[str, tuple[str, ...]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for surface in surfaces:
        for begins in {word[:_ALIKE_FROM] for word in surface.split()}:
            found[begins].append(surface)
    return {begins: tuple(held) for begins, held in found.items()}


def _dimension_names(terms: Iterable[tuple[Term, ...]]) -> frozenset[str]:
    named = {t.target for held in terms for t in held if t.kind is TermKind.DIMENSION}
    return frozenset(named | {name.rsplit("__", maxsplit=1)[-1] for name in named})


def _order(term: Term) -> tuple[int, int, str]:
    return (_STRENGTH[term.source], _KIND_ORDER[term.kind], term.target)


def _names(snapshot: CatalogSnapshot, scope: AccessScope) -> Iterator[_Entry]:
    for metric in snapshot.metrics:
        if metric_visible(snapshot, scope, metric.name):
            yield from _forms(TermKind.METRIC, metric.name, metric.label, metric.synonyms)
    parts = lookup(snapshot)
    for held in _held(snapshot):
        if dimension_visible(snapshot, scope, held):
            dimension = held.dimension
            own = _forms(TermKind.DIMENSION, parts.canonical(held), dimension.label, dimension.synonyms)
            yield from own
            if parts.canonical(held) != dimension.name:
                yield from _bare(parts.canonical(held), dimension.name)
    keys = (n for m in snapshot.models for n in names_of_keys(snapshot, m)) if speaks_of_keys(snapshot) else ()
    for name in dict.fromkeys(keys):
        if visible_dimensions(snapshot, scope, name):
            yield from _forms(TermKind.DIMENSION, name, "", ())
    for entity in snapshot.entities:
        if entity_visible(snapshot, scope, entity):
            yield from _forms(TermKind.ENTITY, entity.name, "", entity.synonyms)
    yield from _phrases(snapshot, scope)


def _bare(canonical: str, name: str) -> Iterator[_Entry]:
    """A name that several models use leads to each of them: the question is then ambiguous, not unknown."""
    surface = normalise_surface(name)
    yield (surface, TermKind.DIMENSION, canonical, TermSource.NAME)
    for form in inflections(surface):
        yield (form, TermKind.DIMENSION, canonical, TermSource.INFLECTION)


def _phrases(snapshot: CatalogSnapshot, scope: AccessScope) -> Iterator[_Entry]:
    for ambiguous in snapshot.ambiguous_terms:
        if any(_candidate_visible(snapshot, scope, c) for c in ambiguous.candidates):
            yield from _forms(TermKind.AMBIGUOUS, ambiguous.term, "", ())
    for adjective in snapshot.adjectives:
        held = lookup(snapshot).held_by(adjective.filter.field)
        if held and dimension_visible(snapshot, scope, held) and _all_visible(scope, held, adjective.filter.values):
            yield (normalise_surface(adjective.word), TermKind.ADJECTIVE, adjective.word, TermSource.NAME)
    for event in snapshot.events:
        yield from _forms(TermKind.EVENT, event.name, "", event.synonyms)


def _candidate_visible(snapshot: CatalogSnapshot, scope: AccessScope, name: str) -> bool:
    if metric_visible(snapshot, scope, name):
        return True
    held = lookup(snapshot).held_by(name)
    return held is not None and dimension_visible(snapshot, scope, held)


def _all_visible(scope: AccessScope, held: Held, values: tuple[Scalar, ...]) -> bool:
    return all(value_visible(scope, (held.dimension.name,), str(v)) for v in values)


def _forms(kind: TermKind, target: str, label: str, synonyms: Iterable[str]) -> Iterator[_Entry]:
    written = ((target, TermSource.NAME), (label, TermSource.LABEL), *((s, TermSource.SYNONYM) for s in synonyms))
    for text, source in written:
        surface = normalise_surface(text)
        if not surface:
            continue
        yield (surface, kind, target, source)
        for form in inflections(surface):
            yield (form, kind, target, TermSource.INFLECTION)


def _held(snapshot: CatalogSnapshot) -> Iterator[Held]:
    for model in snapshot.models:
        for dimension in model.dimensions:
            yield Held(model, dimension)


def namable_members(
    snapshot: CatalogSnapshot, scope: AccessScope, seen: Mapping[str, Iterable[str]]
) -> dict[str, Iterable[str]]:
    """By public name what the warehouse shows, else what the catalog declares, of each dimension whose members
    may be listed.  What is seen is taken only as it is read.
    """
    parts = lookup(snapshot)
    found: dict[str, Iterable[str]] = {}
    for held in _held(snapshot):
        if values_visible(snapshot, scope, held):
            canonical = parts.canonical(held)
            declared = held.dimension.values if declared_values_visible(scope, held) else ()
            found[canonical] = _namable(scope, (canonical, held.dimension.name), seen.get(canonical, declared))
    return found


def _namable(scope: AccessScope, names: tuple[str, ...], members: Iterable[str]) -> Iterable[str]:
    limited = any(name in names for name, _ in scope.value_limits)
    return (m for m in members if value_visible(scope, names, m)) if limited else members


def _value_synonyms(snapshot: CatalogSnapshot, scope: AccessScope, members: Members) -> Iterator[Term]:
    """Other words of members that are there; a member of that very name comes first."""
    parts = lookup(snapshot)
    for held in _held(snapshot):
        if held.dimension.value_synonyms and values_visible(snapshot, scope, held):
            yield from _synonyms_in(held, parts.canonical(held), members)


def _synonyms_in(held: Held, canonical: str, members: Members) -> Iterator[Term]:
    found: dict[str, tuple[str, ...]] = {}
    for member, words in held.dimension.value_synonyms:
        stored = _stored(members, canonical, normalise_surface(member))
        for surface in (normalise_surface(w) for w in words if stored):
            found[surface] = tuple(dict.fromkeys((*found.get(surface, ()), *stored)))
    for surface, values in found.items():
        if surface and not _stored(members, canonical, surface):
            source = TermSource.VALUE_SYNONYM
            yield Term(surface=surface, kind=TermKind.VALUE, target=canonical, source=source, values=values)


def _stored(members: Members, canonical: str, surface: str) -> tuple[str, ...]:
    return next((stored for _, dimension, stored in members.lookup(surface) if dimension == canonical), ())
