"""The words of a catalog as one scope may know them, kept in this process for all who see the same.

The members come from the last version that the upkeep has read; a question never waits for a
reading.  Where there is none yet, only dimensions of few members are read, while the first
question waits; a newer version is taken up behind the questions.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from django.db import connection

from catalog.access import AccessScope, TableAccess
from catalog.members import Members
from catalog.terms import TermIndex, build_index, index_of
from catalog.types import CatalogSnapshot
from dataagent.accounts import service as accounts
from dataagent.intent.ready import make_ready
from dataagent.runs import store
from dataagent.runs.memberlists import MemberListFacts, sight_key
from dataagent.runs.service.memberfiles import StaleList, loaded
from dataagent.runs.values import MAX_MEMBERS, value_queries
from dataagent.sqlguard.guard import Bounds, GuardedQuery, guard
from dataagent.warehouse.pool import warehouse_for

log = logging.getLogger(__name__)

LOOK_EVERY_S = 5.0
"""How often it is looked for a newer version of the members."""
FEW_AGE_S = 600.0
"""How long the members of small dimensions are used before they are read again, where no version is kept."""
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
    """An index, the digest of the members in it ("" where only few were read), when it was made and last looked at."""

    index: TermIndex
    key: str
    digest: str
    begun_s: float
    looked_s: float


_lock = threading.Lock()
_held: dict[Sight, _Held] = {}
_renewing: set[Sight] = set()
_one_at_a_time = threading.Lock()


def term_index(workspace: str, snapshot: CatalogSnapshot, scope: AccessScope) -> TermIndex:
    """The words of a catalog version as one scope may know them; only the first time anything is waited for.

    Raises: WarehouseFault, where nothing was read before.
    """
    sight = Sight(workspace, snapshot.digest, scope.metrics, scope.tables, scope.value_limits, scope.without_warehouse)
    with _lock:
        held = _held.get(sight)
    if held is None:
        held = _first(workspace, snapshot, scope)
        _keep(sight, held)
    elif time.monotonic() - held.looked_s > LOOK_EVERY_S:
        _look(sight, held, lambda latest: _made(workspace, snapshot, scope, held=held, latest=latest))
    return held.index


def latest_list(workspace: str, key: str) -> MemberListFacts | None:
    """The last version of the members of a sight, or None."""
    place = accounts.workspace(workspace)
    return None if place is None else store.member_list(place.id, key)


def load_list(workspace: str, facts: MemberListFacts) -> Members:
    """The members of a version.  Raises: StaleList where it is gone."""
    place = accounts.workspace(workspace)
    if place is None:
        raise StaleList
    return loaded(place.id, facts)


def ask_for_list(workspace: str) -> None:
    """Has the members of the workspace read as soon as may be."""
    place = accounts.workspace(workspace)
    if place is not None:
        store.ask_upkeep(place.id)


def _first(workspace: str, snapshot: CatalogSnapshot, scope: AccessScope) -> _Held:
    key = sight_key(snapshot, scope)
    latest = latest_list(workspace, key)
    if latest is not None:
        try:
            return _with_list(workspace, snapshot, scope, key=key, latest=latest)
        except StaleList:
            log.info("The members of %s were replaced while they were fetched.", workspace)
    return _with_few(workspace, snapshot, scope, key=key)


def _look(sight: Sight, held: _Held, make: Callable[[MemberListFacts | None], _Held]) -> None:
    """Renews the words of a sight in a thread, once at a time, where there are newer ones."""
    latest = latest_list(sight.workspace, held.key)
    now_s = time.monotonic()
    is_old = now_s - held.begun_s > FEW_AGE_S if latest is None else latest.digest != held.digest
    with _lock:
        if _held.get(sight) is held:
            _held[sight] = replace(held, looked_s=now_s)
        if not is_old or sight in _renewing:
            return
        _renewing.add(sight)
    threading.Thread(target=_renew, args=(sight, lambda: make(latest)), name="words", daemon=True).start()


def _keep(sight: Sight, held: _Held) -> None:
    with _lock:
        _held.pop(sight, None)
        while len(_held) >= _KEPT:
            del _held[next(iter(_held))]
        _held[sight] = held


def _renew(sight: Sight, make: Callable[[], _Held]) -> None:
    """Takes up newer words.  Whatever goes wrong, the old ones stay, and it is tried again after a while."""
    try:
        with _one_at_a_time:
            _keep(sight, make())
    except Exception as error:
        log.warning("Words could not be renewed: %s", type(error).__name__)
        with _lock:
            old = _held.get(sight)
        if old is not None:
            now_s = time.monotonic()
            _keep(sight, replace(old, looked_s=now_s, begun_s=now_s))
    finally:
        with _lock:
            _renewing.discard(sight)
        connection.close()


# -- making --------------------------------------------------------------------------------


def _made(
    workspace: str, snapshot: CatalogSnapshot, scope: AccessScope, *, held: _Held, latest: MemberListFacts | None
) -> _Held:
    if latest is None:
        return _with_few(workspace, snapshot, scope, key=held.key)
    return _with_list(workspace, snapshot, scope, key=held.key, latest=latest)


def _with_list(
    workspace: str, snapshot: CatalogSnapshot, scope: AccessScope, *, key: str, latest: MemberListFacts
) -> _Held:
    make_ready(snapshot, scope)
    index = index_of(snapshot, scope, load_list(workspace, latest))
    now_s = time.monotonic()
    return _Held(index=index, key=key, digest=latest.digest, begun_s=now_s, looked_s=now_s)


def _with_few(workspace: str, snapshot: CatalogSnapshot, scope: AccessScope, *, key: str) -> _Held:
    """The words with the members of small dimensions, read now; all of them are asked for from the upkeep."""
    begun_s = time.monotonic()
    ask_for_list(workspace)
    found = _few(workspace, snapshot, scope)
    make_ready(snapshot, scope)
    return _Held(
        index=build_index(snapshot, scope, found), key=key, digest="", begun_s=begun_s, looked_s=time.monotonic()
    )


def _few(workspace: str, snapshot: CatalogSnapshot, scope: AccessScope) -> dict[str, tuple[str, ...]]:
    """The members of each dimension that has at most MAX_MEMBERS, where the scope may read them."""
    warehouse = warehouse_for(workspace)
    found: dict[str, tuple[str, ...]] = {}
    for query in value_queries(snapshot, scope, warehouse.dialect):
        guarded = guard(
            query.sql,
            dialect=warehouse.dialect,
            scope=scope,
            schema=warehouse.schema(),
            parameters=(),
            bounds=Bounds(max_rows=MAX_MEMBERS + 1, timeout_s=10.0),
        )
        if isinstance(guarded, GuardedQuery):
            rows = warehouse.execute(guarded, query_id="").rows
            if len(rows) <= MAX_MEMBERS:
                found[query.dimension] = tuple(sorted(str(row[0]) for row in rows))
    return found
