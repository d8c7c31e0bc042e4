"""One MetricFlow part as YAML gives it → the catalog's own part."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from enum import StrEnum
from typing import TypeVar

from catalog.types import (
    Aggregation,
    Conversion,
    ConversionCalculation,
    Dimension,
    DimensionType,
    Entity,
    EntityType,
    Measure,
    MeasureUse,
    Metric,
    MetricInput,
    MetricType,
    NonAdditive,
    PeriodAggregation,
    SavedQuery,
    SemanticModel,
    SourceLocation,
    TimeGranularity,
    TimeSpine,
    Validity,
)

Given = dict[str, object]
E = TypeVar("E", bound=StrEnum)
_WINDOW = re.compile(r"^\s*(\d+)\s+(\w+?)\s*$")

_KEYS = {
    "semantic model": "name description label config model node_relation defaults primary_entity "
    "entities dimensions measures",
    "table": "schema_name alias database relation_name",
    "entity": "name description label config role type expr",
    "dimension": "name description label config type expr is_partition type_params",
    "time": "time_granularity validity_params",
    "measure": "name description label config agg expr create_metric agg_params agg_time_dimension "
    "non_additive_dimension",
    "aggregation": "percentile use_discrete_percentile use_approximate_percentile",
    "non-additive rule": "name window_choice window_groupings",
    "metric": "name description label config type type_params filter time_granularity",
    "metric's parameters": "measure numerator denominator expr window grain_to_date metrics conversion_type_params "
    "cumulative_type_params",
    "cumulative parameters": "window grain_to_date period_agg",
    "conversion parameters": "base_measure conversion_measure entity calculation window constant_properties",
    "measure in a metric": "name filter alias join_to_timespine fill_nulls_with",
    "metric in a metric": "name filter alias offset_window offset_to_grain",
}
"""The keys that each part may have: a key that is not read could change the numbers."""


class BadPart(ValueError):
    """A part that cannot be read; the message says why."""


def model_of(given: Given, source: SourceLocation) -> tuple[SemanticModel, tuple[str, ...]]:
    """The semantic model, and the measures that ask for a metric of their own."""
    _known(given, "semantic model")
    measures = tuple(_maps(given, "measures"))
    entities = tuple(_entity(e) for e in _maps(given, "entities"))
    primary = _text(given, "primary_entity")
    model = SemanticModel(
        name=_name(given),
        table=_table(_map(given, "node_relation")),
        description=_text(given, "description"),
        default_time_dimension=_text(_map(given, "defaults"), "agg_time_dimension") or None,
        primary_entity_name=primary,
        entities=entities,
        dimensions=tuple(_dimension(d) for d in _maps(given, "dimensions")),
        measures=tuple(_measure(m) for m in measures),
        source=source,
    )
    return model, tuple(_name(m) for m in measures if m.get("create_metric") is True)


def _table(node: Given) -> str:
    _known(node, "table")
    name = f"{_text(node, 'schema_name')}.{_text(node, 'alias')}".strip(".")
    if not name:
        raise BadPart("it names no table")
    return name


def _entity(given: Given) -> Entity:
    _known(given, "entity")
    return Entity(name=_name(given), type=_one_of(EntityType, given["type"]), expr=_expr(given))


def _dimension(given: Given) -> Dimension:
    params = _known(_map(_known(given, "dimension"), "type_params"), "time")
    validity = _map(params, "validity_params")
    marked = {v for v, key in ((Validity.START, "is_start"), (Validity.END, "is_end")) if validity.get(key) is True}
    grain = params.get("time_granularity")
    return Dimension(
        name=_name(given),
        type=_one_of(DimensionType, given.get("type", "categorical")),
        expr=_expr(given),
        description=_text(given, "description"),
        granularity=_one_of(TimeGranularity, grain) if grain else None,
        is_partition=given.get("is_partition") is True,
        validity=next(iter(marked), None),
    )


def _measure(given: Given) -> Measure:
    _known(given, "measure")
    params = _known(_map(given, "agg_params"), "aggregation")
    rule = _known(_map(given, "non_additive_dimension"), "non-additive rule")
    share = params.get("percentile")
    return Measure(
        name=_name(given),
        agg=_one_of(Aggregation, given["agg"]),
        expr=_expr(given),
        agg_time_dimension=_text(given, "agg_time_dimension") or None,
        percentile=Decimal(str(share)) if share is not None else None,
        discrete_percentile=params.get("use_discrete_percentile") is True,
        non_additive=_non_additive(rule) if rule else None,
        description=_text(given, "description"),
    )


def _non_additive(rule: Given) -> NonAdditive:
    return NonAdditive(
        dimension=_name(rule),
        pick=_one_of(Aggregation, rule.get("window_choice", "min")),
        window_groupings=_texts(rule.get("window_groupings")),
    )


# -- metrics -------------------------------------------------------------------------------


def metric_of(given: Given, source: SourceLocation) -> Metric:
    """The metric as the catalog holds it."""
    params = _known(_map(_known(given, "metric"), "type_params"), "metric's parameters")
    cumulative = _known(_map(params, "cumulative_type_params"), "cumulative parameters")
    count, unit = _window(cumulative.get("window", params.get("window")))
    use = _use(params["measure"]) if "measure" in params else None
    conversion = _known(_map(params, "conversion_type_params"), "conversion parameters")
    grain = given.get("time_granularity")
    return Metric(
        name=_name(given),
        type=_one_of(MetricType, given["type"]),
        label=_text(given, "label"),
        description=_text(given, "description"),
        measure=use.name if use else None,
        measure_use=use,
        fill_nulls_with=use.fill_nulls_with if use else None,
        where=_conditions(given.get("filter")),
        numerator=_input(params["numerator"]) if "numerator" in params else None,
        denominator=_input(params["denominator"]) if "denominator" in params else None,
        expr=_text(params, "expr") or None,
        inputs=tuple(_input(i) for i in _items(params.get("metrics"))),
        window_count=count,
        window_granularity=_one_of(TimeGranularity, unit) if unit else None,
        grain_to_date=_optional(TimeGranularity, cumulative.get("grain_to_date", params.get("grain_to_date"))),
        period_agg=_one_of(PeriodAggregation, cumulative.get("period_agg", "first")),
        default_granularity=_optional(TimeGranularity, grain),
        conversion=_conversion(conversion) if conversion else None,
        source=source,
    )


def _use(given: object) -> MeasureUse:
    """A measure by name, or with its conditions and null policy."""
    if not isinstance(given, dict):
        return MeasureUse(name=str(given))
    fill = _known(given, "measure in a metric").get("fill_nulls_with")
    return MeasureUse(
        name=_name(given),
        where=_conditions(given.get("filter")),
        fill_nulls_with=Decimal(str(fill)) if fill is not None else None,
        join_to_timespine=given.get("join_to_timespine") is True,
    )


def _input(given: object) -> MetricInput:
    if not isinstance(given, dict):
        return MetricInput(metric=str(given))
    count, unit = _window(_known(given, "metric in a metric").get("offset_window"))
    known = unit in set(TimeGranularity)
    return MetricInput(
        metric=_name(given),
        alias=_text(given, "alias"),
        where=_conditions(given.get("filter")),
        offset_count=count or 0,
        offset_granularity=TimeGranularity(unit) if known else None,
        offset_custom="" if known else unit,
        offset_to_grain=_optional(TimeGranularity, given.get("offset_to_grain")),
    )


def _conversion(given: Given) -> Conversion:
    count, unit = _window(given.get("window"))
    pairs = ((_text(p, "base_property"), _text(p, "conversion_property")) for p in _maps(given, "constant_properties"))
    return Conversion(
        base=_use(given["base_measure"]),
        conversion=_use(given["conversion_measure"]),
        entity=_text(given, "entity"),
        calculation=_one_of(ConversionCalculation, given.get("calculation", "conversion_rate")),
        window_count=count,
        window_granularity=_one_of(TimeGranularity, unit) if unit else None,
        constant_properties=tuple(pairs),
    )


def _window(given: object) -> tuple[int | None, str]:
    """`2 months` as its count and its unit in the singular; nothing as (None, "")."""
    if given is None:
        return None, ""
    if isinstance(given, dict):
        count, unit = int(str(given.get("count"))), _text(given, "granularity")
    else:
        read = _WINDOW.match(str(given))
        if read is None:
            raise BadPart(f'"{given}" is not a window such as "7 days"')
        count, unit = int(read[1]), read[2].lower()
    singular = unit.removesuffix("s")
    return count, singular if singular in set(TimeGranularity) else unit


# -- the rest ------------------------------------------------------------------------------


def saved_query_of(given: Given) -> SavedQuery:
    """The saved query, its parts as written."""
    params = _map(given, "query_params")
    limit = params.get("limit")
    return SavedQuery(
        name=_name(given),
        description=_text(given, "description"),
        metrics=_texts(params.get("metrics")),
        group_by=_texts(params.get("group_by")),
        where=_conditions(params.get("where")),
        order_by=_texts(params.get("order_by")),
        limit=limit if isinstance(limit, int) else None,
    )


def spines_of(given: Given) -> Iterator[TimeSpine]:
    """The time spines of a project, of the newer form where both are given."""
    for spine in _maps(given, "time_spines"):
        column = _map(spine, "primary_column")
        custom = ((_name(c), _text(c, "column_name") or _name(c)) for c in _maps(spine, "custom_granularities"))
        yield TimeSpine(
            table=_table(_map(spine, "node_relation")),
            column=_name(column),
            granularity=_one_of(TimeGranularity, column["time_granularity"]),
            custom=tuple(custom),
        )
    if given.get("time_spines"):
        return
    for spine in _maps(given, "time_spine_table_configurations"):
        grain = _one_of(TimeGranularity, spine["grain"])
        yield TimeSpine(table=_text(spine, "location"), column=_text(spine, "column_name"), granularity=grain)


def _known(given: Given, what: str) -> Given:
    """The part itself; a key that is not known is refused."""
    odd = [key for key in given if key not in _KEYS[what].split()]
    if odd:
        raise BadPart(f"a {what} has no {', '.join(odd)}")
    return given


def _conditions(given: object) -> tuple[str, ...]:
    return tuple(text.strip() for text in _texts(given))


def _name(given: Given) -> str:
    name = _text(given, "name")
    if not name:
        raise BadPart("it has no name")
    return name


def _expr(given: Given) -> str:
    """The expression, or the name where none is given."""
    return _text(given, "expr") or _name(given)


def _text(given: Given, key: str) -> str:
    value = given.get(key)
    return "" if value is None else str(value).strip()


def _texts(given: object) -> tuple[str, ...]:
    return tuple(str(item) for item in _items(given))


def _items(given: object) -> tuple[object, ...]:
    if given is None:
        return ()
    return tuple(given) if isinstance(given, list) else (given,)


def _map(given: Given, key: str) -> Given:
    value = given.get(key)
    return value if isinstance(value, dict) else {}


def _maps(given: Given, key: str) -> Iterator[Given]:
    return (item for item in _items(given.get(key)) if isinstance(item, dict))


def _one_of(kind: type[E], given: object) -> E:
    word = str(given).strip().lower()
    if word not in {str(k.value) for k in kind}:
        raise BadPart(f'"{given}" is none of {", ".join(kind)}')
    return kind(word)


def _optional(kind: type[E], given: object) -> E | None:
    return None if given is None else _one_of(kind, given)
