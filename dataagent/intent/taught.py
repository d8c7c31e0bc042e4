"""Whether a word is free to be taught: what questions say for themselves is not."""

from __future__ import annotations

from datetime import date

from catalog.surfaces import normalise_surface
from catalog.terms import Term, TermIndex, TermKind
from catalog.types import Calendar
from dataagent.intent.lexicon import GRAMMAR_WORDS
from dataagent.intent.normalise import tokens_of
from dataagent.intent.timewords import may_be_time
from dataagent.intent.timex import read

_NAMES = frozenset(
    {
        TermKind.METRIC,
        TermKind.DIMENSION,
        TermKind.ENTITY,
        TermKind.AMBIGUOUS,
        TermKind.ADJECTIVE,
        TermKind.EVENT,
    }
)


def own_word(word: str, calendar: Calendar, today: date) -> str:
    """Why the word belongs to the questions themselves, in one sentence; "" where it does not."""
    said = [t.norm for t in tokens_of(word)]
    if all(may_be_time(t) for t in said) or read(normalise_surface(word), calendar, today) is not None:
        return f"“{word}” is read as a period."
    if all(t in GRAMMAR_WORDS for t in said):
        return f"“{word}” is a word that questions use for themselves, such as “by” or “top”."
    return ""


def names_now(index: TermIndex, word: str) -> tuple[Term, ...]:
    """What the word names by now, members aside."""
    return tuple(t for t in index.lookup(normalise_surface(word)) if t.kind in _NAMES)
