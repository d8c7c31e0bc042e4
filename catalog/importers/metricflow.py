"""A folder of MetricFlow YAML → CatalogSnapshot: semantic models, metrics, time spines, saved queries.

Both ways in which a metric names its measure occur (a plain name, or a map with
filters and null policy), as do windows inside and outside `cumulative_type_params`.
`$source_schema` stands for the schema that the caller gives.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import yaml

from catalog.content import with_digest
from catalog.importers.metricflow_parts import BadPart, metric_of, model_of, saved_query_of, spines_of
from catalog.importers.yaml_source import MAX_BYTES, Document, parse_document
from catalog.issues import CatalogError, Issue, IssueCode
from catalog.types import CatalogSnapshot, Metric, MetricType, SavedQuery, SemanticModel, SourceLocation, TimeSpine

_SCHEMA = "$source_schema"


def load_manifest(*folders: Path, name: str, schema: str, dialect: str = "duckdb") -> CatalogSnapshot:
    """The folders' YAML files as one snapshot.  `schema` replaces `$source_schema`.

    Raises:
        CatalogError: everything that could not be read, each with its file and line.
    """
    reader = _Reader()
    for folder in folders:
        for path in sorted((*folder.rglob("*.yaml"), *folder.rglob("*.yml"))):
            reader.read_file(path, str(path.relative_to(folder)), schema)
    reader.check_names()
    if reader.issues:
        raise CatalogError(tuple(reader.issues))
    return with_digest(
        CatalogSnapshot(
            name=name,
            digest="",
            dialect=dialect,
            models=tuple(reader.models),
            metrics=(*reader.metrics, *_made(reader)),
            time_spines=tuple(dict.fromkeys(reader.spines)),
            saved_queries=tuple(reader.saved),
        )
    )


class _Reader:
    """Collects the parts of all files, and every reason why one cannot be read."""

    def __init__(self) -> None:
        self.models: list[SemanticModel] = []
        self.metrics: list[Metric] = []
        self.proxies: list[str] = []
        self.spines: list[TimeSpine] = []
        self.saved: list[SavedQuery] = []
        self.issues: list[Issue] = []

    def read_file(self, path: Path, shown_as: str, schema: str) -> None:
        if path.stat().st_size > MAX_BYTES:
            self._refuse(f"{shown_as} is larger than {MAX_BYTES // 2**20} MB", SourceLocation(file=shown_as, line=1))
            return
        for text, line in documents(path.read_text(encoding="utf-8").replace(_SCHEMA, schema)):
            found = parse_document(text.encode(), shown_as)
            if isinstance(found, Document):
                self._read(found, line)
            else:
                self.issues.extend(found)

    def _read(self, document: Document, line: int) -> None:
        held = document.value if isinstance(document.value, dict) else {}
        for key, value in held.items():
            source = SourceLocation(file=document.file, line=line + document.line((key,)))
            given: dict[str, object] = dict(value) if isinstance(value, dict) else {}
            try:
                self._add(key, given, source)
            except BadPart as bad:
                self._refuse(f"the {key.replace('_', ' ')} cannot be read: {bad}", source)

    def _add(self, key: str, value: dict[str, object], source: SourceLocation) -> None:
        if key == "semantic_model":
            model, proxies = model_of(value, source)
            self.models.append(model)
            self.proxies.extend(proxies)
        elif key == "metric":
            self.metrics.append(metric_of(value, source))
        elif key == "saved_query":
            self.saved.append(saved_query_of(value))
        elif key == "project_configuration":
            self.spines.extend(spines_of(value))
        else:
            raise BadPart(f"there is no part called {key}")

    def check_names(self) -> None:
        """Refuses a name that two models or two metrics share: one of them would be lost."""
        for parts in (self.models, self.metrics):
            seen: set[str] = set()
            for part in parts:
                if part.name in seen and part.source is not None:
                    self._refuse(f"the name {part.name} stands here a second time", part.source)
                seen.add(part.name)

    def _refuse(self, message: str, source: SourceLocation) -> None:
        text = message[0].upper() + message[1:] + "."
        self.issues.append(Issue(code=IssueCode.INVALID_CATALOG, message=text, source=source))


def _made(reader: _Reader) -> Iterable[Metric]:
    """A metric for each measure that asks for one and has none of its name."""
    taken = {m.name for m in reader.metrics}
    for measure in reader.proxies:
        if measure not in taken:
            yield Metric(name=measure, type=MetricType.SIMPLE, measure=measure)


def documents(text: str) -> Iterator[tuple[str, int]]:
    """The YAML documents of a file, each with the number of lines before it; empty ones are left out."""
    lines = text.splitlines()
    start = 0
    for at, line in enumerate([*lines, "---"]):
        if line.startswith("---"):
            body = "\n".join(lines[start:at])
            if any(e for e in yaml.parse(body, Loader=yaml.CSafeLoader) if isinstance(e, yaml.DocumentStartEvent)):
                yield body, start
            start = at + 1
