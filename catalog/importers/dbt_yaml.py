"""The YAML of a dbt project → parts of a semantic layer, in both generations.

Older: `semantic_models` with measures, and metrics with `type_params`.  Newer: models
carry `semantic_model`, keys and dimensions stand at their columns, simple metrics stand at
the model with their aggregation, and other metrics name metrics.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from catalog.importers.given import BadPart, Given, known, map_in, maps_in, maps_or_told, name_in, text_in
from catalog.importers.metricflow_join import Parts
from catalog.importers.yaml_source import Document, Path_
from catalog.types import SourceLocation

_REF = re.compile(
    r"^\s*(?:\{\{\s*)?(?:ref|source)\(\s*(?:['\"][^'\"]+['\"]\s*,\s*)?['\"]([^'\"]+)['\"].*\)\s*(?:\}\})?\s*$"
)
_METRIC = (
    "name description label type config meta tags filter time_granularity hidden agg percentile percentile_type "
    "join_to_timespine fill_nulls_with expr non_additive_dimension agg_time_dimension window grain_to_date period_agg "
    "input_metric numerator denominator input_metrics entity calculation base_metric conversion_metric "
    "constant_properties"
)
_DIMENSION = "name type description label is_partition config validity_params"
_DERIVED = f"{_DIMENSION} expr granularity"
_ENTITY = "name type description label config expr"
_RULE = "name window_agg group_by"

_VERSION = "2"

Locate = Callable[[Path_], SourceLocation]


def take_project_file(document: Document, schema: str, parts: Parts, line: int = 0) -> None:
    """Adds what one file of a dbt project says about the semantic layer."""
    body: Given = dict(document.value) if isinstance(document.value, dict) else {}

    def at(path: Path_) -> SourceLocation:
        return SourceLocation(file=document.file, line=line + document.line(path))

    if str(body.get("version", _VERSION)).removesuffix(".0") != _VERSION:
        parts.refuse(f"version {body['version']} is not known here; dbt's YAML is version {_VERSION}", at(("version",)))
        return
    for key, what, take in _SECTIONS:
        held = maps_or_told(body, key, partial(parts.refuse, source=at((key,))))
        for i, given in enumerate(held):
            with _told(parts, what, at((key, i))):
                take(given, (key, i), schema, parts, at)


@contextmanager
def _told(parts: Parts, what: str, source: SourceLocation) -> Iterator[None]:
    """What cannot be read inside becomes an issue."""
    try:
        yield
    except BadPart as bad:
        parts.refuse(f"the {what} cannot be read: {bad}", source)


def _semantic_model(given: Given, path: Path_, schema: str, parts: Parts, at: Locate) -> None:
    parts.add("semantic_model", _older(given, schema), at(path))


def _metric(given: Given, path: Path_, schema: str, parts: Parts, at: Locate) -> None:
    del schema
    parts.add("metric", metric_in(given, "", ""), at(path))


def _saved_query(given: Given, path: Path_, schema: str, parts: Parts, at: Locate) -> None:
    del schema
    parts.add("saved_query", given, at(path))


def _older(given: Given, schema: str) -> Given:
    """A semantic model whose table is said as `ref('orders')`."""
    if "node_relation" in given:
        return given
    read = _REF.match(text_in(given, "model"))
    if read is None:
        raise BadPart(f'its model "{text_in(given, "model")}" is no ref')
    made = {key: value for key, value in given.items() if key != "model"}
    return {**made, "node_relation": {"schema_name": schema, "alias": read[1]}}


def _model(given: Given, path: Path_, schema: str, parts: Parts, at: Locate) -> None:
    """A model's time spine, its semantic model and its metrics."""
    spine = map_in(given, "time_spine")
    relation = _relation(given, schema)
    columns = list(maps_in(given, "columns"))
    if spine:
        parts.add("project_configuration", {"time_spines": [_spine(spine, relation, columns)]}, at(path))
    said = given.get("semantic_model")
    settings = said if isinstance(said, dict) else {}
    if said is None or said is False or settings.get("enabled") is False:
        return
    name = text_in(settings, "name") or name_in(given)
    derived = map_in(given, "derived_semantics")
    model: Given = {
        "name": name,
        "description": text_in(given, "description"),
        "node_relation": relation,
        "entities": [*_column_entities(columns), *(known(e, "key", _ENTITY) for e in maps_in(derived, "entities"))],
        "dimensions": [*_column_dimensions(columns), *map(_derived_dimension, maps_in(derived, "dimensions"))],
        "defaults": {"agg_time_dimension": given.get("agg_time_dimension")},
        "config": map_in(settings, "config") or map_in(given, "config"),
    }
    if text_in(given, "primary_entity"):
        model["primary_entity"] = text_in(given, "primary_entity")
    model["config"] = {k: v for k, v in map_in(model, "config").items() if k == "meta"}
    parts.add("semantic_model", model, at(path))
    default = text_in(given, "agg_time_dimension")
    for i, metric in enumerate(maps_in(given, "metrics")):
        place = at((*path, "metrics", i))
        with _told(parts, "metric", place):
            parts.add("metric", metric_in(metric, name, default), place)


