"""One door for every catalog that people have: which format it is in, and the catalog in it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path

from catalog.importers.dbt_manifest import load_dbt_manifest
from catalog.importers.metricflow import load_manifest
from catalog.importers.osi import load_osi
from catalog.importers.own import load_folder
from catalog.importers.semantic_manifest import load_semantic_manifest
from catalog.importers.yaml_source import MAX_BYTES
from catalog.issues import CatalogError, Issue, IssueCode
from catalog.types import CatalogSnapshot, SourceLocation

DEFAULT_SCHEMA = "main"
_TOP_KEY = re.compile(r"^([A-Za-z_]+):", re.MULTILINE)
_METRICFLOW_KEYS = frozenset({"semantic_model", "metric", "saved_query", "project_configuration"})
_OSI_YAML = re.compile(r"^semantic_model:\s*(?:#.*)?\n(?:\s*(?:#.*)?\n)*\s*-\s", re.MULTILINE)
_OSI_JSON = re.compile(r'"semantic_model"\s*:\s*\[')
"""OSI keeps a list where MetricFlow keeps one semantic model."""
_DBT_JSON = re.compile(r'"dbt_schema_version"|"nodes"\s*:\s*\{')
_DBT_YAML = re.compile(r"^(?:models|version):|^\s+(?:- )?(?:type_params|model|input_metrics?|agg):\s", re.MULTILINE)
"""What only a dbt project's YAML has where ours has `semantic_models` and `metrics` too."""
_OWN_YAML = re.compile(
    r"^(?:catalog|calendar|entities|bridges):|^\s+(?:- )?table:\s|^\s+(?:- )?\{.*\btable:\s", re.MULTILINE
)
_ARTEFACTS = ("semantic_manifest.json", "manifest.json")
_SEEN_BYTES = 256 * 1024


class Format(StrEnum):
    """How a catalog is written."""

    OWN = "own"
    METRICFLOW = "metricflow"
    SEMANTIC_MANIFEST = "semantic-manifest"
    DBT_MANIFEST = "dbt-manifest"
    OSI = "osi"


def load_any(path: Path, *, written_as: Format | None = None, schema: str = DEFAULT_SCHEMA) -> CatalogSnapshot:
    """The catalog of a file or a folder in any known format; unsaid, the format is found out.

    `schema` is where the tables are, for files that do not say it.

    Raises:
        CatalogError: everything that could not be read, each with file and line.
    """
    place, kind = _place(path, written_as)
    if kind is Format.SEMANTIC_MANIFEST:
        return load_semantic_manifest(place, name=_name(path))
    if kind is Format.DBT_MANIFEST:
        return load_dbt_manifest(place, name=_name(path))
    if kind is Format.OSI:
        return load_osi(place)
    if kind is Format.METRICFLOW:
        return load_manifest(place, name=_name(path), schema=schema)
    return load_folder(place)


def format_of(path: Path) -> Format:
    """The format of a file or folder, by the keys that it holds; our own where nothing tells.

    Raises:
        CatalogError: there is no such file or folder.
    """
    return _place(path, None)[1]


def _place(path: Path, written_as: Format | None) -> tuple[Path, Format]:
    """The file or folder to read, and how it is written."""
    if not path.exists():
        raise _refused("There is no such folder or file.", path)
    if path.is_file():
        return path, written_as or _of_file(path)
    artefact = next((path / name for name in _ARTEFACTS if (path / name).is_file()), None)
    if written_as is Format.DBT_MANIFEST and (path / "manifest.json").is_file():
        return path / "manifest.json", written_as
    if artefact is not None and written_as in {None, Format.SEMANTIC_MANIFEST}:
        return artefact, written_as or _of_file(artefact)
    return path, written_as or _of_texts(_head(p) for p in _yaml_files(path))


def _of_file(path: Path) -> Format:
    text = _head(path)
    if text.lstrip().startswith("{") or path.suffix == ".json":
        return _of_json(text, path.name)
    return _of_texts((text,))


def _of_json(text: str, name: str) -> Format:
    if _OSI_JSON.search(text):
        return Format.OSI
    is_project = _DBT_JSON.search(text) is not None or name == "manifest.json"
    return Format.DBT_MANIFEST if is_project else Format.SEMANTIC_MANIFEST


def _of_texts(texts: Iterable[str]) -> Format:
    for text in texts:
        if _OSI_YAML.search(text):
            return Format.OSI
        if _METRICFLOW_KEYS & set(_TOP_KEY.findall(text)):
            return Format.METRICFLOW
        if _DBT_YAML.search(text) and not _OWN_YAML.search(text):
            return Format.METRICFLOW
    return Format.OWN


def _yaml_files(folder: Path) -> Iterable[Path]:
    return sorted(p for p in folder.rglob("*") if p.suffix in {".yaml", ".yml"} and p.is_file())


def _head(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(min(_SEEN_BYTES, MAX_BYTES)).decode("utf-8-sig", errors="replace")


def _name(path: Path) -> str:
    """A name for the catalog, where the files give it none."""
    return re.sub(r"[^A-Za-z0-9_]+", "_", path.stem).strip("_") or "catalog"


def _refused(message: str, path: Path) -> CatalogError:
    at = SourceLocation(file=path.name, line=1)
    return CatalogError((Issue(code=IssueCode.INVALID_CATALOG, message=message, source=at),))
