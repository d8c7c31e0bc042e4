"""Nouns made from a noun and a verb: "customers who ordered" are *ordering customers*, "MRR we lost" is *lost MRR*.

The derived noun counts only when the catalog has it; the verb is never dropped.
"""

from __future__ import annotations

from collections.abc import Iterator

from catalog.surfaces import plural, singular
from catalog.terms import Term, TermIndex, TermKind
from dataagent.intent.normalise import Token, surface

READ_AS = "read as "
"""How the note of a derived noun begins."""
_WHO = frozenset({"who", "that", "have", "has", "had"})
_LIGHT = frozenset({"placed", "made", "place", "make", "did"})
_DETERMINERS = frozenset({"a", "an", "any", "the", "one"})
_PAST = {"lose": "lost", "sell": "sold", "pay": "paid", "buy": "bought", "win": "won", "get": "got", "send": "sent"}
_DID_WE = (("did", "we"), ("have", "we"), ("do", "we"))


def derived_nouns(tokens: tuple[Token, ...], index: TermIndex) -> Iterator[tuple[int, int, tuple[Term, ...]]]:
    """(start, end, metric terms) of every noun-and-verb group that the catalog names as one noun."""
    for start in range(len(tokens)):
        for end in range(start + 1, min(len(tokens), start + 3) + 1):
            noun = surface(tokens, start, end)
            if index.lookup(noun):
                yield from _of_noun(tokens, (start, end, noun), index)


def doers(verb: str, noun: str, index: TermIndex) -> tuple[str, ...]:
    """The metrics that count who did something: "ordered" and "customers" → *ordering customers*."""
    said = (f"{form} {plural(noun) or noun}" for form in _present_forms(verb.split(maxsplit=1)[0]))
    terms = (t for name in said for t in index.lookup(name) if t.kind is TermKind.METRIC)
    return tuple(dict.fromkeys(t.target for t in terms))


def per_names(tokens: tuple[Token, ...], index: TermIndex) -> Iterator[tuple[int, int, tuple[Term, ...]]]:
    """(start, end, metric terms) of "items are in an order", where the catalog has *items per order*."""
    norms = [t.norm for t in tokens]
    for start in range(len(tokens)):
        for end in range(start + 1, min(len(tokens), start + 3)):
            then = end + 1 if norms[end] in _BE else end
            if tuple(norms[then : then + 2]) not in _IN_A or then + 2 >= len(norms):
                continue
            name = f"{surface(tokens, start, end)} per {norms[then + 2]}"
            terms = tuple(t for t in index.lookup(name) if t.kind is TermKind.METRIC)
            if terms:
                yield start, then + 3, terms


def conversions(tokens: tuple[Token, ...], index: TermIndex) -> Iterator[tuple[int, int, tuple[Term, ...]]]:
    """(start, end, metric terms) of "trials that became paid", where the catalog has the *trial to paid rate*."""
    norms = [t.norm for t in tokens]
    for start in range(len(tokens) - 2):
        then = start + 2 if norms[start + 1] in {"that", "which", "who"} else start + 1
        for words in _BECAME:
            end = then + len(words) + 1
            if tuple(norms[then : end - 1]) != words or end > len(norms):
                continue
            first = singular(norms[start]) or norms[start]
            names = (f"{first} to {norms[end - 1]} rate", f"{first} to {norms[end - 1]} conversion rate")
            terms = tuple(t for name in names for t in index.lookup(name) if t.kind is TermKind.METRIC)
            if terms:
                yield start, end, terms


_BECAME = (
    ("became",), ("become",), ("turned",), ("converted", "to"), ("convert", "to"), ("turned", "into"), ("went",),
    ("were", "converted", "to"), ("got", "converted", "to"), ("ended", "up"),
)  # fmt: skip
_BE = frozenset({"are", "is", "were", "was"})
_IN_A = frozenset((p, d) for p in ("in", "on", "for") for d in ("a", "an", "each", "every", "one"))


def torn_names(tokens: tuple[Token, ...], index: TermIndex) -> frozenset[tuple[int, int]]:
    """First parts of metric names that a member stands within ("active Pro subscribers"): no condition of their own."""
    found: set[tuple[int, int]] = set()
    size = len(tokens)
    within = ((m, n) for m in range(1, size) for n in range(m + 1, min(m + 4, size)))
    members = [span for span in within if any(t.kind is TermKind.VALUE for t in index.lookup(surface(tokens, *span)))]
    for start, middle, noun in ((m - long, m, n) for m, n in members for long in (1, 2) if m >= long):
        first = surface(tokens, start, middle)
        for end in (noun + 1, noun + 2):
            whole = f"{first} {surface(tokens, noun, end)}"
            if end <= size and any(t.kind is TermKind.METRIC for t in index.lookup(whole)):
                found.add((start, middle))
    return frozenset(found)


def _of_noun(
    tokens: tuple[Token, ...], span: tuple[int, int, str], index: TermIndex
) -> Iterator[tuple[int, int, tuple[Term, ...]]]:
    start, end, noun = span
    norms = [t.norm for t in tokens]
    after = end + 1 if end < len(norms) and norms[end] in _WHO else end
    for stop, verb in _verbs(norms, after, index):
        yield from _named(start, stop, (f"{form} {noun}" for form in _present_forms(verb)), index)
    if tuple(norms[end : end + 2]) in _DID_WE and end + 2 < len(norms):
        verb = norms[end + 2]
        yield from _named(start, end + 3, (f"{form} {noun}" for form in _past_forms(verb)), index)


def _named(
    start: int, stop: int, nouns: Iterator[str], index: TermIndex
) -> Iterator[tuple[int, int, tuple[Term, ...]]]:
    for noun in nouns:
        terms = tuple(t for t in index.lookup(noun) if t.kind is TermKind.METRIC)
        if terms:
            yield start, stop, terms
            return


def _verbs(norms: list[str], at: int, index: TermIndex) -> Iterator[tuple[int, str]]:
    """A past verb, or a light verb with its noun ("placed an order" → "order")."""
    if at >= len(norms):
        return
    word = norms[at]
    if word.endswith("ed") and word not in _LIGHT:
        yield at + 1, word
    if word in _LIGHT:
        then = at + 1
        if then < len(norms) and norms[then] in _DETERMINERS:
            then += 1
        if then < len(norms) and any(t.kind is TermKind.ENTITY for t in index.lookup(norms[then])):
            yield then + 1, norms[then]


def _present_forms(verb: str) -> tuple[str, ...]:
    """ "ordered", "order", "orders" → "ordering"."""
    base = verb[:-2] if verb.endswith("ed") else verb
    base = base[:-1] if base.endswith("s") and plural(base[:-1]) == base else base
    bare = base[:-1] if base.endswith("e") else base
    doubled = base[:-1] if len(base) > 2 and base[-1] == base[-2] else base
    return tuple(dict.fromkeys((f"{bare}ing", f"{base}ing", f"{doubled}ing")))


def _past_forms(verb: str) -> tuple[str, ...]:
    """ "lose" → "lost", "cancel" → "cancelled"."""
    if verb in _PAST:
        return (_PAST[verb],)
    base = verb.removesuffix("e")
    return (f"{base}ed", f"{verb}{verb[-1]}ed")
