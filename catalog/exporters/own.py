"""A snapshot → our own YAML: one file, the same bytes for the same content, read back to the same digest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any

import yaml

from catalog.types import CatalogSnapshot, Filter, MetricInput

Written = str | int | float | bool | date | datetime | None | list["Written"] | dict[str, "Written"]

_SECTIONS = (
    ("calendar", "calendar"),
    ("defaults", "defaults"),
    ("entities", "entities"),
    ("semantic_models", "models"),
    ("metrics", "metrics"),
    ("bridges", "bridges"),
    ("events", "events"),
    ("ambiguous_terms", "ambiguous_terms"),
    ("term_defaults", "term_defaults"),
    ("adjectives", "adjectives"),
    ("freshness", "freshness"),
    ("time_spines", "time_spines"),
    ("saved_queries", "saved_queries"),
    ("extensions", "extensions"),
)
"""The file's keys in order, and the snapshot's fields behind them."""
_WORD = re.compile(r"^[A-Za-z_][A-Za-z0-9_]*$")
_RESERVED = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_POINT = re.compile(r"^-?\d+\.\d+$")


def own_yaml(snapshot: CatalogSnapshot) -> str:
    """The catalog as one YAML text; what holds its default is left out."""
    body: dict[str, Written] = {"catalog": {"name": snapshot.name, "dialect": snapshot.dialect}}
    for key, name in _SECTIONS:
        held = getattr(snapshot, name)
        written = [_written(item) for item in held] if isinstance(held, tuple) else _written(held)
        if written:
            body[key] = written
    if snapshot.lineage:
        body["lineage"] = {name: list(tables) for name, tables in snapshot.lineage}
    return yaml_text(body)


def yaml_text(body: Mapping[str, Written]) -> str:
    """Plain data as YAML in the order in which it is given, every doubtful text in quotes."""
    return yaml.dump(
        dict(body), Dumper=_Dumper, sort_keys=False, allow_unicode=True, default_flow_style=False, width=110
    )


def _written(value: Any) -> Written:
    if isinstance(value, Filter):
        return _filter(value)
    if isinstance(value, MetricInput) and value == MetricInput(metric=value.metric):
        return value.metric
    if is_dataclass(value):
        return {f.name: _field(f.name, getattr(value, f.name)) for f in fields(value) if _is_told(f, value)}
    if isinstance(value, tuple):
        return [_written(item) for item in value]
    if isinstance(value, Enum):
        return str(value.value)
    return str(value) if isinstance(value, Decimal) else value


def _field(name: str, value: Any) -> Written:
    if name == "value_synonyms":
        return {member: list(words) for member, words in value}
    return _written(value)


def _is_told(field: Any, value: Any) -> bool:
    if field.name == "source":
        return False
    default = field.default if field.default_factory is MISSING else field.default_factory()
    return default is MISSING or getattr(value, field.name) != default


def _filter(value: Filter) -> Written:
    made: dict[str, Written] = {"field": value.field, "op": value.op.value}
    literals = [_literal(v) for v in value.values]
    if len(literals) == 1:
        made["value"] = literals[0]
    elif literals:
        made["value"] = literals
    return made


def _literal(value: Any) -> Written:
    if isinstance(value, Decimal):
        # a number that would be read as a whole one, or that has an exponent, says what it is
        text = str(value)
        return _Number(text) if _POINT.match(text) else {"decimal": text}
    if isinstance(value, date | datetime):
        return _Moment(value.isoformat())
    plain: Written = value
    return plain


class _Number(str):
    """A number with a decimal point, written without quotes."""


class _Moment(str):
    """A date or a time, written without quotes."""


class _Dumper(yaml.SafeDumper):
    """Writes plain words bare and every other text in double quotes; never an alias."""

    def ignore_aliases(self, data: Any) -> bool:
        """Each value is written out."""
        del data
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        """Lists stand further in than their key."""
        del indentless
        super().increase_indent(flow, indentless=False)


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    plain = _WORD.match(value) and value.lower() not in _RESERVED
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=None if plain else '"')


def _number(dumper: yaml.SafeDumper, value: _Number) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:float", str(value))


def _moment(dumper: yaml.SafeDumper, value: _Moment) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:timestamp", str(value))


def _day(dumper: yaml.SafeDumper, value: date) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:timestamp", value.isoformat())


_Dumper.add_representer(str, _text)
_Dumper.add_representer(_Number, _number)
_Dumper.add_representer(_Moment, _moment)
_Dumper.add_representer(date, _day)
_Dumper.add_representer(datetime, _day)
