"""What is kept of the query that ran."""

from __future__ import annotations

import hashlib
import json

from catalog.query import CompiledQuery
from catalog.types import Scalar
from dataagent.runs.ports import QueryFacts
from dataagent.sqlguard.guard import GuardedQuery
from dataagent.warehouse.port import Explained, ResultTable


def query_facts(
    compiled: CompiledQuery, guarded: GuardedQuery, explained: Explained, table: ResultTable, *, engine: str
) -> QueryFacts:
    """The query as it was proposed and as it ran, where, and the digest of what came back."""
    return QueryFacts(
        proposed_sql=compiled.sql,
        executed_sql=guarded.sql,
        sql_digest=guarded.digest,
        dialect=guarded.dialect,
        tables=guarded.tables,
        filters=guarded.filters,
        masked_columns=guarded.masked_columns,
        policy_version=guarded.policy_version,
        engine=engine,
        query_id=table.query_id,
        row_count=len(table.rows),
        truncated=table.truncated,
        result_digest=result_digest(table.rows),
        elapsed_ms=table.elapsed_ms,
        plan_digest=explained.plan_digest,
        estimated_rows=explained.estimated_rows,
    )


def result_digest(rows: tuple[tuple[Scalar, ...], ...]) -> str:
    """SHA-256 over the rows in order: JSON of each cell's type and exact text."""
    cells = [[[type(v).__name__, None if v is None else str(v)] for v in row] for row in rows]
    return hashlib.sha256(json.dumps(cells, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()
