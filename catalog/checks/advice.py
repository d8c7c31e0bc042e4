"""Rules whose breach confuses people: words with two meanings, dimensions that no metric reaches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from catalog.issues import Issue, IssueCode
from catalog.lookup import Held, lookup
from catalog.paths import models_reached, ways_between
from catalog.reach import MAY_CROSS, models_of_metric, names_reached, way_names, ways_to
from catalog.surfaces import normalise_surface
from catalog.types import CatalogSnapshot, SemanticModel, SourceLocation, Status

Rule = Callable[[CatalogSnapshot], Iterator[Issue]]

_COMMON_TEXT = """
a about all an and any are as at be been but by can compare count did do does each every find first for
from get give had has have how i in is it its last list make many me more most much my new no not of on
only or order our over per please run sell show since sold tell than that the their them then there these
this those to total trend under up us use was we were what when where which who why will with without
would you your
bought buy change changed decrease display drop dropped explain fell gave go grew grow happen happened increase
keep kept know look made need perform plot rank rise rose see select sort split take took want went
"""
COMMON = frozenset(_COMMON_TEXT.split())
"""Words that questions use for themselves; as a synonym they would be read as data."""


@dataclass(frozen=True, slots=True)
class _Named:
    kind: str
    name: str
    source: SourceLocation | None


def _shared_words(snapshot: CatalogSnapshot) -> Iterator[Issue]:
    allowed = {normalise_surface(t.term) for t in snapshot.ambiguous_terms}
    for surface, named in _surfaces(snapshot).items():
        targets = {(n.kind, n.name) for n in named}
        if len(targets) > 1 and surface not in allowed:
            names = " and ".join(sorted(n for _, n in targets))
            message = f'"{surface}" names {names}; remove one or list it under ambiguous_terms.'
            yield Issue(code=IssueCode.AMBIGUOUS_TERM, message=message, subject=surface, source=_last_source(named))


def _last_source(named: list[_Named]) -> SourceLocation | None:
    return next((n.source for n in reversed(named) if n.source), None)


def _surfaces(snapshot: CatalogSnapshot) -> dict[str, list[_Named]]:
    found: defaultdict[str, list[_Named]] = defaultdict(list)
    for metric in snapshot.metrics:
        for text in {metric.name, metric.label, *metric.synonyms} - {""}:
            found[normalise_surface(text)].append(_Named("metric", metric.name, metric.source))
    for model in snapshot.models:
        for dimension in model.dimensions:
            for text in {dimension.name, dimension.label, *dimension.synonyms} - {""}:
                named = _Named("dimension", f"{model.name}.{dimension.name}", dimension.source or model.source)
                found[normalise_surface(text)].append(named)
    for adjective in snapshot.adjectives:
        surface, field = normalise_surface(adjective.word), adjective.filter.field
        if all(n.name.rpartition(".")[2] != field for n in found[surface]):
            found[surface].append(_Named("adjective", f"the condition on {field}", None))
    for event in snapshot.events:
        for text in {event.name, *event.synonyms}:
            found[normalise_surface(text)].append(_Named("event", f"the event {event.name}", None))
    return found


def _common_words(snapshot: CatalogSnapshot) -> Iterator[Issue]:
    parts = (
        *((m.synonyms, m.name, m.source) for m in snapshot.metrics),
        *((d.synonyms, d.name, d.source) for model in snapshot.models for d in model.dimensions),
        *((e.synonyms, e.name, None) for e in snapshot.entities),
        *((e.synonyms, e.name, None) for e in snapshot.events),
        *(((a.word,), f"the condition on {a.filter.field}", None) for a in snapshot.adjectives),
    )
    for synonyms, name, source in parts:
        for word in synonyms:
            if normalise_surface(word) in COMMON:
                message = f'"{word}" is a common word; as a synonym of {name} it would be read into most questions.'
                yield Issue(code=IssueCode.AMBIGUOUS_TERM, message=message, subject=name, source=source)


def _same_names(snapshot: CatalogSnapshot) -> Iterator[Issue]:
    parts = lookup(snapshot)
    for name, held in parts.dimensions.items():
        if len(held) > 1:
            choices = tuple(parts.canonical(h) for h in held)
            message = f"{name} stands in several models; questions must say {' or '.join(choices)}."
            yield Issue(
                code=IssueCode.AMBIGUOUS_DIMENSION,
                message=message,
                subject=name,
                choices=choices,
                source=held[-1].dimension.source,
            )


def _unreachable(snapshot: CatalogSnapshot) -> Iterator[Issue]:
    counted = {m.name for metric in snapshot.metrics for m in models_of_metric(snapshot, metric.name)}
    reached = {name for model in counted for name in models_reached(snapshot, model)}
    for model in (m for m in snapshot.models if m.name not in reached):
        for dimension in model.dimensions:
            message = f"No metric can be grouped by {dimension.name}."
            yield Issue(
                code=IssueCode.UNREACHABLE_DIMENSION,
                message=message,
                subject=dimension.name,
                source=dimension.source,
            )


def _several_paths(snapshot: CatalogSnapshot) -> Iterator[Issue]:
    counting = {m.name: m for metric in snapshot.metrics for m in models_of_metric(snapshot, metric.name)}
    for model in counting.values():
        for held in _crowded(snapshot, model):
            choices = way_names(lookup(snapshot), ways_to(snapshot, model.name, held))
            name = held.dimension.name
            message = f"{model.name} reaches {name} in several ways: {', '.join(choices)}."
            yield Issue(
                code=IssueCode.AMBIGUOUS_PATH, message=message, subject=name, choices=choices, source=model.source
            )


def _crowded(snapshot: CatalogSnapshot, model: SemanticModel) -> Iterator[Held]:
    """The dimensions that more than one way leads to."""
    for name in models_reached(snapshot, model.name):
        if not ways_between(snapshot, model.name, name).only:
            target = lookup(snapshot).models[name]
            yield from (Held(target, d) for d in target.dimensions)


def _fan_out(snapshot: CatalogSnapshot) -> Iterator[Issue]:
    for metric in snapshot.metrics:
        held = lookup(snapshot).measure(metric.measure) if metric.measure else None
        if held is None or held[1].agg in MAY_CROSS:
            continue
        lost = names_reached(snapshot, held[0].name) - names_reached(snapshot, held[0].name, bridges=False)
        if lost:
            message = f"{metric.name} cannot be split by {_few(sorted(lost))}: its rows would be counted twice."
            yield Issue(code=IssueCode.FAN_OUT, message=message, subject=metric.name, source=metric.source)


def _few(names: list[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


def _drafts(snapshot: CatalogSnapshot) -> Iterator[Issue]:
    for model in snapshot.models:
        if model.status is Status.DRAFT:
            message = f"{model.name} is a draft that nobody has reviewed."
            yield Issue(code=IssueCode.DRAFT, message=message, subject=model.name, source=model.source)
    reviewed = {m.name for m in snapshot.models if m.status is not Status.DRAFT}
    for metric in snapshot.metrics:
        counted = models_of_metric(snapshot, metric.name)
        if metric.status is Status.DRAFT and all(m.name in reviewed for m in counted):
            message = f"{metric.name} is a draft that nobody has reviewed."
            yield Issue(code=IssueCode.DRAFT, message=message, subject=metric.name, source=metric.source)


ADVICE: tuple[Rule, ...] = (_drafts, _shared_words, _common_words, _same_names, _several_paths, _unreachable, _fan_out)
"""What nobody has reviewed, then the most confusing first."""
