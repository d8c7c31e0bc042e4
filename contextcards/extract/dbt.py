"""A dbt-style project (models as SQL files, schema YAML) → facts about the tables that it makes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

import yaml

from catalog.importers.yaml_bounds import check_bounds
from contextcards.extract.behaviour import Behaviour
from contextcards.extract.claims import SLOT_OF, claims_in
from contextcards.extract.properties import property_facts, source_tables
from contextcards.extract.sqlcode import behaviour_of
from contextcards.extract.templated import Comment, Rendered, comments_in, render, sentences_of
from contextcards.types import Authority, Fact, SourceType

DYNAMIC_CONFIDENCE = 0.7
COMMENT_CONFIDENCE = 0.5
NO_MODELS = frozenset({"tests", "macros", "analyses", "seeds", "snapshots", "target", "dbt_packages"})
"""Folders of a project whose SQL makes no table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFacts:
    """What the sources say about one table: facts with pointers, and its code's behaviour (None: not readable)."""

    table: str
    facts: tuple[Fact, ...]
    behaviour: Behaviour | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Model:
    """One model file, read."""

    table: str
    file: str
    rendered: Rendered
    behaviour: Behaviour | None
    comments: tuple[Comment, ...]


def extract(files: Mapping[str, str], observed_at: datetime, *, schema: str = "warehouse") -> tuple[TableFacts, ...]:
    """Facts of every model, by table.  `files` maps paths inside the project to their text.

    Models lie in `schema` unless the project file or the model itself names another.
    """
    models = _models(files, schema)
    by_table = {model.table: model for model in models.values()}
    described = property_facts(files, {name: m.table for name, m in models.items()}, observed_at)
    found = []
    for table in sorted(by_table):
        behaviour = _with_upstream(table, by_table, frozenset())
        code = tuple(_code_facts(by_table[table], behaviour, by_table, observed_at))
        found.append(TableFacts(table=table, facts=(*code, *described.get(table, ())), behaviour=behaviour))
    return tuple(found)


def _models(files: Mapping[str, str], schema: str) -> dict[str, _Model]:
    """The models by name."""
    folders = _folder_schemas(files)
    rendered = {path: render(text) for path, text in sorted(files.items()) if _is_model(path)}
    names = {path: PurePosixPath(path).stem for path in rendered}
    sources = source_tables(files)
    tables = {
        names[path]: f"{one.schema or _schema_for(path, folders) or schema}.{names[path]}"
        for path, one in rendered.items()
    }
    models = {}
    for path, one in rendered.items():
        behaviour = behaviour_of(tables[names[path]], one.sql, path)
        models[names[path]] = _Model(
            table=tables[names[path]],
            file=path,
            rendered=one,
            behaviour=None if behaviour is None else _resolved(behaviour, tables, sources),
            comments=comments_in(one.sql),
        )
    return models


def _is_model(path: str) -> bool:
    return path.endswith(".sql") and not NO_MODELS & set(PurePosixPath(path).parts)


def _folder_schemas(files: Mapping[str, str]) -> dict[str, str]:
    """`+schema` of the project file by folder name."""
    text = next((files[p] for p in files if PurePosixPath(p).name == "dbt_project.yml"), "")
    try:
        check_bounds(text)
        project = yaml.safe_load(text) or {}
    except yaml.YAMLError:
        return {}
    found: dict[str, str] = {}

    def note(tree: Any, folder: str) -> None:
        if not isinstance(tree, dict):
            return
        for key, value in tree.items():
            if key in ("+schema", "schema") and isinstance(value, str):
                found[folder] = value
            note(value, str(key))

    note(project.get("models") if isinstance(project, dict) else None, "")
    return found


def _schema_for(path: str, folders: Mapping[str, str]) -> str:
    """The schema of the innermost folder that names one."""
    parents = reversed(PurePosixPath(path).parts[:-1])
    return next((folders[part] for part in parents if part in folders), "")


def _resolved(behaviour: Behaviour, tables: Mapping[str, str], sources: Mapping[str, str]) -> Behaviour:
    """The behaviour with refs and sources replaced by the tables that they stand for."""

    def name(table: str) -> str:
        return tables.get(table.removeprefix("ref."), table) if table.startswith("ref.") else sources.get(table, table)

    return replace(
        behaviour,
        reads=tuple(name(t) for t in behaviour.reads),
        narrowing=tuple(name(t) for t in behaviour.narrowing),
        start=name(behaviour.start),
        joins=tuple(replace(j, table=name(j.table)) for j in behaviour.joins),
    )


def _with_upstream(table: str, models: Mapping[str, _Model], seen: frozenset[str]) -> Behaviour | None:
    """A table's behaviour with what the models before it have already filtered and made distinct."""
    model = models.get(table)
    if model is None or model.behaviour is None or table in seen:
        return None
    own = model.behaviour
    before = {t: b for t in own.narrowing if (b := _with_upstream(t, models, seen | {table})) is not None}
    start = before.get(own.start, Behaviour(table=own.start))
    return replace(
        own,
        predicates=tuple(dict.fromkeys((*own.predicates, *(p for b in before.values() for p in b.predicates)))),
        deduplications=tuple(dict.fromkeys((*own.deduplications, *start.deduplications))),
        windows=own.windows.union(*(b.windows for b in before.values())),
        grain=own.grain or (() if own.joined else start.grain),
    )


def _code_facts(
    model: _Model, behaviour: Behaviour | None, models: Mapping[str, _Model], at: datetime
) -> Iterator[Fact]:
    if behaviour is None or model.behaviour is None:
        return
    sure = DYNAMIC_CONFIDENCE if model.rendered.dynamic else 1.0
    for predicate in behaviour.predicates:
        yield _code("filters_upstream", f"Keeps rows where {predicate.sql}", predicate.pointer, at, sure)
    for dedup in behaviour.deduplications:
        yield _code("deduplication", dedup.how, dedup.pointer, at, sure)
    if behaviour.grain:
        yield _code("grain", f"one row per {', '.join(behaviour.grain)}", behaviour.pointer, at, sure)
    for table in model.behaviour.reads:
        yield _code("upstreams", table, f"{model.file}:1", at, sure)
    for join in model.behaviour.joins:
        yield _code("joins", f"{join.kind} {join.table} on {join.condition}", join.pointer, at, sure)
    for column in behaviour.columns:
        yield _code("columns", column, f"{model.file}:1", at, sure)
    for other in models.values():
        if other.behaviour is not None and model.table in other.behaviour.reads:
            yield _code("downstreams", other.table, f"{other.file}:1", at, 1.0)
    yield from _comment_facts(model, at)


def _comment_facts(model: _Model, at: datetime) -> Iterator[Fact]:
    """The sentences of comments that claim something about the code; the others are no facts."""
    for sentence in (s for comment in model.comments for s in sentences_of(comment)):
        for slot in dict.fromkeys(SLOT_OF[claim.form] for claim in claims_in(sentence.text)):
            yield Fact(
                slot=slot,
                text=sentence.text.rstrip("."),
                source=SourceType.PIPELINE_CODE,
                authority=Authority.DOCUMENT,
                pointer=f"{model.file}:{sentence.line}",
                observed_at=at,
                confidence=COMMENT_CONFIDENCE,
            )


def _code(slot: str, text: str, pointer: str, at: datetime, confidence: float) -> Fact:
    return Fact(
        slot=slot,
        text=text,
        source=SourceType.PIPELINE_CODE,
        authority=Authority.CODE,
        pointer=pointer,
        observed_at=at,
        confidence=confidence,
    )
