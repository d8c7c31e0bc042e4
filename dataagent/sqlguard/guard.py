"""The one guard: SQL text → GuardedQuery, or a refusal.  Nothing else reaches a warehouse."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from catalog.access import AccessScope, TableAccess
from catalog.query import Parameter
from dataagent.sqlguard.inject import injection
from dataagent.sqlguard.refusals import Reason, Refusal, Stop, refusal
from dataagent.sqlguard.rules import RULES, Draft
from dataagent.sqlguard.schema import TableSchema
from dataagent.sqlguard.world import DEFAULT_SCHEMAS, World, world_of

__all__ = ["AppliedFilter", "Bounds", "GuardedQuery", "Refusal", "guard"]

_SEAL = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Limits of one execution."""

    max_rows: int = 10_000
    timeout_s: float = 30.0
    max_bytes: int = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class AppliedFilter:
    """A policy predicate that was put below the query, for the receipt."""

    table: str
    rule: str
    label: str


class GuardedQuery:
    """A query that passed the guard.  Only `guard()` can build one."""

    __slots__ = (
        "bounds",
        "dialect",
        "digest",
        "engine_role",
        "filters",
        "masked_columns",
        "parameters",
        "policy_version",
        "sql",
        "tables",
    )

    def __init__(
        self,
        seal: object,
        *,
        sql: str,
        dialect: str,
        parameters: tuple[Parameter, ...],
        tables: tuple[str, ...],
        filters: tuple[AppliedFilter, ...],
        masked_columns: tuple[str, ...],
        policy_version: str,
        bounds: Bounds,
        digest: str,
        engine_role: str = "",
    ) -> None:
        if seal is not _SEAL:
            raise TypeError("A GuardedQuery is built by sqlguard.guard only.")
        self.sql = sql
        self.dialect = dialect
        self.parameters = parameters
        self.tables = tables
        self.filters = filters
        self.masked_columns = masked_columns
        self.policy_version = policy_version
        self.bounds = bounds
        self.digest = digest
        self.engine_role = engine_role


def guard(
    sql: str,
    *,
    dialect: str,
    scope: AccessScope,
    schema: tuple[TableSchema, ...],
    parameters: tuple[Parameter, ...] = (),
    bounds: Bounds | None = None,
    catalog: str | None = None,
    default_schema: str | None = None,
) -> GuardedQuery | Refusal:
    """The query that may run for this scope, or why none may.  Never raises; what cannot be decided is refused.

    `catalog` is the engine's name for the opened database: with it, every table
    is written with three parts.  `default_schema` is where unqualified names are
    looked up ("main" on DuckDB, "public" on PostgreSQL).
    """
    bounds = bounds or Bounds()
    if dialect not in DEFAULT_SCHEMAS:
        return refusal("dialect", Reason.UNSUPPORTED)
    world = world_of(scope, schema, dialect, catalog, default_schema)
    found = _decided(sql, world, frozenset(p.name for p in parameters), bounds.max_rows)
    return found if isinstance(found, Refusal) else _sealed(found, parameters, scope, bounds)


@lru_cache(maxsize=1024)
def _decided(sql: str, world: World, given: frozenset[str], max_rows: int) -> Draft | Refusal:
    """The draft after all rules, or the refusal.

    Kept by everything that can decide: the text, the world (made from the whole
    scope and schema, one object per principal's view) and which parameters have
    values.  The values themselves take no part, so they are bound afterwards.
    """
    rule = "scope"
    try:
        draft = Draft(sql=sql, world=world, given=given, max_rows=max_rows)
        for name, step in RULES:
            rule = name
            draft = step(draft)
    except Stop as stop:
        return refusal(rule, stop.reason)
    except RecursionError:
        return refusal(rule, Reason.PARSE_LIMIT)
    except Exception:
        return refusal(rule, Reason.UNSUPPORTED)
    return draft


def forget_decisions() -> None:
    """Empty the memory of decisions; what was decided is decided again."""
    _decided.cache_clear()


def _sealed(draft: Draft, given: tuple[Parameter, ...], scope: AccessScope, bounds: Bounds) -> GuardedQuery:
    grants = [draft.world.grants[key] for key in draft.used]
    injected = [p for key in draft.used for p in injection(draft.world, key).parameters]
    return GuardedQuery(
        _SEAL,
        sql=draft.sql,
        dialect=draft.world.dialect,
        parameters=tuple(p for p in (*given, *injected) if p.name in draft.wanted),
        tables=tuple(sorted(g.access.table for g in grants)),
        filters=tuple(applied for g in grants for applied in _applied(g.access)),
        masked_columns=tuple(
            f"{g.access.table}.{mask.column}"
            for g in grants
            for mask in g.access.masks
            if mask.column in g.access.columns and (draft.starred or draft.world.key(mask.column) in draft.named)
        ),
        policy_version=scope.policy_version,
        bounds=bounds,
        digest=hashlib.sha256(draft.sql.encode("utf-8", "surrogatepass")).hexdigest(),
        engine_role=scope.engine_role,
    )


def _applied(access: TableAccess) -> Iterator[AppliedFilter]:
    """What narrows the rows and groups of a table, by rule."""
    if access.row_filter is not None:
        yield AppliedFilter(table=access.table, rule=access.row_filter.id, label=access.row_filter.label)
    if access.minimum_group is not None:
        yield AppliedFilter(table=access.table, rule="minimum_group", label=access.minimum_group.label())
