"""The gate before any parser: sizes, nesting, characters; comments dropped, literals and numbers made plain.

Parsers and engines disagree about odd tokens (U& names, zero-width letters,
`1_000`, dollar quotes).  What is left after this gate reads the same for all.
"""

from __future__ import annotations

import re
import unicodedata

from sqlglot import Dialect, Parser

from dataagent.sqlguard.refusals import Reason, Stop

MAX_BYTES = 20_000
MAX_TOKENS = 6_000
MAX_NESTING = 80
MAX_BRACKETS = 200
MAX_LIST_NESTING = 8
MAX_TYPE_NESTING = 4
MAX_RUN = 60

_TOKEN = re.compile(
    r"""
    (?P<space>[ \t\r\n]+)
  | (?P<comment>--[^\r\n]*)
  | (?P<block>/\*)
  | (?P<escaped>[eE]'(?:[^'\\]|\\.|'')*')
  | (?P<bits>[bBxX]'[0-9A-Fa-f]*')
  | (?P<unicode>[uU]&['"])
  | (?P<text>'(?:[^']|'')*')
  | (?P<dollar>\$(?P<tag>[A-Za-z_][A-Za-z0-9_]*)?\$)
  | (?P<quoted>"(?:[^"]|"")*")
  | (?P<number>0[xX][0-9A-Fa-f_]+|0[oO][0-7_]+|0[bB][01_]+
      |(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9_]+)?)
  | (?P<word>[^\W\d][\w$]*)
  | (?P<sign>[()\[\]{},.;:+\-*/%^<>=!~&|\#@?$])
    """,
    re.VERBOSE | re.DOTALL,
)
Token = tuple[str, str]
_RADIX = {"x": 16, "o": 8, "b": 2}
_SIMPLE_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", "b": "\b", "f": "\f", '"': '"'}
_ESCAPE = re.compile(r"\\(.)|''", re.DOTALL)
_OPENS = {"(": 1, "[": 1, "{": 1, "CASE": 1, ")": -1, "]": -1, "}": -1, "END": -1}
_LISTS = {"[", "{", "]", "}"}
_TYPED = {
    "DATE", "TIME", "TIMESTAMP", "TIMESTAMPTZ", "INT", "INTEGER", "BIGINT", "SMALLINT", "BOOL", "BOOLEAN", "NUMERIC",
    "TEXT", "FLOAT", "REAL", "JSON", "JSONB", "UUID",
}  # fmt: skip
_PREFIXES = {"NOT", "CASE", "-", "+", "~", "FROM", "INTERVAL", "IF", "ANY", "ALL", "DISTINCT", "EXISTS"}


