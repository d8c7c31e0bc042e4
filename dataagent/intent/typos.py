"""Spelling: a word unknown to English and to the catalog, with one nearest known word, or cut off from one."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, product, takewhile

from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

from catalog.lookup import Whole
from catalog.surfaces import inflections, normalise_surface, plural
from catalog.types import CatalogSnapshot
from dataagent.intent.english import is_english
from dataagent.intent.lexicon import GRAMMAR_WORDS
from dataagent.intent.normalise import Token
from dataagent.intent.timewords import MONTH_OF, TIME_WORDS, WEEKDAYS, may_be_time
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


def ready_words(snapshot: CatalogSnapshot, metrics: frozenset[str]) -> None:
    """Makes the words of a catalog, with those of some metrics, that typos are mended to."""
    _names(Whole(snapshot), metrics)


def _in_time_frame(tokens: tuple[Token, ...], position: int) -> tuple[str, ...]:
    """ "lst month", "this moth": a word beside a time word is mended even where it is English."""
    word = tokens[position].norm
    after = tokens[position + 1].norm if position + 1 < len(tokens) else ""
    if after in {"many", "much"} and word.isalpha() and position == 0 and word != "how":
        return ("how",) if DamerauLevenshtein.distance(word, "how", score_cutoff=1) <= 1 else ()
    if not word.isalpha() or len(word) < _SHORTEST - 1 or word in MONTH_OF or word in WEEKDAYS:
        return ()
    before = tokens[position - 1].norm if position else ""
    if word not in {"top", "how"} and after.isdigit():
        return _near_in(word, frozenset({"top"}))
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
    known = word in GRAMMAR_WORDS or word in vocabulary.words or may_be_time(word)
    if known or setting.index.lookup(word) or is_english(word):
        return ()
    longer = _lengthened(word, vocabulary)
    return _nearest(word, vocabulary) or (longer if len(longer) <= _MOST_NEAR else ())


def _lengthened(word: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """What a cut-off word may stand for: "rev" for revenue, "custs" for customers."""
    cut = word.removesuffix("s") if len(word) > _SHORTEST else word
    whole = {known for known in vocabulary.starting(cut) if len(known) > len(word)}
    stems = {known for known in whole if not any(known[:end] in whole for end in range(len(cut), len(known)))}
    return tuple(sorted(plural(stem) or stem if cut != word else stem for stem in stems))


def _nearest(word: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The known words at the smallest distance, 1, or 2 from seven letters up."""
    if len(word) < _SHORTEST:
        return ()
    reach = 2 if len(word) >= _LONG else 1
    known = vocabulary.of_lengths(max(_SHORTEST, len(word) - reach), len(word) + reach)
    scored = process.extract_iter(word, known, scorer=DamerauLevenshtein.distance, score_cutoff=reach)
    near = [(int(distance), found) for found, distance, _ in scored if abs(len(found) - len(word)) <= distance]
    least = min((distance for distance, _ in near), default=0)
    found = sorted({held for distance, held in near if distance == least and distance})
    return tuple(found) if len(found) <= _MOST_NEAR else ()


_MOST_NEAR = 4
_MOST_WAYS = 8
_FRAME_OPENERS = frozenset({"last", "this", "past", "previous", "next"})
_FRAME_UNITS = frozenset(u + s for u in ("day", "week", "month", "quarter", "year") for s in ("", "s"))
_CLOSED = frozenset(w for w in GRAMMAR_WORDS | TIME_WORDS if w.isalpha() and len(w) >= _SHORTEST)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words in order, and those together with the grammar's own by length."""

    words: frozenset[str]
    ordered: tuple[str, ...]
    by_length: dict[int, tuple[str, ...]]

    def starting(self, beginning: str) -> tuple[str, ...]:
        """The words that begin with the text."""
        first = bisect_left(self.ordered, beginning)
        rest = (self.ordered[place] for place in range(first, len(self.ordered)))
        return tuple(takewhile(lambda word: word.startswith(beginning), rest))

    def of_lengths(self, least: int, most: int) -> Iterator[str]:
        """The words, and the grammar's own, of so many letters."""
        return (word for length in range(least, most + 1) for word in self.by_length.get(length, ()))


@lru_cache(maxsize=16)
def _names(whole: Whole, metrics: frozenset[str]) -> Vocabulary:
    """Words of visible names, never of members: a value is suggested, not corrected to."""
    snapshot = whole.snapshot
    texts = [t for m in snapshot.metrics if m.name in metrics for t in (m.name, m.label, *m.synonyms)]
    texts += [t for m in snapshot.models for d in m.dimensions for t in (d.name, d.label, *d.synonyms)]
    texts += [t for e in snapshot.entities for t in (e.name, *e.synonyms)]
    bare = {word for text in texts for word in normalise_surface(text).split() if word.isalpha()}
    words = frozenset(bare | {form for word in bare for form in inflections(word) if form.isalpha()})
    by_length: defaultdict[int, list[str]] = defaultdict(list)
    for word in sorted(words | _CLOSED):
        by_length[len(word)].append(word)
    lengths = {length: tuple(held) for length, held in by_length.items()}
    return Vocabulary(words=words, ordered=tuple(sorted(words)), by_length=lengths)
