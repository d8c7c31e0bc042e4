"""dbt's `semantic_manifest.json` → CatalogSnapshot: the whole semantic layer of a project in one file."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from catalog.importers.given import Given, map_in, maps_or_told, text_in
from catalog.importers.json_source import read_json
from catalog.importers.metricflow_join import Parts, snapshot_of
from catalog.importers.yaml_source import Document
from catalog.issues import CatalogError
from catalog.types import CatalogSnapshot, SourceLocation

_BOOKKEEPING = frozenset({"metadata", "input_measures", "dsi_package_version"})
"""Keys that say where a part was written, or repeat what other keys say."""


def load_semantic_manifest(path: Path, *, name: str, dialect: str = "duckdb") -> CatalogSnapshot:
    """The file as one snapshot.

    Raises:
        CatalogError: everything that could not be read, each with the file and line that the manifest names.
    """
    document = read_json(path, path.name)
    if not isinstance(document, Document):
        raise CatalogError(document)
    parts = Parts()
    body = document.value
    if not isinstance(body, dict) or not isinstance(body.get("semantic_models"), list):
        parts.refuse("a semantic manifest holds a list of semantic_models", document.source(()))
        raise CatalogError(tuple(parts.issues))
    take_manifest(dict(body), path.name, parts)
    return snapshot_of(parts, name=name, dialect=dialect)


def take_manifest(body: Given, file: str, parts: Parts) -> None:
    """Adds what a semantic manifest holds."""
    whole = SourceLocation(file=file, line=1)
    for key, kind in (("semantic_models", "semantic_model"), ("metrics", "metric"), ("saved_queries", "saved_query")):
        for given in maps_or_told(body, key, lambda why: parts.refuse(why, whole)):
            parts.add(kind, without_blanks(given), written_at(given, file))
    project = map_in(body, "project_configuration")
    parts.add("project_configuration", without_blanks(project), whole)


def written_at(given: Given, file: str) -> SourceLocation:
    """Where the project's own file holds the part, as far as the manifest tells."""
    metadata = map_in(given, "metadata")
    line = map_in(metadata, "file_slice").get("start_line_number")
    written = text_in(given, "original_file_path") or PurePosixPath(text_in(metadata, "repo_file_path")).name
    return SourceLocation(file=written or file, line=line if isinstance(line, int) else 1)


def without_blanks(value: Given) -> Given:
    """The part without empty keys and bookkeeping, as its author wrote it."""
    return {key: _plain(held) for key, held in value.items() if held is not None and key not in _BOOKKEEPING}


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return without_blanks(value)
    return [_plain(item) for item in value] if isinstance(value, list) else value