def clean(sql: str) -> str:
    """The one statement in `sql`, without comments and in plain tokens.  Raises: Stop."""
    if len(sql.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise Stop(Reason.PARSE_LIMIT)
    pieces = _pieces(sql)
    tokens = [token for token in pieces if token[0] != "space"]
    if not tokens:
        raise Stop(Reason.SYNTAX)
    _check_limits(tokens)
    _check_type_calls(tokens)
    return "".join(text for _, text in _one_statement(_typed_literals(pieces)))


def _pieces(sql: str) -> list[Token]:
    """Tokens and single spaces, comments turned into spaces.  Raises: Stop."""
    pieces: list[Token] = []
    at = 0
    while at < len(sql):
        found = _TOKEN.match(sql, at)
        if found is None:
            raise Stop(Reason.SYNTAX if sql[at] in "'\"`\\" else Reason.LEXICAL)
        kind, text, at = found.lastgroup or "", found.group(), found.end()
        if kind == "tag":
            kind = "dollar"
        if kind in {"block", "dollar"}:
            kind, text, at = _long(sql, at, kind, text)
        piece = _plain(kind, text)
        if kind in {"word", "quoted"} and pieces and pieces[-1][0] == "number":
            raise Stop(Reason.SYNTAX)
        pieces.append(piece)
    return pieces


def _long(sql: str, at: int, kind: str, opening: str) -> tuple[str, str, int]:
    """A block comment (they nest) or a dollar-quoted text: kind, text and where it ends."""
    if kind == "dollar":
        end = sql.find(opening, at)
        if end < 0:
            raise Stop(Reason.SYNTAX)
        return "text", _quote(sql[at:end]), end + len(opening)
    depth = 1
    while depth:
        mark = _COMMENT_MARK.search(sql, at)
        if mark is None:
            raise Stop(Reason.SYNTAX)
        depth, at = depth + (1 if mark.group() == "/*" else -1), mark.end()
    return "space", " ", at


def _plain(kind: str, text: str) -> Token:
    """The token in the one form that every parser reads alike.  Raises: Stop."""
    if kind in {"space", "comment"}:
        return "space", " "
    if kind == "escaped":
        return "text", _quote(_ESCAPE.sub(_unescape, text[2:-1]))
    if kind == "unicode":
        raise Stop(Reason.LEXICAL)
    if kind == "number":
        return kind, _number(text)
    if kind == "text" and "\x00" in text:
        raise Stop(Reason.LEXICAL)
    if kind in {"word", "quoted"}:
        _check_name(kind, text)
    return kind, text


def _check_name(kind: str, text: str) -> None:
    """Stops names that engines and parsers read differently: invisible characters, `$`, empty names."""
    if text == '""' or (kind == "word" and "$" in text):
        raise Stop(Reason.LEXICAL)
    if not text.isascii() and any(unicodedata.category(c) in _INVISIBLE for c in text if c != " "):
        raise Stop(Reason.LEXICAL)
    if text.isascii() and not text.isprintable():
        raise Stop(Reason.LEXICAL)


def _number(text: str) -> str:
    plain = text.replace("_", "")
    if len(plain) > 1 and plain[0] == "0" and plain[1].lower() in _RADIX:
        return str(int(plain[2:] or "x", _RADIX[plain[1].lower()])) if plain[2:] else _stop(Reason.SYNTAX)
    return plain


def _stop(reason: Reason) -> str:
    raise Stop(reason)


def _quote(text: str) -> str:
    if "\x00" in text:
        raise Stop(Reason.LEXICAL)
    return "'" + text.replace("'", "''") + "'"


def _unescape(found: re.Match[str]) -> str:
    """One escape of an E'' text; the forms that engines read differently are stopped."""
    mark = found.group(1)
    if mark is None:
        return "'"
    if mark not in _SIMPLE_ESCAPES:
        raise Stop(Reason.LEXICAL)
    return _SIMPLE_ESCAPES[mark]


def _check_limits(tokens: list[Token]) -> None:
    """Stops what parsers choke on: too many tokens, nesting, brackets, prefixes in a row.

    Seen: nested `[` and `{` double the PostgreSQL parser's time with each level.
    """
    depth = lists = brackets = run = 0
    for kind, text in tokens:
        word = text.upper() if kind in {"word", "sign"} else ""
        step = _OPENS.get(word, 0)
        depth = max(0, depth + step)
        if word in _LISTS:
            lists, brackets = lists + step, brackets + 1
        run = run + 1 if word in _PREFIXES else 0
        if depth > MAX_NESTING or lists > MAX_LIST_NESTING or brackets > 2 * MAX_BRACKETS or run > MAX_RUN:
            raise Stop(Reason.PARSE_LIMIT)
    if len(tokens) > MAX_TOKENS:
        raise Stop(Reason.PARSE_LIMIT)


def _check_type_calls(tokens: list[Token]) -> None:
    """Stops type names that open parentheses inside each other.

    Seen: `date(date(date(...` doubles the parser's time with each level, because
    it first tries to read each as a type with arguments.
    """
    opened: list[bool] = []
    before = ""
    for kind, text in tokens:
        if kind == "sign" and text == "(":
            opened.append(before in _TYPE_WORDS)
            if sum(opened) > MAX_TYPE_NESTING:
                raise Stop(Reason.PARSE_LIMIT)
        elif kind == "sign" and text == ")" and opened:
            opened.pop()
        before = text.strip('"').upper() if kind in {"word", "quoted"} else ""


def _type_words() -> frozenset[str]:
    """Every word that a parser may take for a type's name."""
    keywords = [Dialect.get_or_raise(d).tokenizer_class.KEYWORDS for d in ("duckdb", "postgres")]
    return frozenset(word for table in keywords for word, token in table.items() if token in Parser.TYPE_TOKENS)


def _one_statement(pieces: list[Token]) -> list[Token]:
    """What stands before the first semicolon; nothing but semicolons may follow it."""
    ends = next((n for n, piece in enumerate(pieces) if piece == ("sign", ";")), None)
    if ends is None:
        return pieces
    if any(piece not in {("sign", ";"), ("space", " ")} for piece in pieces[ends:]):
        raise Stop(Reason.MULTI_STATEMENT)
    return pieces[:ends]


def _typed_literals(pieces: list[Token]) -> list[Token]:
    """Parentheses around `DATE '...'` before a cast: parsers would bind the cast to the bare text."""
    out = list(pieces)
    for n, (kind, _) in enumerate(pieces):
        if kind != "text" or pieces[n + 1 : n + 3] != [("sign", ":"), ("sign", ":")]:
            continue
        start = n - 2 if n >= 2 and pieces[n - 1][0] == "space" else n - 1
        if start >= 0 and pieces[start][1].upper() in _TYPED:
            out[start] = ("word", "(" + out[start][1])
            out[n] = ("text", out[n][1] + ")")
    return out


_COMMENT_MARK = re.compile(r"/\*|\*/")
_INVISIBLE = {"Cc", "Cf", "Zl", "Zp", "Zs", "Co", "Cn", "Cs"}
_TYPE_WORDS = _type_words()
