"""What the planner needs to know about a catalog: reach, types, words, counts.  Pure look-ups."""

from __future__ import annotations

import re
from functools import lru_cache

from catalog.lookup import Held, Whole, lookup, owner_name
from catalog.reach import inputs_of, model_of_entity, models_of_metric, reachable_dimensions, reachable_of_entity
from catalog.surfaces import inflections, normalise_surface
from catalog.timeparts import time_words
from catalog.types import (
    Aggregation,
    CatalogSnapshot,
    DimensionType,
    EntityInfo,
    Metric,
    MetricFormat,
    MetricType,
    TimeGranularity,
)

_COUNTS = frozenset({Aggregation.COUNT, Aggregation.COUNT_DISTINCT})


def metric_of(snapshot: CatalogSnapshot, name: str) -> Metric | None:
    """The metric of that name."""
    return lookup(snapshot).metrics.get(name)


def held_of(snapshot: CatalogSnapshot, dimension: str) -> Held | None:
    """The dimension behind a public name, with its model."""
    return lookup(snapshot).held_by(dimension)


def type_of(snapshot: CatalogSnapshot, dimension: str) -> DimensionType | None:
    """The dimension's type, or None when there is none of that name."""
    held = held_of(snapshot, dimension)
    return held.dimension.type if held else None


def entity_of_dimension(snapshot: CatalogSnapshot, dimension: str) -> str:
    """The entity whose rows carry the dimension."""
    held = held_of(snapshot, dimension)
    return owner_name(held.model) if held else ""


def entity_of_metric(snapshot: CatalogSnapshot, name: str) -> str:
    """What one counted thing of the metric is."""
    metric = metric_of(snapshot, name)
    if metric is None:
        return ""
    if metric.entity:
        return metric.entity
    models = models_of_metric(snapshot, name)
    return owner_name(models[0]) if models else ""


def reach_of(snapshot: CatalogSnapshot, metrics: tuple[str, ...]) -> frozenset[str]:
    """The dimensions that all of the metrics reach."""
    if not metrics:
        return frozenset()
    return frozenset.intersection(*(reachable_dimensions(snapshot, m) for m in metrics))


def reach_of_entity(snapshot: CatalogSnapshot, entity: str) -> frozenset[str]:
    """The dimensions that rows of the entity reach."""
    return reachable_of_entity(snapshot, entity)


def info_of(snapshot: CatalogSnapshot, entity: str) -> EntityInfo | None:
    """How people speak of the entity."""
    return next((e for e in snapshot.entities if e.name == entity), None)


def label_of_entity(snapshot: CatalogSnapshot, entity: str) -> str | None:
    """The dimension that shows one thing of the entity: its label, else its key."""
    info = info_of(snapshot, entity)
    if info and (info.label_dimension or info.key_dimension):
        return info.label_dimension or info.key_dimension
    return key_of_entity(snapshot, entity)


def key_of_entity(snapshot: CatalogSnapshot, entity: str) -> str | None:
    """The dimension that identifies one thing of the entity, or None."""
    info = info_of(snapshot, entity)
    if info and info.key_dimension:
        return info.key_dimension
    model = model_of_entity(snapshot, entity)
    primary = model.primary_entity() if model else None
    if model is None or primary is None:
        return None
    parts = lookup(snapshot)
    own = [d for d in model.dimensions if (d.expr,) == primary.columns()]
    return parts.canonical(Held(model, own[0])) if len(own) == 1 else None


def is_personal(snapshot: CatalogSnapshot, dimension: str) -> bool:
    """Whether the dimension holds personal data."""
    held = held_of(snapshot, dimension)
    return held is not None and held.dimension.pii


def _measures_of(snapshot: CatalogSnapshot, name: str) -> tuple[Aggregation, bool] | None:
    """(aggregation, semi-additive) of a simple metric's measure."""
    metric = metric_of(snapshot, name)
    held = lookup(snapshot).measure(metric.measure) if metric and metric.measure else None
    return (held[1].agg, held[1].non_additive is not None) if held else None


