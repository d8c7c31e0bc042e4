"""All candidate meanings of all spans: no early choice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from functools import lru_cache

from catalog.lookup import lookup
from catalog.periods import elapsed_end
from catalog.query import TimeRange
from catalog.surfaces import inflections, normalise_surface, singular
from catalog.terms import Term, TermIndex, TermKind, TermSource
from catalog.types import CatalogSnapshot, DimensionType, TermDefault, TimeGranularity
from dataagent.intent.chart import Edge
from dataagent.intent.derived import READ_AS, conversions, derived_nouns, per_names, torn_names
from dataagent.intent.eventverbs import event_verbs
from dataagent.intent.funnelsteps import Step
from dataagent.intent.lexicon import BY_FIRST, IGNORABLE
from dataagent.intent.normalise import Token, surface
from dataagent.intent.numbers import number_spans, ordinal_number
from dataagent.intent.parts import Mark, Number, Ref, TimeReading, ValueRef
from dataagent.intent.recurring import recurring_refs
from dataagent.intent.seen import sees_dimension
from dataagent.intent.timex import time_spans
from dataagent.intent.types import BoundTo
from dataagent.intent.view import tells_event, type_of

_STRENGTH = {
    TermSource.NAME: 0,
    TermSource.LABEL: 0,
    TermSource.VALUE: 0,
    TermSource.INFLECTION: 0,
    TermSource.SYNONYM: 1,
    TermSource.VALUE_SYNONYM: 1,
}
_GRAIN_WORDS = {
    "hour": TimeGranularity.HOUR,
    "day": TimeGranularity.DAY,
    "week": TimeGranularity.WEEK,
    "month": TimeGranularity.MONTH,
    "quarter": TimeGranularity.QUARTER,
    "year": TimeGranularity.YEAR,
}
_GRAIN_FORMS = (
    {form: grain for word, grain in _GRAIN_WORDS.items() for form in (word, f"{word}s", f"calendar {word}")}
    | {"iso week": TimeGranularity.WEEK, "wk": TimeGranularity.WEEK, "mth": TimeGranularity.MONTH}
)  # fmt: skip
_GRAIN_ADVERBS = {
    "daily": TimeGranularity.DAY, "weekly": TimeGranularity.WEEK, "monthly": TimeGranularity.MONTH,
    "quarterly": TimeGranularity.QUARTER, "yearly": TimeGranularity.YEAR, "annually": TimeGranularity.YEAR,
    "annual": TimeGranularity.YEAR, "day by day": TimeGranularity.DAY, "week by week": TimeGranularity.WEEK,
    "month by month": TimeGranularity.MONTH, "quarter by quarter": TimeGranularity.QUARTER,
    "year by year": TimeGranularity.YEAR, "every day": TimeGranularity.DAY, "every week": TimeGranularity.WEEK,
    "every month": TimeGranularity.MONTH, "each day": TimeGranularity.DAY, "each week": TimeGranularity.WEEK,
    "each month": TimeGranularity.MONTH, "each quarter": TimeGranularity.QUARTER, "each year": TimeGranularity.YEAR,
    "every quarter": TimeGranularity.QUARTER, "every year": TimeGranularity.YEAR,
    "hourly": TimeGranularity.HOUR, "hour by hour": TimeGranularity.HOUR, "every hour": TimeGranularity.HOUR,
    "each hour": TimeGranularity.HOUR,
}  # fmt: skip
_OVER = {
    "day over day": "day", "dod": "day", "week over week": "week", "wow": "week", "week on week": "week",
    "month over month": "month", "mom": "month", "month on month": "month", "quarter over quarter": "quarter",
    "qoq": "quarter", "quarter on quarter": "quarter", "year over year": "year_ago", "yoy": "year_ago",
    "year on year": "year_ago", "w/w": "week", "m/m": "month", "q/q": "quarter", "y/y": "year_ago",
}  # fmt: skip
_SIDES = {"since": "since", "after": "after", "before": "before", "following": "after", "until": "before"}
_LIGHT = frozenset({"PLACED", "LIGHT"})
_PARTICIPLES = frozenset({"paid", "sold", "bought", "sent", "made", "shipped"})


def lexical_edges(
    tokens: tuple[Token, ...],
    *,
    snapshot: CatalogSnapshot,
    index: TermIndex,
    today: date,
    steps: tuple[tuple[int, int, Step], ...] = (),
) -> tuple[Edge, ...]:
    """Every lexical edge of the question; `steps` are those of funnels in it."""
    words = (e for e in _words(tokens) if not (e.cat in _LIGHT and tells_event(str(e.meaning), snapshot)))
    torn = torn_names(tokens, index)
    named = (e for e in _catalog(tokens, snapshot, index, today) if (e.start, e.end) not in torn or e.cat == "M")
    edges: list[Edge] = [*words, *named]
    edges.extend(_read_out(tokens, index))
    for start, end, metric in event_verbs(tokens, snapshot, index):
        verb = Ref(kind=BoundTo.METRIC, targets=(metric,), surface=surface(tokens, start, end), strength=1)
        edges.append(_edge((start, end), "EV", verb, BoundTo.METRIC, metric, note=f"a verb of {metric}"))
    for start, end, reading in time_spans(tokens, snapshot.calendar, today):
        edges.append(_edge((start, end), "T", reading, BoundTo.TIME, reading.range.expr))
    for span, ref in recurring_refs(tokens, snapshot, index):
        edges.append(_edge(span, "D", ref, BoundTo.DIMENSION, ref.targets[0]))
    for start, end, step in steps:
        edges.append(_edge((start, end), "ST", step, BoundTo.METRIC, step.metric, note=f"a step of {step.metric}"))
    for start, end, number in number_spans(tokens):
        edges.append(_edge((start, end), "N", number, BoundTo.NUMBER, str(number.value)))
    for start, token in enumerate(tokens):
        place = None if token.quoted else ordinal_number(token.norm)
        if place is not None:
            edges.append(_edge((start, start + 1), "NTH", Number(value=place), BoundTo.NUMBER, str(place)))
    sorting = _sorting_words(tokens)
    return tuple(e for e in edges if e.end not in sorting)


def _sorting_words(tokens: tuple[Token, ...]) -> frozenset[int]:
    """Where a word ends that says in which order, and not what somebody did: "stores ordered by city"."""
    norms = [t.norm for t in tokens]
    pairs = ((place, word) for place, word in enumerate(norms[:-1]) if word in _SORTING and norms[place + 1] == "by")
    return frozenset(place + 1 for place, _ in pairs if place == 0 or norms[place - 1] not in _DOERS)


_SORTING = frozenset({"ordered", "sorted"})
_DOERS = frozenset(
    {"who", "that", "which", "have", "has", "had", "were", "was", "are", "is", "been", "being", "get", "never", "not"}
)
"""Words after which "ordered by" tells what was done."""


def _read_out(tokens: tuple[Token, ...], index: TermIndex) -> Iterator[Edge]:
    """Metrics whose names are read out of several words: "customers who ordered", "items are in an order"."""
    sources = (("M", derived_nouns), ("MPER", per_names), ("MCONV", conversions))
    for cat, found in ((cat, source(tokens, index)) for cat, source in sources):
        for start, end, terms in found:
            said = surface(tokens, start, end) if cat == "M" else terms[0].surface
            for ref in _refs((start, end, said), list(terms), BoundTo.METRIC):
                note = f"{READ_AS}{terms[0].surface}"
                yield _edge((start, end), cat, ref, BoundTo.METRIC, "/".join(ref.targets), note=note)


def _edge(span: tuple[int, int], cat: str, meaning: object, kind: BoundTo, target: str = "", *, note: str = "") -> Edge:
    mark = Mark(start=span[0], end=span[1], kind=kind, target=target, note=note)
    return Edge(span[0], span[1], cat, meaning, (mark,))


def _words(tokens: tuple[Token, ...]) -> Iterator[Edge]:
    norms = [t.norm for t in tokens]
    for start, token in enumerate(tokens):
        if token.quoted:
            continue
        for role, words in BY_FIRST.get(token.norm, ()):
            end = start + len(words)
            if tuple(norms[start:end]) == words and not any(t.quoted for t in tokens[start:end]):
                kind = BoundTo.IGNORABLE if role in IGNORABLE else BoundTo.OPERATOR
                yield _edge((start, end), role, " ".join(words), kind, role.lower())
        yield from _grains(tokens, start)
        if token.norm in _PARTICIPLES or _may_be_verb(token.norm):
            yield _edge((start, start + 1), "VERB", token.norm, BoundTo.OPERATOR, token.norm)


def _may_be_verb(word: str) -> bool:
    return word.isalpha() and ((word.endswith("ed") and len(word) > 4) or (word.endswith("ing") and len(word) > 5))


def _grains(tokens: tuple[Token, ...], start: int) -> Iterator[Edge]:
    for length in (1, 2, 3):
        end = start + length
        if end > len(tokens):
            return
        text = surface(tokens, start, end)
        if text in _GRAIN_FORMS:
            yield _edge((start, end), "GW", _GRAIN_FORMS[text], BoundTo.TIME, _GRAIN_FORMS[text].value)
        if text in _GRAIN_ADVERBS:
            yield _edge((start, end), "GA", _GRAIN_ADVERBS[text], BoundTo.TIME, _GRAIN_ADVERBS[text].value)
        if text in _OVER:
            yield _edge((start, end), "POP", _OVER[text], BoundTo.OPERATOR, _OVER[text])


def _catalog(tokens: tuple[Token, ...], snapshot: CatalogSnapshot, index: TermIndex, today: date) -> Iterator[Edge]:
    longest = max(index.max_words, 3)
    defaults = _default_terms(snapshot, index)
    quoted = any(t.quoted for t in tokens)
    for start in range(len(tokens)):
        for end in range(start + 1, min(len(tokens), start + longest + 1) + 1):
            if quoted and end > start + 1 and any(t.quoted for t in tokens[start:end]):
                break
            text = surface(tokens, start, end)
            terms = index.lookup(text)
            if terms or text in defaults:
                yield from _of_terms((start, end, text), terms, snapshot, defaults, index)
            if terms and any(t.kind is TermKind.EVENT for t in terms):
                yield from _event((start, end, text), tokens, snapshot, today)
            if not terms and not tokens[end - 1].quoted:
                yield from _plural_members((start, end, text), snapshot, index)


def _plural_members(span: tuple[int, int, str], snapshot: CatalogSnapshot, index: TermIndex) -> Iterator[Edge]:
    """Members that are named in the plural ("tablets"), where nothing is called so: told, and never of a place."""
    before, _, last = span[2].rpartition(" ")
    one = singular(last) if last.isalpha() and len(last) >= _SHORTEST_PLURAL else None
    if one is None:
        return
    named = (t for t in index.lookup(f"{before} {one}".strip()) if t.kind is TermKind.VALUE)
    terms = [t for t in named if type_of(snapshot, t.target) is not DimensionType.GEO]
    for edge in _values(span, terms):
        if isinstance(edge.meaning, ValueRef):
            value = replace(edge.meaning, strength=1)
            note = f"plural of {terms[0].surface}"
            yield _edge((span[0], span[1]), "V", value, BoundTo.VALUE, value.choices[0][1][0], note=note)


_SHORTEST_PLURAL = 4


def _default_terms(snapshot: CatalogSnapshot, index: TermIndex) -> dict[str, tuple[str, ...]]:
    """Words with a declared default → the visible dimensions they can mean."""
    found: dict[str, tuple[str, ...]] = {}
    for dimension, forms in _declared_defaults(snapshot.term_defaults):
        if dimension and sees_dimension(index, dimension):
            for form in forms:
                found[form] = tuple(dict.fromkeys((*found.get(form, ()), dimension)))
    return found


@lru_cache(maxsize=32)
def _declared_defaults(defaults: tuple[TermDefault, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Each declared default's dimension, with all forms of its word."""
    words = ((d.dimension, normalise_surface(d.term)) for d in defaults)
    return tuple((dimension, (word, *inflections(word))) for dimension, word in words)


