"""A MetricFlow semantic model or time spine → the catalog's own parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from catalog.importers.given import (
    BadPart,
    Given,
    carried,
    known,
    map_in,
    maps_in,
    name_in,
    number_of,
    one_of,
    text_in,
    texts_of,
)
from catalog.types import (
    Aggregation,
    Dimension,
    DimensionType,
    Entity,
    EntityType,
    Extension,
    Measure,
    NonAdditive,
    SemanticModel,
    SourceLocation,
    TimeGranularity,
    TimeSpine,
    Validity,
)

TOOL = "dbt"
_MODEL = "name description label config model node_relation defaults primary_entity entities dimensions measures"
_TABLE = "schema_name alias database relation_name"
_ENTITY = "name description label config role type expr entity"
_DIMENSION = "name description label config type expr is_partition type_params datatype"
_TIME = "time_granularity validity_params"
_MEASURE = (
    "name description label config agg expr create_metric create_metric_display_name agg_params agg_time_dimension "
    "non_additive_dimension"
)
_AGGREGATION = "percentile use_discrete_percentile use_approximate_percentile"
_RULE = "name window_choice window_groupings"
_KINDS = {
    "boolean": DimensionType.BOOLEAN,
    "integer": DimensionType.NUMBER,
    "decimal": DimensionType.NUMBER,
    "float": DimensionType.NUMBER,
}
"""What a declared data type makes of a dimension that is not a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenModel:
    """A semantic model, the measures that ask for a metric of their own, and what is carried along."""

    model: SemanticModel
    proxies: tuple[tuple[str, str], ...] = ()
    extensions: tuple[Extension, ...] = ()
    database: str = ""


def model_of(given: Given, source: SourceLocation) -> WrittenModel:
    """The semantic model as the catalog holds it."""
    known(given, "semantic model", _MODEL)
    name = name_in(given)
    measures = tuple(maps_in(given, "measures"))
    relation = map_in(given, "node_relation")
    model = SemanticModel(
        name=name,
        table=table_of(relation),
        description=text_in(given, "description"),
        default_time_dimension=text_in(map_in(given, "defaults"), "agg_time_dimension") or None,
        primary_entity_name=text_in(given, "primary_entity"),
        entities=tuple(_entity(e) for e in maps_in(given, "entities")),
        dimensions=tuple(_dimension(d) for d in maps_in(given, "dimensions")),
        measures=tuple(_measure(m) for m in measures),
        owner=owner_in(given),
        source=source,
    )
    shown = ((name_in(m), text_in(m, "create_metric_display_name")) for m in measures if m.get("create_metric") is True)
    return WrittenModel(
        model=model,
        proxies=tuple(shown),
        extensions=tuple(_kept(given, name)),
        database=text_in(relation, "database"),
    )


def _kept(given: Given, name: str) -> Iterator[Extension]:
    yield from carried(f"model.{name}", TOOL, given, ("label", "config"))
    for entity in maps_in(given, "entities"):
        about = f"entity.{name}.{name_in(entity)}"
        yield from carried(about, TOOL, entity, ("description", "label", "role", "config"))
    for dimension in maps_in(given, "dimensions"):
        yield from carried(f"dimension.{name}.{name_in(dimension)}", TOOL, dimension, ("config", "datatype"))
    for measure in maps_in(given, "measures"):
        yield from carried(f"measure.{name}.{name_in(measure)}", TOOL, measure, ("label", "config"))


def table_of(node: Given) -> str:
    """The qualified name `schema.table` of a relation."""
    known(node, "table", _TABLE)
    name = f"{text_in(node, 'schema_name')}.{text_in(node, 'alias')}".strip(".")
    if not name:
        raise BadPart("it names no table")
    return name


def meta_in(given: Given) -> Given:
    """What the project's authors noted: `config.meta`, or `meta` where it still stands alone."""
    return {**map_in(given, "meta"), **map_in(map_in(given, "config"), "meta")}


