"""Steps of funnels in a question: where a metric says what it leads through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from catalog.access import AccessScope
from catalog.surfaces import inflections, normalise_surface
from catalog.types import CatalogSnapshot
from catalog.visible import metric_visible
from dataagent.intent.normalise import Token, surface


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step by the words that name it: the metric that leads through it, and its place among all of them."""

    metric: str
    place: int
    steps: tuple[str, ...]
    words: str


def step_spans(
    tokens: tuple[Token, ...], snapshot: CatalogSnapshot, scope: AccessScope
) -> Iterator[tuple[int, int, Step]]:
    """Every (start, end, step) of the tokens, of metrics that the scope may use."""
    known = dict(_forms(snapshot, scope))
    longest = max((len(form.split()) for form in known), default=0)
    for start in range(len(tokens) if known else 0):
        for end in range(start + 1, min(len(tokens), start + longest) + 1):
            found = known.get(surface(tokens, start, end))
            if found is not None:
                yield start, end, found


def _forms(snapshot: CatalogSnapshot, scope: AccessScope) -> Iterator[tuple[str, Step]]:
    for metric in snapshot.metrics:
        if not metric.steps or not metric_visible(snapshot, scope, metric.name):
            continue
        for place, name in enumerate(metric.steps):
            said = normalise_surface(name.replace("_", " "))
            step = Step(metric=metric.name, place=place, steps=metric.steps, words=said)
            yield from ((form, step) for form in (said, *inflections(said)))
