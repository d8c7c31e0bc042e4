"""SQL as coloured pieces.  For reading only; nothing here decides anything."""

from __future__ import annotations

import re
from dataclasses import dataclass

_KEYWORDS = """
select from where group by order having limit offset with as and or not in is null between case when then else end
join left right inner outer full cross on using union all distinct over partition rows range filter exists like asc
desc cast true false interval nulls first last qualify window lateral values except intersect
"""
KEYWORDS = frozenset(_KEYWORDS.split())
PIECE = re.compile(
    r"""(?P<comment>--[^\n]*|/\*.*?\*/)
      | (?P<string>'(?:[^']|'')*')
      | (?P<quoted>"(?:[^"]|"")*")
      | (?P<parameter>[$:]\w+)
      | (?P<number>\b\d+(?:\.\d+)?\b)
      | (?P<word>\b[A-Za-z_]\w*\b)
      | (?P<other>\s+|.)""",
    re.VERBOSE | re.DOTALL,
)


_BREAKS = "select from where group order having limit qualify union left right inner full cross join"
BREAKS = frozenset(_BREAKS.split())
LISTED = frozenset({"select", "group"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlPiece:
    """A stretch of SQL.  `kind` is keyword, string, number, parameter, comment or plain."""

    text: str
    kind: str


def sql_pieces(sql: str) -> tuple[SqlPiece, ...]:
    """The text in pieces, neighbours of one kind joined; joined again they are the text."""
    pieces: list[SqlPiece] = []
    for match in PIECE.finditer(sql):
        kind = _kind(match)
        if pieces and pieces[-1].kind == kind:
            pieces[-1] = SqlPiece(text=pieces[-1].text + match.group(), kind=kind)
        else:
            pieces.append(SqlPiece(text=match.group(), kind=kind))
    return tuple(pieces)


def laid_out(sql: str) -> str:
    """A statement of one line on several: a line per clause and per selected column.  Only white space changes."""
    if "\n" in sql:
        return sql
    lines, clauses, last = "", [""], ""
    for match in PIECE.finditer(sql):
        text = match.group()
        word = text.lower() if match.lastgroup == "word" else ""
        if text == "(":
            clauses.append("")
        elif text == ")" and len(clauses) > 1:
            clauses.pop()
        if word in BREAKS:
            clauses[-1] = word if word in BREAKS - {"join"} else clauses[-1]
            lines = _broken(lines, len(clauses) - 1, wanted=not (word == "join" and last in BREAKS))
        lines += text
        if text == "," and clauses[-1] in LISTED:
            lines = _broken(lines, len(clauses), wanted=True)
        last = text.lower() if text.strip() else last
    return "\n".join(line.rstrip() for line in lines.split("\n"))


def _broken(lines: str, depth: int, *, wanted: bool) -> str:
    return lines.rstrip(" ") + "\n" + "  " * depth if wanted and lines else lines


def _kind(match: re.Match[str]) -> str:
    found = match.lastgroup or "plain"
    if found == "word":
        return "keyword" if match.group().lower() in KEYWORDS else "plain"
    return "plain" if found in {"other", "quoted"} else found
