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
    for path, text in sorted(files.items()):
        if not path.endswith((".yml", ".yaml")):
            continue
        try:
            value, lines = load_lined(text)
        except yaml.YAMLError:
            continue
        models = value.get("models") if isinstance(value, dict) else None
        for i, model in enumerate(models if isinstance(models, list) else ()):
            if isinstance(model, dict) and model.get("name") in tables:
                facts = _model_facts(model, ("models", i), _Writer(path, lines, observed_at), tables)
                found.setdefault(tables[model["name"]], []).extend(facts)
    return {table: tuple(facts) for table, facts in found.items()}


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
    columns = model.get("columns")
    for i, column in enumerate(columns if isinstance(columns, list) else ()):
        if isinstance(column, dict):
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
