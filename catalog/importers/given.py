"""Reading the parts of a file that another tool wrote: every key is known, every word is checked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import TypeVar

from catalog.types import Extension

Given = dict[str, object]
E = TypeVar("E", bound=StrEnum)


class BadPart(ValueError):
    """A part that cannot be read; the message says why."""


def known(given: Given, what: str, keys: str) -> Given:
    """The part itself; a key that is not among `keys` is refused, because not reading it could change the numbers."""
    allowed = keys.split()
    odd = [key for key in given if key not in allowed]
    if odd:
        raise BadPart(f"a {what} has no {', '.join(odd)}")
    return given


def name_in(given: Given) -> str:
    """The part's name."""
    name = text_in(given, "name")
    if not name:
        raise BadPart("it has no name")
    return name


def text_in(given: Given, key: str) -> str:
    """The text under a key, trimmed; nothing is empty."""
    value = given.get(key)
    return "" if value is None else str(value).strip()


def texts_of(given: object) -> tuple[str, ...]:
    """One text or a list of them."""
    return tuple(str(item) for item in items_of(given))


def items_of(given: object) -> tuple[object, ...]:
    """One value or a list of them."""
    if given is None:
        return ()
    return tuple(given) if isinstance(given, list) else (given,)


def number_of(value: object) -> Decimal | None:
    """The number, or None where there is none."""
    if value is None:
        return None
    try:
        number = Decimal(str(value))
    except InvalidOperation as bad:
        raise BadPart(f'"{value}" is no number') from bad
    if not number.is_finite():
        raise BadPart(f'"{value}" is no number')
    return number


def map_in(given: Given, key: str) -> Given:
    """The mapping under a key, or an empty one."""
    value = given.get(key)
    return value if isinstance(value, dict) else {}


def maps_in(given: Given, key: str) -> Iterator[Given]:
    """The mappings in the list under a key; anything else there is refused, because it would be left out unsaid."""
    for item in items_of(given.get(key)):
        if not isinstance(item, dict):
            raise BadPart(f"its {key} must be a list of mappings")
        yield item


def maps_or_told(given: Given, key: str, tell: Callable[[str], None]) -> tuple[Given, ...]:
    """The mappings in the list under a key; `tell` is told of anything else, and nothing is taken then."""
    try:
        return tuple(maps_in(given, key))
    except BadPart as bad:
        tell(str(bad))
        return ()


def one_of(kind: type[E], given: object) -> E:
    """The member of a closed set that a word names, in any case."""
    word = str(given).strip().lower()
    if word not in {str(k.value) for k in kind}:
        raise BadPart(f'"{given}" is none of {", ".join(kind)}')
    return kind(word)


def one_or_none(kind: type[E], given: object) -> E | None:
    """The member that a word names, or None where there is no word."""
    return None if given is None else one_of(kind, given)


def carried(about: str, tool: str, given: Given, keys: tuple[str, ...]) -> Iterator[Extension]:
    """What stands under some keys, to be carried along; empty values are left out."""
    for key in keys:
        value = given.get(key)
        if not is_empty(value):
            yield Extension(about=about, key=f"{tool}.{key}", text=compact(value))


def is_empty(value: object) -> bool:
    """Whether a value says nothing: no text, no item, or only such."""
    if isinstance(value, dict):
        return all(is_empty(v) for v in value.values())
    return value in (None, "", [], False)


def compact(value: object) -> str:
    """A text as it is, anything else as JSON in one order of keys."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)
