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


def _kind(match: re.Match[str]) -> str:
    found = match.lastgroup or "plain"
    if found == "word":
        return "keyword" if match.group().lower() in KEYWORDS else "plain"
    return "plain" if found in {"other", "quoted"} else found