def _of_terms(
    span: tuple[int, int, str],
    terms: tuple[Term, ...],
    snapshot: CatalogSnapshot,
    defaults: dict[str, tuple[str, ...]],
    index: TermIndex,
) -> Iterator[Edge]:
    by_kind: dict[TermKind, list[Term]] = {}
    for term in terms:
        by_kind.setdefault(term.kind, []).append(term)
    ambiguous = _ambiguous(span, by_kind.get(TermKind.AMBIGUOUS, []), snapshot, defaults)
    for cat, kind, bound in (
        ("M", TermKind.METRIC, BoundTo.METRIC),
        ("D", TermKind.DIMENSION, BoundTo.DIMENSION),
        ("E", TermKind.ENTITY, BoundTo.ENTITY),
    ):
        refs = ambiguous.get(cat) or _refs(span, by_kind.get(kind, []), bound)
        for ref in (_as_declared(r, snapshot, index) for r in refs):
            yield _edge((span[0], span[1]), cat, ref, bound, "/".join(ref.targets), note=_note(ref))
    if TermKind.ENTITY in by_kind and TermKind.METRIC not in by_kind and "M" not in ambiguous:
        for ref in _refs(span, by_kind[TermKind.ENTITY], BoundTo.ENTITY):
            yield _edge((span[0], span[1]), "EC", ref, BoundTo.ENTITY, "/".join(ref.targets))
    yield from _flags(span, by_kind.get(TermKind.DIMENSION, []), snapshot)
    yield from _values(span, by_kind.get(TermKind.VALUE, []))
    for term in by_kind.get(TermKind.ADJECTIVE, []):
        yield _edge((span[0], span[1]), "ADJ", term.target, BoundTo.ADJECTIVE, term.target)


