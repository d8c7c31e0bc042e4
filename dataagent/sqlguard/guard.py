"""The one guard: SQL text → GuardedQuery, or a refusal.  Nothing else reaches a warehouse."""

from __future__ import annotations

from dataclasses import dataclass

from catalog.query import Parameter

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a statement was stopped.  `message` is safe to show and names nothing hidden."""

    rule: str
    reason: str
    message: str
