"""dbt's `manifest.json` → CatalogSnapshot: the semantic layer with what the project knows besides.

Descriptions of models and columns fill the gaps of the semantic models, groups tell who
owns a part, and the graph of models becomes the lineage of tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from catalog.importers.given import BadPart, Given, map_in, maps_in, text_in, texts_of
from catalog.importers.json_source import read_json
from catalog.importers.metricflow_join import Parts, snapshot_of
from catalog.importers.metricflow_models import meta_in, table_of
from catalog.importers.semantic_manifest import without_blanks, written_at
from catalog.importers.yaml_source import Document
from catalog.issues import CatalogError
from catalog.types import CatalogSnapshot, SourceLocation

_MODEL = ("name", "description", "label", "defaults", "node_relation", "primary_entity", "entities", "measures")
_METRIC = ("name", "description", "label", "type", "type_params", "filter", "time_granularity", "tags")
_SAVED = ("name", "description", "label", "query_params", "exports", "tags")
_POSTGRES = frozenset({"postgres", "redshift"})
_NO_TABLE = "ephemeral"

Nodes = Mapping[str, Given]


def load_dbt_manifest(path: Path, *, name: str) -> CatalogSnapshot:
    """The file as one snapshot.

    Raises:
        CatalogError: everything that could not be read, each with the project's file that holds it.
    """
    document = read_json(path, path.name)
    if not isinstance(document, Document):
        raise CatalogError(document)
    body = document.value if isinstance(document.value, dict) else {}
    manifest = _Manifest(dict(body), path.name)
    if not manifest.models:
        manifest.parts.refuse("the manifest holds no semantic_models", SourceLocation(file=path.name, line=1))
    metadata = map_in(dict(body), "metadata")
    dialect = "postgres" if text_in(metadata, "adapter_type") in _POSTGRES else "duckdb"
    return snapshot_of(manifest.read(), name=text_in(metadata, "project_name") or name, dialect=dialect)


class _Manifest:
    """The nodes of a project by their ids."""

    def __init__(self, body: Given, file: str) -> None:
        self.file = file
        self.parts = Parts()
        self.nodes: Nodes = {**_enabled(body, "sources"), **_enabled(body, "nodes")}
        self.groups = {text_in(g, "name"): g for g in _enabled(body, "groups").values()}
        self.models, self.metrics = _enabled(body, "semantic_models"), _enabled(body, "metrics")
        self.saved = _enabled(body, "saved_queries")

    def read(self) -> Parts:
        """All parts of the semantic layer."""
        for given in self.models.values():
            self._add("semantic_model", self._model_part, given)
        for given in self.metrics.values():
            self._add("metric", self._metric_part, given)
        for given in self.saved.values():
            self._add("saved_query", _saved_part, given)
        for given in self.nodes.values():
            if map_in(given, "time_spine"):
                self._add("project_configuration", _spine_part, given)
        self.parts.lineage = tuple(self._lineage())
        return self.parts

    def _model_part(self, given: Given) -> Given:
        return {**_picked(given, _MODEL), **self._known(given)}

    def _metric_part(self, given: Given) -> Given:
        return {**_picked(given, _METRIC), "config": self._config(given)}

    def _add(self, kind: str, part: Callable[[Given], Given], node: Given) -> None:
        place = written_at(node, self.file)
        try:
            self.parts.add(kind, without_blanks(part(node)), place)
        except BadPart as bad:
            self.parts.refuse(f"the {kind.replace('_', ' ')} cannot be read: {bad}", place)

    def _config(self, given: Given) -> Given:
        """The author's notes, with the group's owner where they name none."""
        meta = meta_in(given)
        group = self.groups.get(text_in(given, "group") or text_in(map_in(given, "config"), "group"))
        owner = map_in(group, "owner") if group is not None else {}
        if owner and "owner" not in meta:
            meta = {**meta, "owner": text_in(owner, "name") or text_in(owner, "email")}
        return {"meta": meta} if meta else {}

    def _known(self, given: Given) -> Given:
        """What the model behind a semantic model adds: its description, its group, its columns' notes."""
        behind = texts_of(map_in(given, "depends_on").get("nodes"))
        node: Given = next((dict(self.nodes[n]) for n in behind if n in self.nodes), {})
        columns = map_in(node, "columns")
        config = self._config(given) or self._config(node)
        return {
            "description": text_in(given, "description") or text_in(node, "description"),
            "dimensions": [_with_column(d, columns) for d in maps_in(given, "dimensions")],
            "config": config,
        }

    def _lineage(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The tables behind every table that the semantic layer is made from, each table once."""
        waiting = [n for m in self.models.values() for n in texts_of(map_in(m, "depends_on").get("nodes"))]
        seen: set[str] = set()
        while waiting:
            name = waiting.pop(0)
            if name in seen or name not in self.nodes:
                continue
            seen.add(name)
            parents = tuple(self._parents(name, frozenset()))
            waiting.extend(parents)
            table = _table(self.nodes[name])
            if parents and table:
                yield table, tuple(dict.fromkeys(t for p in parents if (t := _table(self.nodes[p]))))

    def _parents(self, name: str, over: frozenset[str]) -> Iterator[str]:
        """The nodes with a table that a node is made from; what is no table is looked through."""
        for parent in texts_of(map_in(self.nodes[name], "depends_on").get("nodes")):
            node = self.nodes.get(parent)
            if node is None or parent in over:
                continue
            if text_in(map_in(node, "config"), "materialized") == _NO_TABLE:
                yield from self._parents(parent, over | {parent})
            else:
                yield parent


def _enabled(body: Given, key: str) -> dict[str, Given]:
    found = {name: given for name, given in map_in(body, key).items() if isinstance(given, dict)}
    return {n: g for n, g in found.items() if map_in(g, "config").get("enabled") is not False}


def _picked(given: Given, keys: tuple[str, ...]) -> Given:
    return {key: given[key] for key in keys if key in given}


def _saved_part(given: Given) -> Given:
    return _picked(given, _SAVED)


def _spine_part(given: Given) -> Given:
    return {"time_spines": [_spine(given)]}


def _with_column(dimension: Given, columns: Given) -> Given:
    """The dimension with what is noted at the column that it is."""
    column = map_in(columns, text_in(dimension, "expr") or text_in(dimension, "name"))
    if not column:
        return dimension
    meta = {**meta_in(column), **meta_in(dimension)}
    description = text_in(dimension, "description") or text_in(column, "description")
    return {**dimension, "description": description, **({"config": {"meta": meta}} if meta else {})}


def _table(node: Given) -> str:
    name = text_in(node, "alias") or text_in(node, "identifier") or text_in(node, "name")
    return table_of({"schema_name": text_in(node, "schema"), "alias": name}) if name else ""


def _spine(node: Given) -> Given:
    spine = map_in(node, "time_spine")
    name = text_in(spine, "standard_granularity_column")
    column = map_in(map_in(node, "columns"), name)
    return {
        "node_relation": {"schema_name": text_in(node, "schema"), "alias": text_in(node, "alias")},
        "primary_column": {"name": name, "time_granularity": text_in(column, "granularity")},
        "custom_granularities": list(maps_in(spine, "custom_granularities")),
    }
