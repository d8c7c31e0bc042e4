"""A MetricFlow metric or saved query → the catalog's own parts, in both ways in which a metric may be written.

Older: a metric names measures of a semantic model.  Newer: a simple metric carries its
aggregation itself, and cumulative and conversion metrics name other metrics.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from catalog.importers.given import (
    BadPart,
    Given,
    carried,
    items_of,
    known,
    map_in,
    maps_in,
    name_in,
    number_of,
    one_of,
    one_or_none,
    text_in,
    texts_of,
)
from catalog.importers.metricflow_models import TOOL, aggregated, meta_in, owner_in
from catalog.types import (
    Conversion,
    ConversionCalculation,
    Extension,
    Measure,
    MeasureUse,
    Metric,
    MetricInput,
    MetricType,
    PeriodAggregation,
    SavedQuery,
    SourceLocation,
    TimeGranularity,
)

_WINDOW = re.compile(r"^\s*(\d+)\s+(\w+?)\s*$")
_METRIC = "name description label config meta tags type type_params filter time_granularity datatype"
_PARAMS = (
    "measure numerator denominator expr window grain_to_date metrics conversion_type_params cumulative_type_params "
    "input_measures metric_aggregation_params join_to_timespine fill_nulls_with is_private"
)
_CUMULATIVE = "window grain_to_date period_agg metric"
_CONVERSION = (
    "base_measure conversion_measure base_metric conversion_metric entity calculation window constant_properties"
)
_AGGREGATED = "semantic_model agg agg_params agg_time_dimension non_additive_dimension expr"
_USE = "name filter alias join_to_timespine fill_nulls_with"
_INPUT = "name filter alias offset_window offset_to_grain"


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenMetric:
    """A metric as written, with what can be settled only when all parts are known.

    `own` is the aggregation that a simple metric carries, over the semantic model `model`.
    `counted`, `base` and `converted` name the metrics behind a cumulative or a conversion metric.
    """

    metric: Metric
    own: Measure | None = None
    model: str = ""
    counted: MetricInput | None = None
    base: MetricInput | None = None
    converted: MetricInput | None = None
    extensions: tuple[Extension, ...] = ()


def metric_of(given: Given, source: SourceLocation) -> WrittenMetric:
    """The metric as the catalog holds it."""
    params = known(map_in(known(given, "metric", _METRIC), "type_params"), "metric's parameters", _PARAMS)
    cumulative = known(map_in(params, "cumulative_type_params"), "cumulative parameters", _CUMULATIVE)
    conversion = known(map_in(params, "conversion_type_params"), "conversion parameters", _CONVERSION)
    carries = known(map_in(params, "metric_aggregation_params"), "metric's aggregation", _AGGREGATED)
    name = name_in(given)
    return WrittenMetric(
        metric=_metric(name, given, params, cumulative=cumulative, conversion=conversion, source=source),
        own=aggregated(carries, name=name, expr=text_in(params, "expr") or name) if carries else None,
        model=text_in(carries, "semantic_model"),
        counted=_input_or_none(cumulative.get("metric")),
        base=_input_or_none(conversion.get("base_metric")),
        converted=_input_or_none(conversion.get("conversion_metric")),
        extensions=tuple(carried(f"metric.{name}", TOOL, given, ("config", "meta", "tags", "datatype"))),
    )


def _metric(
    name: str, given: Given, params: Given, *, cumulative: Given, conversion: Given, source: SourceLocation
) -> Metric:
    kind = one_of(MetricType, given.get("type", "simple"))
    count, unit = window_of(cumulative.get("window", params.get("window")))
    use = _settings(params, _use(params["measure"]) if "measure" in params else None)
    return Metric(
        name=name,
        type=kind,
        label=text_in(given, "label"),
        description=text_in(given, "description"),
        measure=use.name if use and use.name else None,
        measure_use=use,
        fill_nulls_with=use.fill_nulls_with if use else None,
        where=_conditions(given.get("filter")),
        numerator=_input_or_none(params.get("numerator")),
        denominator=_input_or_none(params.get("denominator")),
        expr=(text_in(params, "expr") or None) if kind is not MetricType.SIMPLE else None,
        inputs=tuple(_input(i) for i in items_of(params.get("metrics"))),
        window_count=count,
        window_granularity=one_of(TimeGranularity, unit) if unit else None,
        grain_to_date=one_or_none(TimeGranularity, cumulative.get("grain_to_date", params.get("grain_to_date"))),
        period_agg=one_of(PeriodAggregation, cumulative.get("period_agg", "first")),
        default_granularity=one_or_none(TimeGranularity, given.get("time_granularity")),
        conversion=_conversion(conversion) if conversion else None,
        owner=owner_in(given),
        hidden=params.get("is_private") is True,
        synonyms=texts_of(meta_in(given).get("synonyms")),
        source=source,
    )


def _settings(params: Given, use: MeasureUse | None) -> MeasureUse | None:
    """The measure's use under the null policy that a newer metric states itself."""
    fill, spine = number_of(params.get("fill_nulls_with")), params.get("join_to_timespine") is True
    if use is None and fill is None and not spine:
        return None
    held = use or MeasureUse(name="")
    return MeasureUse(
        name=held.name,
        where=held.where,
        fill_nulls_with=fill if fill is not None else held.fill_nulls_with,
        join_to_timespine=spine or held.join_to_timespine,
    )


