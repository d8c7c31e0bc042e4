"""The library with parcels of several books each: things that are counted over rows finer than they are."""

from __future__ import annotations

from dataclasses import replace

from catalog.content import with_digest
from catalog.terms import build_index
from catalog.types import (
    Aggregation,
    CatalogSnapshot,
    Dimension,
    DimensionType,
    Entity,
    EntityInfo,
    EntityType,
    Measure,
    Metric,
    MetricFormat,
    MetricInput,
    MetricType,
    SemanticModel,
)
from dataagent.intent.types import Turn, Understanding
from dataagent.intent.understand import understand
from tests.intent.library import SCOPE, SNAPSHOT, TODAY

_PARCELS = SemanticModel(
    name="parcels",
    table="library.parcels",
    entities=(
        Entity(name="parcel", type=EntityType.PRIMARY, expr="parcel_id"),
        Entity(name="reader", type=EntityType.FOREIGN, expr="reader_id"),
    ),
    dimensions=(
        Dimension(name="parcel_date", type=DimensionType.TIME, expr="parcel_date"),
        Dimension(name="carrier", type=DimensionType.CATEGORICAL, expr="carrier", values=("bike", "van", "train")),
        Dimension(name="postage", type=DimensionType.NUMBER, expr="postage"),
    ),
)
_LINES = SemanticModel(
    name="parcel_lines",
    table="library.parcel_lines",
    entities=(
        Entity(name="parcel_line", type=EntityType.PRIMARY, expr="line_id"),
        Entity(name="parcel", type=EntityType.FOREIGN, expr="parcel_id"),
        Entity(name="book", type=EntityType.FOREIGN, expr="book_id"),
    ),
    dimensions=(
        Dimension(name="line_date", type=DimensionType.TIME, expr="line_date"),
        Dimension(name="is_damaged", type=DimensionType.BOOLEAN, expr="is_damaged", synonyms=("damaged books",)),
    ),
    measures=(
        Measure(name="parcel_count", agg=Aggregation.COUNT_DISTINCT, expr="parcel_id", agg_time_dimension="line_date"),
        Measure(
            name="served_count",
            agg=Aggregation.COUNT_DISTINCT,
            expr="CASE WHEN first THEN reader_id END",
            agg_time_dimension="line_date",
        ),
        Measure(name="box_count", agg=Aggregation.COUNT_DISTINCT, expr="box_code", agg_time_dimension="line_date"),
        Measure(name="copies", agg=Aggregation.SUM, expr="copies", agg_time_dimension="line_date"),
    ),
)
_METRICS = (
    Metric(name="boxes_used", type=MetricType.SIMPLE, measure="box_count", entity="parcel"),
    *(
        Metric(name=name, type=MetricType.SIMPLE, measure=measure, entity="parcel", time_dimension="parcel_date")
        for name, measure in (
            ("parcels_sent", "parcel_count"),
            ("served_readers", "served_count"),
            ("copies_sent", "copies"),
        )
    ),
    Metric(
        name="copies_per_parcel",
        type=MetricType.RATIO,
        numerator=MetricInput(metric="copies_sent"),
        denominator=MetricInput(metric="parcels_sent"),
        entity="parcel",
        format=MetricFormat.NUMBER,
    ),
)
POST: CatalogSnapshot = with_digest(
    replace(
        SNAPSHOT,
        models=(*SNAPSHOT.models, _PARCELS, _LINES),
        metrics=(*SNAPSHOT.metrics, *_METRICS),
        entities=(*SNAPSHOT.entities, EntityInfo(name="parcel", time_dimension="parcel_date")),
    )
)
_SCOPE = replace(SCOPE, metrics=SCOPE.metrics | {m.name for m in _METRICS})
_INDEX = build_index(POST, _SCOPE, {})


def posted(question: str, *, turns: tuple[str, ...] = ()) -> Understanding:
    """What the planner makes of a question about parcels, after the earlier turns."""
    earlier: tuple[Turn, ...] = ()
    for text in turns:
        before = understand(text, snapshot=POST, scope=_SCOPE, index=_INDEX, today=TODAY, turns=earlier)
        earlier = (*earlier, Turn(question=text, intent=before.intent))
    return understand(question, snapshot=POST, scope=_SCOPE, index=_INDEX, today=TODAY, turns=earlier)
