"""What a table's code does, as values: the filters, the grain and the deduplication that it applies."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicate:
    """A condition that rows must meet.  `drops` and `keeps` are word stems of what it removes or restricts to.

    `mentions` are stems of all names and literals in it; `pointer` is file:line.
    """

    sql: str
    pointer: str
    mentions: frozenset[str] = frozenset()
    drops: frozenset[str] = frozenset()
    keeps: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Deduplication:
    """One place where equal rows become one: how, by which columns, and where it is written."""

    how: str
    columns: tuple[str, ...]
    pointer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinUse:
    """A join to another table as written."""

    table: str
    kind: str
    condition: str
    pointer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Behaviour:
    """What one table's code does.

    `narrowing` are tables whose rows limit this one's (FROM and inner joins);
    `start` is the table that the rows come from, and `joined` says that others are
    joined to it.  `grain` are the columns that identify a row where the code says
    so; `windows` are the intervals in it as (number, unit).
    """

    table: str
    pointer: str = ""
    predicates: tuple[Predicate, ...] = ()
    deduplications: tuple[Deduplication, ...] = ()
    joins: tuple[JoinUse, ...] = ()
    grain: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    narrowing: tuple[str, ...] = ()
    start: str = ""
    joined: bool = False
    windows: frozenset[tuple[int, str]] = frozenset()


_SMALL_WORDS = """
a an and any all are as at be by do each every for from has have in into is it its of on only one or per rows row
record records that the their them these this those to us we which with was were been id key flag not null
"""
STOP = frozenset(_SMALL_WORDS.split())
SAME = {"date": "day", "dt": "day", "daily": "day", "user": "customer", "weekly": "week", "monthly": "month"}


def stems(text: str) -> frozenset[str]:
    """The word stems of a text or a column name, small words left out."""
    words = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).lower().replace("_", " "))
    return frozenset(stem(w) for w in words if w not in STOP and len(w) > 1)


def stem(word: str) -> str:
    """A crude stem that joins singular and plural, and the usual verb endings."""
    word = SAME.get(word, word)
    for ending, least in (("ies", 3), ("led", 4), ("ing", 4), ("ed", 4), ("es", 4), ("s", 3)):
        if word.endswith(ending) and len(word) - len(ending) >= least:
            return word[: -len(ending)] + ("y" if ending == "ies" else "l" if ending == "led" else "")
    return word
