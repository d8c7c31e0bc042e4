"""By which dimensions the change of a metric may be taken apart, and how its parts make up the whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest

from catalog.access import AccessScope
from catalog.lookup import Held, lookup
from catalog.paths import ways_between
from catalog.query import IntentKind, MetricIntent
from catalog.reach import models_of_metric, reachable_dimensions
from catalog.types import CatalogSnapshot, DimensionType, Filter, Metric, MetricInput, MetricType, Operator
from catalog.visible import metric_visible, values_visible, visible_dimensions

MAX_FACTORS = 6
"""Dimensions that a change is taken apart by: what a person can read, each for one query."""
_KINDS = frozenset({DimensionType.CATEGORICAL, DimensionType.BOOLEAN, DimensionType.ORDINAL, DimensionType.GEO})


@dataclass(frozen=True, slots=True)
class RatioParts:
    """The two metrics whose quotient a metric is in every group: what is counted, and what it is counted on."""

    numerator: str
    denominator: str


def change_of(intent: MetricIntent) -> MetricIntent:
    """The plan of the change itself, in all."""
    compared = replace(intent.comparison, calc=("diff", "pct")) if intent.comparison else None
    return replace(
        intent, kind=IntentKind.QUERY, dimensions=(), comparison=compared, transforms=(), order=(), limit=None
    )


def factors_of(intent: MetricIntent, snapshot: CatalogSnapshot, scope: AccessScope) -> tuple[str, ...]:
    """The dimensions to take the change apart by: those that were asked for, else what the metric's own rows say.

    Only what the scope may see, reached many to one by one way, whose members may be listed, and of which the
    filters leave several; one of each table in turn, the metric's own table first, then by the number of joins.
    """
    if intent.dimensions:
        return intent.dimensions
    fixed = {f.field for f in intent.filters if _leaves_one(f)}
    found = [name for name in _in_order(snapshot, scope, intent.metrics[0]) if name not in fixed]
    return tuple(dict.fromkeys(found))[:MAX_FACTORS]


def _leaves_one(condition: Filter) -> bool:
    return condition.op is Operator.EQ and len(condition.values) == 1


def _in_order(snapshot: CatalogSnapshot, scope: AccessScope, metric: str) -> Iterator[str]:
    """One dimension of each table in turn, the nearest tables first, so that none crowds the others out."""
    named = {name for e in snapshot.entities for name in (e.label_dimension, e.key_dimension) if name}
    places = {d.name: i for i, d in enumerate(d for m in snapshot.models for d in m.dimensions)}
    tables: dict[tuple[int, str], list[tuple[int, str]]] = {}
    for name in reachable_dimensions(snapshot, metric):
        held = visible_dimensions(snapshot, scope, name)
        if "__" in name or name in named or len(held) != 1 or not _may_be_listed(snapshot, scope, held[0]):
            continue
        place = (_distance(snapshot, metric, held[0]), held[0].model.name)
        tables.setdefault(place, []).append((places.get(name, 0), name))
    turns = [sorted(tables[place]) for place in sorted(tables)]
    for turn in zip_longest(*turns):
        yield from (found[1] for found in turn if found is not None)


def _may_be_listed(snapshot: CatalogSnapshot, scope: AccessScope, held: Held) -> bool:
    return held.dimension.type in _KINDS and values_visible(snapshot, scope, held)


def _distance(snapshot: CatalogSnapshot, metric: str, held: Held) -> int:
    """The joins from the farthest of the metric's tables."""
    hops = [0]
    for model in models_of_metric(snapshot, metric):
        only = ways_between(snapshot, model.name, held.model.name).only
        hops.append(len(only.hops) if only else 99)
    return max(hops)


def ratio_parts(name: str, snapshot: CatalogSnapshot, scope: AccessScope) -> RatioParts | None:
    """The metrics that a ratio divides; None where there are none, or one is hidden or has conditions of its own."""
    metric = lookup(snapshot).metrics.get(name)
    if metric is None or metric.type is not MetricType.RATIO:
        return None
    top, bottom = metric.numerator, metric.denominator
    if top is None or bottom is None or not (_is_plain(top) and _is_plain(bottom)) or _is_narrowed(metric):
        return None
    if not all(metric_visible(snapshot, scope, p.metric) for p in (top, bottom)):
        return None
    return RatioParts(numerator=top.metric, denominator=bottom.metric)


def _is_plain(part: MetricInput) -> bool:
    return not (part.filters or part.where or part.offset_count or part.offset_custom or part.offset_to_grain)


def _is_narrowed(metric: Metric) -> bool:
    return bool(metric.filters or metric.where)
