"""The door to a warehouse: what an adapter must do.  Only a GuardedQuery passes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from catalog.types import Scalar
from dataagent.sqlguard.guard import GuardedQuery
from dataagent.sqlguard.schema import Column, TableSchema


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """The engine accepted the query.  `estimated_rows` is None where the engine does not say.

    `plan_digest` identifies the plan; the plan's text never leaves the adapter.
    """

    estimated_rows: int | None
    plan_digest: str
    elapsed_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultTable:
    """Rows in engine order, exact values.  `truncated` says that the row cap cut it."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Scalar, ...], ...]
    truncated: bool
    elapsed_ms: float
    query_id: str


class WarehouseFault(Exception):
    """The warehouse could not answer.  `code` is stable; the text is safe to show.

    Codes: timeout, cancelled, out_of_memory, unreachable, too_large, invalid_query.
    The engine's own words never appear in it.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Warehouse(Protocol):
    """One connected warehouse.  Every method raises WarehouseFault only."""

    @property
    def dialect(self) -> str:
        """The sqlglot dialect name ("duckdb", "postgres")."""

    @property
    def engine(self) -> str:
        """Engine and version, for the manifest."""

    def data_version(self) -> str:
        """What changes whenever the data do; "" where the engine cannot tell."""

    def schema(self) -> tuple[TableSchema, ...]:
        """All tables and views, ordered by name.  For trusted code; never shown unfiltered."""

    def explain(self, query: GuardedQuery) -> Explained:
        """Ask the engine whether and how it would run the query."""

    def execute(self, query: GuardedQuery, *, query_id: str) -> ResultTable:
        """Run read-only within the query's bounds.  `query_id` makes it cancellable."""

    def cancel(self, query_id: str) -> bool:
        """Stop a running query in the engine; True when one was stopped."""

    def clear(self, query_id: str) -> bool:
        """Stop in the engine whatever runs under that id, whichever process began it; True when nothing does."""