def _as_declared(ref: Ref, snapshot: CatalogSnapshot, index: TermIndex) -> Ref:
    """The mention with the one metric that its owner declared, where the asker may see it; else as it was."""
    if ref.kind is not BoundTo.METRIC or len(ref.targets) < 2:
        return ref
    declared = _metric_defaults(snapshot.term_defaults).get(ref.surface)
    if declared not in ref.targets or not _names_metric(index, declared):
        return ref
    return replace(ref, targets=(declared,), others=tuple(t for t in ref.targets if t != declared))


@lru_cache(maxsize=32)
def _metric_defaults(defaults: tuple[TermDefault, ...]) -> dict[str, str]:
    """All forms of each word that an owner gave one metric to → that metric."""
    words = ((d.metric, normalise_surface(d.term)) for d in defaults if d.metric)
    return {form: metric for metric, word in words for form in (word, *inflections(word))}


def _names_metric(index: TermIndex, name: str) -> bool:
    return any(t.kind is TermKind.METRIC and t.target == name for t in index.lookup(normalise_surface(name)))


def _note(ref: Ref) -> str:
    if ref.others:
        return f"{ref.targets[0]}, as its owner declared"
    if ref.term:
        return f"“{ref.term}” has several meanings"
    return f"synonym of {ref.targets[0]}" if ref.strength and len(ref.targets) == 1 else ""


