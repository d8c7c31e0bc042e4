"""Gold queries of PostgreSQL question files: several in one text, columns of which any will do, and a pinned clock.

A text may hold several golds, parted by `;`: any one counts.  `{a, b}` in a gold stands
for any of the columns a and b, alone or together; `GROUP BY {}` groups by those chosen.
"""

from __future__ import annotations

import re
from datetime import date
from itertools import combinations, islice

MAX_GOLDS = 64
"""Of that many columns in braces and no more are all choices made."""
_TEXT = r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|--[^\n]*|/\*.*?\*/"
_SPLIT = re.compile(rf"({_TEXT})|;", re.DOTALL)
_BRACES = re.compile(rf"(?:{_TEXT})|\{{([^{{}}]+)\}}", re.DOTALL)
_SAME = re.compile(r"\{\s*\}")
_ALIAS = re.compile(r"\s+as\s+\S+\s*$", re.IGNORECASE)
_CLOCK = re.compile(
    rf"({_TEXT})|\b(?:(current_date\b)|(current_timestamp\b|(?:now|transaction_timestamp|statement_timestamp|"
    r"clock_timestamp)\s*\(\s*\))|(localtimestamp\b))",
    re.DOTALL | re.IGNORECASE,
)
_NOON = "12:00:00"


def golds_of(text: str) -> tuple[str, ...]:
    """All queries that the text stands for, in its order; at most `MAX_GOLDS` for each one that is written."""
    return tuple(gold for query in _parted(text) for gold in islice(_chosen(query), MAX_GOLDS))


def at_noon(sql: str, day: date) -> str:
    """The same SQL as if it ran at noon (UTC) of the day; quoted texts and comments stay as they are."""

    def pinned(found: re.Match[str]) -> str:
        kept, today, instant, _ = found.groups()
        if kept is not None:
            return kept
        if today is not None:
            return f"DATE '{day.isoformat()}'"
        moment = f"{day.isoformat()} {_NOON}"
        return f"TIMESTAMPTZ '{moment}+00'" if instant is not None else f"TIMESTAMP '{moment}'"

    return _CLOCK.sub(pinned, sql)


def _parted(text: str) -> tuple[str, ...]:
    marked = _SPLIT.sub(lambda found: found.group(1) or "\0", text)
    return tuple(part.strip() for part in marked.split("\0") if part.strip())


def _chosen(query: str) -> tuple[str, ...]:
    """The query with each non-empty choice of the columns in its first braces, and so on with the next."""
    found = next((m for m in _BRACES.finditer(query) if m.group(1) is not None), None)
    if found is None:
        return (query,)
    columns = _columns(found.group(1))
    made: list[str] = []
    for size in range(1, len(columns) + 1):
        for chosen in combinations(columns, size):
            after = _SAME.sub(", ".join(_ALIAS.sub("", c) for c in chosen), query[found.end() :])
            made += _chosen(f"{query[: found.start()]}{', '.join(chosen)}{after}")
            if len(made) >= MAX_GOLDS:
                return tuple(made[:MAX_GOLDS])
    return tuple(made)


def _columns(text: str) -> tuple[str, ...]:
    """The columns between commas that stand in no bracket."""
    depth, parts = 0, [""]
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return tuple(part.strip() for part in parts if part.strip())
