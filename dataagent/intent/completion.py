"""What a question may go on with while it is typed: only words that the asker may use, never a guess at meaning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from catalog.terms import Term, TermIndex, TermKind, TermSource
from catalog.types import CatalogSnapshot, DimensionType
from dataagent.intent.normalise import Token, surface, tokens_of
from dataagent.intent.seen import SeenIndex, sees_dimension
from dataagent.intent.timex import read
from dataagent.intent.view import is_personal, reach_of, shown, type_of


class CompletionKind(StrEnum):
    """What the completed words name."""

    METRIC = "metric"
    DIMENSION = "dimension"
    ENTITY = "entity"
    VALUE = "value"
    TERM = "term"
    EVENT = "event"
    TIME = "time"


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """One way to go on: the whole `question`, the completed `words`, and whose member or whose other word they are."""

    question: str
    words: str
    kind: CompletionKind
    detail: str = ""


_KINDS = {
    TermKind.METRIC: CompletionKind.METRIC,
    TermKind.DIMENSION: CompletionKind.DIMENSION,
    TermKind.ENTITY: CompletionKind.ENTITY,
    TermKind.VALUE: CompletionKind.VALUE,
    TermKind.AMBIGUOUS: CompletionKind.TERM,
    TermKind.ADJECTIVE: CompletionKind.TERM,
    TermKind.EVENT: CompletionKind.EVENT,
}
_GROUPING = frozenset({"by", "per", "each", "across"})
_NARROWING = frozenset({"in", "for", "from", "of", "at", "to", "on", "not", "excluding", "and", "or", "via", "with"})
_AFTER_GROUPING = (CompletionKind.DIMENSION, CompletionKind.ENTITY, CompletionKind.TIME)
_AFTER_NARROWING = (CompletionKind.VALUE, CompletionKind.TIME, CompletionKind.EVENT, CompletionKind.TERM)
_FIRST = (CompletionKind.METRIC, CompletionKind.TERM, CompletionKind.ENTITY)
_PERIODS = (
    "today", "yesterday", "this week", "last week", "this month", "last month", "this quarter", "last quarter",
    "this year", "last year", "last 7 days", "last 30 days", "last 90 days", "last 12 months", "month to date",
    "quarter to date", "year to date", "January", "February", "March", "April", "May", "June", "July", "August",
    "September", "October", "November", "December",
)  # fmt: skip
_SIZES = ("day", "week", "month", "quarter", "year")
_DIVIDING = frozenset({DimensionType.CATEGORICAL, DimensionType.ORDINAL, DimensionType.GEO, DimensionType.BOOLEAN})
_LONGEST_TAIL = 4
_LOOKED_AT = 400


def completions(
    text: str, *, snapshot: CatalogSnapshot, index: TermIndex, today: date, limit: int = 8
) -> tuple[Completion, ...]:
    """Ways to go on from the end of `text`, best first, at most `limit`; none where nothing fits.

    A name that the last words begin comes before a name that only the last word begins;
    after "by" dimensions that the named metrics can be divided by come first, after "in" members and periods.
    """
    tokens = tokens_of(text)
    seen = SeenIndex(index, snapshot)
    if not tokens or tokens[-1].quoted or _is_inside_quotes(tokens):
        return ()
    found: dict[tuple[CompletionKind, str], tuple[tuple[int, ...], Completion]] = {}
    if tokens[-1].norm in _GROUPING and text != text.rstrip():
        return tuple(_groupings(text, tokens, seen, snapshot))[:limit]
    for length in range(min(_LONGEST_TAIL, len(tokens)), 0, -1):
        place = _Place(text, tokens, len(tokens) - length, seen, snapshot)
        for completion, rank in place.fitting(today):
            found.setdefault((completion.kind, completion.words), ((-length, *rank), completion))
    ranked = sorted(found.values(), key=lambda pair: (pair[0], pair[1].words))
    return tuple(completion for _, completion in ranked[:limit])


def _is_inside_quotes(tokens: tuple[Token, ...]) -> bool:
    return sum(1 for t in tokens if t.norm == '"') % 2 == 1


class _Place:
    """The words from a token to the end of the text, as the beginning of a name."""

    def __init__(
        self, text: str, tokens: tuple[Token, ...], start: int, index: SeenIndex, snapshot: CatalogSnapshot
    ) -> None:
        self.before = text[: tokens[start].start]
        self.index = index
        self.snapshot = snapshot
        closed = text != text.rstrip()
        self.beginning = surface(tokens, start, len(tokens)) + (" " if closed else "")
        self.previous = tokens[start - 1].norm if start else ""
        self.metrics = tuple(_metrics(tokens[:start], index))

    def fitting(self, today: date) -> Iterator[tuple[Completion, tuple[int, ...]]]:
        """Completions with their ranks, smaller is better."""
        for term in self.index.starting(self.beginning, _LOOKED_AT):
            if term.source is TermSource.INFLECTION or term.surface == self.beginning or self._is_hidden(term):
                continue
            kind = _KINDS[term.kind]
            for words, detail in _shown(term):
                rank = (self._rank(kind), 0 if self._is_reached(term) else 1, int(bool(detail)), len(words))
                yield self._completion(words, kind, detail), rank
        times = _SIZES if self.previous in _GROUPING else _PERIODS
        for place, words in enumerate(times):
            begins = words.lower().startswith(self.beginning) and words.lower() != self.beginning
            if begins and (times is _SIZES or read(words.lower(), self.snapshot.calendar, today) is not None):
                yield self._completion(words, CompletionKind.TIME, ""), (self._rank(CompletionKind.TIME), 0, 0, place)

    def _completion(self, words: str, kind: CompletionKind, detail: str) -> Completion:
        return Completion(question=f"{self.before}{words}", words=words, kind=kind, detail=detail)

    def _rank(self, kind: CompletionKind) -> int:
        wanted: tuple[CompletionKind, ...] = _FIRST if not self.previous else ()
        if self.previous in _GROUPING:
            wanted = _AFTER_GROUPING
        elif self.previous in _NARROWING:
            wanted = _AFTER_NARROWING
        return wanted.index(kind) if kind in wanted else len(_AFTER_NARROWING)

    def _is_reached(self, term: Term) -> bool:
        if term.kind not in {TermKind.DIMENSION, TermKind.VALUE} or not self.metrics:
            return True
        return term.target in reach_of(self.snapshot, self.metrics)

    def _is_hidden(self, term: Term) -> bool:
        return term.kind is TermKind.DIMENSION and is_personal(self.snapshot, term.target)


def _groupings(
    text: str, tokens: tuple[Token, ...], index: SeenIndex, snapshot: CatalogSnapshot
) -> Iterator[Completion]:
    """After "by ": the sizes of time, then every dimension that the named metrics can be divided by."""
    metrics = tuple(_metrics(tokens, index))
    if not metrics:
        return
    yield from (Completion(question=f"{text}{size}", words=size, kind=CompletionKind.TIME) for size in _SIZES[2:3])
    reached = sorted(reach_of(snapshot, metrics), key=lambda name: (name.count("__"), len(name), name))
    for name in reached:
        if sees_dimension(index, name) and not is_personal(snapshot, name) and type_of(snapshot, name) in _DIVIDING:
            yield Completion(question=f"{text}{shown(name)}", words=shown(name), kind=CompletionKind.DIMENSION)


def _metrics(tokens: tuple[Token, ...], index: SeenIndex) -> Iterator[str]:
    """Metrics that the words name without doubt."""
    for start in range(len(tokens)):
        for end in range(start + 1, min(len(tokens), start + _LONGEST_TAIL) + 1):
            named = {t.target for t in index.lookup(surface(tokens, start, end)) if t.kind is TermKind.METRIC}
            if len(named) == 1:
                yield named.pop()


def _shown(term: Term) -> Iterator[tuple[str, str]]:
    """The words to put in, and what they belong to."""
    if term.kind is TermKind.VALUE:
        for value in term.values:
            words = value if term.source is TermSource.VALUE else term.surface
            yield words, shown(term.target)
        return
    yield term.surface, "" if term.source is not TermSource.SYNONYM else shown(term.target)
