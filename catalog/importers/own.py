"""Our own YAML, a file or a folder, as one CatalogSnapshot; or every error with file and line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from catalog.collector import paused_collector
from catalog.content import with_digest
from catalog.importers.shapes import read_item
from catalog.importers.yaml_source import Document, Path_, Plain, read_document
from catalog.issues import CatalogError, Issue, IssueCode
from catalog.types import (
    Adjective,
    AmbiguousTerm,
    Bridge,
    Calendar,
    CatalogEvent,
    CatalogSnapshot,
    Defaults,
    EntityInfo,
    Extension,
    FreshnessContract,
    Metric,
    SavedQuery,
    SemanticModel,
    SourceLocation,
    TermDefault,
    TimeSpine,
)

MAX_FILES = 2_000
_NAME = re.compile(r"^[A-Za-z][A-Za-z0-9_]*$")


@dataclass(frozen=True, slots=True)
class _Section:
    """A top-level key of many items: its type, the key that names an item, where a bare list or word goes."""

    cls: type[Any]
    key: str | None = None
    bare: str | None = None


_SECTIONS = {
    "semantic_models": _Section(SemanticModel, "name"),
    "metrics": _Section(Metric, "name"),
    "entities": _Section(EntityInfo, "name"),
    "bridges": _Section(Bridge),
    "events": _Section(CatalogEvent, "name", "date"),
    "ambiguous_terms": _Section(AmbiguousTerm, "term", "candidates"),
    "term_defaults": _Section(TermDefault),
    "adjectives": _Section(Adjective, "word", "filter"),
    "freshness": _Section(FreshnessContract, "table"),
    "time_spines": _Section(TimeSpine),
    "saved_queries": _Section(SavedQuery, "name"),
    "extensions": _Section(Extension),
}
_SINGLE: dict[str, type[Any]] = {"calendar": Calendar, "defaults": Defaults}
_SPECIAL = ("catalog", "lineage")
_FIELD = {"semantic_models": "models"}


@dataclass(slots=True)
class _Found:
    """What the files held so far."""

    items: dict[str, list[Any]] = field(default_factory=lambda: {name: [] for name in _SECTIONS})
    single: dict[str, Any] = field(default_factory=dict)
    lineage: dict[str, tuple[str, ...]] = field(default_factory=dict)
    issues: list[Issue] = field(default_factory=list)
    first: dict[tuple[str, str], SourceLocation] = field(default_factory=dict)


@paused_collector()
def load_folder(folder: Path) -> CatalogSnapshot:
    """The catalog of a folder's YAML files (or of one file), under its content digest.

    Raises:
        CatalogError: all that is wrong, each with file and line.
    """
    found = _Found()
    for path in _files(folder, found):
        shown_as = path.name if path == folder else path.relative_to(folder).as_posix()
        document = read_document(path, shown_as)
        if isinstance(document, Document):
            _take(document, found)
        else:
            found.issues.extend(document)
    if found.issues:
        raise CatalogError(tuple(sorted(found.issues, key=_place)))
    return _snapshot(found)


def load_sections(sections: dict[str, Plain], document: Document) -> dict[str, Any]:
    """The snapshot's fields that some top-level sections of one document fill.

    Raises:
        CatalogError: all that is wrong, each with file and line.
    """
    found = _Found()
    for name, body in sections.items():
        _take_section(name, body, document, found)
    if found.issues:
        raise CatalogError(tuple(sorted(found.issues, key=_place)))
    filled: dict[str, Any] = {_FIELD.get(n, n): tuple(items) for n, items in found.items.items() if n in sections}
    return {**filled, **found.single, **({"lineage": tuple(found.lineage.items())} if found.lineage else {})}


def _place(issue: Issue) -> tuple[str, int]:
    return (issue.source.file, issue.source.line) if issue.source else ("", 0)


def _files(folder: Path, found: _Found) -> Iterable[Path]:
    if folder.is_file():
        return (folder,)
    paths = sorted(p for p in folder.rglob("*") if p.suffix in {".yaml", ".yml"} and p.is_file())
    if not paths:
        what = "The folder holds no .yaml file." if folder.is_dir() else "There is no such folder or file."
        found.issues.append(_issue(what, SourceLocation(file=folder.name, line=1)))
    if len(paths) > MAX_FILES:
        message = f"The folder holds more than {MAX_FILES} YAML files."
        found.issues.append(_issue(message, SourceLocation(file=folder.name, line=1)))
        return ()
    return paths


def _take(document: Document, found: _Found) -> None:
    if document.value is None:
        return
    if not isinstance(document.value, dict):
        found.issues.append(
            _issue("The file must hold keys such as metrics: or semantic_models:.", document.source(()))
        )
        return
    for name, body in document.value.items():
        if body is not None:
            _take_section(name, body, document, found)


def _take_section(name: str, body: Plain, document: Document, found: _Found) -> None:
    if name in _SECTIONS:
        for path, value in _items_of(name, body, document, found):
            _keep(name, read_item(_SECTIONS[name].cls, value, document, path), found)
    elif name in _SINGLE:
        _keep_single(name, read_item(_SINGLE[name], body, document, (name,)), document, found)
    elif name == "lineage":
        _take_lineage(body, document, found)
    elif name == "catalog":
        _take_header(body, document, found)
    else:
        known = ", ".join((*_SPECIAL, *_SECTIONS, *_SINGLE))
        found.issues.append(_issue(f'Unknown key "{name}". Known keys: {known}.', document.source((name,))))


def _items_of(name: str, body: Plain, document: Document, found: _Found) -> Iterable[tuple[Path_, Plain]]:
    section = _SECTIONS[name]
    if isinstance(body, list):
        return [((name, i), value) for i, value in enumerate(body)]
    if isinstance(body, dict) and section.key:
        return [((name, key), _named(section, key, value)) for key, value in body.items()]
    found.issues.append(_issue(f'"{name}" must be a list.', document.source((name,))))
    return ()


def _named(section: _Section, key: str, value: Plain) -> Plain:
    is_bare = section.bare is not None and (not isinstance(value, dict) or (section.bare == "filter" and "op" in value))
    if is_bare:
        return {str(section.key): key, str(section.bare): value}
    if value is None:
        return {str(section.key): key}
    return {str(section.key): key, **value} if isinstance(value, dict) else value


def _keep(name: str, item: Any, found: _Found) -> None:
    if isinstance(item, tuple):
        found.issues.extend(item)
        return
    found.items[name].append(item)
    key = _SECTIONS[name].key
    source = getattr(item, "source", None)
    if key is None or source is None:
        return
    called = getattr(item, key)
    if not _NAME.match(called):
        found.issues.append(_issue(f'The name "{called}" may hold only letters, digits and _, a letter first.', source))
    first = found.first.setdefault((name, called), source)
    if first is not source:
        found.issues.append(_issue(f'"{called}" is declared twice (first in {first.file}, line {first.line}).', source))
    _check_parts(item, found)


def _check_parts(item: Any, found: _Found) -> None:
    for part in ("dimensions", "measures", "entities"):
        seen: set[str] = set()
        for inner in getattr(item, part, ()):
            source = getattr(inner, "source", None) or item.source
            if not _NAME.match(inner.name):
                message = f'The name "{inner.name}" may hold only letters, digits and _, a letter first.'
                found.issues.append(_issue(message, source))
            if inner.name in seen:
                found.issues.append(_issue(f'"{inner.name}" stands twice in {part} of "{item.name}".', source))
            seen.add(inner.name)


def _keep_single(name: str, item: Any, document: Document, found: _Found) -> None:
    if isinstance(item, tuple):
        found.issues.extend(item)
    elif name in found.single:
        found.issues.append(_issue(f'"{name}" stands in two files; keep one.', document.source((name,))))
    else:
        found.single[name] = item


def _take_lineage(body: Plain, document: Document, found: _Found) -> None:
    if not isinstance(body, dict):
        found.issues.append(
            _issue('"lineage" must map a metric or table to a list of tables.', document.source(("lineage",)))
        )
        return
    for name, tables in body.items():
        if isinstance(tables, list) and all(isinstance(t, str) for t in tables):
            found.lineage[name] = tuple(str(t) for t in tables)
        else:
            found.issues.append(
                _issue(f'lineage of "{name}" must be a list of tables.', document.source(("lineage", name)))
            )


def _take_header(body: Plain, document: Document, found: _Found) -> None:
    at = document.source(("catalog",))
    if (
        not isinstance(body, dict)
        or not all(isinstance(v, str) for v in body.values())
        or set(body) - {"name", "dialect"}
    ):
        found.issues.append(_issue('"catalog" takes name and dialect, both text.', at))
        return
    if body.get("dialect", "duckdb") not in {"duckdb", "postgres"}:
        found.issues.append(_issue('"dialect" must be duckdb or postgres.', at))
    if "catalog" in found.single:
        found.issues.append(_issue('"catalog" stands in two files; keep one.', at))
    found.single["catalog"] = body


def _issue(message: str, source: SourceLocation) -> Issue:
    return Issue(code=IssueCode.INVALID_CATALOG, message=message, source=source)


def _snapshot(found: _Found) -> CatalogSnapshot:
    header = found.single.pop("catalog", {})
    many: dict[str, Any] = {_FIELD.get(name, name): tuple(items) for name, items in found.items.items()}
    make: Callable[..., CatalogSnapshot] = CatalogSnapshot
    return with_digest(
        make(
            name=str(header.get("name", "catalog")),
            digest="",
            dialect=str(header.get("dialect", "duckdb")),
            lineage=tuple(found.lineage.items()),
            **many,
            **found.single,
        )
    )
