"""A folder of MetricFlow YAML → CatalogSnapshot: semantic models, metrics, time spines, saved queries.

Both ways in which a metric names its measure occur (a plain name, or a map with
filters and null policy), as do windows inside and outside `cumulative_type_params`.
`$source_schema` stands for the schema that the caller gives.  The YAML of a dbt project
is read too, in both generations.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import yaml

from catalog.collector import paused_collector
from catalog.importers.dbt_yaml import take_project_file
from catalog.importers.metricflow_join import Parts, snapshot_of
from catalog.importers.yaml_source import MAX_BYTES, Document, parse_document
from catalog.types import CatalogSnapshot, SourceLocation

_SCHEMA = "$source_schema"
_PROJECT_KEYS = frozenset({"version", "models", "semantic_models", "metrics", "saved_queries"})
"""Top-level keys of a dbt project's YAML, which keeps lists."""


@paused_collector()
def load_manifest(*folders: Path, name: str, schema: str, dialect: str = "duckdb") -> CatalogSnapshot:
    """The folders' YAML files as one snapshot.  `schema` replaces `$source_schema`.

    Raises:
        CatalogError: everything that could not be read, each with its file and line.
    """
    parts = Parts()
    for folder in folders:
        inside = sorted((*folder.rglob("*.yaml"), *folder.rglob("*.yml")))
        for path in inside if folder.is_dir() else [folder]:
            _read_file(path, str(path.relative_to(folder)) if path != folder else path.name, schema, parts)
    return snapshot_of(parts, name=name, dialect=dialect)


def _read_file(path: Path, shown_as: str, schema: str, parts: Parts) -> None:
    at = SourceLocation(file=shown_as, line=1)
    try:
        size = path.stat().st_size
        text = path.read_bytes().decode("utf-8-sig") if size <= MAX_BYTES else ""
    except OSError:
        parts.refuse("the file cannot be read; check that it exists and may be opened", at)
        return
    except UnicodeDecodeError:
        parts.refuse("the file is not UTF-8 text; save it as UTF-8", at)
        return
    if size > MAX_BYTES:
        parts.refuse(f"{shown_as} is larger than {MAX_BYTES // 2**20} MB", at)
        return
    for part, line in documents(text.replace(_SCHEMA, schema)):
        found = parse_document(part.encode(), shown_as)
        if isinstance(found, Document):
            _read(found, line, schema, parts)
        else:
            parts.issues.extend(found)


def _read(document: Document, line: int, schema: str, parts: Parts) -> None:
    held = document.value if isinstance(document.value, dict) else {}
    if _PROJECT_KEYS & held.keys():
        take_project_file(document, schema, parts, line)
        return
    for key, value in held.items():
        source = SourceLocation(file=document.file, line=line + document.line((key,)))
        parts.add(key, dict(value) if isinstance(value, dict) else {}, source)


def documents(text: str) -> Iterator[tuple[str, int]]:
    """The YAML documents of a file, each with the number of lines before it; empty ones are left out."""
    lines = text.splitlines()
    start = 0
    for at, line in enumerate([*lines, "---"]):
        if line.startswith("---"):
            body = "\n".join(lines[start:at])
            if _holds_something(body):
                yield body, start
            start = at + 1


def _holds_something(body: str) -> bool:
    try:
        return any(isinstance(e, yaml.DocumentStartEvent) for e in yaml.parse(body, Loader=yaml.CSafeLoader))
    except (yaml.YAMLError, ValueError):
        return True
