"""Values ↔ JSON without loss: dataclasses, enums, tuples, exact decimals, dates.

JSON knows no decimals and no dates, so these travel as one-key objects
(`{"$decimal": "1.50"}`).  Reading back is guided by a type, never by names
found in the data.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from functools import cache
from typing import Any

import rfc8785
from pydantic import TypeAdapter

SAFE_INTEGER = 2**53 - 1
"""The largest whole number that every JSON reader keeps exactly."""


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    """The pydantic adapter of a type, built once."""
    return TypeAdapter(kind)


def to_json(value: Any, kind: Any) -> Any:
    """`value` of type `kind` as JSON data."""
    return _tagged(_adapter(kind).dump_python(value))


def from_json(data: Any, kind: Any) -> Any:
    """The value of type `kind` that `to_json` was given.

    Raises: pydantic.ValidationError where the data do not fit the type.
    """
    return _adapter(kind).validate_python(_untagged(data))


def dumps(value: Any, kind: Any) -> str:
    """`to_json` as text."""
    return json.dumps(to_json(value, kind), separators=(",", ":"), ensure_ascii=True)


def loads(text: str, kind: Any) -> Any:
    """`from_json` of text."""
    return from_json(json.loads(text), kind)


def canonical(data: Any) -> bytes:
    """JSON data in the one form of RFC 8785, so that equal data have equal bytes."""
    return rfc8785.dumps(data)


def sha256(data: bytes) -> str:
    """`sha256:` and the hex digest."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def digest(data: Any) -> str:
    """The digest of JSON data in canonical form."""
    return sha256(canonical(data))


def _tagged(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, str | bool | int | float | Decimal | date):
        return _tagged_scalar(value)
    if isinstance(value, Mapping):
        return {str(k): _tagged(v) for k, v in value.items()}
    if isinstance(value, frozenset | set):
        return sorted((_tagged(v) for v in value), key=canonical)
    return [_tagged(v) for v in value]


def _tagged_scalar(value: str | bool | float | Decimal | date | None) -> Any:
    if isinstance(value, Decimal):
        return {"$decimal": str(value)}
    if isinstance(value, datetime):
        return {"$datetime": value.isoformat()}
    if isinstance(value, date):
        return {"$date": value.isoformat()}
    if isinstance(value, int) and abs(value) > SAFE_INTEGER:
        return {"$int": str(value)}
    return value


READERS: dict[str, Any] = {
    "$decimal": Decimal,
    "$int": int,
    "$datetime": datetime.fromisoformat,
    "$date": date.fromisoformat,
}


def _untagged(data: Any) -> Any:
    if isinstance(data, dict):
        if len(data) == 1:
            key, value = next(iter(data.items()))
            if key in READERS:
                return READERS[key](value)
        return {k: _untagged(v) for k, v in data.items()}
    if isinstance(data, list):
        return tuple(_untagged(v) for v in data)
    return data
