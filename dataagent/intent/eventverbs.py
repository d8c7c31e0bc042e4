"""Verbs that tell what a metric counts: "ordered" and *orders*, "sell" and *units sold*, "signed up" and *sign ups*."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from catalog.lookup import Whole
from catalog.surfaces import inflections, normalise_surface
from catalog.terms import TermIndex, TermKind
from catalog.types import CatalogSnapshot
from dataagent.intent.normalise import Token
from dataagent.intent.view import entity_of_metric, is_count, stem

_SAME = {"buy": "purcha"}
"""English verbs that say the same."""
_NO_VERBS = frozenset({"be", "is", "are", "was", "were", "do", "did", "have", "has", "had", "we", "and", "or", "of"})


def event_verbs(
    tokens: tuple[Token, ...], snapshot: CatalogSnapshot, index: TermIndex
) -> Iterator[tuple[int, int, str]]:
    """(start, end, metric) of every verb that names what exactly one counting metric counts."""
    known = _by_stems(Whole(snapshot))
    for start in range(len(tokens)):
        for end in (start + 1, start + 2):
            words = [t.norm for t in tokens[start:end]]
            if end > len(tokens) or any(t.quoted for t in tokens[start:end]) or set(words) & _NO_VERBS:
                break
            metric = known.get(frozenset(_root(w) for w in words))
            if metric is not None and _is_seen(metric, index):
                yield start, end, metric


def ready_verbs(snapshot: CatalogSnapshot) -> None:
    """Makes the verbs of a catalog's metrics."""
    _by_stems(Whole(snapshot))


def _is_seen(metric: str, index: TermIndex) -> bool:
    return any(t.kind is TermKind.METRIC and t.target == metric for t in index.lookup(normalise_surface(metric)))


@lru_cache(maxsize=20_000)
def _root(word: str) -> str:
    """The stem of the stem, so that "ordered" meets "orders"."""
    found = stem(word)
    while (shorter := stem(found)) != found:
        found = shorter
    return _SAME.get(found, found)


@lru_cache(maxsize=8)
def _by_stems(whole: Whole) -> dict[frozenset[str], str]:
    """The one metric behind each set of stems: whole names first, then names that end in a participle."""
    exact: dict[frozenset[str], set[str]] = {}
    ending: dict[frozenset[str], set[str]] = {}
    for metric in whole.snapshot.metrics:
        if not is_count(whole.snapshot, metric.name):
            continue
        for text in (metric.name, metric.label, *metric.synonyms):
            words = normalise_surface(text or "").split()
            exact.setdefault(frozenset(_root(w) for w in words), set()).add(metric.name)
            for parts in _verb_and_particle(words):
                exact.setdefault(parts, set()).add(metric.name)
            if len(words) > 1 and _is_participle(words[-1]):
                ending.setdefault(frozenset({_root(words[-1])}), set()).add(metric.name)
    found: dict[frozenset[str], str] = {}
    for stems, names in (*ending.items(), *exact.items()):
        chosen = names if len(names) == 1 else _own_counts(names, whole)
        if stems and len(chosen) == 1:
            found[stems] = next(iter(chosen))
    return found


def _verb_and_particle(words: list[str]) -> Iterator[frozenset[str]]:
    """ "signups" as what is said of it: "signed up"."""
    if len(words) != 1:
        return
    word = stem(words[0])
    for particle in _PARTICLES:
        verb = word.removesuffix(particle)
        if verb != word and len(verb) >= _SHORTEST_VERB:
            yield frozenset({_root(verb), _root(particle)})


_PARTICLES = ("up", "in", "out", "off")
_SHORTEST_VERB = 3


def _own_counts(names: set[str], whole: Whole) -> set[str]:
    """Those of the metrics that are called after the things that they are about: *orders*, not *ordering customers*."""
    found: set[str] = set()
    for name in names:
        entity = normalise_surface(entity_of_metric(whole.snapshot, name).replace("_", " "))
        if normalise_surface(name.replace("_", " ")) in {entity, *inflections(entity)}:
            found.add(name)
    return found


def _is_participle(word: str) -> bool:
    return word.endswith("ed") or word in {"sold", "bought", "paid", "sent", "lost", "made"}
