"""Semantic models → OSI datasets, their keys, fields and relationships."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from catalog.importers.osi_joins import default_name, relationship_about
from catalog.types import CatalogSnapshot, Dimension, DimensionType, Entity, EntityType, SemanticModel

Given = dict[str, object]
_ONE = {EntityType.PRIMARY, EntityType.UNIQUE}


@dataclass(frozen=True)
class Kept:
    """What is carried along for OSI, by what it is about."""

    snapshot: CatalogSnapshot

    @cached_property
    def _texts(self) -> Mapping[tuple[str, str], list[str]]:
        found: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        for extension in self.snapshot.extensions:
            found[extension.about, extension.key].append(extension.text)
        return found

    def text(self, about: str, key: str) -> str:
        """The text under `osi.key`, or nothing."""
        return (self._texts.get((about, f"osi.{key}")) or [""])[0]

    def texts(self, about: str, key: str) -> list[str]:
        """All texts under `osi.key`."""
        return self._texts.get((about, f"osi.{key}"), [])

    def value(self, about: str, key: str) -> object:
        """The JSON value under `osi.key`; a text that is no JSON is itself, nothing is None."""
        text = self.text(about, key)
        try:
            return json.loads(text) if text else None
        except ValueError:
            return text

    def context(self, about: str, synonyms: tuple[str, ...]) -> object:
        """`ai_context`: the words of the catalog with what was carried along."""
        rest = self.value(about, "ai_context")
        if isinstance(rest, dict):
            return {**rest, **({"synonyms": list(synonyms)} if synonyms else {})}
        if synonyms:
            return {"synonyms": list(synonyms), **({"instructions": rest} if rest else {})}
        return rest


def told(**values: object) -> Given:
    """The keys that have a value; `from_` stands for `from`."""
    return {key.rstrip("_"): value for key, value in values.items() if value not in (None, "", [], {})}


@dataclass(frozen=True)
class DatasetWriter:
    """Writes the datasets and relationships of one catalog."""

    snapshot: CatalogSnapshot
    kept: Kept
    _words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def name(self, model: SemanticModel) -> str:
        """The dataset's name: its author's, where the catalog could not have it."""
        return self.kept.text(f"model.{model.name}", "name") or model.name

    def dataset(self, model: SemanticModel) -> Given:
        """One semantic model."""
        about = f"model.{model.name}"
        database = self.kept.text(about, "database")
        primary = model.primary_entity()
        words = next((e.synonyms for e in self.snapshot.entities if primary and e.name == primary.name), ())
        synonyms = words or tuple(self.kept.text(about, "synonyms").splitlines())
        return told(
            name=self.name(model),
            source=f"{database}.{model.table}" if database else model.table,
            primary_key=_plain(primary.columns()) if primary else None,
            unique_keys=self._unique_keys(model),
            description=model.description,
            ai_context=self.kept.context(about, synonyms),
            fields=[
                *(self.field(model, d) for d in model.dimensions),
                *map(json.loads, self.kept.texts(about, "field")),
            ],
            custom_extensions=self.kept.value(about, "custom_extensions"),
        )

    def _unique_keys(self, model: SemanticModel) -> list[list[str]] | None:
        primary = model.primary_entity()
        own = set(primary.columns()) if primary else set()
        keys = [_plain(e.columns()) for e in model.entities if e.type is EntityType.UNIQUE]
        mine = [k for i, k in enumerate(keys) if k and set(k) != own and k not in keys[:i]]
        written = self.kept.value(f"model.{model.name}", "unique_keys")
        raw = written.get("unique_keys") if isinstance(written, dict) else None
        if isinstance(raw, list) and [k for k in raw if set(k) != own] == mine:
            return raw
        return [k for k in mine if k] or None

    def field(self, model: SemanticModel, dimension: Dimension) -> Given:
        """One dimension as a field."""
        about = f"dimension.{model.name}.{dimension.name}"
        name = self.kept.text(about, "name")
        is_time = dimension.type is DimensionType.TIME or self.kept.text(about, "is_time") == "true"
        return told(
            name=name or dimension.name,
            expression={"dialects": [*_dialects(self.kept, about, dimension.expr)]},
            dimension={"is_time": is_time},
            datatype=self.kept.text(about, "datatype"),
            label="" if dimension.label == name else dimension.label,
            description=dimension.description,
            ai_context=self.kept.context(about, dimension.synonyms),
            custom_extensions=self.kept.value(about, "custom_extensions"),
        )

    def relationships(self) -> Iterator[Given]:
        """Every many-to-one step that two models' keys allow."""
        holders: defaultdict[str, list[tuple[SemanticModel, Entity]]] = defaultdict(list)
        for model in self.snapshot.models:
            for entity in model.entities:
                holders[entity.name].append((model, entity))
        for model in self.snapshot.models:
            for entity in model.entities:
                for other, key in holders[entity.name]:
                    if other.name != model.name and _leads(model, entity, other, key):
                        yield from self._relationship(model, entity, other, key)

    def _relationship(self, model: SemanticModel, entity: Entity, other: SemanticModel, key: Entity) -> Iterator[Given]:
        mine, theirs = _plain(entity.columns()), _plain(key.columns())
        if not mine or not theirs:
            return
        about = relationship_about(model.name, entity.name, other.name)
        context = self.kept.value(about, "ai_context")
        roles = sum(1 for e in model.entities if any(e.name == k.name and k.type in _ONE for k in other.entities))
        plain = default_name(model.name, other.name) if roles < 2 else entity.name
        yield told(
            name=self.kept.text(about, "name") or plain,
            from_=self.name(model),
            to=self.name(other),
            from_columns=mine,
            to_columns=theirs,
            ai_context=context.get("context") if isinstance(context, dict) else None,
            custom_extensions=self.kept.value(about, "custom_extensions"),
        )


def _leads(model: SemanticModel, entity: Entity, other: SemanticModel, key: Entity) -> bool:
    """Whether the relationship is written from this side: many to one, and between two keys once."""
    if key.type not in _ONE or entity.type is EntityType.NATURAL:
        return False
    if entity.type not in _ONE:
        return True
    if entity.type is not key.type:
        return entity.type is EntityType.UNIQUE
    return model.name < other.name


def _dialects(kept: Kept, about: str, expr: str) -> Iterator[Given]:
    yield {"dialect": "ANSI_SQL", "expression": expr}
    for dialect in ("SNOWFLAKE", "MDX", "TABLEAU", "DATABRICKS"):
        held = kept.value(about, f"expression.{dialect}")
        if isinstance(held, dict) and held.get("beside") == expr:
            yield {"dialect": dialect, "expression": str(held.get("expression"))}


def _plain(columns: tuple[str, ...]) -> list[str]:
    """The columns of a key, where each is a column and no expression; otherwise none."""
    return list(columns) if all(c.isidentifier() for c in columns) else []
