"""A snapshot as JSON and back: canonical, free of source locations, and stable under new fields.

Fields that hold their default are left out, so that a type may gain a field
without changing the digest of a catalog that does not use it.
"""

from __future__ import annotations

import hashlib
from dataclasses import MISSING, fields, is_dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

import rfc8785

from catalog.collector import paused_collector
from catalog.types import CatalogSnapshot

_LEFT_OUT = {"source", "digest"}
_EXACT_INT = 2**53 - 1

Json = str | int | bool | None | list["Json"] | dict[str, "Json"]
"""A JSON value without floats: decimals and dates carry their type."""


def with_digest(snapshot: CatalogSnapshot) -> CatalogSnapshot:
    """The same snapshot under the SHA-256 of its canonical JSON."""
    return replace(snapshot, digest=digest_of(snapshot))


def digest_of(snapshot: CatalogSnapshot) -> str:
    """Hex SHA-256 of the RFC 8785 JSON of the content; where it was written does not count."""
    return hashlib.sha256(rfc8785.dumps(encode(snapshot))).hexdigest()


def encode(snapshot: CatalogSnapshot) -> Json:
    """The content as JSON values."""
    return _encode(snapshot)


@paused_collector()
def decode(content: Json) -> CatalogSnapshot:
    """The snapshot that `encode` gave, under its digest.

    Raises:
        ValueError: the content is not a snapshot.
    """
    try:
        snapshot: CatalogSnapshot = _decode(CatalogSnapshot, _untag(content))
    except (KeyError, TypeError, AttributeError) as bad:
        raise ValueError("the stored catalog content cannot be read") from bad
    return with_digest(snapshot)


def _decode(hint: Any, value: Any) -> Any:
    if isinstance(hint, type) and is_dataclass(hint):
        given = {name: _decode(_hints(hint)[name], held) for name, held in value.items()}
        make: Any = hint
        return make(**given, **({"digest": ""} if hint is CatalogSnapshot else {}))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint(value)
    arguments = get_args(hint)
    if get_origin(hint) is tuple:
        kinds = arguments[:1] * len(value) if arguments[-1] is ... else arguments
        return tuple(_decode(kind, held) for kind, held in zip(kinds, value, strict=True))
    inner = [a for a in arguments if a is not type(None)]
    if value is not None and len(inner) == 1:
        return _decode(inner[0], value)
    return value


@cache
def _hints(cls: type[Any]) -> dict[str, Any]:
    return get_type_hints(cls)


def _encode(value: object) -> Json:
    if value is None or (isinstance(value, str) and not isinstance(value, Enum)):
        return value
    if isinstance(value, tuple):
        return [_encode(v) for v in value]
    if is_dataclass(value) and not isinstance(value, type):
        kept = ((name, getattr(value, name), default) for name, default in _kept(value.__class__))
        return {name: _encode(held) for name, held, default in kept if held != default}
    return _encode_scalar(value)


@cache
def _kept(cls: type[Any]) -> tuple[tuple[str, object], ...]:
    """The fields of a type that are written, each with its default."""
    return tuple((f.name, _default(f)) for f in fields(cls) if f.name not in _LEFT_OUT)


def _encode_scalar(value: object) -> Json:
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, datetime):
        return {"$datetime": value.isoformat()}
    if isinstance(value, date):
        return {"$date": value.isoformat()}
    if isinstance(value, Decimal):
        return {"$decimal": str(value)}
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > _EXACT_INT:
        return {"$int": str(value)}
    if isinstance(value, int):
        return value
    raise TypeError(type(value).__name__)


def _default(field: Any) -> object:
    return field.default if field.default_factory is MISSING else field.default_factory()


_TAGS: dict[str, Any] = {
    "$datetime": datetime.fromisoformat,
    "$date": date.fromisoformat,
    "$decimal": Decimal,
    "$int": int,
}


def _untag(value: Any) -> Any:
    if isinstance(value, list):
        return [_untag(v) for v in value]
    if not isinstance(value, dict):
        return value
    tag = next(iter(value), "")
    if tag in _TAGS and len(value) == 1:
        return _TAGS[tag](value[tag])
    return {k: _untag(v) for k, v in value.items()}
