"""YAML files as nodes that know their lines: safe, bounded, and never more than plain data.

Aliases are refused (a short file could otherwise unfold into gigabytes), tags are
refused, and only the YAML 1.2 words `true` and `false` are yes/no: a country code
NO stays text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import yaml

from catalog.issues import Issue, IssueCode
from catalog.types import SourceLocation

MAX_BYTES = 4 * 1024 * 1024
MAX_DEPTH = 30

Plain = str | int | Decimal | bool | date | datetime | None | list["Plain"] | dict[str, "Plain"]
"""A YAML value without tags."""

Path_ = tuple[str | int, ...]
"""Keys and positions from a document's root to a value."""


@dataclass(frozen=True, slots=True)
class Document:
    """One file's value and the line of each place in it."""

    file: str
    value: Plain
    lines: dict[Path_, int]

    def line(self, path: Path_) -> int:
        """The 1-based line of `path`, or of its nearest written ancestor."""
        while path not in self.lines and path:
            path = path[:-1]
        return self.lines.get(path, 1)

    def source(self, path: Path_) -> SourceLocation:
        """Where `path` was written."""
        return SourceLocation(file=self.file, line=self.line(path))


class _Reader(yaml.CSafeLoader):
    """Reads the YAML 1.2 core words; nothing else is implicit."""

    yaml_implicit_resolvers: dict[str | None, list[tuple[str, re.Pattern[str]]]] = {}


_INT, _FLOAT, _BOOL, _NULL, _TIME, _STR = (
    f"tag:yaml.org,2002:{n}" for n in ("int", "float", "bool", "null", "timestamp", "str")
)
_COLLECTIONS = {"tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"}
for _tag, _pattern, _first in (
    (_BOOL, r"^(?:true|True|TRUE|false|False|FALSE)$", "tTfF"),
    (_NULL, r"^(?:~|null|Null|NULL|)$", "~nN\0"),
    (_INT, r"^[-+]?(?:0|[1-9][0-9]*)$", "-+0123456789"),
    (_FLOAT, r"^[-+]?(?:0|[1-9][0-9]*)?\.[0-9]+(?:[eE][-+]?[0-9]+)?$", "-+.0123456789"),
    (
        _TIME,
        r"^\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[-+]\d{2}:?\d{2})?)?$",
        "0123456789",
    ),
):
    for _char in _first:
        _Reader.yaml_implicit_resolvers.setdefault("" if _char == "\0" else _char, []).append(
            (_tag, re.compile(_pattern))
        )


def read_document(path: Path, shown_as: str) -> Document | tuple[Issue, ...]:
    """The file as plain data with lines, or every reason why it cannot be read.  `shown_as` is its name in messages."""
    try:
        size = path.stat().st_size
        raw = path.read_bytes() if size <= MAX_BYTES else b""
    except OSError:
        return (_issue(shown_as, 1, "the file cannot be read; check that it exists and may be opened"),)
    if size > MAX_BYTES:
        return (_issue(shown_as, 1, f"the file is larger than {MAX_BYTES // 2**20} MB; split it into several files"),)
    return parse_document(raw, shown_as)


def parse_document(raw: bytes, shown_as: str) -> Document | tuple[Issue, ...]:
    """The bytes as plain data with lines, or every reason why not."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as bad:
        line = raw[: bad.start].count(b"\n") + 1
        return (_issue(shown_as, line, "the file is not UTF-8 text; save it as UTF-8"),)
    try:
        unsafe = _unsafe(text, shown_as)
        if unsafe:
            return unsafe
        node = yaml.compose(text, Loader=_Reader)
    except (yaml.YAMLError, RecursionError, ValueError) as bad:
        return (_broken(bad, text, shown_as),)
    walk = _Walk(shown_as)
    value = walk.value(node, ()) if node is not None else None
    return tuple(walk.issues) or Document(shown_as, value, walk.lines)


def _unsafe(text: str, file: str) -> tuple[Issue, ...]:
    depth = 0
    for event in yaml.parse(text, Loader=_Reader):
        line = event.start_mark.line + 1 if event.start_mark else 1
        if isinstance(event, yaml.AliasEvent):
            return (_issue(file, line, "aliases (*name) are not allowed; write the value out"),)
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            return (_issue(file, line, f"values are nested more than {MAX_DEPTH} deep"),)
    return ()


def _broken(bad: Exception, text: str, file: str) -> Issue:
    mark = getattr(bad, "problem_mark", None)
    position = getattr(bad, "position", None)
    line = mark.line + 1 if mark else 1
    if mark is None and isinstance(position, int):
        line = text.encode("utf-8")[:position].count(b"\n") + 1
    what = getattr(bad, "problem", None) or getattr(bad, "reason", None) or "it cannot be parsed"
    return _issue(file, line, f"this is not valid YAML: {what}")


def _issue(file: str, line: int, message: str) -> Issue:
    return Issue(
        code=IssueCode.INVALID_CATALOG,
        message=message[0].upper() + message[1:] + ".",
        source=SourceLocation(file=file, line=line),
    )


class _Walk:
    """Turns nodes into plain values and keeps lines and issues on the way."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.lines: dict[Path_, int] = {}
        self.issues: list[Issue] = []

    def value(self, node: yaml.Node, path: Path_) -> Plain:
        self.lines.setdefault(path, node.start_mark.line + 1)
        if isinstance(node, yaml.MappingNode) and node.tag in _COLLECTIONS:
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode) and node.tag in _COLLECTIONS:
            return [self.value(child, (*path, i)) for i, child in enumerate(node.value)]
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node)
        self._refuse(node, f"the tag {node.tag} is not supported; write a plain value")
        return None

    def _mapping(self, node: yaml.MappingNode, path: Path_) -> Plain:
        found: dict[str, Plain] = {}
        for key_node, child in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self._refuse(key_node, "a key must be a plain word")
                continue
            key = str(key_node.value)
            if key in found:
                first = self.lines[(*path, key)]
                self._refuse(key_node, f'the key "{key}" stands here twice (first on line {first})')
                continue
            self.lines[(*path, key)] = key_node.start_mark.line + 1
            found[key] = self.value(child, (*path, key))
        return found

    def _scalar(self, node: yaml.ScalarNode) -> Plain:
        text = str(node.value)
        try:
            return _scalar_of(node.tag, text)
        except (ValueError, ArithmeticError):
            self._refuse(node, f'"{text[:40]}" cannot be read; put it in quotes if it is text')
            return None

    def _refuse(self, node: yaml.Node, message: str) -> None:
        self.issues.append(_issue(self.file, node.start_mark.line + 1, message))


def _scalar_of(tag: str, text: str) -> str | int | Decimal | bool | date | datetime | None:
    if tag == _STR:
        return text
    if tag == _BOOL:
        return text.lower() == "true"
    if tag == _NULL:
        return None
    if tag == _INT:
        return int(text)
    if tag == _FLOAT:
        return Decimal(text)
    if tag == _TIME:
        return (
            date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text.upper().replace("Z", "+00:00"))
        )
    raise ValueError(tag)
