"""The term index as one question may use it: a thing whose label cannot be shown, or a word none of whose
meanings can, is unknown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from catalog.surfaces import inflections, normalise_surface
from catalog.terms import Term, TermIndex, TermKind
from catalog.types import CatalogSnapshot
from dataagent.intent.view import info_of, label_of_entity


def sees_dimension(index: TermIndex, name: str) -> bool:
    """Whether the index names the dimension, under its public name or as the end of a join path."""
    known = index.dimension_names()
    return name in known or name.rsplit("__", maxsplit=1)[-1] in known


class SeenIndex:
    """A term index without entities whose label or key the asker may not see.  It lives as long as one question."""

    def __init__(self, inner: TermIndex, snapshot: CatalogSnapshot) -> None:
        self.inner = inner
        labels = {e.name: label_of_entity(snapshot, e.name) for e in snapshot.entities}
        self.hidden = frozenset(e for e, label in labels.items() if label and not sees_dimension(inner, label))
        self.snapshot = snapshot
        self._found: dict[str, tuple[Term, ...]] = {}

    def seen(self, dimensions: frozenset[str]) -> frozenset[str]:
        """The dimensions among these that the asker may see."""
        if dimensions <= self.inner.dimension_names():
            return dimensions
        return frozenset(d for d in dimensions if sees_dimension(self.inner, d))

    @property
    def max_words(self) -> int:
        """The longest surface, in words."""
        return self.inner.max_words

    def lookup(self, surface: str) -> tuple[Term, ...]:
        """All terms of the surface that may be used; a second time without looking."""
        found = self._found.get(surface)
        if found is None:
            found = self._found[surface] = tuple(t for t in self.inner.lookup(surface) if self._usable(t))
        return found

    def near(self, surface: str, limit: int = 4) -> tuple[Term, ...]:
        """Terms that look alike and may be used."""
        return tuple(t for t in self.inner.near(surface, limit) if self._usable(t))

    def starting(self, beginning: str, limit: int) -> tuple[Term, ...]:
        """Terms whose surface begins with the text and that may be used."""
        return tuple(t for t in self.inner.starting(beginning, limit) if self._usable(t))

    def vocabulary(self) -> Mapping[str, int]:
        """Single words of all surfaces that may be used."""
        if not self.hidden:
            return self.inner.vocabulary()
        words = Counter(self.inner.vocabulary())
        for name in self.hidden:
            info = info_of(self.snapshot, name)
            texts = {normalise_surface(t) for t in (name, *(info.synonyms if info else ()))}
            for form in texts | {f for t in texts for f in inflections(t)}:
                words.subtract(form.split() if any(not self._usable(t) for t in self.inner.lookup(form)) else ())
        return {word: count for word, count in words.items() if count > 0}

    def in_member(self, word: str) -> bool:
        """Whether the word is part of some member."""
        return self.inner.in_member(word)

    def dimension_names(self) -> frozenset[str]:
        """The names of all dimensions that may be used, with and without the entities before them."""
        return self.inner.dimension_names()

    def _usable(self, term: Term) -> bool:
        return term.kind is not TermKind.ENTITY or term.target not in self.hidden
