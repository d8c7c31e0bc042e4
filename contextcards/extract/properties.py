"""The property files of a dbt-style project (schema YAML) → facts: descriptions, owners, tests as keys and joins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

import yaml

from contextcards.extract.lined_yaml import Lines, Path, load_lined
from contextcards.types import Authority, Fact, SourceType


def property_facts(
    files: Mapping[str, str], tables: Mapping[str, str], observed_at: datetime
) -> dict[str, tuple[Fact, ...]]:
    """Facts by table.  `tables` maps model names to tables; files that are no YAML say nothing."""
    found: dict[str, list[Fact]] = {}
    for path, value, lines in _property_files(files):
        for i, model in enumerate(_dicts(value.get("models"))):
            if model.get("name") in tables:
                facts = _model_facts(model, ("models", i), _Writer(path, lines, observed_at), tables)
                found.setdefault(tables[model["name"]], []).extend(facts)
    return {table: tuple(facts) for table, facts in found.items()}


def source_tables(files: Mapping[str, str]) -> dict[str, str]:
    """Sources by `source.table` as the warehouse knows them: `schema.identifier`."""
    found: dict[str, str] = {}
    for _, value, _ in _property_files(files):
        for source in _dicts(value.get("sources")):
            schema = source.get("schema", source.get("name"))
            for table in _dicts(source.get("tables")):
                name = table.get("name")
                found[f"{source.get('name')}.{name}"] = f"{schema}.{table.get('identifier', name)}"
    return found


def _property_files(files: Mapping[str, str]) -> Iterator[tuple[str, dict[str, Any], Lines]]:
    for path, text in sorted(files.items()):
        if not path.endswith((".yml", ".yaml")):
            continue
        try:
            value, lines = load_lined(text)
        except yaml.YAMLError:
            continue
        if isinstance(value, dict):
            yield path, value, lines


def _dicts(items: object) -> list[dict[str, Any]]:
    """The items of a list; what is no mapping stands as an empty one, so that positions hold."""
    return [item if isinstance(item, dict) else {} for item in items] if isinstance(items, list) else []


class _Writer:
    """Makes facts that point into one file."""

    def __init__(self, file: str, lines: Lines, at: datetime) -> None:
        self.file, self.lines, self.at = file, lines, at

    def fact(self, slot: str, text: str, path: Path, authority: Authority) -> Fact:
        """A fact whose pointer is the line of the value at `path`."""
        return Fact(
            slot=slot,
            text=" ".join(text.split()),
            source=SourceType.PIPELINE_CODE,
            authority=authority,
            pointer=f"{self.file}:{self.lines.get(path, 1)}",
            observed_at=self.at,
            confidence=1.0 if authority is Authority.CODE else 0.8,
        )


def _model_facts(model: dict[str, Any], path: Path, write: _Writer, tables: Mapping[str, str]) -> Iterator[Fact]:
    if isinstance(model.get("description"), str):
        yield write.fact("purpose", model["description"], (*path, "description"), Authority.DOCUMENT)
    config = model.get("config")
    for holder, where in ((model, path), (config, (*path, "config"))):
        meta = holder.get("meta") if isinstance(holder, dict) else None
        for slot in ("owner", "grain", "freshness", "status"):
            if isinstance(meta, dict) and isinstance(meta.get(slot), str):
                yield write.fact(slot, meta[slot], (*where, "meta", slot), Authority.DOCUMENT)
    for i, column in enumerate(_dicts(model.get("columns"))):
        yield from _column_facts(column, (*path, "columns", i), write, tables)


def _column_facts(column: dict[str, Any], path: Path, write: _Writer, tables: Mapping[str, str]) -> Iterator[Fact]:
    name = str(column.get("name", ""))
    for word in ("tests", "data_tests"):
        tests = column.get(word)
        for i, test in enumerate(tests if isinstance(tests, list) else ()):
            if test == "unique":
                yield write.fact("keys", name, (*path, word, i), Authority.CODE)
            relation = test.get("relationships") if isinstance(test, dict) else None
            if isinstance(relation, dict):
                relation = relation.get("arguments", relation)
                to = str(relation.get("to", "")).replace('"', "'")
                model = to.removeprefix("ref('").removesuffix("')")
                text = f"{name} = {tables.get(model, model)}.{relation.get('field', '')}"
                yield write.fact("safe_joins", text, (*path, word, i), Authority.CODE)
