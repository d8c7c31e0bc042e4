"""Reads the members that one scope may name out of the warehouse, page by page, into a file of packed members.

Neither the members nor their words are ever in memory together: pages are sorted into runs on the
disk, and the runs are merged.
"""

from __future__ import annotations

import hashlib
import logging
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from catalog.access import AccessScope
from catalog.memberpack import Sorter, write_packed
from catalog.members import entries_of, place_of, words_of
from catalog.query import Parameter
from catalog.terms import namable_members
from catalog.types import CatalogSnapshot, Scalar
from dataagent.runs.values import AFTER, PAGE_ROWS, ValueQuery, value_queries
from dataagent.sqlguard.guard import Bounds, GuardedQuery, guard
from dataagent.warehouse.port import Warehouse, WarehouseFault

log = logging.getLogger(__name__)

MAX_IN_ALL = 6_000_000
"""Members of one sight; the dimensions beyond are left out."""
PAGE_TIMEOUT_S = 60.0
_MEMBERS_IN_MEMORY = 50_000
_WORDS_IN_MEMORY = 100_000
_TOLD_EVERY = 50_000

Tell = Callable[[str, int], None]
"""Is told what is being done and how many members were read; may raise to end it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A file of members: the SHA-256 of its bytes, their number, its members, and the dimensions left out."""

    digest: str
    size_bytes: int
    members: int
    left_out: tuple[str, ...]


def build_members(
    warehouse: Warehouse, snapshot: CatalogSnapshot, scope: AccessScope, *, path: Path, tell: Tell
) -> Built:
    """Writes the members into `path`.

    Raises: WarehouseFault where the warehouse cannot answer now, OSError where the disk cannot
    hold them, and whatever `tell` raises.
    """
    pages = _Pages(warehouse, scope, tell)
    queries = {q.dimension: q for q in value_queries(snapshot, scope, warehouse.dialect)}
    seen = {name: pages.members(query) for name, query in queries.items() if pages.readable(query)}
    shown = namable_members(snapshot, scope, seen)
    names = tuple(sorted(shown))
    with tempfile.TemporaryFile(dir=path.parent) as texts, tempfile.TemporaryFile(dir=path.parent) as spoken:
        entries, words = Sorter(texts, most=_MEMBERS_IN_MEMORY), Sorter(spoken, most=_WORDS_IN_MEMORY)
        for place, name in enumerate(names):
            entries.add(entries_of(place, shown[name]))
        dropped = frozenset(place for place, name in enumerate(names) if name in pages.left_out)
        kept = _Kept(entries, words, dropped, tell)
        with path.open("wb") as out:
            count = write_packed(out, names=names, entries=kept.entries(), words=kept.words)
    with path.open("rb") as written:
        digest = hashlib.file_digest(written, "sha256").hexdigest()
    return Built(digest=digest, size_bytes=path.stat().st_size, members=count, left_out=tuple(sorted(pages.left_out)))


class _Kept:
    """The sorted entries without those of dropped dimensions, and the words of what was kept."""

    def __init__(self, sorted_entries: Sorter, sorted_words: Sorter, dropped: frozenset[int], tell: Tell) -> None:
        self._sorted, self._words, self._dropped, self._tell = sorted_entries, sorted_words, dropped, tell
        self._longest = 0

    def entries(self) -> Iterator[bytes]:
        """The entries, in order."""
        for count, entry in enumerate(self._sorted.in_order()):
            if count % _TOLD_EVERY == 0:
                self._tell("sorting", count)
            if self._dropped and place_of(entry) in self._dropped:
                continue
            words = words_of(entry)
            self._words.add(words)
            self._longest = max(self._longest, len(words))
            yield entry

    def words(self) -> tuple[Iterator[bytes], int]:
        """The words in order, and the most that one member has; asked for after the last entry."""
        return self._words.in_order(), self._longest


class _Pages:
    """Reads members as one scope sees them; each query passes the guard."""

    def __init__(self, warehouse: Warehouse, scope: AccessScope, tell: Tell) -> None:
        self._warehouse, self._scope, self._tell = warehouse, scope, tell
        self._read = 0
        self.left_out: set[str] = set()

    def readable(self, query: ValueQuery) -> bool:
        """Whether the guard lets the scope read the dimension."""
        return self._guarded(query.first_page) is not None

    def members(self, query: ValueQuery) -> Iterator[str]:
        """All members, read as they are taken; what cannot be kept or asked is `left_out` from then on."""
        found = 0
        try:
            for page in self._pages(query):
                found += len(page)
                if self._read + found > MAX_IN_ALL:
                    self.left_out.add(query.dimension)
                    return
                self._tell(query.dimension, self._read + found)
                yield from map(str, page)
        except WarehouseFault as fault:
            if fault.code != "invalid_query":
                raise
            self.left_out.add(query.dimension)
            return
        self._read += found

    def _pages(self, query: ValueQuery) -> Iterator[list[Scalar]]:
        page = self._rows(query.first_page)
        while page:
            yield page
            more = len(page) >= PAGE_ROWS
            page = self._rows(query.next_page, Parameter(name=AFTER, value=page[-1])) if more else []

    def _rows(self, sql: str, *given: Parameter) -> list[Scalar]:
        guarded = self._guarded(sql, *given)
        return [] if guarded is None else [r[0] for r in self._warehouse.execute(guarded, query_id="").rows]

    def _guarded(self, sql: str, *given: Parameter) -> GuardedQuery | None:
        found = guard(
            sql,
            dialect=self._warehouse.dialect,
            scope=self._scope,
            schema=self._warehouse.schema(),
            parameters=given,
            bounds=Bounds(max_rows=PAGE_ROWS, timeout_s=PAGE_TIMEOUT_S),
        )
        return found if isinstance(found, GuardedQuery) else None
