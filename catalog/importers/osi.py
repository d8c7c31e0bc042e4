"""Open Semantic Interchange (OSI 1.0, YAML or JSON) → CatalogSnapshot.

Datasets become semantic models, relationships become entities, and each metric becomes
measures and metrics: every aggregate is computed at its own dataset's grain.  Text for
language models is carried along, never obeyed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from catalog.content import with_digest
from catalog.importers.given import BadPart, Given, carried, known, map_in, maps_or_told, name_in, text_in
from catalog.importers.json_source import read_json
from catalog.importers.osi_embedded import embedded_in, without_catalog
from catalog.importers.osi_joins import Joins, Relationship, joins_of, relationship_of
from catalog.importers.osi_metrics import MetricMaker
from catalog.importers.osi_parts import (
    TOOL,
    Dataset,
    as_text,
    carried_along,
    dataset_of,
    dimension_of,
    other_expressions,
    synonyms_in,
)
from catalog.importers.yaml_source import Document, Path_, read_document
from catalog.issues import CatalogError, Issue, IssueCode
from catalog.lookup import Held, lookup
from catalog.paths import models_reached, ways_between
from catalog.types import (
    CatalogSnapshot,
    DimensionType,
    EntityInfo,
    Extension,
    Metric,
    SemanticModel,
    SourceLocation,
)

_VERSIONS = ("0", "1")
_ROOT = "version dialects vendors semantic_model"
_MODEL = "name description ai_context datasets relationships metrics custom_extensions"


def load_osi(path: Path, *, dialect: str = "duckdb") -> CatalogSnapshot:
    """The file as one snapshot.

    Raises:
        CatalogError: everything that cannot be held, each with its line.
    """
    read = read_json if path.suffix == ".json" else read_document
    document = read(path, path.name)
    if not isinstance(document, Document):
        raise CatalogError(document)
    return snapshot_of_osi(document, dialect=dialect)


def snapshot_of_osi(document: Document, *, dialect: str = "duckdb") -> CatalogSnapshot:
    """The document as one snapshot.

    Raises:
        CatalogError: everything that cannot be held, each with its line.
    """
    reader = _Reader(document, dialect)
    found = reader.read()
    if reader.issues or found is None:
        raise CatalogError(tuple(reader.issues))
    return with_digest(found)


@dataclass(slots=True)
class _Reader:
    """Collects the parts of one document, and every reason why one cannot be held."""

    document: Document
    dialect: str
    issues: list[Issue] = field(default_factory=list)
    extensions: list[Extension] = field(default_factory=list)

    def read(self) -> CatalogSnapshot | None:
        """The catalog, its digest still empty; None where there is nothing to read."""
        body = self._body()
        if body is None:
            return None
        whole = embedded_in(body)
        if whole is not None:
            return whole
        body = without_catalog(body)
        path: Path_ = ("semantic_model", 0)
        datasets = self._datasets(body, path)
        relationships = self._relationships(body, datasets, path)
        if self.issues:
            return None
        joins = joins_of(datasets, relationships)
        self.extensions.extend(joins.extensions)
        self.extensions.extend(_of_catalog(body, datasets))
        root = self.document.value if isinstance(self.document.value, dict) else {}
        rest = {key: value for key, value in root.items() if key != "semantic_model"}
        self.extensions.extend(carried("catalog", TOOL, {"document": rest}, ("document",)))
        models = tuple(self._model(d, joins) for d in datasets.values())
        return self._with_metrics(body, datasets, models, path)

    def _body(self) -> Given | None:
        value = self.document.value
        models = value.get("semantic_model") if isinstance(value, dict) else None
        try:
            known(dict(value) if isinstance(value, dict) else {}, "document", _ROOT)
            _check_version(dict(value) if isinstance(value, dict) else {})
            if not isinstance(models, list) or len(models) != 1 or not isinstance(models[0], dict):
                count = len(models) if isinstance(models, list) else 0
                raise BadPart(f"it must hold one semantic_model in a list, and holds {count}")
            body: Given = dict(models[0])
            known(body, "semantic model", _MODEL)
            name_in(body)
        except BadPart as bad:
            self._refuse(f"the document cannot be read: {bad}", ())
            return None
        return body

    def _datasets(self, body: Given, path: Path_) -> dict[str, Dataset]:
        found: dict[str, Dataset] = {}
        for i, given in enumerate(self._listed(body, "datasets", path)):
            place = (*path, "datasets", i)
            try:
                dataset = dataset_of(given, place, self.dialect)
                if dataset.called in {d.called for d in found.values()}:
                    raise BadPart("another one has that name")
                found[dataset.name] = dataset
            except BadPart as bad:
                self._refuse(f"the dataset {text_in(given, 'name')} cannot be read: {bad}", place)
        if not found and not self.issues:
            self._refuse("the semantic model holds no datasets", path)
        return found

    def _relationships(self, body: Given, datasets: dict[str, Dataset], path: Path_) -> tuple[Relationship, ...]:
        found: list[Relationship] = []
        for i, given in enumerate(self._listed(body, "relationships", path)):
            try:
                made = relationship_of(given, datasets)
                if made.name in {r.name for r in found}:
                    raise BadPart("another one has that name")
            except BadPart as bad:
                self._refuse(
                    f"the relationship {text_in(given, 'name')} cannot be held: {bad}", (*path, "relationships", i)
                )
                continue
            if made.origin == made.to:
                # a row and another row of its own table: no many-to-one path leads there
                self.extensions.append(Extension(about="catalog", key=f"{TOOL}.relationship", text=as_text(given)))
            else:
                found.append(made)
        return tuple(found)

    def _model(self, dataset: Dataset, joins: Joins) -> SemanticModel:
        entities = tuple(joins.entities[dataset.name])
        keys = frozenset(c for e in entities for c in e.columns())
        dimensions = tuple(
            dimension_of(f, keys, self.document.source(f.path)) for f in dataset.fields if f.is_dimension
        )
        self.extensions.extend(_of_dataset(dataset, {d.name: d.type for d in dimensions}))
        times = [d.name for d in dimensions if d.type is DimensionType.TIME]
        return SemanticModel(
            name=dataset.called,
            table=dataset.table,
            description=text_in(dataset.given, "description"),
            default_time_dimension=times[0] if len(times) == 1 else None,
            entities=entities,
            dimensions=dimensions,
            source=self.document.source(dataset.path),
        )

    def _with_metrics(
        self, body: Given, datasets: dict[str, Dataset], models: tuple[SemanticModel, ...], path: Path_
    ) -> CatalogSnapshot:
        empty = CatalogSnapshot(
            name=name_in(body), digest="", dialect=self.dialect, models=models, metrics=(), entities=()
        )
        maker = MetricMaker(empty, datasets)
        for i, given in enumerate(self._listed(body, "metrics", path)):
            place = (*path, "metrics", i)
            try:
                maker.add(given, self.document.source(place))
            except BadPart as bad:
                self._refuse(f"the metric {text_in(given, 'name')} cannot be held: {bad}", place)
        self.extensions.extend(maker.extensions)
        whole = replace(empty, models=maker.models(), metrics=maker.metrics())
        return replace(
            whole,
            metrics=tuple(_timed(m, whole) for m in whole.metrics),
            entities=tuple(_entity_info(d, whole) for d in datasets.values() if d.primary),
            extensions=tuple(self.extensions),
        )

    def _listed(self, body: Given, key: str, path: Path_) -> tuple[Given, ...]:
        tell = f"the semantic model {name_in(body)} cannot be read: "
        return maps_or_told(body, key, lambda why: self._refuse(f"{tell}{why}", (*path, key)))

    def _refuse(self, message: str, path: Path_) -> None:
        text = message[0].upper() + message[1:] + "."
        at: SourceLocation = self.document.source(path)
        self.issues.append(Issue(code=IssueCode.INVALID_CATALOG, message=text, source=at))


def _check_version(root: Given) -> None:
    """A later version may mean something else by the same words."""
    version = text_in(root, "version")
    if version and version.removeprefix("v").partition(".")[0] not in _VERSIONS:
        raise BadPart(f"version {version} of OSI is not known here; write it as version 1.0")


def _of_catalog(body: Given, datasets: dict[str, Dataset]) -> Iterator[Extension]:
    yield from carried_along(body, "catalog", "catalog", "description")
    synonyms = synonyms_in(body)
    if synonyms:
        yield Extension(about="catalog", key=f"{TOOL}.synonyms", text="\n".join(synonyms))
    for dataset in datasets.values():
        if dataset.database:
            yield Extension(about=f"model.{dataset.called}", key=f"{TOOL}.database", text=dataset.database)


def _of_dataset(dataset: Dataset, types: dict[str, DimensionType]) -> Iterator[Extension]:
    about = f"model.{dataset.called}"
    yield from carried_along(dataset.given, about, dataset.name)
    raw = dataset.given.get("unique_keys")
    if isinstance(raw, list) and tuple(tuple(map(str, k)) for k in raw) != dataset.unique:
        yield Extension(about=about, key=f"{TOOL}.unique_keys", text=as_text({"unique_keys": raw}))
    if synonyms_in(dataset.given) and not dataset.primary:
        yield Extension(about=about, key=f"{TOOL}.synonyms", text="\n".join(synonyms_in(dataset.given)))
    for held in dataset.fields:
        if not held.is_dimension:
            yield Extension(about=about, key=f"{TOOL}.field", text=as_text(held.given))
            continue
        name = f"dimension.{dataset.called}.{dimension_of(held, frozenset(), SourceLocation(file='', line=1)).name}"
        yield from carried_along(held.given, name, held.name, "datatype")
        yield from other_expressions(held.given, name, held.expr)
        if map_in(held.given, "dimension").get("is_time") is True and types.get(name.rpartition(".")[2]) != "time":
            yield Extension(about=name, key=f"{TOOL}.is_time", text="true")


def _timed(metric: Metric, snapshot: CatalogSnapshot) -> Metric:
    """The metric with the one time that its rows reach, where they have none of their own."""
    held = lookup(snapshot).measure(metric.measure) if metric.measure else None
    if held is None or held[0].default_time_dimension:
        return metric
    times = [
        (ways_between(snapshot, held[0].name, name), Held(model, dimension))
        for name in models_reached(snapshot, held[0].name)
        for model in (lookup(snapshot).models[name],)
        for dimension in model.dimensions
        if dimension.type is DimensionType.TIME
    ]
    if len(times) != 1 or not times[0][0].only:
        return metric
    return replace(metric, time_dimension=lookup(snapshot).canonical(times[0][1]))


def _entity_info(dataset: Dataset, snapshot: CatalogSnapshot) -> EntityInfo:
    parts = lookup(snapshot)
    model = parts.models[dataset.called]
    primary = model.primary_entity()
    keys = [d for d in model.dimensions if primary is not None and (d.expr,) == primary.columns()]
    time = next((d for d in model.dimensions if d.name == model.default_time_dimension), None)
    return EntityInfo(
        name=dataset.called,
        key_dimension=parts.canonical(Held(model, keys[0])) if keys else None,
        time_dimension=parts.canonical(Held(model, time)) if time else None,
        synonyms=synonyms_in(dataset.given),
    )