def is_semi_additive(snapshot: CatalogSnapshot, name: str) -> bool:
    """Whether the metric is a level that may not be added up over time."""
    found = _measures_of(snapshot, name)
    return found is not None and found[1]


def is_cumulative(snapshot: CatalogSnapshot, name: str) -> bool:
    """Whether the metric adds up everything before."""
    metric = metric_of(snapshot, name)
    return metric is not None and metric.type is MetricType.CUMULATIVE


def is_additive(snapshot: CatalogSnapshot, name: str) -> bool:
    """Whether the metric's parts add up, so that a total and shares mean something."""
    metric = metric_of(snapshot, name)
    if metric is None or metric.type in {MetricType.RATIO, MetricType.CONVERSION, MetricType.CUMULATIVE}:
        return False
    found = _measures_of(snapshot, name)
    if found is not None:
        return found[0] in {Aggregation.SUM, Aggregation.COUNT, Aggregation.SUM_BOOLEAN, Aggregation.COUNT_DISTINCT}
    return metric.type is MetricType.DERIVED and metric.format is not MetricFormat.PERCENT


def is_of_own_rows(snapshot: CatalogSnapshot, name: str, seen: frozenset[str] = frozenset()) -> bool:
    """Whether a period's value is made of the period's own rows alone: no level, no running value, no look back."""
    metric = metric_of(snapshot, name)
    if metric is None or name in seen or metric.type in {MetricType.CUMULATIVE, MetricType.CONVERSION}:
        return False
    if metric.measure:
        held = lookup(snapshot).measure(metric.measure)
        return held is not None and held[1].non_additive is None
    parts = tuple(p for p in (metric.numerator, metric.denominator, *metric.inputs) if p is not None)
    looks_back = any(p.offset_count or p.offset_to_grain for p in parts)
    return not looks_back and all(is_of_own_rows(snapshot, p.metric, seen | {name}) for p in parts)


def finest_of(snapshot: CatalogSnapshot, name: str, seen: frozenset[str] = frozenset()) -> TimeGranularity | None:
    """The smallest period in which all times of a metric are kept; None where nothing says it."""
    metric = metric_of(snapshot, name)
    if metric is None or name in seen:
        return None
    held = lookup(snapshot).measure(metric.measure) if metric.measure else None
    if held is not None:
        time = held[1].agg_time_dimension or metric.time_dimension or held[0].default_time_dimension
        kept = next((d for d in held[0].dimensions if d.name == time), None)
        return kept.granularity or TimeGranularity.DAY if kept else None
    found = [finest_of(snapshot, i, seen | {name}) for i in inputs_of(metric)]
    known = [f for f in found if f is not None]
    return max(known, key=tuple(TimeGranularity).index, default=None)


def is_count(snapshot: CatalogSnapshot, name: str) -> bool:
    """Whether the metric counts things, so that "how many" fits it."""
    metric = metric_of(snapshot, name)
    if metric is None or metric.format is not MetricFormat.NUMBER:
        return False
    return metric.type is MetricType.SIMPLE


def counts_distinct(snapshot: CatalogSnapshot, name: str) -> bool:
    """Whether the metric counts each thing once, so that "different" adds nothing."""
    found = _measures_of(snapshot, name)
    return found is not None and found[0] is Aggregation.COUNT_DISTINCT


def is_rate(snapshot: CatalogSnapshot, name: str) -> bool:
    """Whether the metric is a ratio of two things."""
    metric = metric_of(snapshot, name)
    return metric is not None and metric.type in {MetricType.RATIO, MetricType.CONVERSION}