def _use(given: object) -> MeasureUse:
    """A measure by name, or with its conditions and null policy."""
    if not isinstance(given, dict):
        return MeasureUse(name=str(given))
    fill = number_of(known(given, "measure in a metric", _USE).get("fill_nulls_with"))
    return MeasureUse(
        name=name_in(given),
        where=_conditions(given.get("filter")),
        fill_nulls_with=fill,
        join_to_timespine=given.get("join_to_timespine") is True,
    )


def _input_or_none(given: object) -> MetricInput | None:
    return None if given is None else _input(given)


def _input(given: object) -> MetricInput:
    if not isinstance(given, dict):
        return MetricInput(metric=str(given))
    count, unit = window_of(known(given, "metric in a metric", _INPUT).get("offset_window"))
    standard = unit in set(TimeGranularity)
    return MetricInput(
        metric=name_in(given),
        alias=text_in(given, "alias"),
        where=_conditions(given.get("filter")),
        offset_count=count or 0,
        offset_granularity=TimeGranularity(unit) if standard else None,
        offset_custom="" if standard else unit,
        offset_to_grain=one_or_none(TimeGranularity, given.get("offset_to_grain")),
    )


def _conversion(given: Given) -> Conversion:
    count, unit = window_of(given.get("window"))
    pairs = (
        (text_in(p, "base_property"), text_in(p, "conversion_property")) for p in maps_in(given, "constant_properties")
    )
    return Conversion(
        base=_use(given.get("base_measure", "")),
        conversion=_use(given.get("conversion_measure", "")),
        entity=text_in(given, "entity"),
        calculation=one_of(ConversionCalculation, given.get("calculation", "conversion_rate")),
        window_count=count,
        window_granularity=one_of(TimeGranularity, unit) if unit else None,
        constant_properties=tuple(pairs),
    )


def window_of(given: object) -> tuple[int | None, str]:
    """`2 months` as its count and its unit in the singular; nothing as (None, "")."""
    if given is None:
        return None, ""
    if isinstance(given, dict):
        count, unit = text_in(given, "count"), text_in(given, "granularity").lower()
    else:
        read = _WINDOW.match(str(given))
        count, unit = (read[1], read[2].lower()) if read else ("", "")
    if not count.isdigit() or not unit:
        raise BadPart(f'"{given}" is not a window such as "7 days"')
    singular = unit.removesuffix("s")
    return int(count), singular if singular in set(TimeGranularity) else unit


def saved_query_of(given: Given) -> tuple[SavedQuery, tuple[Extension, ...]]:
    """The saved query, its parts as written, and what is carried along with it."""
    params = map_in(given, "query_params")
    limit = params.get("limit")
    name = name_in(given)
    query = SavedQuery(
        name=name,
        description=text_in(given, "description"),
        metrics=texts_of(params.get("metrics")),
        group_by=texts_of(params.get("group_by")),
        where=_conditions(params.get("where")),
        order_by=texts_of(params.get("order_by")),
        limit=limit if isinstance(limit, int) else None,
    )
    return query, tuple(carried(f"saved_query.{name}", TOOL, given, ("label", "exports", "tags", "config")))


def _conditions(given: object) -> tuple[str, ...]:
    return tuple(_texts_of_filter(given))


def _texts_of_filter(given: object) -> Iterator[str]:
    """A condition, a list of them, or the way in which a serialised manifest keeps either."""
    if isinstance(given, dict):
        inner = given.get("where_filters", given.get("where_sql_template"))
        yield from _texts_of_filter(inner)
        return
    for item in items_of(given):
        if isinstance(item, dict):
            yield from _texts_of_filter(item)
        else:
            yield str(item).strip()
