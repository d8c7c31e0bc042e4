"""JSON files as plain data: bounded in size and depth, without repeated keys, numbers exact."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

from catalog.importers.yaml_source import MAX_DEPTH, Document, Plain
from catalog.issues import Issue, IssueCode
from catalog.types import SourceLocation

MAX_BYTES = 64 * 1024 * 1024


class _Twice(ValueError):
    """A key that stands twice in one object."""


def read_json(path: Path, shown_as: str) -> Document | tuple[Issue, ...]:
    """The file as plain data, or every reason why it cannot be read.  Lines inside it are not kept."""
    try:
        size = path.stat().st_size
        raw = path.read_bytes() if size <= MAX_BYTES else b""
    except OSError:
        return _refused(shown_as, 1, "The file cannot be read; check that it exists and may be opened.")
    if size > MAX_BYTES:
        return _refused(shown_as, 1, f"The file is larger than {MAX_BYTES // 2**20} MB.")
    return parse_json(raw, shown_as)


def parse_json(raw: bytes, shown_as: str) -> Document | tuple[Issue, ...]:
    """The bytes as plain data, or every reason why not."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as bad:
        line = raw[: bad.start].count(b"\n") + 1
        return _refused(shown_as, line, "The file is not UTF-8 text; save it as UTF-8.")
    try:
        value = json.loads(text, parse_float=Decimal, object_pairs_hook=_object, parse_constant=_no_number)
    except json.JSONDecodeError as bad:
        return _refused(shown_as, bad.lineno, f"This is not valid JSON: {bad.msg.lower()}.")
    except _Twice as bad:
        return _refused(shown_as, _line_of_second(text, str(bad)), f'The key "{bad}" stands twice in one object.')
    except RecursionError:
        return _refused(shown_as, 1, f"Values are nested more than {MAX_DEPTH} deep.")
    except ValueError as bad:
        return _refused(shown_as, 1, f"This is not valid JSON: {bad}.")
    if _deeper_than(value, MAX_DEPTH):
        return _refused(shown_as, 1, f"Values are nested more than {MAX_DEPTH} deep.")
    return Document(shown_as, value, {})


def _object(pairs: list[tuple[str, Plain]]) -> dict[str, Plain]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        raise _Twice(next(key for key, _ in pairs if key in seen or seen.add(key)))  # type: ignore[func-returns-value]
    return found


def _no_number(word: str) -> Plain:
    raise ValueError(f"{word} is no number")


def _line_of_second(text: str, key: str) -> int:
    written = json.dumps(key)
    first = text.find(written)
    return text.count("\n", 0, max(text.find(written, first + 1), 0)) + 1


def _deeper_than(value: Plain, limit: int) -> bool:
    level: list[Plain] = [value]
    for _ in range(limit + 1):
        inner: list[Plain] = []
        for held in level:
            inner.extend(held.values() if isinstance(held, dict) else held if isinstance(held, list) else ())
        if not inner:
            return False
        level = inner
    return True


def _refused(file: str, line: int, message: str) -> tuple[Issue, ...]:
    return (Issue(code=IssueCode.INVALID_CATALOG, message=message, source=SourceLocation(file=file, line=line)),)
