"""Between the product's values and PostgreSQL's: parameters as `$1`, results exact and never raising."""

from __future__ import annotations

import json
import re
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import psycopg
from psycopg.abc import Buffer
from psycopg.adapt import Loader
from psycopg.errors import DataError
from psycopg.types.datetime import DateLoader, TimestampLoader, TimestamptzLoader
from psycopg.types.string import TextLoader

from catalog.query import Parameter
from catalog.types import Scalar

_NAMED = re.compile(r"('(?:[^']|'')*'|\"(?:[^\"]|\"\")*\")|%\(([A-Za-z_][A-Za-z0-9_]*)\)s")
"""A quoted text or name, which is left alone, or a named parameter."""

_AS_TEXT = ("json", "jsonb", "interval", "time", "timetz", "record", "uuid", "money", "xml", "bit", "varbit")


def numbered(sql: str, parameters: tuple[Parameter, ...]) -> tuple[str, list[Scalar]]:
    """The statement with `$1`, `$2` … for its named parameters, and their values in that order.

    A name that is used twice keeps one number: a grouping must stay the expression that is selected.

    Raises: KeyError for a parameter without a value.
    """
    held = {p.name: p.value for p in parameters}
    order: dict[str, int] = {}

    def place(found: re.Match[str]) -> str:
        if found.group(1) is not None:
            return found.group(1)
        name = found.group(2)
        if name not in held:
            raise KeyError(name)
        return f"${order.setdefault(name, len(order) + 1)}"

    text = _NAMED.sub(place, sql)
    return text, [held[name] for name in order]


class _Number(Loader):
    """Exact digits.  Not-a-number and infinity become null: they are no amounts."""

    def load(self, data: Buffer) -> Decimal | None:
        value = Decimal(bytes(data).decode())
        return value if value.is_finite() else None


class _Day(DateLoader):
    """A date; text where it lies outside what Python counts ("infinity", years past 9999, before Christ)."""

    def load(self, data: Buffer) -> Any:
        try:
            return super().load(data)
        except DataError:
            return bytes(data).decode()


class _Moment(TimestampLoader):
    """A time of day on a date, in no zone; text where Python cannot count it."""

    def load(self, data: Buffer) -> Any:
        try:
            return super().load(data)
        except DataError:
            return bytes(data).decode()


class _Instant(TimestamptzLoader):
    """A moment in the zone of the session; text where Python cannot count it."""

    def load(self, data: Buffer) -> Any:
        try:
            return super().load(data)
        except DataError:
            return bytes(data).decode()


class _Octets(Loader):
    """Bytes as hexadecimal digits."""

    def load(self, data: Buffer) -> str:
        return bytes(data).decode().removeprefix("\\x")


def register(context: psycopg.Connection[Any]) -> None:
    """Make a connection's results exact: every type arrives as a plain scalar or as text."""
    loaders: dict[str, type[Loader]] = {
        "numeric": _Number,
        "float4": _Number,
        "float8": _Number,
        "date": _Day,
        "timestamp": _Moment,
        "timestamptz": _Instant,
        "bytea": _Octets,
        **dict.fromkeys(_AS_TEXT, TextLoader),
    }
    for name, loader in loaders.items():
        context.adapters.register_loader(name, loader)


_PLAIN = frozenset({str, bool, int, Decimal, date, datetime, type(None)})


def cells(loaded: tuple[Any, ...]) -> tuple[Scalar, ...]:
    """A loaded row as cells: arrays and composed values become JSON text."""
    if _PLAIN.issuperset(map(type, loaded)):
        return loaded
    return tuple(v if type(v) in _PLAIN else json.dumps(v, default=_inner, ensure_ascii=False) for v in loaded)


def size_bytes(row: tuple[Scalar, ...]) -> int:
    """Roughly what a row weighs: its texts, and eight bytes for every cell."""
    return 8 * len(row) + sum([len(v) for v in row if type(v) is str])


def _inner(value: Any) -> str:
    return value.isoformat() if isinstance(value, date | datetime) else str(value)