def _relation(given: Given, schema: str) -> Given:
    config = map_in(given, "config")
    named = text_in(config, "alias") or name_in(given)
    return {"schema_name": text_in(config, "schema") or schema, "alias": named}


def _spine(spine: Given, relation: Given, columns: list[Given]) -> Given:
    name = text_in(spine, "standard_granularity_column")
    grain = next((text_in(c, "granularity") for c in columns if text_in(c, "name") == name), "")
    return {
        "node_relation": relation,
        "primary_column": {"name": name, "time_granularity": grain},
        "custom_granularities": list(maps_in(spine, "custom_granularities")),
    }


def _column_entities(columns: list[Given]) -> Iterator[Given]:
    for column in columns:
        said = column.get("entity")
        if said is None:
            continue
        given: Given = dict(known(said, "key", _ENTITY)) if isinstance(said, dict) else {"type": said}
        name = text_in(given, "name") or name_in(column)
        yield {**given, "name": name, "expr": name_in(column)}


def _column_dimensions(columns: list[Given]) -> Iterator[Given]:
    for column in columns:
        said = column.get("dimension")
        if said is None:
            continue
        given: Given = dict(known(said, "dimension", _DIMENSION)) if isinstance(said, dict) else {"type": said}
        meta = {**_meta(column), **_meta(given)}
        made = {
            **given,
            "name": text_in(given, "name") or name_in(column),
            "expr": name_in(column),
            "description": text_in(given, "description") or text_in(column, "description"),
            "config": {"meta": meta} if meta else {},
        }
        yield _timed(made, column.get("granularity"))


def _meta(given: Given) -> Given:
    return {**map_in(given, "meta"), **map_in(map_in(given, "config"), "meta")}


def _derived_dimension(given: Given) -> Given:
    known(given, "dimension", _DERIVED)
    return _timed({k: v for k, v in given.items() if k != "granularity"}, given.get("granularity"))


def _timed(given: Given, grain: object) -> Given:
    """The dimension with its size of time and its part in a validity window where older files keep them."""
    validity = given.get("validity_params")
    made = {key: value for key, value in given.items() if key != "validity_params"}
    if grain is None:
        return made
    return {**made, "type_params": {"time_granularity": grain, **({"validity_params": validity} if validity else {})}}


def metric_in(given: Given, model: str, default_time: str) -> Given:
    """A metric as older files and manifests keep it, whichever way it is written."""
    if "type_params" in given:
        return given
    known(given, "metric", _METRIC)
    if given.get("agg") is not None and not model:
        raise BadPart("a simple metric with its own aggregation must stand at the model that it counts")
    shared = ("name", "description", "label", "type", "config", "meta", "tags", "filter", "time_granularity")
    made = {key: given[key] for key in shared if key in given}
    kind = text_in(given, "type").lower() or "simple"
    inner = _params(kind, given, model, default_time)
    if given.get("hidden") is True:
        inner["is_private"] = True
    return {**made, "type": kind, "type_params": inner}


def _params(kind: str, given: Given, model: str, default_time: str) -> Given:
    if kind == "simple":
        return _simple(given, model, default_time)
    if kind == "cumulative":
        return {"cumulative_type_params": _only(given, "window grain_to_date period_agg", metric="input_metric")}
    if kind == "conversion":
        keys = "entity calculation base_metric conversion_metric constant_properties window"
        return {"conversion_type_params": _only(given, keys)}
    return _only(given, "numerator denominator expr", metrics="input_metrics")


def _only(given: Given, keys: str, **renamed: str) -> Given:
    names = {key: key for key in keys.split()} | renamed
    return {key: given[source] for key, source in names.items() if given.get(source) is not None}


def _simple(given: Given, model: str, default_time: str) -> Given:
    carries: Given = {"semantic_model": model, **_only(given, "agg agg_time_dimension")}
    if default_time:
        carries.setdefault("agg_time_dimension", default_time)
    rule = known(map_in(given, "non_additive_dimension"), "non-additive rule", _RULE)
    if rule:
        carries["non_additive_dimension"] = _only(rule, "name", window_choice="window_agg", window_groupings="group_by")
    if given.get("percentile") is not None:
        is_discrete = text_in(given, "percentile_type").lower() == "discrete"
        carries["agg_params"] = {"percentile": given["percentile"], "use_discrete_percentile": is_discrete}
    return {"metric_aggregation_params": carries, **_only(given, "expr join_to_timespine fill_nulls_with")}


_SECTIONS: tuple[tuple[str, str, Callable[[Given, Path_, str, Parts, Locate], None]], ...] = (
    ("models", "model", _model),
    ("semantic_models", "semantic model", _semantic_model),
    ("metrics", "metric", _metric),
    ("saved_queries", "saved query", _saved_query),
)
"""What a file may hold, and who takes it."""
