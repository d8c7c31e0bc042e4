"""What one could ask next: neighbours of the plan in plain words, each understood before it is offered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from catalog.query import IntentKind, MetricIntent
from catalog.types import CatalogSnapshot, Dimension, DimensionType, TimeGranularity
from dataagent.intent.decide import canonical
from dataagent.intent.types import Decision, Understanding

LIMIT = 3
_GROUPABLE = (DimensionType.CATEGORICAL, DimensionType.ORDINAL, DimensionType.GEO)


def next_questions(
    intent: MetricIntent,
    dimensions: tuple[Dimension, ...],
    words: Callable[[MetricIntent], str],
    understands: Callable[[str], Understanding],
) -> tuple[str, ...]:
    """At most three questions, each read back to exactly the plan that it was worded from.

    `dimensions` are those that the asker may see and the metrics reach, best first.
    """
    found: list[str] = []
    for neighbour in _neighbours(intent, dimensions):
        text = words(neighbour)
        if text and text not in found and same_plan(understands(text), neighbour):
            found.append(text)
        if len(found) == LIMIT:
            break
    return tuple(found)


def groupable(snapshot: CatalogSnapshot, reachable: frozenset[str]) -> tuple[Dimension, ...]:
    """The dimensions that people group by, in catalog order."""
    every = (d for model in snapshot.models for d in model.dimensions)
    return tuple(d for d in every if d.name in reachable and d.type in _GROUPABLE and not d.pii)


def _neighbours(intent: MetricIntent, dimensions: tuple[Dimension, ...]) -> Iterator[MetricIntent]:
    if intent.kind is not IntentKind.QUERY or not intent.metrics:
        return
    plain = replace(
        intent, order=(), limit=None, per_group=None, visual=None, comparison=None, transforms=(), answer_shape=None
    )
    used = {*intent.dimensions, *(f.field for f in intent.filters)}
    if not intent.dimensions and intent.grain is None and intent.time_range is not None:
        yield replace(plain, grain=TimeGranularity.MONTH)
    for dimension in [d for d in dimensions if d.name not in used][:4]:
        yield replace(plain, dimensions=(dimension.name,), grain=None)


def same_plan(understood: Understanding, wanted: MetricIntent) -> bool:
    """Whether a question was read as exactly that plan, whatever its periods are called."""
    return (
        understood.decision is Decision.ANSWER
        and understood.intent is not None
        and canonical(understood.intent) == canonical(wanted)
    )
