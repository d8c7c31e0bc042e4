"""The words of a catalog as one scope may know them, kept for all who see the same and renewed behind the questions.

A question waits only for what is quickly read: names, and dimensions of few members.  Those of
many are read page by page by a thread of this process, and so is everything again once it is
old; until then questions go on with what there is.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from catalog.access import AccessScope, TableAccess
from catalog.query import Parameter
from catalog.terms import TermIndex, build_index
from catalog.types import CatalogSnapshot, Scalar
from dataagent.intent.ready import make_ready
from dataagent.runs.values import AFTER, MAX_MEMBERS, PAGE_ROWS, ValueQuery, value_queries
from dataagent.sqlguard.guard import Bounds, GuardedQuery, guard
from dataagent.warehouse.pool import warehouse_for
from dataagent.warehouse.port import Warehouse, WarehouseFault

log = logging.getLogger(__name__)

INDEX_AGE_S = 600.0
"""How long the words of a workspace are used before members are read from the warehouse again."""
MAX_IN_ALL = 6_000_000
"""Members that one index holds; the dimensions beyond are left out."""
_KEPT = 64


@dataclass(frozen=True, slots=True)
class Sight:
    """A workspace, a catalog version, and what of it may be seen, whoever sees it."""

    workspace: str
    catalog: str
    metrics: frozenset[str]
    tables: tuple[TableAccess, ...]
    value_limits: tuple[tuple[str, frozenset[str]], ...]
    without_warehouse: bool

    def __hash__(self) -> int:
        """Of what tells most sights apart: all columns of all tables would be walked at each question."""
        return hash((self.workspace, self.catalog, self.metrics, len(self.tables)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    """An index, when it was begun, and whether dimensions of many members are still to be read."""

    index: TermIndex
    begun_s: float
    partial: bool


_lock = threading.Lock()
_held: dict[Sight, _Held] = {}
_renewing: set[Sight] = set()
_one_at_a_time = threading.Lock()


def term_index(workspace: str, snapshot: CatalogSnapshot, scope: AccessScope) -> TermIndex:
    """The words of a catalog version as one scope may know them; only the first time are members waited for.

    Raises: WarehouseFault, where nothing was read before.
    """
    sight = _sight(workspace, snapshot, scope)
    with _lock:
        held = _held.get(sight)
    if held is None:
        held = _read(workspace, snapshot, scope, whole=False)
        _keep(sight, held)
    if held.partial or time.monotonic() - held.begun_s > INDEX_AGE_S:
        _behind(sight, lambda: _read(workspace, snapshot, scope, whole=True))
    return held.index


def _sight(workspace: str, snapshot: CatalogSnapshot, scope: AccessScope) -> Sight:
    return Sight(workspace, snapshot.digest, scope.metrics, scope.tables, scope.value_limits, scope.without_warehouse)


def _keep(sight: Sight, held: _Held) -> None:
    with _lock:
        _held.pop(sight, None)
        while len(_held) >= _KEPT:
            del _held[next(iter(_held))]
        _held[sight] = held


def _behind(sight: Sight, read: Callable[[], _Held]) -> None:
    """Renews the words of a sight in a thread, once at a time."""
    with _lock:
        if sight in _renewing:
            return
        _renewing.add(sight)
    threading.Thread(target=_renew, args=(sight, read), name="words", daemon=True).start()


def _renew(sight: Sight, read: Callable[[], _Held]) -> None:
    try:
        with _one_at_a_time:
            _keep(sight, read())
    except WarehouseFault as fault:
        log.warning("Members could not be read again: %s", fault.code)
        with _lock:
            old = _held.get(sight)
        if old is not None:
            _keep(sight, replace(old, begun_s=time.monotonic(), partial=False))
    finally:
        with _lock:
            _renewing.discard(sight)


# -- reading -------------------------------------------------------------------------------


def _read(workspace: str, snapshot: CatalogSnapshot, scope: AccessScope, *, whole: bool) -> _Held:
    """The words, with the dimensions of many members where the `whole` is to be read."""
    begun = time.monotonic()
    reader = _Reader(warehouse_for(workspace), scope)
    found: dict[str, tuple[str, ...]] = {}
    large: list[ValueQuery] = []
    for query in value_queries(snapshot, scope, reader.warehouse.dialect):
        members = reader.few(query)
        if members is None or len(members) <= MAX_MEMBERS:
            found.update({query.dimension: members} if members is not None else {})
        else:
            large.append(query)
    for query in large if whole else ():
        members = reader.many(query, room=MAX_IN_ALL - sum(map(len, found.values())))
        found.update({query.dimension: members} if members is not None else {})
    make_ready(snapshot, scope)
    return _Held(index=build_index(snapshot, scope, found), begun_s=begun, partial=bool(large) and not whole)


class _Reader:
    """Reads members as one scope sees them; each query passes the guard."""

    def __init__(self, warehouse: Warehouse, scope: AccessScope) -> None:
        self.warehouse = warehouse
        self.scope = scope

    def few(self, query: ValueQuery) -> tuple[str, ...] | None:
        """All members, or one more than MAX_MEMBERS; None where the scope may not read them."""
        rows = self._rows(query.sql, Bounds(max_rows=MAX_MEMBERS + 1, timeout_s=10.0))
        return None if rows is None else tuple(sorted(str(v) for v in rows))

    def many(self, query: ValueQuery, *, room: int) -> tuple[str, ...] | None:
        """All members, page by page; None where they are more than there is room for."""
        found: list[str] = []
        for page in self._pages(query):
            found.extend(str(v) for v in page)
            if len(found) > room:
                log.info("%s has more members than are kept", query.dimension)
                return None
        return tuple(found)

    def _pages(self, query: ValueQuery) -> Iterator[list[Scalar]]:
        bounds = Bounds(max_rows=PAGE_ROWS, timeout_s=60.0)
        page = self._rows(query.first_page, bounds)
        while page:
            yield page
            more = len(page) >= PAGE_ROWS
            page = self._rows(query.next_page, bounds, Parameter(name=AFTER, value=page[-1])) if more else None

    def _rows(self, sql: str, bounds: Bounds, *given: Parameter) -> list[Scalar] | None:
        guarded = guard(
            sql,
            dialect=self.warehouse.dialect,
            scope=self.scope,
            schema=self.warehouse.schema(),
            parameters=given,
            bounds=bounds,
        )
        if not isinstance(guarded, GuardedQuery):
            return None
        return [row[0] for row in self.warehouse.execute(guarded, query_id="").rows]