def owner_in(given: Given) -> str:
    """The owner that `meta` names: a text, or a mapping with a name or an address."""
    owner = meta_in(given).get("owner")
    if isinstance(owner, dict):
        return text_in(owner, "name") or text_in(owner, "email")
    return owner.strip() if isinstance(owner, str) else ""


def _entity(given: Given) -> Entity:
    known(given, "entity", _ENTITY)
    return Entity(name=name_in(given), type=one_of(EntityType, given.get("type")), expr=expr_in(given))


def _dimension(given: Given) -> Dimension:
    params = known(map_in(known(given, "dimension", _DIMENSION), "type_params"), "time", _TIME)
    validity = map_in(params, "validity_params")
    marked = {v for v, key in ((Validity.START, "is_start"), (Validity.END, "is_end")) if validity.get(key) is True}
    grain = params.get("time_granularity")
    meta = meta_in(given)
    personal = meta.get("pii") is True or meta.get("contains_pii") is True
    return Dimension(
        name=name_in(given),
        type=_kind(given),
        expr=expr_in(given),
        label=text_in(given, "label"),
        description=text_in(given, "description"),
        synonyms=texts_of(meta.get("synonyms")),
        granularity=one_of(TimeGranularity, grain) if grain else None,
        pii=personal,
        indexable=not personal,
        is_partition=given.get("is_partition") is True,
        validity=next(iter(marked), None),
    )


def _kind(given: Given) -> DimensionType:
    kind = one_of(DimensionType, given.get("type", "categorical"))
    if kind is DimensionType.TIME:
        return kind
    return _KINDS.get(text_in(given, "datatype").lower(), kind)


def _measure(given: Given) -> Measure:
    known(given, "measure", _MEASURE)
    return aggregated(given, name=name_in(given), expr=expr_in(given), description=text_in(given, "description"))


def aggregated(given: Given, *, name: str, expr: str, description: str = "") -> Measure:
    """The measure that an aggregation describes: how, of what, at which time, and what may not be added."""
    params = known(map_in(given, "agg_params"), "aggregation", _AGGREGATION)
    rule = known(map_in(given, "non_additive_dimension"), "non-additive rule", _RULE)
    share = number_of(params.get("percentile"))
    return Measure(
        name=name,
        agg=one_of(Aggregation, given.get("agg")),
        expr=expr,
        agg_time_dimension=text_in(given, "agg_time_dimension") or None,
        percentile=share,
        discrete_percentile=params.get("use_discrete_percentile") is True,
        non_additive=_non_additive(rule) if rule else None,
        description=description,
    )


def _non_additive(rule: Given) -> NonAdditive:
    return NonAdditive(
        dimension=name_in(rule),
        pick=one_of(Aggregation, rule.get("window_choice", "min")),
        window_groupings=texts_of(rule.get("window_groupings")),
    )


def expr_in(given: Given) -> str:
    """The expression, or the name where none is given."""
    expr = given.get("expr")
    if isinstance(expr, bool):
        return str(expr).lower()
    return text_in(given, "expr") or name_in(given)


def spines_of(given: Given) -> Iterator[TimeSpine]:
    """The time spines of a project, of the newer form where both are given."""
    for spine in maps_in(given, "time_spines"):
        column = map_in(spine, "primary_column")
        custom = ((name_in(c), text_in(c, "column_name") or name_in(c)) for c in maps_in(spine, "custom_granularities"))
        yield TimeSpine(
            table=table_of(map_in(spine, "node_relation")),
            column=name_in(column),
            granularity=one_of(TimeGranularity, column.get("time_granularity")),
            custom=tuple(custom),
        )
    if given.get("time_spines"):
        return
    for spine in maps_in(given, "time_spine_table_configurations"):
        grain = one_of(TimeGranularity, spine.get("grain"))
        table = text_in(spine, "location").replace('"', "").replace("`", "")
        yield TimeSpine(table=".".join(table.split(".")[-2:]), column=text_in(spine, "column_name"), granularity=grain)