def _refs(span: tuple[int, int, str], terms: list[Term], bound: BoundTo) -> tuple[Ref, ...]:
    if not terms:
        return ()
    named = [t for t in terms if t.source in {TermSource.NAME, TermSource.LABEL}]
    chosen = named or terms
    targets = tuple(dict.fromkeys(t.target for t in chosen))
    strength = min(_STRENGTH[t.source] for t in chosen)
    return (Ref(kind=bound, targets=targets, surface=span[2], strength=strength, words=span[1] - span[0]),)


def _ambiguous(
    span: tuple[int, int, str], terms: list[Term], snapshot: CatalogSnapshot, defaults: dict[str, tuple[str, ...]]
) -> dict[str, tuple[Ref, ...]]:
    """Refs of a declared ambiguous word, or of a word with a declared default, by category."""
    found: dict[str, tuple[Ref, ...]] = {}
    candidates: list[str] = [
        c for a in snapshot.ambiguous_terms for t in terms if a.term == t.target for c in a.candidates
    ]
    metrics = lookup(snapshot).metrics
    words = span[1] - span[0]
    as_metric = tuple(c for c in candidates if c in metrics)
    as_dimension = tuple(dict.fromkeys((*(c for c in candidates if c not in metrics), *defaults.get(span[2], ()))))
    term = terms[0].target if terms else span[2]
    if as_metric:
        ref = Ref(kind=BoundTo.METRIC, targets=as_metric, surface=span[2], term=term, strength=1, words=words)
        found["M"] = (ref,)
    if as_dimension:
        ref = Ref(kind=BoundTo.DIMENSION, targets=as_dimension, surface=span[2], term=term, strength=1, words=words)
        found["D"] = (ref,)
    return found


def _flags(span: tuple[int, int, str], terms: list[Term], snapshot: CatalogSnapshot) -> Iterator[Edge]:
    flags = [t for t in terms if type_of(snapshot, t.target) is DimensionType.BOOLEAN]
    for ref in _refs(span, flags, BoundTo.DIMENSION):
        yield _edge((span[0], span[1]), "FLAG", ref, BoundTo.DIMENSION, "/".join(ref.targets))


def _values(span: tuple[int, int, str], terms: list[Term]) -> Iterator[Edge]:
    if not terms:
        return
    choices = tuple((t.target, t.values) for t in terms)
    strength = min(_STRENGTH[t.source] for t in terms)
    ref = ValueRef(choices=choices, surface=span[2], strength=strength, words=span[1] - span[0])
    yield _edge((span[0], span[1]), "V", ref, BoundTo.VALUE, choices[0][1][0])


def _event(
    span: tuple[int, int, str], tokens: tuple[Token, ...], snapshot: CatalogSnapshot, today: date
) -> Iterator[Edge]:
    start, end, text = span
    before = start - 1 if start and tokens[start - 1].norm in {"the", "our"} else start
    side = _SIDES.get(tokens[before - 1].norm) if before else None
    for event in snapshot.events:
        forms = {normalise_surface(w) for w in (event.name, *event.synonyms)}
        if side is None or text not in forms | {f for w in forms for f in inflections(w)}:
            continue
        reading = _event_window(side, event.name, event.date, (snapshot, today))
        yield _edge((before - 1, end), "T", reading, BoundTo.EVENT, event.name)


def _event_window(side: str, name: str, day: date, around: tuple[CatalogSnapshot, date]) -> TimeReading:
    snapshot, today = around
    last = elapsed_end(snapshot.calendar, today)
    windows = {
        "since": (day, last, f"since_{day}"),
        "after": (day + timedelta(days=1), last, f"after_{day}"),
        "before": (None, day, f"before_{day}"),
    }
    start, end, expr = windows[side]
    reading = TimeReading(range=TimeRange(start=start, end=end, expr=expr))
    return replace(reading, future=day > today, relative=name)
