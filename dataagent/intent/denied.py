"""Metrics that exist and are not permitted: a useful no for what the asker named, nothing more."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from catalog.lookup import Whole
from catalog.surfaces import inflections, normalise_surface
from dataagent.intent.lexicon import BY_FIRST
from dataagent.intent.normalise import Token, surface
from dataagent.intent.typefilter.pieces import Setting
from dataagent.intent.types import Limitation
from dataagent.intent.view import metric_of

_MAX_WORDS = 6


@lru_cache(maxsize=32)
def _surfaces(whole: Whole, denied: frozenset[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for metric in whole.snapshot.metrics:
        if metric.name in denied:
            for text in (metric.name, metric.label, *metric.synonyms):
                base = normalise_surface(text)
                found.update({form: metric.name for form in (base, *inflections(base)) if form})
    for term in whole.snapshot.ambiguous_terms:
        if term.candidates and set(term.candidates) <= denied:
            base = normalise_surface(term.term)
            found.update(dict.fromkeys((base, *inflections(base)), term.candidates[0]))
    return found


def asks_for_access(tokens: tuple[Token, ...]) -> bool:
    """Whether the question is who may see something."""
    norms = tuple(t.norm for t in tokens)
    return any(
        role == "CANSEE" and norms[: len(words)] == words for role, words in BY_FIRST.get(norms[0] if norms else "", ())
    )


def denied_mention(tokens: tuple[Token, ...], setting: Setting) -> Limitation | None:
    """The denial when the question names a metric that the asker may not use."""
    if not setting.denied:
        return None
    names = _surfaces(Whole(setting.snapshot), setting.denied)
    if not any(surface(tokens, *span) in names for span in _spans(len(tokens))):
        return None
    position = 0
    while position < len(tokens):
        length, denied = _longest(tokens, position, names, setting)
        if denied:
            owner = metric_of(setting.snapshot, names[surface(tokens, position, position + length)])
            whom = owner.owner if owner else ""
            named = surface(tokens, position, position + length)
            message = f"Your role may not see {named}."
            if whom:
                message += f" Ask its owner, {whom.replace('_', ' ')}."
            return Limitation(
                code="permission", message=message, ask_whom=whom, suggestions=(names[named],) if owner else ()
            )
        position += max(1, length)
    return None


def _spans(length: int) -> Iterator[tuple[int, int]]:
    return ((at, end) for at in range(length) for end in range(at + 1, min(length, at + _MAX_WORDS) + 1))


def _longest(tokens: tuple[Token, ...], start: int, names: dict[str, str], setting: Setting) -> tuple[int, bool]:
    """The longest known term at a position, and whether it is a denied one."""
    for end in range(min(len(tokens), start + _MAX_WORDS), start, -1):
        text = surface(tokens, start, end)
        if setting.index.lookup(text):
            return end - start, False
        if text in names:
            return end - start, True
    return 0, False
