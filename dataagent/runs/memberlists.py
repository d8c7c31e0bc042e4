"""What is known of the members that were read for all who see the same, and when they are read again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from catalog.access import AccessScope
from catalog.lookup import Held, lookup
from catalog.types import CatalogSnapshot
from catalog.visible import values_visible
from dataagent.runs.values import WORDED

FIRST_REST_S = 30.0
LONGEST_REST_S = 3_600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberListFacts:
    """A version of the members of one sight, whole: `digest` is the SHA-256 of its bytes.

    `data_version` is what the warehouse said of its data before they were read, "" where it cannot
    tell; `left_out` are dimensions whose members could not be kept.
    """

    id: int
    sight: str
    digest: str
    data_version: str
    size_bytes: int
    members: int
    left_out: tuple[str, ...]
    read_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class UpkeepFacts:
    """How the reading of a workspace's members goes: `fault` is a sentence, "" where the last one went well.

    `doing` and `done_members` tell how far a reading is that goes on (`going`).
    """

    going: bool
    due_at: datetime
    catalog: str
    failures: int
    fault: str
    doing: str
    done_members: int
    finished_at: datetime | None


def rest_s(failures: int) -> float:
    """Seconds to wait after so many failures in a row: twice as long after each, an hour at most."""
    return float(min(LONGEST_REST_S, FIRST_REST_S * 2 ** max(0, failures - 1)))


def sight_key(snapshot: CatalogSnapshot, scope: AccessScope) -> str:
    """The same text for all scopes that are shown the same members, whatever else they may see.

    It covers all that decides which rows are read and which members of them may be named: the
    dimensions as they are calculated, every filter of rows with its parameters, and every limit.
    """
    filters = sorted(
        (t.table, t.row_filter.predicate, [list(map(str, p)) for p in t.row_filter.parameters])
        for t in scope.tables
        if t.row_filter is not None
    )
    groups = sorted((t.table, repr(t.minimum_group)) for t in scope.tables if t.minimum_group is not None)
    limits = sorted((name, sorted(members)) for name, members in scope.value_limits)
    rows = [scope.engine_role, filters, groups, limits]
    seen = [snapshot.dialect, scope.without_warehouse, *rows, list(_dimensions(snapshot, scope))]
    return hashlib.sha256(json.dumps(seen, default=str).encode()).hexdigest()


def _dimensions(snapshot: CatalogSnapshot, scope: AccessScope) -> Iterator[list[object]]:
    names = lookup(snapshot)
    for model in snapshot.models:
        for held in (Held(model, d) for d in model.dimensions):
            if values_visible(snapshot, scope, held):
                read = held.dimension.type in WORDED
                yield [names.canonical(held), model.table, held.dimension.expr, read, held.dimension.values]
