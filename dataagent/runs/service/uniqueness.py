"""Looks up whether the keys that joins rely on tell rows apart, once for each state of the data."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from catalog.access import AccessScope, TableAccess
from catalog.compiler.keycheck import key_query
from catalog.query import ReliedKey
from catalog.types import CatalogSnapshot
from dataagent.answering.types import KeyState
from dataagent.sqlguard.guard import Bounds, GuardedQuery, guard
from dataagent.warehouse.port import Warehouse, WarehouseFault

CHECKED_FOR_S = 600.0
"""How long a finding holds where the engine does not tell when its data change."""
TIMEOUT_S = 10.0
_TOO_LONG = frozenset({"timeout", "out_of_memory", "too_large"})
_KEPT = 2_000


@dataclass(frozen=True, slots=True)
class _Finding:
    """How many values repeat, for which state of the data, and when that was found."""

    repeated: int
    version: str
    found_s: float

    def holds(self, version: str) -> bool:
        return self.version == version and (bool(version) or time.monotonic() - self.found_s < CHECKED_FOR_S)


_lock = threading.Lock()
_findings: WeakKeyDictionary[Warehouse, dict[tuple[str, ReliedKey], _Finding]] = WeakKeyDictionary()


def key_reader(
    warehouse: Warehouse, snapshot: CatalogSnapshot, *, query_id: str
) -> Callable[[tuple[ReliedKey, ...]], tuple[KeyState, ...]]:
    """A function from keys to whether each tells rows apart, in their order; a look that takes too long tells nothing.

    It raises WarehouseFault where the warehouse cannot be reached, and where the query was cancelled.
    """

    def states(keys: tuple[ReliedKey, ...]) -> tuple[KeyState, ...]:
        return tuple(
            KeyState(table=k.table, columns=k.columns, repeated=_repeated(warehouse, snapshot, k, query_id))
            for k in keys
        )

    return states


def _repeated(warehouse: Warehouse, snapshot: CatalogSnapshot, key: ReliedKey, query_id: str) -> int | None:
    version = warehouse.data_version()
    with _lock:
        held = _findings.setdefault(warehouse, {}).get((snapshot.digest, key))
    if held is not None and held.holds(version):
        return held.repeated
    found = _looked_up(warehouse, snapshot, key, query_id)
    if found is not None:
        with _lock:
            findings = _findings.setdefault(warehouse, {})
            while len(findings) >= _KEPT:
                del findings[next(iter(findings))]
            findings[(snapshot.digest, key)] = _Finding(found, version, time.monotonic())
    return found


def _looked_up(warehouse: Warehouse, snapshot: CatalogSnapshot, key: ReliedKey, query_id: str) -> int | None:
    """The count, read under a scope of its own: that a key repeats spoils figures whoever may see the rows."""
    query = key_query(key, snapshot, dialect=warehouse.dialect)
    schema = warehouse.schema()
    columns = frozenset(c.name for t in schema if t.name == key.table for c in t.columns)
    access = TableAccess(table=key.table, columns=columns)
    guarded = guard(
        query.sql,
        dialect=query.dialect,
        parameters=query.parameters,
        scope=AccessScope(workspace="", principal="", policy_version="keys", digest="keys", tables=(access,)),
        schema=schema,
        bounds=Bounds(max_rows=1, timeout_s=TIMEOUT_S),
    )
    if not isinstance(guarded, GuardedQuery):
        return None
    try:
        rows = warehouse.execute(guarded, query_id=query_id).rows
    except WarehouseFault as fault:
        if fault.code in _TOO_LONG:
            return None
        raise
    return int(str(rows[0][0]))
