"""Spelling: a word unknown to English and to the catalog, with one nearest known word, or cut off from one."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import islice, product

from rapidfuzz.distance import DamerauLevenshtein

from catalog.lookup import Whole
from catalog.surfaces import inflections, normalise_surface, plural
from dataagent.intent.english import is_english
from dataagent.intent.lexicon import GRAMMAR_WORDS
from dataagent.intent.normalise import Token
from dataagent.intent.timewords import TIME_WORDS, may_be_time
from dataagent.intent.typefilter.pieces import Setting

_SHORTEST = 4
_LONG = 7


def corrections(tokens: tuple[Token, ...], setting: Setting) -> tuple[tuple[tuple[Token, ...], dict[int, str]], ...]:
    """Ways to mend the tokens, each with position → the word taken.

    A typo with several nearest words gives several ways; the parse has to leave one.
    """
    options: list[tuple[int, tuple[str, ...]]] = []
    for position, token in enumerate(tokens):
        words = _in_time_frame(tokens, position) or _in_name(tokens, position, setting) or _mends(token, setting)
        if words:
            options.append((position, words))
    if not options:
        return ()
    ways = []
    for combo in islice(product(*(words for _, words in options)), _MOST_WAYS):
        fixes = dict(zip((position for position, _ in options), combo, strict=True))
        mended = tuple(replace(t, norm=fixes[i]) if i in fixes else t for i, t in enumerate(tokens))
        ways.append((mended, fixes))
    return tuple(ways)


def _in_time_frame(tokens: tuple[Token, ...], position: int) -> tuple[str, ...]:
    """ "lst month", "this moth": a word beside a time word is mended even where it is English."""
    word = tokens[position].norm
    if not word.isalpha() or len(word) < _SHORTEST - 1:
        return ()
    after = tokens[position + 1].norm if position + 1 < len(tokens) else ""
    before = tokens[position - 1].norm if position else ""
    if word not in _FRAME_OPENERS and _is_near(after, _FRAME_UNITS):
        return _near_in(word, _FRAME_OPENERS)
    if word not in _FRAME_UNITS and (before in _FRAME_OPENERS or before.isdigit()):
        return _near_in(word, _FRAME_UNITS)
    return ()


def _is_near(word: str, known: frozenset[str]) -> bool:
    return word in known or bool(_near_in(word, known))


def _near_in(word: str, known: frozenset[str]) -> tuple[str, ...]:
    near = tuple(sorted(k for k in known if DamerauLevenshtein.distance(word, k, score_cutoff=1) <= 1))
    return near if len(near) == 1 and len(word) >= _SHORTEST - 1 else ()


def _in_name(tokens: tuple[Token, ...], position: int, setting: Setting) -> tuple[str, ...]:
    """ "net rev", "acq channel": a cut-off word, English or not, that makes a catalog name of the word beside it."""
    token = tokens[position]
    if token.quoted or len(token.norm) < _SHORTEST - 1 or not token.norm.isalpha():
        return ()
    before = f"{tokens[position - 1].norm} " if position else ""
    after = f" {tokens[position + 1].norm}" if position + 1 < len(tokens) else ""
    beside = [(before, "")] * bool(before) + [("", after)] * bool(after)
    if setting.index.lookup(token.norm) or any(setting.index.lookup(f"{b}{token.norm}{a}") for b, a in beside):
        return ()
    longer = _lengthened(token.norm, _names(Whole(setting.snapshot), setting.scope.metrics))
    return tuple(w for w in longer if any(setting.index.lookup(f"{b}{w}{a}") for b, a in beside))


def _mends(token: Token, setting: Setting) -> tuple[str, ...]:
    word = token.norm
    if token.quoted or len(word) < _SHORTEST - 1 or not word.isalpha() or not word.isascii():
        return ()
    vocabulary = _names(Whole(setting.snapshot), setting.scope.metrics)
    known = word in GRAMMAR_WORDS or word in vocabulary or may_be_time(word)
    if known or setting.index.lookup(word) or is_english(word):
        return ()
    longer = _lengthened(word, vocabulary)
    return _nearest(word, vocabulary) or (longer if len(longer) <= _MOST_NEAR else ())


def _lengthened(word: str, vocabulary: frozenset[str]) -> tuple[str, ...]:
    """What a cut-off word may stand for: "rev" for revenue, "custs" for customers."""
    cut = word.removesuffix("s") if len(word) > _SHORTEST else word
    whole = {known for known in vocabulary if known.startswith(cut) and len(known) > len(word)}
    stems = {known for known in whole if not any(known != other and known.startswith(other) for other in whole)}
    return tuple(sorted(plural(stem) or stem if cut != word else stem for stem in stems))


def _nearest(word: str, vocabulary: frozenset[str]) -> tuple[str, ...]:
    """The known words at the smallest distance, 1, or 2 from seven letters up."""
    if len(word) < _SHORTEST:
        return ()
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
            return tuple(sorted(near)) if len(near) <= _MOST_NEAR else ()
    return ()


_MOST_NEAR = 4
_MOST_WAYS = 8
_FRAME_OPENERS = frozenset({"last", "this", "past", "previous", "next"})
_FRAME_UNITS = frozenset(u + s for u in ("day", "week", "month", "quarter", "year") for s in ("", "s"))
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