def count_metrics(snapshot: CatalogSnapshot, entity: str) -> tuple[str, ...]:
    """Metrics that count each thing of the entity once, without a filter, judged by name or by measure."""
    names = [m.name for m in snapshot.metrics if m.type is MetricType.SIMPLE and m.format is MetricFormat.NUMBER]
    forms = {normalise_surface(entity), *inflections(normalise_surface(entity))}
    by_name = tuple(n for n in names if normalise_surface(n) in forms or _counts_words(snapshot, n, forms))
    return by_name or tuple(n for n in names if _counts_rows(snapshot, n, entity))


def _counts_words(snapshot: CatalogSnapshot, name: str, forms: set[str]) -> bool:
    metric = metric_of(snapshot, name)
    said = {f"number of {form}" for form in forms} | {f"{form} count" for form in forms}
    words = (metric.label, *metric.synonyms) if metric else ()
    return any(normalise_surface(w) in said for w in words)


def _counts_rows(snapshot: CatalogSnapshot, name: str, entity: str) -> bool:
    metric = metric_of(snapshot, name)
    held = lookup(snapshot).measure(metric.measure) if metric and metric.measure else None
    if metric is None or held is None or metric.filters or held[1].agg not in _COUNTS:
        return False
    primary = held[0].primary_entity()
    if primary is None or primary.name != entity:
        return False
    return held[1].agg is Aggregation.COUNT or (held[1].expr,) == primary.columns()


@lru_cache(maxsize=8)
def _stems(whole: Whole) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    parts = lookup(whole.snapshot)
    for held_list in parts.dimensions.values():
        for held in held_list:
            dimension = held.dimension
            texts = (dimension.name, dimension.label, *dimension.synonyms)
            found[parts.canonical(held)] = _stems_of(texts)
    for entity in whole.snapshot.entities:
        found[f"entity:{entity.name}"] = _stems_of((entity.name, *entity.synonyms))
    for metric in whole.snapshot.metrics:
        found[f"metric:{metric.name}"] = _stems_of((metric.name, metric.label, *metric.synonyms))
    return found


def _stems_of(texts: tuple[str, ...]) -> frozenset[str]:
    return frozenset(stem(word) for text in texts for word in normalise_surface(text).split())


def stems_of(snapshot: CatalogSnapshot, name: str) -> frozenset[str]:
    """Stems of the words that name a dimension, a metric as "metric:NAME" or an entity as "entity:NAME"."""
    return _stems(Whole(snapshot)).get(name, frozenset())


def ready_stems(snapshot: CatalogSnapshot) -> None:
    """Makes the stems of a catalog's names."""
    _event_stems(Whole(snapshot))


def tells_event(phrase: str, snapshot: CatalogSnapshot) -> bool:
    """Whether the verb at the end of a phrase names an event that the catalog dates, flags or measures."""
    word = phrase.rsplit(maxsplit=1)[-1]
    return (word.endswith("ed") or word in _IRREGULAR) and stem(word) in _event_stems(Whole(snapshot))


@lru_cache(maxsize=8)
def _event_stems(whole: Whole) -> frozenset[str]:
    kinds = {DimensionType.TIME, DimensionType.BOOLEAN}
    found = (s for name, s in _stems(whole).items() if type_of(whole.snapshot, name) in kinds)
    measured = (s for name, s in _stems(whole).items() if name.startswith("metric:"))
    return frozenset().union(*found, *measured)


_IRREGULAR = {
    "paid": "pay", "payment": "pay", "sold": "sell", "sale": "sell", "sales": "sell", "bought": "buy", "made": "make",
    "sent": "send", "lost": "lose", "shipment": "ship", "delivery": "deliver",
}  # fmt: skip


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A rough stem that lets "shipped" meet "shipping"."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    base = re.sub(r"(ations?|ments?|ings?|ers?|ed|ions?|es|s)$", "", word) if len(word) > 4 else word
    if len(base) > 2 and base[-1] == base[-2] and base[-1] not in "sl":
        base = base[:-1]
    return base.rstrip("e")


def shown(name: str) -> str:
    """The catalog name as words."""
    return time_words(name) or name.rsplit("__", maxsplit=1)[-1].replace("_", " ")
