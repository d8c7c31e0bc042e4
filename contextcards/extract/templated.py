"""Templated SQL (the Jinja of dbt) → plain SQL with the same lines, and the comments in it."""

from __future__ import annotations

import re
from dataclasses import dataclass

_REF = re.compile(r"^ref\(\s*(?:['\"][\w.-]+['\"]\s*,\s*)?['\"]([\w.-]+)['\"]\s*(?:,[^)]*)?\)$")
_SOURCE = re.compile(r"^source\(\s*['\"]([\w.-]+)['\"]\s*,\s*['\"]([\w.-]+)['\"]\s*\)$")
_CONFIG = re.compile(r"^config\((.*)\)$", re.DOTALL)
_SCHEMA = re.compile(r"schema\s*=\s*['\"](\w+)['\"]")
_PIECE = re.compile(r"\{#.*?#\}|\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
_LEXEME = re.compile(r"'(?:''|[^'])*'|\"[^\"]*\"|--[^\n]*|/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A comment's words (its markers removed) and its 1-based line.  Lines that follow one another are one."""

    text: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """Plain SQL.  `dynamic` says that parts depend on values known only when the project runs."""

    sql: str
    dynamic: bool
    schema: str = ""


def render(text: str) -> Rendered:
    """The model's SQL: a ref becomes `ref.NAME`, a source `SCHEMA.TABLE`; lines keep their numbers."""
    dynamic = False
    schema = ""

    def plain(match: re.Match[str]) -> str:
        nonlocal dynamic, schema
        piece = match.group()
        body = piece[2:-2].strip(" -\n\t")
        replaced = _replaced(body) if piece.startswith("{{") else ""
        if config := _CONFIG.match(body):
            found = _SCHEMA.search(config.group(1))
            schema = found.group(1) if found else schema
        dynamic = dynamic or replaced is None or piece.startswith("{%")
        return ("NULL" if replaced is None else replaced) + "\n" * piece.count("\n")

    sql = _PIECE.sub(plain, text)
    return Rendered(sql=sql, dynamic=dynamic, schema=schema)


def _replaced(body: str) -> str | None:
    """What stands for an expression; None for one whose value only a run of the project knows."""
    if ref := _REF.match(body):
        return f'ref."{ref.group(1)}"'
    if source := _SOURCE.match(body):
        return f'"{source.group(1)}"."{source.group(2)}"'
    return "" if _CONFIG.match(body) else None


def comments_in(sql: str) -> tuple[Comment, ...]:
    """The comments of a SQL text in order; quoted text is none."""
    found: list[Comment] = []
    ended = 0  # the line of the last `--` comment, which the next line may continue
    for match in _LEXEME.finditer(sql):
        piece = match.group()
        if not piece.startswith(("--", "/*")):
            continue
        line = sql.count("\n", 0, match.start()) + 1
        words = re.sub(r"^\s*\*?", "", piece[2:-2] if piece.startswith("/*") else piece[2:]).strip()
        last = found[-1] if found and piece.startswith("--") and line == ended + 1 else None
        ended = line if piece.startswith("--") else 0
        if last:
            found[-1] = Comment(text=f"{last.text}\n{words}", line=last.line)
        else:
            found.append(Comment(text=words, line=line))
    return tuple(found)


def sentences_of(comment: Comment) -> tuple[Comment, ...]:
    """The comment's sentences in one line each, with the line that each begins on."""
    found: list[Comment] = []
    for match in re.finditer(r"\S.*?(?:[.!?](?=\s)|\Z|\n\s*\n)", comment.text, re.DOTALL):
        line = comment.line + comment.text.count("\n", 0, match.start())
        found.append(Comment(text=" ".join(match.group().split()), line=line))
    return tuple(found)
