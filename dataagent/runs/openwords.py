"""The words that a question left open: bound to nothing, or asked about.  They tell owners what people call things."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from catalog.query import MetricIntent
from catalog.surfaces import normalise_surface
from catalog.wordchanges import MAX_LETTERS, WordChange, word_problem
from dataagent.intent.types import BoundTo, Decision, Option, Understanding

MOST_WORDS = 8
"""Of one question."""


class Openness(StrEnum):
    """How a word was left open."""

    UNBOUND = "unbound"
    ASKED = "asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What an open word can mean: a metric, or a dimension for the metrics that `metric` is one of."""

    kind: str
    target: str
    metric: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenWord:
    """A word in its normal form, how it was open, and what was offered for it, in the order of the options."""

    surface: str
    openness: Openness
    meanings: tuple[Meaning, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedWord:
    """An open word over all runs: how many, of how many people, when last, and how often each meaning was taken."""

    surface: str
    openness: Openness
    runs: int
    people: int
    last_at: datetime
    taken: tuple[tuple[Meaning, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WordMeaning:
    """What an open word can mean, as a change that would settle it, its name, and how often people took it."""

    change: WordChange
    name: str
    taken: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenWordView:
    """A word of the log with the meanings that the reader may see."""

    word: str
    openness: Openness
    logged: LoggedWord
    meanings: tuple[WordMeaning, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """A question that left the word open, read before and after; `question` is "" where only its asker may read it."""

    question: str
    before: Decision
    after: Decision
    restatement: str


def open_words(question: str, understood: Understanding) -> tuple[OpenWord, ...]:
    """The open words of a question that was not answered; none of a refused one, nor of what is no word."""
    if understood.decision is Decision.CLARIFY:
        meanings = _meanings(understood.options)
        unknown = any(
            b.kind is BoundTo.UNBOUND and normalise_surface(b.text) == normalise_surface(understood.about)
            for b in understood.certificate
        )
        openness = Openness.ASKED if meanings and not unknown else Openness.UNBOUND
        return tuple(
            OpenWord(surface=s, openness=openness, meanings=meanings) for s in _usable((understood.about,), question)
        )
    limitation = understood.limitation
    if understood.decision is not Decision.ABSTAIN or limitation is None or limitation.code not in _UNKNOWN:
        return ()
    surfaces = _usable(limitation.unbound, question)
    return tuple(OpenWord(surface=s, openness=Openness.UNBOUND) for s in surfaces[:MOST_WORDS])


_UNKNOWN = frozenset({"unknown_term", "unknown_value"})


def _usable(phrases: tuple[str, ...], question: str) -> tuple[str, ...]:
    """The phrases in their normal form, where the question says them and they could be taught."""
    whole = f" {normalise_surface(question)} "
    surfaces = dict.fromkeys(normalise_surface(p) for p in phrases)
    return tuple(s for s in surfaces if s and len(s) <= MAX_LETTERS and s in whole and not word_problem(s))


def _meanings(options: tuple[Option, ...]) -> tuple[Meaning, ...]:
    """What tells the options apart, one for each: their metric, what they group by or what they narrow down."""
    plans = tuple(o.intent for o in options)
    for kind, names in _APART:
        found = tuple(_only(names(p)) if p is not None else "" for p in plans)
        if all(found) and len(set(found)) == len(found) > 1:
            about = tuple(p.metrics[0] if p is not None and p.metrics else "" for p in plans)
            return tuple(
                Meaning(kind=kind, target=t, metric="" if kind == "metric" else m)
                for t, m in zip(found, about, strict=True)
            )
    return ()


def _only(names: tuple[str, ...]) -> str:
    return names[-1] if names else ""


_APART: tuple[tuple[str, Callable[[MetricIntent], tuple[str, ...]]], ...] = (
    ("metric", lambda p: p.metrics if len(p.metrics) == 1 else ()),
    ("dimension", lambda p: p.dimensions),
    ("dimension", lambda p: tuple(f.field for f in p.filters)),
)
