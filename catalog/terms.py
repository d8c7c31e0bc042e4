"""What words can mean: the term and value index, always through an AccessScope."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from rapidfuzz import fuzz, process

from catalog.access import AccessScope
from catalog.lookup import Held, lookup
from catalog.surfaces import inflections, normalise_surface
from catalog.types import CatalogSnapshot, Scalar
from catalog.visible import (
    declared_values_visible,
    dimension_visible,
    entity_visible,
    metric_visible,
    value_visible,
    values_visible,
)

__all__ = ["Term", "TermIndex", "TermKind", "TermSource", "build_index", "inflections", "normalise_surface"]


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
        """Single words known to the index with how many terms use them, for typo candidates."""


_STRENGTH = {source: rank for rank, source in enumerate(TermSource)}
_KIND_ORDER = {kind: rank for rank, kind in enumerate(TermKind)}
_NEAR_CUTOFF = 65.0

_Entry = tuple[str, TermKind, str, TermSource]


@dataclass(frozen=True, slots=True)
class _Index:
    """Terms by surface; `order` holds the surfaces for look-alikes, `sorted_order` for beginnings."""

    terms: dict[str, tuple[Term, ...]]
    order: tuple[str, ...]
    sorted_order: tuple[str, ...]
    words: Mapping[str, int]
    longest: int

    @property
    def max_words(self) -> int:
        """The longest surface, in words."""
        return self.longest

    def lookup(self, surface: str) -> tuple[Term, ...]:
        """All terms of a normalised surface, strongest source first."""
        return self.terms.get(surface, ())

    def near(self, surface: str, limit: int = 4) -> tuple[Term, ...]:
        """Terms that look alike, nearest first, each target once; only to suggest."""
        hits = process.extract(surface, self.order, scorer=fuzz.ratio, limit=limit * 4, score_cutoff=_NEAR_CUTOFF)
        found: dict[tuple[TermKind, str, tuple[str, ...]], Term] = {}
        for hit, _, _ in hits:
            for term in self.terms[hit]:
                found.setdefault((term.kind, term.target, term.values), term)
        return tuple(found.values())[:limit]

    def starting(self, beginning: str, limit: int) -> tuple[Term, ...]:
        """Terms whose surface begins with the text, in the order of their surfaces."""
        found: list[Term] = []
        for place in range(bisect_left(self.sorted_order, beginning), len(self.sorted_order)):
            surface = self.sorted_order[place]
            if not surface.startswith(beginning) or len(found) >= limit:
                break
            found.extend(self.terms[surface])
        return tuple(found[:limit])

    def vocabulary(self) -> Mapping[str, int]:
        """Single words of all surfaces and how many terms use each."""
        return self.words


def build_index(snapshot: CatalogSnapshot, scope: AccessScope, values: Mapping[str, tuple[str, ...]]) -> TermIndex:
    """The index of what `scope` may see.

    `values` are the members of a dimension (by public name) that the warehouse shows
    to this scope; a dimension that it lacks falls back to its declared members.
    """
    found: defaultdict[str, dict[tuple[TermKind, str], Term]] = defaultdict(dict)
    for surface, kind, target, source in _names(snapshot, scope):
        held = found[surface].get((kind, target))
        if surface and (held is None or _STRENGTH[source] < _STRENGTH[held.source]):
            found[surface][kind, target] = Term(surface=surface, kind=kind, target=target, source=source)
    for term in _values(snapshot, scope, values):
        found[term.surface][TermKind.VALUE, term.target] = term
    terms = {s: tuple(sorted(held.values(), key=_order)) for s, held in found.items() if s and held}
    words = Counter(word for surface, held in terms.items() for word in surface.split() for _ in held)
    longest = max((s.count(" ") + 1 for s in terms), default=0)
    return _Index(
        terms=terms, order=tuple(terms), sorted_order=tuple(sorted(terms)), words=dict(words), longest=longest
    )


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


def _values(snapshot: CatalogSnapshot, scope: AccessScope, seen: Mapping[str, tuple[str, ...]]) -> Iterator[Term]:
    parts = lookup(snapshot)
    for held in _held(snapshot):
        if values_visible(snapshot, scope, held):
            canonical = parts.canonical(held)
            members = _members(scope, held, canonical, seen)
            yield from _value_terms(held, canonical, members)


def _members(scope: AccessScope, held: Held, canonical: str, seen: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    members = seen.get(canonical)
    if members is None:
        members = held.dimension.values if declared_values_visible(scope, held) else ()
    names = (canonical, held.dimension.name)
    return tuple(dict.fromkeys(m for m in members if value_visible(scope, names, m)))


def _value_terms(held: Held, canonical: str, members: tuple[str, ...]) -> Iterator[Term]:
    folded: dict[str, list[str]] = {}
    for member in members:
        folded.setdefault(normalise_surface(member), []).append(member)
    strong = {s: (tuple(m), TermSource.VALUE) for s, m in folded.items()}
    weak: dict[str, tuple[tuple[str, ...], TermSource]] = {}
    for member, words in held.dimension.value_synonyms:
        stored = folded.get(normalise_surface(member), [])
        for word in words if stored else ():
            surface = normalise_surface(word)
            before = weak.get(surface, ((), TermSource.VALUE_SYNONYM))[0]
            weak[surface] = (tuple(dict.fromkeys((*before, *stored))), TermSource.VALUE_SYNONYM)
    for surface, (stored_as, source) in {**weak, **strong}.items():
        if surface:
            yield Term(surface=surface, kind=TermKind.VALUE, target=canonical, source=source, values=stored_as)
