"""Spelling: a word unknown to English and to the catalog, with one nearest known word."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from rapidfuzz.distance import DamerauLevenshtein

from catalog.lookup import Whole
from catalog.surfaces import inflections, normalise_surface
from dataagent.intent.english import is_english
from dataagent.intent.lexicon import GRAMMAR_WORDS
from dataagent.intent.normalise import Token
from dataagent.intent.timewords import TIME_WORDS, may_be_time
from dataagent.intent.typefilter.pieces import Setting

_SHORTEST = 4
_LONG = 7


def corrected(tokens: tuple[Token, ...], setting: Setting) -> tuple[tuple[Token, ...], dict[int, str]]:
    """The tokens with their typos mended, and position → the word that was taken."""
    fixes: dict[int, str] = {}
    mended = list(tokens)
    for position, token in enumerate(tokens):
        word = _mend(token, setting)
        if word is not None:
            fixes[position] = word
            mended[position] = replace(token, norm=word)
    return tuple(mended), fixes


def _mend(token: Token, setting: Setting) -> str | None:
    word = token.norm
    if token.quoted or len(word) < _SHORTEST - 1 or not word.isalpha() or not word.isascii():
        return None
    vocabulary = _names(Whole(setting.snapshot), setting.scope.metrics)
    if (
        word in GRAMMAR_WORDS
        or word in vocabulary
        or may_be_time(word)
        or setting.index.lookup(word)
        or is_english(word)
    ):
        return None
    return _nearest(word, vocabulary)


def _nearest(word: str, vocabulary: frozenset[str]) -> str | None:
    """The one known word at the smallest distance, 1, or 2 from seven letters up."""
    reach = 2 if len(word) >= _LONG else 1
    for distance in range(1, reach + 1):
        near = {
            known
            for known in (*vocabulary, *_CLOSED)
            if abs(len(known) - len(word)) <= distance
            and len(known) >= _SHORTEST
            and DamerauLevenshtein.distance(word, known, score_cutoff=distance) <= distance
        }
        if near:
            return near.pop() if len(near) == 1 else None
    return None


_CLOSED = frozenset(w for w in GRAMMAR_WORDS | TIME_WORDS if w.isalpha() and len(w) >= _SHORTEST)


@lru_cache(maxsize=16)
def _names(whole: Whole, metrics: frozenset[str]) -> frozenset[str]:
    """Words of visible names, never of members: a value is suggested, not corrected to."""
    snapshot = whole.snapshot
    texts = [t for m in snapshot.metrics if m.name in metrics for t in (m.name, m.label, *m.synonyms)]
    texts += [t for m in snapshot.models for d in m.dimensions for t in (d.name, d.label, *d.synonyms)]
    texts += [t for e in snapshot.entities for t in (e.name, *e.synonyms)]
    words = {word for text in texts for word in normalise_surface(text).split() if word.isalpha()}
    return frozenset(words | {form for word in words for form in inflections(word) if form.isalpha()})
