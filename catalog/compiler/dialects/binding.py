"""The text of a compiled query as its engine's usual driver takes it."""

from __future__ import annotations

import re
from itertools import pairwise

import sqlglot
from sqlglot.tokenizer_core import Token, TokenType

from catalog.compiler.dialects.facts import FACTS
from catalog.query import CompiledQuery, Placeholder
from catalog.types import Scalar

_NAME = re.compile(r"p\d+")
_PYFORMAT = re.compile(r"%\((p\d+)\)s")


def for_driver(query: CompiledQuery) -> tuple[str, dict[str, Scalar] | tuple[Scalar, ...]]:
    """The text with placeholders in the driver's style, and the values: by name, or in order for `?`."""
    values = {p.name: p.value for p in query.parameters}
    style = FACTS[query.dialect].driver_style
    if style is query.placeholder:
        return (_doubled(query.sql, values) if style is Placeholder.PYFORMAT else query.sql), values
    used: list[str] = []
    parts: list[str] = []
    at = 0
    for start, end, name in _places(query):
        parts.append(_plain(query.sql[at:start], style))
        parts.append("?" if style is Placeholder.QMARK else f"%({name})s")
        used.append(name)
        at = end
    text = "".join(parts) + _plain(query.sql[at:], style)
    return text, tuple(values[n] for n in used) if style is Placeholder.QMARK else values


def _plain(text: str, style: Placeholder) -> str:
    return text.replace("%", "%%") if style is Placeholder.PYFORMAT else text


def _doubled(sql: str, values: dict[str, Scalar]) -> str:
    """Percent signs that are no placeholder, doubled."""
    parts, at = [], 0
    for found in _PYFORMAT.finditer(sql):
        if found[1] in values:
            parts += [sql[at : found.start()].replace("%", "%%"), found[0]]
            at = found.end()
    return "".join(parts) + sql[at:].replace("%", "%%")


def _places(query: CompiledQuery) -> list[tuple[int, int, str]]:
    """Where `:p1` stands outside of strings and names: its start, end and name."""
    tokens: list[Token] = sqlglot.tokenize(query.sql, read=query.dialect)
    found = []
    for one, other in pairwise(tokens):
        if one.token_type is TokenType.COLON and other.start == one.end + 1 and _NAME.fullmatch(other.text):
            found.append((one.start, other.end + 1, other.text))
    return found
