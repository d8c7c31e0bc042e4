"""Statements bent at random: what a person who tries to get past would do, without knowing what they do."""

from __future__ import annotations

import re
from random import Random

_TOKEN = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|\w+|\s+|.", re.DOTALL)
_PIECES = (
    "code", "pay", "tokens", "everyone", "wage", "token", "people", "*", "people.*", "(", ")", ",", ";", "--", "/*",
    "*/", "'", '"', "$$", "$1", "?", ":x", "::", "::text", ".", "[1]", "UNION ALL", "SELECT", "FROM", "TABLE", "INTO x",
    "FOR UPDATE", "LATERAL", "WITH", "RECURSIVE", "VALUES (1)", "AS", "USING (id)", "NATURAL JOIN", "COLLATE \"C\"",
    "NULL", "LIMIT 1", "OFFSET 1", "EXCLUDE (code)", "COLUMNS(*)", "PIVOT", "SUMMARIZE", "DESCRIBE", "#1", "@", "~",
    "e'\\x63ode'", "U&\"c\\006fde\"", "\u200b", "\u00a0", "\uff45", "\u212a", "PEOPLE", "\"people\"", "\"PEOPLE\"",
    "public", "main", "pg_catalog.", "rowid", "ctid", "query('FROM pay')", "read_text('{file}')", "nextval('tally')",
    "DELETE FROM goods", "DROP TABLE goods", "INSERT INTO goods SELECT * FROM goods", "RETURNING *", "COPY", "SET",
)  # fmt: skip


def mutated(sql: str, other: str, random: Random) -> str:
    """`sql` after one to three changes; `other` is a statement to take pieces from."""
    tokens = _TOKEN.findall(sql)
    for _ in range(random.randint(1, 3)):
        _change(tokens, other, random)
    return "".join(tokens)


def _change(tokens: list[str], other: str, random: Random) -> None:
    at = random.randrange(len(tokens) + 1)
    kind = random.randrange(7)
    if kind == 0 and tokens:
        del tokens[at : at + random.randint(1, 3)]
    elif kind == 1:
        tokens[at:at] = [" ", random.choice(_PIECES), " "]
    elif kind == 2 and at < len(tokens):
        tokens[at] = random.choice(_PIECES)
    elif kind == 3 and at < len(tokens):
        tokens[at:at] = tokens[at : at + random.randint(1, 6)]
    elif kind == 4:
        words = _TOKEN.findall(other)
        start = random.randrange(len(words))
        tokens[at:at] = words[start : start + random.randint(1, 8)]
    elif kind == 5 and at < len(tokens):
        tokens[at] = tokens[at].swapcase()
    else:
        tokens[:] = ["SELECT * FROM (", *tokens, ") AS q"] if random.randrange(2) else [*tokens, " UNION ALL ", other]
